/**
 * Whether a key is meant for what has the focus: a field, an open dialog, a summary that opens. In a dialog that Esc
 * has just closed, the focus stays until the next frame.
 */
export function isMeantElsewhere(event: KeyboardEvent): boolean {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog[open]"))
    return true;
  return ["Enter", " "].includes(event.key) && target.closest("summary") !== null;
}
