/** Personal bests in races, kept in this browser: one for each course, without help and with it apart. */
import { type Run, timeOf } from "./times.ts";
import { recall, remember } from "./storage.ts";

export interface Times {
  /** Milliseconds for the whole frame. */
  time: number;
  /** At each quarter of the frame. */
  splits: (number | null)[];
}

export interface Best extends Times {
  /** The table where it was run. */
  table: string;
  /** The best one before it. */
  before?: Times;
}

/** What was run: times are compared only where this is the same. */
export interface Course {
  game: string;
  /** The frame and the dominoes, as the game names them; null: no other race has these, and nothing is compared. */
  course: string | null;
  helped: boolean;
}

const nameOf = ({ game, course, helped }: Course) => `${game} ${course}${helped ? " helped" : ""}`;

const all = () => recall<Record<string, Best>>("bests", {});

export function bestOf(course: Course): Best | null {
  return course.course === null ? null : (all()[nameOf(course)] ?? null);
}

/** Keep a run if it is the best so far; the best there is then. The same table counts once. */
export function keepRun(course: Course, run: Run, table: string): Best | null {
  const [best, time] = [bestOf(course), timeOf(run)];
  if (course.course === null || time === null || best?.table === table || (best && best.time <= time)) return best;
  const found: Best = {
    time,
    splits: run.splits.map((split) => split.time),
    table,
    ...(best && { before: { time: best.time, splits: best.splits } }),
  };
  remember("bests", { ...all(), [nameOf(course)]: found });
  return found;
}
