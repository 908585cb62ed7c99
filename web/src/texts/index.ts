/** The languages, each with its own name, and every name of a text: a folder for each area, and one for each game. */
import type seventyTwo from "../games/72/texts/en.json";
import type alex from "../games/alex/texts/en.json";
import type arlequin from "../games/arlequin/texts/en.json";
import type auction from "../games/auction/texts/en.json";
import type classic from "../games/classic/texts/en.json";
import type conquest from "../games/conquest/texts/en.json";
import type gone from "../games/gone/texts/en.json";
import type puzzle from "../games/puzzle/texts/en.json";
import type board from "./board/en.json";
import type challenges from "./challenges/en.json";
import type companion from "./companion/en.json";
import type device from "./device/en.json";
import type dominoes from "./dominoes/en.json";
import type home from "./home/en.json";
import type lesson from "./lesson/en.json";
import type levels from "./levels/en.json";
import type log from "./log/en.json";
import type newTable from "./new/en.json";
import type notices from "./notices/en.json";
import type print from "./print/en.json";
import type problems from "./problems/en.json";
import type races from "./races/en.json";
import type refusals from "./refusals/en.json";
import type result from "./result/en.json";
import type review from "./review/en.json";
import type samples from "./samples/en.json";
import type shell from "./shell/en.json";
import type study from "./study/en.json";
import type table from "./table/en.json";
import type tokens from "./tokens/en.json";
import type words from "./words/en.json";

export type TextName =
  | keyof typeof board
  | keyof typeof challenges
  | keyof typeof companion
  | keyof typeof device
  | keyof typeof dominoes
  | keyof typeof home
  | keyof typeof lesson
  | keyof typeof levels
  | keyof typeof log
  | keyof typeof newTable
  | keyof typeof notices
  | keyof typeof print
  | keyof typeof problems
  | keyof typeof races
  | keyof typeof refusals
  | keyof typeof result
  | keyof typeof review
  | keyof typeof samples
  | keyof typeof shell
  | keyof typeof study
  | keyof typeof table
  | keyof typeof tokens
  | keyof typeof words
  | keyof typeof seventyTwo
  | keyof typeof alex
  | keyof typeof arlequin
  | keyof typeof auction
  | keyof typeof classic
  | keyof typeof conquest
  | keyof typeof gone
  | keyof typeof puzzle;

export const LANGUAGES = {
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
} as const;
