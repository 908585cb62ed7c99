/** The dialogs that are open, so that announcements go to the one that silences everything else. */
const modals: HTMLDialogElement[] = [];

/** Open a dialog over all else; returns what closes it. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  modals.push(dialog);
  return () => {
    modals.splice(modals.indexOf(dialog), 1);
    dialog.close();
  };
}

/** The dialog that lies over all else, if one is open. */
export const topmostModal = (): HTMLDialogElement | undefined => modals.findLast(({ open }) => open);
