/**
 * A race of one player without a server: what a game's own `rules.ts` needs. Nothing is hidden in a race, so that a
 * view is the whole state. The twin of race.py for one player; web/test/alone.json has what Python says.
 */
import { type TileSet, tileSet } from "../data.ts";
import { type Cell, type Laying, parseLaying } from "../geometry.ts";
import { Refused } from "../net/backend.ts";
import type { GameEvent, Move, Options } from "../net/open.ts";
import type { Outcome, RaceView } from "../net/protocol.ts";
import { Layout } from "../state/layout.ts";

export interface Step<V extends RaceView = RaceView> {
  view: V;
  events: GameEvent[];
}

export interface AloneRules<V extends RaceView = RaceView> {
  /** The beginning; `chance` is a random whole number. */
  begin(options: Options, set: TileSet, chance: number): Pick<V, Exclude<keyof V, keyof RaceView>>;
  /** Whether a player may lay there, who has laid this already. */
  inside(options: Options, layings: readonly Laying[]): (cell: Cell) => boolean;
  /** How many dominoes fill the frame. */
  dominoes(options: Options): number;
  /** Any move but giving up. */
  act(view: V, move: Move, framed: (laying: Laying) => Step<V>): Step<V>;
  /** Let go of what is in hand. */
  released?(view: V): Step<V>;
}

export const refuse = (code: string): never => {
  throw new Refused(code, "");
};

export const PLAYER = 0;

export function start<V extends RaceView>(game: string, rules: AloneRules<V>, options: Options, chance: number): V {
  return {
    game,
    viewer: PLAYER,
    options,
    phase: "play",
    can_undo: false,
    outcome: null,
    frames: [[]],
    given_up: [],
    ...rules.begin(options, tileSet(options.set), chance),
  } as unknown as V;
}

const ownFrame = ({ frames }: RaceView): string[] => frames[PLAYER] ?? [];

/** The step by a move, which is always checked. */
export function applyMove<V extends RaceView>(rules: AloneRules<V>, view: V, move: Move): Step<V> {
  if (view.phase === "over") refuse("game_over");
  if (move.move === "time_up") return over(view, [], "time", [{ event: "time_ran_out", timer: 1 }]);
  if (move.player !== PLAYER) refuse("unknown_player");
  if (move.move === "give_up") {
    const { view: left, events } = rules.released?.(view) ?? { view, events: [] };
    return over({ ...left, given_up: [PLAYER] }, [], "given_up", [...events, { event: "gave_up", player: PLAYER }]);
  }
  return rules.act(view, move, (laying) => checkFull(rules, view, laying));
}

/** A domino was laid in the frame: it may be full. */
function checkFull<V extends RaceView>(rules: AloneRules<V>, view: V, laying: Laying): Step<V> {
  const own = ownFrame(view);
  const layings = own.map(parseLaying);
  const contacts = new Layout(tileSet(view.options.set), rules.inside(view.options, layings), layings).lay(laying);
  const text = `${laying.tile}${laying.side}${laying.rotation}@${laying.x},${laying.y}`;
  const after = { ...view, frames: [[...own, text]] };
  const events = [{ event: "framed", player: PLAYER, laying: text, contacts }];
  return own.length + 1 === rules.dominoes(view.options)
    ? over(after, [PLAYER], "full", events)
    : { view: after, events };
}

/** One of the layings is taken out of the frame. */
export function takeOut<V extends RaceView>(view: V, tile: unknown): Step<V> {
  const laying = ownFrame(view).find((one) => parseLaying(one).tile === tile);
  if (!laying) return refuse("not_in_frame");
  return {
    view: { ...view, frames: [ownFrame(view).filter((one) => one !== laying)] },
    events: [{ event: "taken_out", player: PLAYER, laying }],
  };
}

function over<V extends RaceView>(view: V, winners: number[], reason: string, events: GameEvent[]): Step<V> {
  const outcome: Outcome = { scores: [ownFrame(view).length], winners, reason };
  return { view: { ...view, phase: "over", outcome }, events: [...events, { event: "ended", outcome }] };
}

/** The laying of a move, or a refusal of what only looks like one. */
export function layingOf({ laying }: Move): Laying {
  try {
    return parseLaying(String(laying));
  } catch {
    return refuse("malformed_move");
  }
}
