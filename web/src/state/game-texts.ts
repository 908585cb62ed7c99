/**
 * The texts that games of other packages bring, in the language that is shown; pages ask for them by game. What the
 * client makes of them is loaded with them: most tables are those of our games.
 */
import { signal } from "@preact/signals";
import type { GameParts } from "../games/game.ts";
import { type Language, language } from "../i18n.ts";
import { ask } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import type { GameTexts } from "../net/protocol.ts";

interface Request {
  language: Language;
  done: Promise<void>;
}

interface Package {
  texts: GameTexts;
  parts: GameParts;
}

const UNKNOWN: Package = { texts: {}, parts: {} };
const received = signal<ReadonlyMap<string, Package>>(new Map());
/** The latest request by game. */
const requests = new Map<string, Request>();
let isFollowing = false;

/** The texts of a game; while they are not there, in another language or none. */
export const textsOf = (game: string): GameTexts => (received.value.get(game) ?? UNKNOWN).texts;

/** Where a game of another package differs from the general game; the same object for the same texts. */
export const packagePartsOf = (game: string): GameParts => (received.value.get(game) ?? UNKNOWN).parts;

/** Load the texts of a game, and again when another language is shown. A server that refuses leaves it without. */
export function loadGameTexts(game: string): Promise<void> {
  const shown = language.peek();
  const last = requests.get(game);
  if (last?.language === shown) return last.done;
  const request: Request = { language: shown, done: requestTexts(game, () => requests.get(game) === request) };
  requests.set(game, request);
  if (!isFollowing) {
    isFollowing = true;
    language.subscribe(() => requests.forEach((_, known) => void loadGameTexts(known)));
  }
  return request.done;
}

async function requestTexts(game: string, isLatest: () => boolean): Promise<void> {
  const path = `/games/${encodeURIComponent(game)}/texts?language=${language.peek()}`;
  const asking = ask<GameTexts>(path).catch((error: unknown) => {
    if (isLatest()) requests.delete(game);
    if (error instanceof Refused) return null;
    throw error;
  });
  const [texts, { describePackage }] = await Promise.all([asking, import("../games/package.ts")]);
  if (!texts && received.peek().has(game)) return;
  const found = { texts: texts ?? {}, parts: describePackage(texts ?? {}) };
  if (isLatest() || !texts) received.value = new Map(received.peek()).set(game, found);
}
