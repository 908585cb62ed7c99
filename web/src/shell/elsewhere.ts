/** Whether a key is meant for what has the focus: a field, a dialog, a summary that opens. */
export function isMeantElsewhere(event: KeyboardEvent): boolean {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return true;
  return ["Enter", " "].includes(event.key) && target.closest("summary") !== null;
}
