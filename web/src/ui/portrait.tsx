/** The programs as faces: discs in the colours of the dominoes, each with something of its own. */
import type { ComponentChildren } from "preact";
import { requireValue } from "../values.ts";

interface Face {
  /** The colours of the upper and the lower half-disc. */
  halves: readonly [string, string];
  /** More than eyes and mouth: a tuft, freckles, glasses, ... */
  more?: ComponentChildren;
  mouth: string;
}

const SMILE = "M-9 9Q0 18 9 9";

/** What has just happened, on a face; undefined: nothing in particular. */
export type Mood = "happy" | "thinking" | "annoyed";

/** The mouth of a mood, and what is above the eyes. */
const MOODS: Readonly<Record<Mood, { mouth: string; brows: string }>> = {
  happy: { mouth: "M-12 7Q0 24 12 7Z", brows: "M-15-13q5-5 10 0M5-13q5-5 10 0" },
  thinking: { mouth: "M-3 12a4 3 0 1 0 8 0a4 3 0 1 0-8 0", brows: "M-15-15h10M5-18l10-2" },
  annoyed: { mouth: "M-9 15Q0 7 9 15", brows: "M-16-16l11 4M16-16l-11 4" },
};

const MEDIUM: Face = {
  halves: ["B", "Y"],
  mouth: "M-8 11Q0 15 8 11",
  more: <path d="M-18-5a8 8 0 1 0 16 0a8 8 0 1 0-16 0M2-5a8 8 0 1 0 16 0a8 8 0 1 0-16 0M-2-5h4" />,
};

const FACES: Readonly<Record<string, Face>> = {
  alone: { halves: ["", ""], mouth: SMILE },
  random: { halves: ["R", "G"], mouth: "M-8 12H8", more: <path d="M-17-9l6-4M11-13l6 4" /> },
  novice: {
    halves: ["Y", "Y"],
    mouth: "M-8 8Q0 20 8 8Z",
    more: <path stroke="var(--text)" d="M0-29q-7-6 0-10q7 4 1 10" />,
  },
  easy: {
    halves: ["G", "G"],
    mouth: SMILE,
    more: (
      <g fill="var(--ink)" stroke="none">
        <circle cx={-16} cy={6} r={1.7} />
        <circle cx={-19} cy={2} r={1.7} />
        <circle cx={16} cy={6} r={1.7} />
        <circle cx={19} cy={2} r={1.7} />
      </g>
    ),
  },
  medium: MEDIUM,
  greedy: MEDIUM, // Its first name.
  strong: { halves: ["R", "R"], mouth: "M-9 13Q0 9 9 13", more: <path stroke-width={5} d="M-17-14h13M4-14h13" /> },
  expert: {
    halves: ["B", "R"],
    mouth: "M-7 12Q2 15 9 8",
    more: (
      <>
        <path d="M-17-12q6-5 12-1M4-15q7-4 13 1" />
        <path stroke="var(--text)" d="M-8-29a8 7 0 1 1 16 0" />
      </>
    ),
  },
};

export function Portrait({ of, mood }: { of: string; mood?: Mood }) {
  const {
    halves: [upper, lower],
    mouth,
    more,
  } = requireValue(FACES[of] ?? FACES.random, of);
  return (
    <svg class="portrait" width="3.6rem" viewBox="-40 -42 80 80" data-mood={mood} aria-hidden="true">
      <circle class={lower} r={30} fill="var(--white)" />
      <path class={upper} d="M-30 0a30 30 0 0 1 60 0z" fill="var(--white)" />
      <circle cx={-10} cy={-5} r={3.6} />
      <circle cx={10} cy={-5} r={3.6} />
      <g fill="none" stroke="var(--ink)" stroke-width={3}>
        <circle r={30} />
        {more}
        {mood && <path d={MOODS[mood].brows} />}
        <path d={mood ? MOODS[mood].mouth : mouth} />
      </g>
    </svg>
  );
}
