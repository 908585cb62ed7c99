/** How our games are offered. */
import seventyTwo from "./72/card.tsx";
import alex from "./alex/card.tsx";
import arlequin from "./arlequin/card.tsx";
import auction from "./auction/card.tsx";
import classic from "./classic/card.tsx";
import conquest from "./conquest/card.tsx";
import gone from "./gone/card.tsx";
import puzzle from "./puzzle/card.tsx";
import type { Card } from "./card.tsx";

export const CARDS: Readonly<Record<string, Card>> = {
  "72": seventyTwo,
  alex,
  arlequin,
  auction,
  classic,
  conquest,
  gone,
  puzzle,
};
