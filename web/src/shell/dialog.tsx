/** A dialog of the browser's own: it keeps the focus, and Esc closes it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n.ts";

export function Dialog({ title, onClose, children, kind = "" }: {
  title: string; onClose(): void; children: ComponentChildren; kind?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
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
