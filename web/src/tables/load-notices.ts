/** Loads the offer to be notified, with its texts, when it is wanted. */
import { speakAlso } from "../i18n.ts";

export async function loadNotices() {
  const [{ Notices }] = await Promise.all([import("./notices.tsx"), speakAlso("notices")]);
  return Notices;
}
