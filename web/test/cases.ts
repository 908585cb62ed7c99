/** What Python says about some positions (scripts/write_web_cases.py). */
import raw from "./cases.json";
import type { Disc } from "../src/geometry.ts";

export interface Case {
  position: string;
  layings: {
    laying: string;
    cells: Disc[];
    centre: Disc;
    halves: { disc: Disc; direction: number; colour: string }[];
  }[];
  groups: { colour: string; size: number; closed: boolean; discs: Disc[] }[];
  tile: string;
  legal: string[];
  tries: { laying: string; refusal: string | null }[];
  frame: { width: number; height: number; position: string; tile: string; legal: string[] };
}

export const CASES = raw as unknown as Case[];
