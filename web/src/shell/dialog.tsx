/** A dialog of the browser's own: it keeps the focus, and Esc closes it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n.ts";

/** What is referred to is open, and over all else. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return dialog;
}

export function Dialog({ title, onClose, children, kind = "" }: {
  title: string; onClose(): void; children: ComponentChildren; kind?: string;
}) {
  const dialog = useModal();
  const name = useId();
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={name}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-head">
        <h2 id={name}>{title}</h2>
        <button type="button" class="tool" aria-label={t("close")} title={t("close")} onClick={onClose}>✕</button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
