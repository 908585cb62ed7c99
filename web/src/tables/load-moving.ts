/** Loads what moves tables, with its texts, when it is wanted. */
import { speakAlso } from "../i18n.ts";

export async function loadMoving() {
  const [module] = await Promise.all([import("./moving.tsx"), speakAlso("moving")]);
  return module;
}
