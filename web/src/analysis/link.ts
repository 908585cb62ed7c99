/** The position that is studied, as the address says it, and links to examples and to the end of a game. */
import { hrefOf } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { tileSet } from "../data.ts";
import { study } from "../net/study.ts";
import {
  analysisHash,
  findUnknownDominoes,
  linkHash,
  momentHash,
  parseStanding,
  readHash,
  unpackPosition,
} from "../panels/study-link.ts";
import { address } from "../shell/router.ts";
import type { Analysis } from "../state/analysis.ts";
import { TURNS } from "../state/examples.ts";
import type { Finished } from "../state/finished.ts";
import { Replay } from "../state/replay.ts";
import { tokenOf } from "../state/storage.ts";
import { itemAt } from "../values.ts";

/** One of the examples, by any number. */
export const exampleHash = (number: number): string =>
  analysisHash({ ...itemAt(TURNS, number % TURNS.length), set: "120" });

/** The last turn of a game, as its player saw it. */
export async function endingHash({ id }: Finished): Promise<string> {
  const replay = new Replay(await study.replay(id, tokenOf(id)));
  return momentHash(replay, replay.turns.findLast(({ layings }) => layings.length > 0)?.first ?? replay.last);
}

/** The link to what is studied. */
export function linkOf({ position, hand, setName, game }: Analysis): string {
  return analysisHash({ position: position.value, hand: hand.value, set: setName.value, game: game.value });
}

/** Study what a link says. */
export function openLink(analysis: Analysis, hash: string): void {
  const { p, h, s, g } = readHash(hash);
  const set = s === "72" ? "72" : "120";
  analysis.game.value = parseStanding(g);
  void analysis.read(
    unpackPosition(p),
    set,
    (h ?? "")
      .split(",")
      .filter((tile) => tileSet(set).has(tile))
      .slice(0, 2),
  );
}

/**
 * Study what the address says, and keep the address up to date. The result are the dominoes of a link that the set does
 * not have.
 */
export function useLink(analysis: Analysis): readonly string[] {
  const hash = linkHash(address.value);
  const others = useSignal<readonly string[]>([]);
  useEffect(() => {
    const { p, h, s } = readHash(hash);
    others.value = findUnknownDominoes({ position: p, tiles: h }, tileSet(s));
    openLink(analysis, hash || exampleHash(0));
  }, [hash]);
  const now = linkOf(analysis);
  const wrong = analysis.fault.value !== null;
  const begun = useSignal(false);
  useEffect(() => {
    // Not before the link that was opened has been read; and a wrong text is no position.
    if (!begun.value) {
      begun.value = true;
      return undefined;
    }
    if (wrong) return undefined;
    const timer = setTimeout(() => history.replaceState(null, "", hrefOf(`/analysis${now}`)), 300);
    return () => clearTimeout(timer);
  }, [now, wrong]);
  return others.value;
}
