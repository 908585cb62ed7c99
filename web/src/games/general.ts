/** The general game of turns: what every game is where its folder says nothing else. */
import { packagePartsOf } from "../state/game-texts.ts";
import { type Game, type GameParts, eventSentences, USUAL_WORDS } from "./game.ts";
import { GAMES } from "./index.ts";

/** What everybody plays who does not say otherwise. */
export const DEFAULT = "classic";

/** Time to see the last laying. */
const PAUSE = 1400;

const GENERAL: Game = {
  measure: "points",
  unit: "points",
  set: "120",
  atOnce: false,
  inRounds: false,
  // Of a game of another package, the server says what a laying has earned, and not before.
  preview: null,
  words: USUAL_WORDS,
  declined: () => [],
  underWay: (view) => view.turn ?? [],
  turnEnds: ["turn_ended"],
  turnBegins: [],
  shared: [],
  undoes: { undone: "laid" },
  eventSentences: {},
  otherSentence: null,
  // Hands are filled up again after each turn.
  quiet: ["drew"],
  unannounced: ["drew"],
  keys: [],
  pause: () => PAUSE,
  asked: [],
  marks: () => [],
  markerOf: () => undefined,
  drawn: () => [],
  goods: () => null,
  standing: () => undefined,
  race: null,
};

/** The lines of the log that all games share. */
const EVENT_SENTENCES = eventSentences<{
  undone: object;
  passed: object;
  passed_over: object;
  drew: { count: number };
  turn_ended: { turn_points: number };
  target_reached: { score: number };
  left_table: object;
  stood_in: { by: number };
  came_back: object;
  ended: object;
}>({
  undone: (_, say) => say("log_undone"),
  passed: (_, say) => say("log_passed"),
  passed_over: (_, say) => say("log_passed_over"),
  drew: ({ count }, say) => say("log_drew", { count }),
  turn_ended: ({ turn_points }, say) => say("log_turn_ended", { count: turn_points }),
  left_table: (_, say) => say("log_left_table"),
  stood_in: ({ by }, say, names) => say("log_stood_in", { by: names[by] ?? "?" }),
  came_back: (_, say) => say("log_came_back"),
  // There is no last round to come if the game ends with this turn.
  target_reached: ({ score }, say, _, among) =>
    say(among.some(({ event }) => event === "ended") ? "log_target_over" : "log_target", { score }),
  ended: (_, say) => say("log_ended"),
});

const whole = (parts: GameParts = {}): Game => ({
  ...GENERAL,
  ...parts,
  eventSentences: { ...EVENT_SENTENCES, ...parts.eventSentences },
  undoes: { ...GENERAL.undoes, ...parts.undoes },
});

const KNOWN = new Map(Object.entries(GAMES).map(([name, parts]) => [name, whole(parts)]));
const PACKAGED = new WeakMap<GameParts, Game>();

/** The game of a name: ours, or the general one of turns with the texts of a package. */
export function gameOf(name: string): Game {
  return KNOWN.get(name) ?? packagedGame(packagePartsOf(name));
}

/** The same object for the same texts, so that nothing is drawn again. */
function packagedGame(parts: GameParts): Game {
  const game = PACKAGED.get(parts) ?? whole(parts);
  PACKAGED.set(parts, game);
  return game;
}
