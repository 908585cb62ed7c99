// Made by `node games.mjs`.
/** The languages, each with its own name, its texts, and every name of a text. */
import type shared from "./en.json";
import type _72 from "../games/72/texts/en.json";
import type _alex from "../games/alex/texts/en.json";
import type _arlequin from "../games/arlequin/texts/en.json";
import type _auction from "../games/auction/texts/en.json";
import type _classic from "../games/classic/texts/en.json";
import type _conquest from "../games/conquest/texts/en.json";
import type _gone from "../games/gone/texts/en.json";
import type _puzzle from "../games/puzzle/texts/en.json";

type Shared = typeof shared;

export type TextName =
  | { [Room in keyof Shared]: keyof Shared[Room] }[keyof Shared]
  | keyof typeof _72
  | keyof typeof _alex
  | keyof typeof _arlequin
  | keyof typeof _auction
  | keyof typeof _classic
  | keyof typeof _conquest
  | keyof typeof _gone
  | keyof typeof _puzzle;

export const LANGUAGES = { de: "Deutsch", en: "English", es: "Español", fr: "Français", it: "Italiano", nl: "Nederlands" } as const;

export const LOADERS = {
  de: () => import("texts:de"),
  en: () => import("texts:en"),
  es: () => import("texts:es"),
  fr: () => import("texts:fr"),
  it: () => import("texts:it"),
  nl: () => import("texts:nl"),
};
