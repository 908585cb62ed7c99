/** Positions in links: `/analysis#p=...&h=...`, `/solver#...`. A link says all; nothing is stored. */

/** What stands behind `#`, by its names. */
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

export function writeHash(values: Record<string, string | number | undefined>): string {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll("%2B", "+").replaceAll("%40", "@").replaceAll("%2C", ",")}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Spaces look ugly in a link. */
export const packed = (position: string): string => position.trim().split(/\s+/).join("_");
export const unpacked = (text: string | undefined): string => (text ?? "").replaceAll("_", " ").trim();

export interface AnalysisState {
  position: string;
  hand: readonly string[];
  set: string;
}

export function analysisHash({ position, hand, set }: AnalysisState): string {
  return writeHash({ p: packed(position), h: hand.join(","), s: set === "120" ? undefined : set });
}

export function analysisLink(state: AnalysisState): string {
  return `/analysis${analysisHash(state)}`;
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
  return writeHash({ w: width, h: height, pile, t: tiles?.join(","), f: faces === "recto" ? faces : undefined, p: packed(position ?? "") });
}

export function solverLink(state: SolverState): string {
  return `/solver${solverHash(state)}`;
}
