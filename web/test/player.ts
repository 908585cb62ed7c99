/**
 * A player without a screen at tables of a real server: does what a page would do, twice as often as needed, until
 * each game is over. `node test.mjs player` with PLAYER in the environment: the addresses and the tables, as JSON.
 */
import type { Candidate } from "../src/state/placement.ts";
import { rankCandidates } from "../src/state/placer.ts";
import { RETRY_MS } from "../src/net/retry.ts";
import { CONNECTION_MS } from "../src/net/server-connection.ts";
import type { RaceView } from "../src/net/protocol.ts";
import { Session } from "../src/state/session.ts";
import { keepToken } from "../src/state/storage.ts";

interface Task {
  /** The near end of the line, for sockets, and the server itself. */
  line: string;
  server: string;
  seed: number;
  tables: { id: string; token: string; game: string }[];
}

/** Everything goes faster than at a real table. */
Object.assign(CONNECTION_MS, {
  firstPause: 20,
  longestPause: 400,
  hello: 1_000,
  silence: 300,
  pong: 400,
  resend: 200,
  refused: 30,
});
Object.assign(RETRY_MS, { first: 20, longest: 200, timeout: 500 });
const BEAT = 5;
const PATIENCE = 60_000;
/** Moves in a frame before it is given up. */
const ENOUGH = 24;

const task = JSON.parse(process.env.PLAYER!) as Task;
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Chance that follows from the seed. */
let state = task.seed;
const random = (): number => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
};
const one = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];

Object.defineProperty(globalThis, "location", { value: new URL(task.line), configurable: true });
const honest = globalThis.fetch;
globalThis.fetch = (async (path: string, options: RequestInit) => {
  if (random() < 0.2) throw new TypeError("The line is down.");
  if (random() < 0.2) return new Response("<h1>Bad gateway</h1>", { status: 502 });
  return honest(task.server + path, options);
}) as typeof fetch;

/** Each thing is done twice: a page whose button is hit twice must do it once. */
async function twice(act: () => Promise<boolean>): Promise<void> {
  const [first, second] = [act(), act()];
  await first;
  if (await second) throw new Error("A move was made twice.");
}

async function turn(session: Session): Promise<void> {
  if (session.queue.isBusy.value || !(session.myTurn.value || session.moves.value.length)) return;
  const { placer } = session;
  const places = rankCandidates([...placer.candidates.value.values()].flat());
  if (session.may("end")) return twice(() => session.move({ move: "end" }));
  if (session.mayLay.value && places.length) {
    placer.show(places[0]!.laying);
    const laying = placer.confirmed();
    if (laying) await twice(() => session.lay(laying));
    return;
  }
  const move =
    session.moves.value.find((move) => ["decline", "pass", "leave"].includes(move.move)) ?? session.moves.value[0];
  if (move) await twice(() => session.move(move));
}

/** Takes, lays and puts back, several moves at a time; the domino that is shown in hand is what counts. */
function race(session: Session<RaceView>, done: number): void {
  const seat = session.seat.value!;
  const view = session.view.value! as RaceView & { middle?: string[] };
  if (done >= ENOUGH) return void session.move({ move: "give_up" });
  const places: Candidate[] = [...session.placer.candidates.value.values()].flat();
  const laid = view.frames[seat]!.map((text) => text.split(/[+-]/, 1)[0]!);
  if (places.length && random() < 0.8) return void session.lay(one(places)!.laying);
  if (laid.length && !session.placer.hand.value.length && random() < 0.2)
    return void session.move({ move: "take_out", tile: one(laid)! });
  const stock = session.game.value.race!.stock(view, seat, session.set.value).filter((tile) => !laid.includes(tile));
  const tile = one(stock)!;
  session.pick(tile, "+");
  if (!view.middle) return;
  if (session.placer.hand.value.length) void session.move({ move: "put_back" });
  void session.move({ move: "take", tile });
}

async function play({ id, token, game }: Task["tables"][number]): Promise<string> {
  keepToken(id, token, game);
  const session = new Session(id);
  const until = performance.now() + PATIENCE;
  let done = 0;
  while (!session.view.value?.outcome) {
    if (performance.now() > until) {
      const { version, yours } = session.store.message.value ?? {};
      throw new Error(
        `${game} does not end: ${JSON.stringify({
          connection: session.store.connection.value,
          version,
          yours,
          under: session.queue.pending.value,
          notice: session.notice.value,
          done,
          moves: session.moves.value,
          acting: session.acting.value,
          hand: session.placer.hand.value,
        })}`,
      );
    }
    if (session.myTurn.value && session.game.value.race) race(session as unknown as Session<RaceView>, done++);
    else if (session.view.value) await turn(session);
    await wait(BEAT);
  }
  const { version } = session.store.message.value!;
  session.close();
  return `${game} is over at version ${version} after ${Math.round((performance.now() - until + PATIENCE) / 1000)} seconds`;
}

console.log((await Promise.all(task.tables.map(play))).join("\n"));
process.exit(0);
