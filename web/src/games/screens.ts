// Made by `node games.mjs`.
/** How our games are offered, and their tables, which are loaded when they are played. */
import type { Card, LoadTable } from "./card.tsx";
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

export const TABLES: Readonly<Record<string, LoadTable>> = {
  "72": () => import("./72/table.tsx"),
  "alex": () => import("./alex/table.tsx"),
  "arlequin": () => import("./arlequin/table.tsx"),
  "auction": () => import("./auction/table.tsx"),
  "classic": () => import("./classic/table.tsx"),
  "conquest": () => import("./conquest/table.tsx"),
  "gone": () => import("./gone/table.tsx"),
  "puzzle": () => import("./puzzle/table.tsx"),
};
