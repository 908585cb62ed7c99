/** A dialog of the browser's own: it keeps the focus, and Esc closes it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n.ts";
import { useClick } from "./hooks.ts";
import { openModal } from "./modals.ts";
import { announce, voice } from "../state/voice.ts";
import { Icon } from "../ui/icon.tsx";

/** Open a dialog over the page; the result refers to it. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => (dialog.current ? openModal(dialog.current) : undefined), []);
  return dialog;
}

/** Milliseconds in which the second click of a double click was meant for what a dialog has just covered. */
const STRAY_CLICK_MS = 500;

/**
 * `unasked`: it comes by itself, so that keys and clicks of the moment were not meant for it. `read`: it begins with
 * its title, which is announced.
 */
export function Dialog({
  title,
  onClose,
  children,
  kind = "",
  unasked = false,
  read = unasked,
}: {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  kind?: string;
  unasked?: boolean;
  read?: boolean;
}) {
  const dialog = useModal();
  const name = useId();
  const beginning = useRef<HTMLSpanElement>(null);
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
    if (read) {
      beginning.current?.focus();
      announce(title, "urgent");
    } else voice.yield(title);
  }, []);
  useClick((event) => {
    const target = event.target as Node;
    if (
      unasked
      && event.detail > 1
      && performance.now() - since.current <= STRAY_CLICK_MS
      && dialog.current?.contains(target)
    ) {
      event.preventDefault();
      event.stopPropagation();
    } else if (target === dialog.current) onClose(); // On the backdrop.
  }, true);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={name}
      onClose={(event) => {
        // The browser sends this event a frame after a dialog was removed: by then it may be open again.
        if (event.currentTarget.isConnected) onClose();
      }}
      onKeyDown={(event) => {
        // A key that is held presses nothing twice.
        if (event.repeat && [" ", "Enter"].includes(event.key) && !(event.target as Element).closest("input, textarea"))
          event.preventDefault();
      }}
    >
      {/* Not the title: Orca reads it when the focus was nowhere, but not when it comes from another element. */}
      {read && <span ref={beginning} tabIndex={-1} />}
      <div class="row apart tied dialog-head">
        <h2 id={name}>{title}</h2>
        <button type="button" class="tool" aria-label={t("close")} title={t("close")} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
