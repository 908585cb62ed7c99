// Made by `node games.mjs`.
/** What each of our games says of itself, by name. */
import type { GameParts } from "./game.ts";
import _72 from "./72/game.ts";
import _alex from "./alex/game.ts";
import _arlequin from "./arlequin/game.ts";
import _auction from "./auction/game.ts";
import _classic from "./classic/game.ts";
import _conquest from "./conquest/game.ts";
import _gone from "./gone/game.ts";
import _puzzle from "./puzzle/game.ts";

export const GAMES: Readonly<Record<string, GameParts>> = {
  "72": _72,
  "alex": _alex,
  "arlequin": _arlequin,
  "auction": _auction,
  "classic": _classic,
  "conquest": _conquest,
  "gone": _gone,
  "puzzle": _puzzle,
};
