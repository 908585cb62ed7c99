/** The buttons of a result whose dialog was closed: the tray of a table shows them instead of its own. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export const resultButtons = signal<ComponentChildren>(null);
