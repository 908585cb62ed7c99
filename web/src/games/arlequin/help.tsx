/** Help on request in Arlequin: a next place, and whether what lies there can still be completed. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cellsOf, edge, key, type Laying, parseLaying, printLaying } from "../../geometry.ts";
import { t } from "../../i18n.ts";
import { ask, Refused } from "../../net/api.ts";
import type { Solutions } from "../../net/study.ts";
import { faceInWords, placeInWords } from "../../words.ts";
import { refusalText } from "../../panels/refusal.ts";
import { announce } from "../../shell/announcer.tsx";
import { meantElsewhere } from "../../shell/elsewhere.ts";
import { useKeydown } from "../../shell/hooks.ts";
import { framesFor } from "../../state/races.ts";
import type { Frame } from "../../state/placer.ts";
import type { TableProps } from "../../state/session.ts";
import type { ArlequinView } from "./game.ts";

/** What the solver says of a frame: a solution, that there is none, or that it gave up. */
type Verdict = { frame: Frame; solution: Laying[] } | "impossible" | "unknown";

export function ArlequinHelp({ session }: TableProps<ArlequinView>) {
  const waiting = useSignal(false);
  const told = useSignal<{ text: string; kind: string } | null>(null);
  /** The last solution: as long as what lies there is part of it, nobody need be asked. */
  const known = useRef<Verdict | null>(null);
  const [view, seat] = [session.view.value!, session.seat.value!];
  const texts = view.frames[seat]!;
  const layings = texts.map(parseLaying);
  const frames = framesFor(session.game.value.race!.frames(view.options), layings);

  // What was said is about what lay there.
  const position = texts.join(" ");
  useEffect(() => {
    told.value = null;
  }, [position]);

  const verdict = async (): Promise<Verdict> => {
    const solved = known.current;
    if (solved && typeof solved === "object" && frames.some((frame) => frame.width === solved.frame.width)) {
      const part = new Set(solved.solution.map(printLaying));
      if (texts.every((text) => part.has(text))) return solved;
    }
    // The frame as it is shown first, then the other way round.
    const shown = session.placer.frame.value;
    const order = [...frames].sort((a, b) => +(b.width === shown?.width) - +(a.width === shown?.width));
    let unknown = false;
    for (const frame of order) {
      const found = await ask<Solutions>("/solve", {
        body: { width: frame.width, height: frame.height, pile: view.piles[seat], position, count: 1 },
      });
      if (found.solutions.length) return (known.current = { frame, solution: found.solutions[0]!.map(parseLaying) });
      unknown ||= !found.complete;
    }
    return unknown ? "unknown" : "impossible";
  };

  const request = async (then: (found: Verdict) => void | Promise<void>) => {
    if (waiting.value) return;
    waiting.value = true;
    told.value = null;
    try {
      const found = await verdict();
      if (session.view.value?.frames[seat]!.join(" ") === position) await then(found);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(refusalText(error.code, error.message), "unknown");
    } finally {
      waiting.value = false;
    }
  };
  const say = (text: string, kind: string) => {
    told.value = { text, kind };
    announce(text);
  };

  const canBe = (found: Verdict) => {
    if (typeof found === "object") say(t("solver_yes"), "yes");
    else say(found === "impossible" ? t("solver_no") : t("solver_unknown"), found);
  };
  const showPlace = (found: Verdict) => {
    if (typeof found !== "object") return canBe(found);
    session.lying.value = found.frame.width > found.frame.height;
    const laying = nextOf(found.solution, layings);
    if (!laying) return;
    session.pick(laying.tile, laying.side);
    session.placer.show(laying);
    const face = faceInWords(laying.tile, laying.side, session.set.value);
    announce(`${face}: ${placeInWords(laying)}`);
  };
  const hint = () => void request(showPlace);

  useKeydown((event) => {
    if (!meantElsewhere(event) && !event.repeat && /^h$/i.test(event.key)) hint();
  });

  const turn = session.lying.value ? t("frame_upright") : t("frame_lying");
  return (
    <>
      <button type="button" disabled={waiting.value} onClick={hint}>{t("show_place")} <kbd>H</kbd></button>
      <button type="button" disabled={waiting.value} onClick={() => void request(canBe)}>{t("can_it_be")}</button>
      {frames.length > 1 && (
        <button type="button" class="frame-turn" aria-label={turn} title={turn} onClick={() => (session.lying.value = !session.lying.value)}>
          <svg viewBox="0 0 24 24" width={24} height={24} aria-hidden="true">
            {session.lying.value ? <rect x={6.5} y={3} width={11} height={18} rx={2} /> : <rect x={3} y={6.5} width={18} height={11} rx={2} />}
          </svg>
        </button>
      )}
      {waiting.value && <p class="solver-says" role="status">{t("solver_looks")}</p>}
      {told.value && <p class={`solver-says ${told.value.kind}`}>{told.value.text}</p>}
    </>
  );
}

/** The laying of a solution that has most neighbours already; what hangs together is easier to follow. */
function nextOf(solution: readonly Laying[], layings: readonly Laying[]): Laying | null {
  const laid = new Set(layings.map(printLaying));
  const edges = new Set(layings.flatMap(sides));
  let [best, most]: [Laying | null, number] = [null, -1];
  for (const laying of solution) {
    if (laid.has(printLaying(laying))) continue;
    const contacts = sides(laying).filter((side) => edges.has(side)).length;
    if (contacts > most) [best, most] = [laying, contacts];
  }
  return best;
}

const sides = (laying: Laying): string[] => cellsOf(laying).flatMap((cell) => [0, 1, 2, 3].map((direction) => key(edge(cell, direction))));
