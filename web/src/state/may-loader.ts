/** What a seat may do at tables whose messages do not list it: games of other packages, and lists that are too long. */
import { type Laying, parseLaying } from "../geometry.ts";
import { api, type Scored } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import type { LegalMoves, May, OfferedLaying, View } from "../net/protocol.ts";
import { retry } from "../net/retry.ts";
import { chargeOf } from "./charge.ts";

/** What a seat may do, as far as it is known. */
export interface SeatMay extends Omit<May, "charge"> {
  /** Null if the next laying earns no points, or its price is unknown. */
  charge: number | null;
}

export interface MayQuestion {
  version: number;
  seat: number;
  hand: readonly string[];
  /** The seat can act or answer now; else only the layings of its dominoes are asked for, to try them. */
  mayAct: boolean;
  view: View;
  /** The position and the set to ask for points with, where they may be shown. */
  points: { position: string; set: string } | null;
}

export interface LoadedMay extends SeatMay {
  version: number;
  seat: number;
}

interface Channel {
  listMoves(seat: number, tile?: string): Promise<LegalMoves>;
  stop: AbortSignal;
  onLate(isLate: boolean): void;
}

/** Null if it was refused, or is no longer about this version. */
export async function loadMay(question: MayQuestion, channel: Channel): Promise<LoadedMay | null> {
  const { version, seat, hand, mayAct, view, points } = question;
  const { stop, onLate } = channel;
  try {
    const [answer, scored] = await Promise.all([
      mayAct ? listAllMoves(seat, hand, channel) : null,
      points && hand.length
        ? retry((signal) => api.legal(points.position, [...hand], points.set, signal), { stop, onLate })
        : null,
    ]);
    if (answer && answer.version !== version) return null;
    const legal = answer?.moves ?? [];
    const lays = legal.filter(({ move }) => move === "lay").map(({ laying }) => String(laying));
    const layings = Object.fromEntries(hand.map((tile) => [tile, offerLayings(tile, lays, scored)]));
    return {
      version,
      seat,
      moves: legal.filter(({ move }) => move !== "lay"),
      lays: lays.length > 0,
      layings,
      hand: [...hand],
      can_try: !mayAct,
      charge: chargeOf(view.game, view),
    };
  } catch (error) {
    if (stop.aborted || error instanceof Refused) return null;
    throw error;
  }
}

/** The legal moves of a seat; if they are too many for one answer, the layings of each domino. */
async function listAllMoves(
  seat: number,
  hand: readonly string[],
  { listMoves }: Channel,
): Promise<Pick<LegalMoves, "version" | "moves">> {
  try {
    return await listMoves(seat);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "too_many_moves") throw error;
    const lists = await Promise.all(hand.map((tile) => listMoves(seat, tile)));
    return { version: Math.max(...lists.map(({ version }) => version)), moves: lists.flatMap(({ moves }) => moves) };
  }
}

function offerLayings(tile: string, lays: readonly string[], scored: Record<string, Scored[]> | null): OfferedLaying[] {
  const isTile = (laying: Laying) => laying.tile === tile;
  if (!scored) return lays.filter((laying) => isTile(parseLaying(laying))).map((laying) => ({ laying }));
  return (scored[tile] ?? []).filter(({ laying }) => !lays.length || lays.includes(laying));
}
