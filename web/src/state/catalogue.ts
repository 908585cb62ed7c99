/** The games that this server has: ours are known beforehand, those by others when it has listed them. */
import { signal } from "@preact/signals";
import { type GameInfo, type GuestInfo, OURS } from "../data.ts";
import { textOr } from "../i18n.ts";
import { api } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { loadGameTexts, textsOf } from "./game-texts.ts";

/** Ours in the order of the rules, then those by others. */
export const catalogue = signal<readonly GameInfo[]>(OURS);

/** Whether the server has listed all, or cannot. */
export const complete = signal(false);

let asking: Promise<void> | null = null;

/** Ask once which games there are besides ours; a server that cannot be reached is asked again. */
export function learnGames(): Promise<void> {
  return (asking ??= api.games().then(
    (all) => {
      const ours = OURS.map((game) => {
        const guests = all.find(({ name }) => name === game.name)?.guests;
        return guests ? { ...game, guests } : game;
      });
      const others = all.filter(({ name }) => !isOurs(name));
      catalogue.value = [...ours, ...others];
      complete.value = true;
      for (const { name } of others) void loadGameTexts(name);
    },
    (error: unknown) => {
      asking = null;
      complete.value = true;
      if (!(error instanceof Refused)) throw error;
    },
  ));
}

export const isOurs = (name: string): boolean => OURS.some((game) => game.name === name);

export const infoOf = (name: string): GameInfo | undefined => catalogue.value.find((game) => game.name === name);

/** A bot of another package, in any game that it plays. */
export const guestOf = (program: string): GuestInfo | undefined =>
  catalogue.value.flatMap(({ guests = [] }) => guests).find(({ name }) => name === program);

/** In the reader's language, or as its package calls it. */
export const gameName = (name: string): string =>
  textOr(`game_${name}`, textsOf(name).title ?? infoOf(name)?.title ?? name);

/** How it is played, in one sentence. */
export const pitchOf = (name: string): string =>
  textOr(`pitch_${name}`, textsOf(name).description ?? infoOf(name)?.description ?? "");
