/** What each of our games says of itself, by name. */
import seventyTwo from "./72/game.ts";
import alex from "./alex/game.ts";
import arlequin from "./arlequin/game.ts";
import auction from "./auction/game.ts";
import classic from "./classic/game.ts";
import conquest from "./conquest/game.ts";
import gone from "./gone/game.ts";
import puzzle from "./puzzle/game.ts";
import type { GameParts } from "./game.ts";

export const GAMES: Readonly<Record<string, GameParts>> = {
  "72": seventyTwo,
  alex,
  arlequin,
  auction,
  classic,
  conquest,
  gone,
  puzzle,
};
