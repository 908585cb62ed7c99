/**
 * Challenges of devices: what a server says of its own, from the link and from the tables that are stored here.
 * Each device compares the games that were played on it with the result in the link.
 */
import { ask, path } from "../net/api.ts";
import type { Challenge, Comparison, PlayedAttempt } from "../net/challenges.ts";
import { host } from "../net/device-host.ts";
import { tokenOf } from "./storage.ts";

/** The same as `DeviceChallenge` in `src/dalapapa/edition/device/challenges.py`. */
interface LinkedChallenge extends Omit<Challenge, "attempts" | "table"> {
  seed: string;
  /** The table of the first game, which may be here. */
  original: string;
  result: { name: string; score: number; won: boolean };
}

interface LocalAttempt {
  id: string;
  name: string;
  phase: "playing" | "over";
  changed: number;
}

const read = (id: string) => ask<LinkedChallenge>(`/challenges/${id}`);

/** The tables with the bag of a challenge, the earliest first. */
async function listAttempts({ commitment, seat, seats }: LinkedChallenge): Promise<LocalAttempt[]> {
  const all = (await host.listAll()) as unknown as (LocalAttempt & {
    commitment?: string;
    seats: { name: string; program: string | null }[];
  })[];
  return all
    .filter(
      (one) =>
        one.commitment === commitment
        && (one.phase === "playing" || one.phase === "over")
        && one.seats.every(({ program }, i) => program === seats[i]),
    )
    .map((one) => ({ ...one, name: one.seats[seat]!.name }))
    .sort((a, b) => a.changed - b.changed);
}

/** The one to continue, else the latest. */
function findOwn(attempts: readonly LocalAttempt[]): LocalAttempt | undefined {
  const own = attempts.filter(({ id }) => tokenOf(id) !== null);
  return own.find(({ phase }) => phase === "playing") ?? own.at(-1);
}

async function look(id: string): Promise<Challenge> {
  const { original, result, seed: _, ...challenge } = await read(id);
  const local = await listAttempts({ original, result, seed: _, ...challenge });
  const own = findOwn(local);
  const attempts: Challenge["attempts"] = local.map((one) => ({
    name: one.name,
    phase: one.phase,
    original: one.id === original,
    yours: one === own,
  }));
  if (!attempts.some((one) => one.original))
    attempts.unshift({ name: result.name, phase: "over", original: true, yours: false });
  return { ...challenge, attempts, table: own?.id ?? null, ...(own && { shared: await findLink(own, id) }) };
}

/** A link with the player's own result, once there is one: so two devices can compare. */
async function findLink({ id, phase }: LocalAttempt, received: string): Promise<string> {
  if (phase !== "over") return received;
  return (await ask<{ id: string }>(`${path(id)}/challenge`, { method: "POST", token: tokenOf(id) })).id;
}

async function compare(id: string): Promise<Comparison> {
  const challenge = await read(id);
  const local = await listAttempts(challenge);
  const attempts: Comparison["attempts"] = [];
  for (const one of local.filter(({ phase }) => phase === "over")) {
    const asked = `${path(one.id)}/seats/${challenge.seat}/comparison`;
    const played = await ask<PlayedAttempt | null>(asked, { token: tokenOf(one.id) });
    if (played) attempts.push({ table: one.id, original: one.id === challenge.original, played });
  }
  if (!local.some((one) => one.id === challenge.original)) {
    const played = { ...challenge.result, scores: [], own: true, turns: [], rest: 0 };
    attempts.push({ table: null, original: true, played });
  }
  attempts.sort(
    (a, b) => +b.played.own - +a.played.own || +b.played.won - +a.played.won || b.played.score - a.played.score,
  );
  return { seed: challenge.seed, attempts, playing: local.length - attempts.length, removed: 0 };
}

export const deviceChallenges = { look, compare };
