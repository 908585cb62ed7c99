/** Positions in links: `/analysis#p=...&h=...`, `/solver#...`. A link says all; nothing is stored. */

import type { TileSet } from "../data.ts";
import type { Replay } from "../state/replay.ts";
import { LEVEL, type Standing } from "../state/standing.ts";

/** Read the values behind `#` by their names. */
export function readHash(hash: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at < 1) continue;
    try {
      // Layings have a plus: it must not become a space, as it would in a form.
      found[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1));
    } catch {
      // A link that was cut in half.
    }
  }
  return found;
}

/** The values of a link: behind `#`, or behind `?` in a link with a preview (docs/protocol.md, previews). */
export const linkHash = ({ hash, search }: { hash: string; search: string }): string =>
  hash.length > 1 ? hash : search.replace("?", "#");

/** The same link to give away. */
export const toPreviewLink = (link: string): string => link.replace("#", "?");

export function writeHash(values: Record<string, string | number | undefined>): string {
  const parts = Object.entries(values)
    .map(([name, value = ""]) => [name, String(value)] as const)
    .filter(([, value]) => value !== "")
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(value).replaceAll("%2B", "+").replaceAll("%40", "@").replaceAll("%2C", ",")}`,
    );
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Spaces look ugly in a link. */
export const packPosition = (position: string): string => position.trim().split(/\s+/).join("_");
export const unpackPosition = (text: string | undefined): string => (text ?? "").replaceAll("_", " ").trim();

/** The dominoes of a link, as names or layings, that a set does not have; of a back, the position says what it is. */
export function findUnknownDominoes(link: { position?: string; tiles?: string }, set: TileSet): string[] {
  const words = [...unpackPosition(link.position).split(/\s+/), ...(link.tiles ?? "").split(",")];
  const names = new Set(words.map((word) => word.replace(/[+-].*/, "")));
  return [...names].filter((name) => name && !set.has(name) && !set.frontOf(name));
}

export interface AnalysisState {
  position: string;
  hand: readonly string[];
  set: string;
  /** The state of the game for the coach; by default, level and at the beginning. */
  game?: Standing;
}

/** Write a link. It is never empty, because without values the analysis begins with an example. */
export function analysisHash({ position, hand, set, game = LEVEL }: AnalysisState): string {
  const standing = [...game.scores, game.target, game.began].join(",");
  const level = standing === [...LEVEL.scores, LEVEL.target, LEVEL.began].join(",");
  return (
    writeHash({
      p: packPosition(position),
      h: hand.join(","),
      s: set === "120" ? undefined : set,
      g: level ? undefined : standing,
    }) || "#p="
  );
}

/** A moment of a game that is over, with the dominoes of the player to move. */
export function momentHash(replay: Replay, at: number): string {
  const view = replay.view(at);
  const drawn = replay.game.drawn(view);
  const hand = drawn.length || view.active === undefined ? drawn : (replay.at(at).hands?.[view.active] ?? []);
  return analysisHash({
    position: view.table ?? "",
    hand: hand.slice(0, 2),
    set: replay.setName ?? "120",
    game: replay.standing(at),
  });
}

/** The inverse of what a link says about a game; a level one if it makes no sense. */
export function parseStanding(text: string | undefined): Standing {
  const numbers = (text ?? "").split(",").map(Number);
  if (!text || numbers.length < 4 || numbers.length > 6 || !numbers.every(Number.isInteger)) return LEVEL;
  const scores = numbers.slice(0, -2);
  const [target, began] = numbers.slice(-2) as [number, number];
  return target < 60 || target > 240 || began < 0 || began >= scores.length ? LEVEL : { scores, target, began };
}

export interface SolverState {
  width: number;
  height: number;
  pile?: number;
  tiles?: readonly string[];
  faces?: string;
  position?: string;
}

export function solverHash({ width, height, pile, tiles, faces, position }: SolverState): string {
  return writeHash({
    w: width,
    h: height,
    pile,
    t: tiles?.join(","),
    f: faces === "recto" ? faces : undefined,
    p: packPosition(position ?? ""),
  });
}
