/** Puzzle for one player without a server (rules 5): the twin of puzzle/rules.py. */
import { tileSet } from "../../data.ts";
import type { Options } from "../../net/open.ts";
import { insideFrame } from "../../state/layout.ts";
import { type AloneRules, layingOf, PLAYER, refuse, type Step, takeOut } from "../alone.ts";
import type { PuzzleView } from "./game.ts";

/** The usual frame is the smallest. */
const MIN_CELLS = 16;

const sizeOf = ({ width = 4, height = 4 }: Options) => [Number(width), Number(height)] as const;

const findHeld = ({ held }: PuzzleView): string | null => held[PLAYER] ?? null;

/** What is in hand goes back into the middle, to its place among the dominoes. */
function putBack(view: PuzzleView): Step<PuzzleView> {
  const held = findHeld(view);
  if (held === null) return { view, events: [] };
  const lying = new Set([...view.middle, held]);
  const middle = tileSet(view.options.set)
    .tiles.map(({ name }) => name)
    .filter((name) => lying.has(name));
  return { view: { ...view, held: [null], middle }, events: [{ event: "went_back", player: PLAYER, tile: held }] };
}

function take(view: PuzzleView, tile: unknown): Step<PuzzleView> {
  if (findHeld(view) !== null) refuse("hand_full");
  const name = String(tile);
  if (!tileSet(view.options.set).has(name)) refuse("unknown_domino");
  if (!view.middle.includes(name)) refuse("taken");
  const middle = view.middle.filter((one) => one !== name);
  return { view: { ...view, held: [name], middle }, events: [{ event: "took", player: PLAYER, tile: name }] };
}

export default {
  begin(options, { tiles }) {
    const [width, height] = sizeOf(options);
    const cells = width * height;
    if (cells % 2 || cells < MIN_CELLS || cells / 2 > tiles.length) refuse("bad_frame");
    return { middle: tiles.map(({ name }) => name), held: [null] };
  },
  inside(options) {
    const [width, height] = sizeOf(options);
    return insideFrame({ width, height });
  },
  dominoes(options) {
    const [width, height] = sizeOf(options);
    return (width * height) / 2;
  },
  released: putBack,
  act(view, move, framed) {
    switch (move.move) {
      case "take":
        return take(view, move.tile);
      case "take_out": {
        if (findHeld(view) !== null) refuse("hand_full");
        const step = takeOut(view, move.tile);
        return { ...step, view: { ...step.view, held: [String(move.tile)] } };
      }
      case "lay": {
        const laying = layingOf(move);
        if (findHeld(view) !== laying.tile) refuse("not_in_hand");
        const step = framed(laying);
        return { ...step, view: { ...step.view, held: [null] } };
      }
      case "put_back":
        return findHeld(view) === null ? refuse("empty_hand") : putBack(view);
      default:
        return refuse("malformed_move");
    }
  },
} satisfies AloneRules<PuzzleView>;
