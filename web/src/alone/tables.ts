/**
 * Tables of one player that only this browser has: a race without a server. They speak the protocol of a table
 * (docs/protocol.md), so that the page is the same. What happened is kept as moves with their times; the rest follows.
 * No one else can verify such a run: its time counts for this browser's own best ones, and nowhere else.
 */
import { OURS } from "../data.ts";
import { applyMove, type AloneRules, PLAYER, start, type Step } from "../games/alone.ts";
import { RULES } from "../games/rules.ts";
import type { Created, NewTable, OwnTableEntry } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { createLocalId, type LocalTable } from "../net/local-backend.ts";
import type { Moment, ReplayDocument } from "../net/study.ts";
import type { Move, Options } from "../net/open.ts";
import type { FromClient, FromServer, RaceView, TableMessage, TableSummary } from "../net/protocol.ts";
import { newToken, recall, remember } from "../state/storage.ts";
import { itemAt, requireValue } from "../values.ts";

const MOST_KEPT = 5;
/** From setting up to the start, as on a server. */
const COUNTDOWN_MS = 3_000;

interface Made {
  move: Move;
  at: number;
}

/** All that is kept of a table. */
interface Kept {
  game: string;
  options: Options;
  name: string;
  chance: number;
  begins: number;
  moves: Made[];
}

class Table {
  readonly #steps: Step[];
  readonly #listeners = new Set<(message: FromServer) => void>();
  /** The versions that moves have made, by their ids: none is carried out twice. */
  readonly #done = new Map<string, number>();
  readonly #rules: AloneRules;
  #timer: ReturnType<typeof setTimeout> | undefined;
  rematch: string | null = null;

  constructor(
    readonly id: string,
    readonly kept: Kept,
    rules: AloneRules,
  ) {
    this.#rules = rules;
    this.#steps = [{ view: start(kept.game, rules, kept.options, kept.chance), events: [] }];
    for (const { move } of kept.moves) this.#steps.push(applyMove(rules, this.#view, move));
    this.#watchTime();
  }

  get #now(): Step {
    return itemAt(this.#steps, this.#steps.length - 1);
  }

