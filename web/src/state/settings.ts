/** How this browser shows the game: kept here and never sent. */
import { effect, signal, type Signal } from "@preact/signals";
import { PALETTES, type PaletteName, type ShapeName } from "../data.ts";
import { type Language, pickLanguage } from "../i18n.ts";
import { recall, remember } from "./storage.ts";

export type Theme = "auto" | "light" | "dark";
export const SURFACES = ["cloth", "felt", "wood"] as const;
export type Surface = (typeof SURFACES)[number];

/** A setting that is kept in the browser. */
function kept<T>(name: string, initial: T): Signal<T> {
  const setting = signal<T>(recall(`setting.${name}`, initial));
  // Another tab of this browser has changed it.
  globalThis.addEventListener?.("storage", ({ key, newValue }: StorageEvent) => {
    if (key === `dalapapa.setting.${name}` && newValue !== null) setting.value = JSON.parse(newValue) as T;
  });
  let first = true;
  effect(() => {
    const value = setting.value;
    if (!first) remember(`setting.${name}`, value);
    first = false;
  });
  return setting;
}

const browsers = globalThis.navigator?.languages ?? ["en"];

export const settings = {
  language: kept<Language>("language", pickLanguage(browsers)),
  theme: kept<Theme>("theme", "auto"),
  /** What the table is made of. */
  table: kept<Surface>("table", "cloth"),
  palette: kept<PaletteName>("palette", "classic"),
  shape: kept<ShapeName>("shape", "rounds"),
  pieces: kept<"black" | "white">("pieces", "black"),
  /** Draw the symbol of its colour on every disc. */
  symbols: kept("symbols", false),
  /** Lay with one click or tap, without the tick. */
  oneTap: kept("oneTap", false),
  /** Outline where the domino in hand fits. */
  places: kept("places", true),
  /** Tell what a laying earns before it is made. */
  points: kept("points", true),
  /** Silent until the player wants sounds. */
  sound: kept("sound", false),
  /** Show what the others at a table say. */
  greetings: kept("greetings", true),
  /** From 0 to 1. */
  volume: kept("volume", 0.6),
  vibration: kept("vibration", false),
  /** Tell the system when it is one's turn and the page is hidden. */
  notify: kept("notify", false),
  /** Who hosts games against bots where both can. */
  where: kept<"server" | "device">("where", "server"),
  name: kept("name", ""),
};

/** Whether symbols are drawn, by wish or because the palette needs them. */
export const withSymbols = (): boolean => settings.symbols.value || PALETTES[settings.palette.value].needs_symbols;
