/** How a game is offered: its picture, for whom it is, and who sits opposite at once. */
import type { ComponentChildren, ComponentType } from "preact";
import type { TableProps } from "../state/session.ts";

/** What kind of a game it is, in the order in which they are offered. */
export const FAMILIES = ["turns", "races", "small"] as const;

export interface Card {
  /** In turns, unless it says so. */
  family?: (typeof FAMILIES)[number];
  Picture?(): ComponentChildren;
  /** From this age, or between two; null: for all. */
  ages: number | readonly [number, number] | null;
  /** As the author gives them; null: it varies. */
  minutes: number | null;
  /** At least so long. */
  longer?: boolean;
  /** With how many players, ... */
  note?(): string;
  /** The programs opposite when one just wants to play: gentle ones, and none in solitaires. */
  opponents: readonly string[];
}

/** The table of a game, which knows its own view: the caller who looks it up by name vouches for that. */
export type LoadTable = () => Promise<{ default: ComponentType<TableProps<never>> }>;
