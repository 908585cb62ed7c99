/** What a table offers when its result was put aside: whoever draws the tray gives it the place of the buttons. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export const resultButtons = signal<ComponentChildren>(null);
