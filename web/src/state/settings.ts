/** How this browser shows the game: kept here and never sent. */
import { effect, signal, type Signal } from "@preact/signals";
import { PALETTES, type PaletteName, type ShapeName } from "../data.ts";
import { type Language, pickLanguage } from "../i18n.ts";
import { recall, remember } from "./storage.ts";

export type Theme = "auto" | "light" | "dark";
export const SURFACES = ["cloth", "felt", "wood"] as const;
export type Surface = (typeof SURFACES)[number];

/** Create a setting that the browser keeps. */
function keepSetting<T>(name: string, initial: T): Signal<T> {
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
  language: keepSetting<Language>("language", pickLanguage(browsers)),
  theme: keepSetting<Theme>("theme", "auto"),
  /** What the table is made of. */
  table: keepSetting<Surface>("table", "cloth"),
  palette: keepSetting<PaletteName>("palette", "classic"),
  shape: keepSetting<ShapeName>("shape", "rounds"),
  pieces: keepSetting<"black" | "white">("pieces", "black"),
  /** Draw the symbol of its colour on every disc. */
  symbols: keepSetting("symbols", false),
  /** Lay with one click or tap, without the tick. */
  oneTap: keepSetting("oneTap", false),
  /** Outline where the domino in hand fits. */
  places: keepSetting("places", true),
  /** Show what a laying earns before it is made. */
  points: keepSetting("points", true),
  /** Show the log in sentences instead of signs. */
  logInWords: keepSetting("logInWords", false),
  /** Silent until the player wants sounds. */
  sound: keepSetting("sound", false),
  /** Show what the others at a table say. */
  greetings: keepSetting("greetings", true),
  /** From 0 to 1. */
  volume: keepSetting("volume", 0.6),
  vibration: keepSetting("vibration", false),
  /** Send a system notification when it is the player's turn and the page is hidden. */
  notify: keepSetting("notify", false),
  /** Who hosts games against bots where both can. */
  where: keepSetting<"server" | "device">("where", "server"),
  name: keepSetting("name", ""),
};

/** Whether symbols are drawn, by choice or because the palette needs them. */
export const withSymbols = (): boolean => settings.symbols.value || PALETTES[settings.palette.value].needs_symbols;