  get #view(): RaceView {
    return this.#now.view;
  }

  /** The beginning is the first version. */
  get #version(): number {
    return this.#steps.length;
  }

  get #deadline(): number | null {
    const minutes = Number(this.kept.options.minutes ?? 0);
    return minutes && this.#view.phase !== "over" ? this.kept.begins + 60_000 * minutes : null;
  }

  get summary(): TableSummary {
    const { game, options, name, begins } = this.kept;
    return {
      id: this.id,
      game,
      options,
      phase: this.#view.phase === "over" ? "over" : "playing",
      visibility: "private",
      spectators: "none",
      pace: 0,
      aids: "all",
      hands: "own",
      absence: 0,
      countdown: COUNTDOWN_MS / 1000,
      hints: "no",
      clock: { kind: "none", seconds: 60, increment: 0 },
      commitment: "",
      seats: [{ name, program: null, free: false, away: false, replaced: false, hints: 0 }],
      begins,
      deadline: this.#deadline,
      timer: null,
      rematch: this.rematch,
      host: null,
      capabilities: [],
    };
  }

  #message(news: boolean): TableMessage {
    return {
      type: "table",
      version: this.#version,
      now: Date.now(),
      at: this.kept.moves.at(-1)?.at ?? this.kept.begins,
      table: this.summary,
      yours: [PLAYER],
      views: { [PLAYER]: this.#view },
      acting: actors(this.#view),
      invited: [],
      events: news ? this.#now.events : [],
    };
  }

  get current(): Pick<TableMessage, "version" | "table" | "views"> {
    return this.#message(false);
  }

  /** As in a list of one's own tables. */
  get own(): OwnTableEntry {
    const { phase, seats, deadline } = this.summary;
    const { outcome } = this.#view;
    return {
      id: this.id,
      state: "here",
      game: this.kept.game,
      phase,
      seats,
      yours: [PLAYER],
      asked: actors(this.#view),
      winners: outcome?.winners ?? [],
      changed: this.kept.moves.at(-1)?.at ?? this.kept.begins,
      deadline,
      capabilities: this.summary.capabilities,
    };
  }

  #broadcast(message: FromServer): void {
    for (const listener of this.#listeners) listener(message);
  }

  open(send: (message: FromServer) => void): LocalTable {
    this.#listeners.add(send);
    return {
      receive: (message) => this.#receive(message, send),
      close: () => void this.#listeners.delete(send),
    };
  }

  #receive(message: FromClient, send: (answer: FromServer) => void): void {
    if (message.type === "hello") {
      send(this.#message(false));
      return;
    }
    const { id } = message;
    try {
      if (message.type === "ping") send({ type: "pong", id, now: Date.now(), version: this.#version });
      else if (message.type === "move") send({ type: "accepted", id, version: this.#carryOut(id, message.move) });
      else send({ type: "done", id });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      send({ type: "refused", id, code: error.code, message: error.message });
    }
  }

  #carryOut(id: string, move: Move): number {
    const before = this.#done.get(id);
    if (before !== undefined) return before;
    if (Date.now() < this.kept.begins) throw new Refused("too_early", "");
    this.#apply(move, Date.now());
    this.#done.set(id, this.#version);
    return this.#version;
  }

  #apply(move: Move, at: number): void {
    this.#steps.push(applyMove(this.#rules, this.#view, move));
    this.kept.moves.push({ move, at });
    keep(this.id, this.kept);
    this.#broadcast(this.#message(true));
    this.#watchTime();
  }

  /** A time that was agreed on runs out, even while no page shows it. */
  #watchTime(): void {
    clearTimeout(this.#timer);
    const deadline = this.#deadline;
    if (deadline === null) return;
    const left = deadline - Date.now();
    if (left > 0) this.#timer = setTimeout(() => this.#watchTime(), left);
    else this.#apply({ player: PLAYER, move: "time_up", timer: 1 }, deadline);
  }

  get history(): { version: number; at: number; events: unknown[] }[] {
    return this.kept.moves.map(({ at }, i) => ({ version: i + 2, at, events: itemAt(this.#steps, i + 1).events }));
  }

  get replay(): ReplayDocument {
    const { game, options, name, begins, moves } = this.kept;
    const shown = ({ view: { options: _, ...view }, events }: Step): Moment => ({
      events,
      view: { ...view, viewer: null },
      hands: null,
      acting: actors(view),
    });
    return {
      game,
      options,
      players: [{ name }],
      begins,
      hints: [0],
      start: shown(itemAt(this.#steps, 0)),
      turns: [],
      outcome: this.#view.outcome,
      steps: moves.map((made, i) => ({
        ...shown(itemAt(this.#steps, i + 1)),
        ...made,
        cause: made.move.move === "time_up" ? "time" : "player",
      })),
    };
  }
}

const actors = ({ outcome }: Pick<RaceView, "outcome">): number[] => (outcome ? [] : [PLAYER]);

/** Those that are open, or were, on this page. */
const tables = new Map<string, Table>();

const readKept = () => recall<Record<string, Kept>>("here", {});

/** Where nothing can be kept, a table lasts as long as its page. */
function keep(id: string, table: Kept): void {
  const { [id]: _, ...others } = readKept();
  remember("here", Object.fromEntries([...Object.entries(others), [id, table]].slice(-MOST_KEPT)));
}

async function find(id: string): Promise<Table> {
  const [known, found] = [tables.get(id), readKept()[id]];
  if (known) return known;
  const load = found && RULES[found.game];
  if (!load) throw new Refused("unknown_table", "", 404);
  const table = new Table(id, found, (await load()).default);
  tables.set(id, table);
  return table;
}

/** A table for one player of a race; of anything else only a server knows. */
export async function setUp({ game, seats, options = {}, host }: NewTable): Promise<Created | undefined> {
  const load = RULES[game];
  if (!load || seats.length !== 1 || seats[0] !== null) return undefined;
  const usual = Object.fromEntries(
    requireValue(
      OURS.find(({ name }) => name === game),
      game,
    ).options.map(({ name, default: value }) => [name, value]),
  );
  const id = createLocalId(newToken().slice(0, 12));
  const chance = requireValue(crypto.getRandomValues(new Uint32Array(1))[0], "a random number");
  const table = new Table(
    id,
    { game, options: { ...usual, ...options }, name: host ?? "", chance, begins: Date.now() + COUNTDOWN_MS, moves: [] },
    (await load()).default,
  );
  tables.set(id, table);
  keep(id, table.kept);
  return { id, token: id, seats: [PLAYER], table: table.summary };
}

/** The answer to a question about a table of this browser; undefined: it is not one. */
export async function answerOf(path: string): Promise<unknown> {
  const [, id = "", what = ""] = /^\/tables\/([\w-]+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (!id) return undefined;
  const table = await find(id);
  switch (what) {
    case "":
      return table.current;
    case "history":
      return table.history;
    case "replay":
      return table.replay;
    case "rematch": {
      const { game, options, name } = table.kept;
      const made = requireValue(await setUp({ game, options, seats: [null], host: name }), "a table");
      table.rematch = made.id;
      return { id: made.id, table: made.table };
    }
    default:
      throw new Refused("no_review", "");
  }
}

/** As the server lists one's own tables; one that was not kept was removed. */
export async function listOwn(ids: readonly string[]): Promise<OwnTableEntry[]> {
  return Promise.all(
    ids.map((id) =>
      find(id).then(
        (table) => table.own,
        (error: unknown): OwnTableEntry => {
          if (!(error instanceof Refused)) throw error;
          return { id, state: "removed" };
        },
      ),
    ),
  );
}

export async function openTable(id: string, send: (message: FromServer) => void): Promise<LocalTable> {
  return (await find(id)).open(send);
}
