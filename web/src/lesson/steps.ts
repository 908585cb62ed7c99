/** The steps of the lesson: small positions where what is to be learned is there to be found. */
import type { Disc } from "../geometry.ts";
import type { Scored } from "../net/api.ts";
import { CHARGE } from "../state/points.ts";
import raw from "./positions.json"; // Made by scripts/find_lesson.py.

export interface LessonStep {
  /** Its texts are `lesson_NAME`, `lesson_NAME_task` and `lesson_NAME_done`. */
  name: "match" | "discs" | "over" | "group" | "undo" | "both";
  position: string;
  hand: string[];
  /** Laid before the pupil comes: to be taken back first. */
  mistake?: Scored;
  /** Points are shown before a laying. */
  showsPoints: boolean;
  /** A disc of the group to be closed. */
  group?: Disc;
  /** Whether the layings of the turn are what was asked for. */
  enough(laid: readonly Scored[]): boolean;
  /** The turn is ended by the pupil, not by the first good laying. */
  ends?: boolean;
}

type Position = Pick<LessonStep, "position" | "hand" | "mistake" | "group">;

const positions = raw as unknown as Record<LessonStep["name"], Position>;

const threeDiscs: LessonStep["enough"] = ([first]) => !!first && first.contacts >= 3;

const TASKS: readonly Omit<LessonStep, keyof Position>[] = [
  { name: "match", showsPoints: false, enough: (laid) => laid.length > 0 },
  { name: "discs", showsPoints: true, enough: threeDiscs },
  { name: "over", showsPoints: true, enough: threeDiscs },
  {
    name: "group",
    showsPoints: true,
    enough: ([first]) => !!first && first.groups.some(({ colour, size }) => colour === "Y" && size > 3),
  },
  { name: "undo", showsPoints: true, enough: ([first]) => !!first && first.points >= 4 },
  { name: "both", showsPoints: true, enough: ([, second]) => !!second && second.points > CHARGE, ends: true },
];

export const LESSON_STEPS: readonly LessonStep[] = TASKS.map((task) => {
  const { position, hand, mistake, group } = positions[task.name];
  return { ...task, position, hand, mistake, group };
});
