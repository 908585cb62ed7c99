/** The tables of our games, each loaded when it is played. */
import type { LoadTable } from "./card.tsx";

export const TABLES: Readonly<Record<string, LoadTable>> = {
  "72": () => import("./72/table.tsx"),
  alex: () => import("./alex/table.tsx"),
  arlequin: () => import("./arlequin/table.tsx"),
  auction: () => import("./auction/table.tsx"),
  classic: () => import("./classic/table.tsx"),
  conquest: () => import("./conquest/table.tsx"),
  gone: () => import("./gone/table.tsx"),
  puzzle: () => import("./puzzle/table.tsx"),
};

/** The games whose folder has a style sheet, `style.css`, which comes with their table. */
export const STYLED: readonly string[] = ["72", "alex", "auction", "conquest", "gone"];
