// Made by `node games.mjs`.
/** How our games are offered. */
import type { Card } from "./card.tsx";
import _72 from "./72/card.tsx";
import _alex from "./alex/card.tsx";
import _arlequin from "./arlequin/card.tsx";
import _auction from "./auction/card.tsx";
import _classic from "./classic/card.tsx";
import _conquest from "./conquest/card.tsx";
import _gone from "./gone/card.tsx";
import _puzzle from "./puzzle/card.tsx";

export const CARDS: Readonly<Record<string, Card>> = {
  "72": _72,
  "alex": _alex,
  "arlequin": _arlequin,
  "auction": _auction,
  "classic": _classic,
  "conquest": _conquest,
  "gone": _gone,
  "puzzle": _puzzle,
};
