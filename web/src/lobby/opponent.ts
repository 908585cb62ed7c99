/** The opponent of a game that starts with one click: chosen for each game, and remembered in this browser. */
import { signal } from "@preact/signals";
import { DEFAULT } from "../games/general.ts";
import { CARDS } from "../games/cards.ts";
import { infoOf } from "../state/catalogue.ts";
import { recall, remember } from "../state/storage.ts";

/** No opponent, where one can play alone. */
export const ALONE = "alone";

/** The level that comes after the lesson. */
export const GENTLEST = "novice";

const chosen = signal(recall<Record<string, string>>("opponents", {}));
const last = signal(recall("game", DEFAULT));

/** The game that was played last by one click; it may be one of a package that was removed. */
export const lastGame = (): string => (infoOf(last.value) ? last.value : DEFAULT);

export function chooseGame(game: string): void {
  last.value = game;
  remember("game", game);
}

/** All opponents in a game, from the gentlest; bots of other packages come last. */
export function opponentsIn(game: string): readonly string[] {
  const { programs = [], guests = [], players: [least] = [1] } = infoOf(game) ?? {};
  const all = [...programs, ...guests.map(({ name }) => name)];
  return least === 1 ? [ALONE, ...all] : all;
}

/**
 * The opponent that was chosen last; by default a gentle one, none in solitaires, the best bot of another package's
 * game.
 */
export function opponentIn(game: string): string {
  const [all, before] = [opponentsIn(game), chosen.value[game]];
  if (before !== undefined && all.includes(before)) return before;
  const card = CARDS[game];
  return card ? (card.opponents[0] ?? ALONE) : (infoOf(game)?.programs.at(-1) ?? ALONE);
}

export function chooseOpponent(game: string, opponent: string): void {
  chosen.value = { ...chosen.value, [game]: opponent };
  remember("opponents", chosen.value);
}

/** The seats of such a game: the player, then as many bots as the game needs. */
export function seatsAgainst(game: string, opponent: string): (string | null)[] {
  const [least] = infoOf(game)?.players ?? [1];
  const count = opponent === ALONE ? 0 : Math.max(1, least - 1);
  return [null, ...Array<string>(count).fill(opponent)];
}
