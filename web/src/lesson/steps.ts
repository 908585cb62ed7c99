/** The steps of the lesson: small positions where what is to be learned is there to be found. */
import type { Scored } from "../net/api.ts";
import type { Disc } from "../geometry.ts";

export interface Step {
  /** Its texts are `lesson_NAME`, `lesson_NAME_task` and `lesson_NAME_done`. */
  name: "match" | "discs" | "over" | "group" | "undo" | "both";
  position: string;
  hand: string[];
  /** Laid before the pupil comes: to be taken back first. */
  mistake?: Scored;
  /** Points are told before a laying. */
  tell: boolean;
  /** A disc of the group to be closed. */
  group?: Disc;
  /** Whether the layings of the turn are what was asked for. */
  enough(laid: readonly Scored[]): boolean;
  /** The turn is ended by the pupil, not by the first good laying. */
  ends?: boolean;
}

/** What a second domino costs. */
export const CHARGE = 4;

export const STEPS: readonly Step[] = [
  {
    name: "match",
    position: "DYRBG+0@0,0",
    hand: ["ZBGYR"],
    tell: false,
    enough: (laid) => laid.length > 0,
  },
  {
    name: "discs",
    position: "PGBRY+0@0,0 AYBGR-3@0,2 ARBYG-1@2,-1",
    hand: ["CRBYG"],
    tell: true,
    enough: ([first]) => !!first && first.contacts >= 3,
  },
  {
    name: "over",
    position: "ZBYGR+0@0,0 CYRGB-1@2,-1 CGYBR+1@1,-2",
    hand: ["DRBGY"],
    tell: true,
    enough: ([first]) => !!first && first.contacts >= 3,
  },
  {
    name: "group",
    position: "BYGBR+0@0,0 CRGYB-2@1,-1 BRGYB-2@1,1 ZRBGY-1@2,-1 BBRGY-1@-1,0 CGYBR+0@1,-2 PBRYG+0@-1,-2 DYGBR+0@1,-3",
    hand: ["CRYGB"],
    tell: true,
    group: [3, -2],
    enough: ([first]) => !!first && first.groups.some(({ colour, size }) => colour === "Y" && size > 3),
  },
  {
    name: "undo",
    position: "CRGYB-2@1,0 AGYBR-3@0,2 PRGYB+3@-1,1",
    hand: ["CYGBR"],
    mistake: { laying: "ARBGY-0@-3,1", contacts: 1, disc_points: 1, groups: [], group_points: 0, points: 1 },
    tell: true,
    enough: ([first]) => !!first && first.points >= 4,
  },
  {
    name: "both",
    position: "BRBYG+0@0,0 DBGRY-2@1,-1 PGBRY-2@1,1 ZRYBG-3@-1,1 CRYGB+2@1,-2 CYRBG-2@-1,-1 BRGYB+2@1,-3",
    hand: ["BGRBY", "ZGYBR"],
    tell: true,
    enough: ([, second]) => !!second && second.points > CHARGE,
    ends: true,
  },
];
