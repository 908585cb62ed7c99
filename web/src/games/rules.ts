/** The rules of the games that one player can play without a server. */
import type { AloneRules } from "./alone.ts";

export const RULES: Readonly<Record<string, () => Promise<{ default: AloneRules }>>> = {
  arlequin: () => import("./arlequin/rules.ts"),
  puzzle: () => import("./puzzle/rules.ts"),
};
