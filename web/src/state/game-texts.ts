/** The texts that games of other packages bring, in the language that is shown; pages ask for them by game. */
import { signal } from "@preact/signals";
import { type Language, language } from "../i18n.ts";
import { ask } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import type { GameTexts } from "../net/protocol.ts";

interface Request {
  language: Language;
  done: Promise<void>;
}

const NO_TEXTS: GameTexts = {};
const received = signal<ReadonlyMap<string, GameTexts>>(new Map());
/** The latest request by game. */
const requests = new Map<string, Request>();
let isFollowing = false;

/** The texts of a game; while they are not there, in another language or none. */
export const textsOf = (game: string): GameTexts => received.value.get(game) ?? NO_TEXTS;

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
  try {
    const path = `/games/${encodeURIComponent(game)}/texts?language=${language.peek()}`;
    const texts = await ask<GameTexts>(path);
    if (isLatest()) received.value = new Map(received.peek()).set(game, texts);
  } catch (error) {
    if (isLatest()) requests.delete(game);
    if (!(error instanceof Refused)) throw error;
  }
}
