/**
 * One table as this browser sees it, without a screen: what the server told, whose seat is
 * looked at, the log, and the placer with what may be laid. Nothing here is ahead of the server:
 * a move shows when the server has told of it.
 */
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { tileSet } from "../data.ts";
import type { Game, RaceView } from "../games/game.ts";
import { gameOf } from "../games/general.ts";
import { type Laying, parseLaying, printLaying, printPosition, type Side } from "../geometry.ts";
import { api, ask, Refused, type Scored } from "../net/api.ts";
import { type Connection, TableSocket } from "../net/socket.ts";
import { type GameEvent, isLaid, type Move, type TableMessage, type View } from "../net/types.ts";
import { CHARGE } from "../words.ts";
import { named } from "./cast.ts";
import { frameFor, inside } from "./races.ts";
import { type Candidate, Placer } from "./placer.ts";
import { settings } from "./settings.ts";
import { tokenOf } from "./storage.ts";

/** What happened at one version of the table. */
export interface LogEntry {
  version: number;
  /** When, by the server's time. */
  at?: number;
  events: GameEvent[];
}

/** Something to tell the player once: a refusal, or a turn that could not stay prepared. */
export interface Notice {
  text: string;
  code?: string;
}

/** What shows a table; a game's own table knows its own view. */
export interface TableProps<V extends View = View> {
  session: Session<V>;
}

export class Session<V extends View = View> {
  readonly connection = signal<Connection>("connecting");
  readonly refusal = signal<Refused | null>(null);
  readonly message = signal<TableMessage<V> | null>(null);
  readonly log = signal<LogEntry[]>([]);
  readonly notice = signal<Notice | null>(null);
  /** A move is on its way. */
  readonly busy = signal(false);
  /** The moves of the seat that is looked at, other than layings: passing, marks, bids, ... */
  readonly moves = signal<Move[]>([]);
  readonly placer = new Placer();
  /** Which of one's own seats is looked at; where several share a screen, whose turn it is. */
  readonly chosen = signal<number | null>(null);
  /** The seat whose hand was last uncovered, where several share a screen. */
  readonly uncovered = signal<number | null>(null);
  /** In a race: the domino that is, or is to be, in hand, and the face that is wanted up. */
  readonly picked = signal<{ tile: string; side: Side } | null>(null);
  /** In a race whose frame may lie either way: it is wanted lying, not upright. */
  readonly lying = signal(false);
  /** What the frame was last asked about. */
  private framed = "";
  /** Milliseconds that the server's clock is ahead of ours. */
  readonly ahead = signal(0);

  readonly table = computed(() => {
    const table = this.message.value?.table;
    return table ? { ...table, seats: table.seats.map(named) } : null;
  });
  readonly game = computed<Game<V>>(() => gameOf(this.table.value?.game ?? ""));
  /** What the host lets pages show beforehand. */
  readonly aids = computed(() => this.table.value?.aids ?? "all");
  readonly yours = computed(() => this.message.value?.yours ?? []);
  readonly set = computed(() => tileSet(this.view.value?.options.set ?? this.table.value?.options.set));

  private readonly anyView = computed<V | null>(() => Object.values(this.message.value?.views ?? {})[0] ?? null);

  /** The seats that may act now; and those that may say something though it is not their turn. */
  readonly acting = computed<number[]>(() => (this.anyView.value ? this.game.value.actors(this.anyView.value) : []));
  readonly asked = computed<number[]>(() => (this.anyView.value ? this.game.value.asked(this.anyView.value) : []));

  /** The seat that is looked at, or null for a spectator. */
  readonly seat = computed<number | null>(() => {
    const yours = this.yours.value;
    if (!yours.length) return null;
    const chosen = this.chosen.value;
    if (yours.length === 1) return yours[0]!;
    const on = this.acting.value.filter((seat) => yours.includes(seat));
    const acting = on.length ? on : this.asked.value.filter((seat) => yours.includes(seat)).slice(0, 1);
    if (chosen !== null && yours.includes(chosen) && (acting.includes(chosen) || !acting.length)) return chosen;
    return acting[0] ?? this.uncovered.value ?? yours[0]!;
  });

  /** Several people share this screen: a hand is covered until its owner wants to see it. */
  readonly shared = computed(() => this.yours.value.length > 1);
  readonly covered = computed(
    () => this.shared.value && this.table.value?.phase === "playing" && this.uncovered.value !== this.seat.value && !!this.view.value?.hand,
  );

  readonly view = computed<V | null>(() => {
    const views = this.message.value?.views ?? {};
    const seat = this.seat.value;
    return (seat === null ? undefined : views[String(seat)]) ?? views.spectator ?? Object.values(views)[0] ?? null;
  });

  /** It is for the seat that is looked at to act. */
  readonly myTurn = computed(() => this.seat.value !== null && this.acting.value.includes(this.seat.value) && !this.away.value);
  /** The table waits for it: on turn, or while a program waits for what it says. */
  readonly wanted = computed(() => {
    const [seat, active] = [this.seat.value, this.view.value?.active];
    if (this.myTurn.value || seat === null || active === undefined) return this.myTurn.value;
    const player = this.table.value?.seats[active];
    return this.asked.value[0] === seat && !this.away.value && (!!player?.program || !!player?.away);
  });
  /** It may lay a domino now, as far as whose turn it is decides. */
  readonly mayLay = computed(() => this.myTurn.value && !!this.view.value && this.game.value.lays(this.view.value));
  readonly away = computed(() => {
    const seat = this.seat.value;
    return seat !== null && !!this.table.value?.seats[seat]?.away;
  });

  /** What lies on the table of all. */
  readonly layings = computed<Laying[]>(() => this.laid.value.map(parseLaying));
  private readonly laid = computed<string[]>((): string[] => (this.view.value?.table ?? "").split(/\s+/).filter(Boolean));

  /** Layings of the turn under way, and of the turn before it. */
  readonly staged = computed<Laying[]>(() => (this.view.value ? this.game.value.underWay(this.view.value) : []).map(({ laying }) => parseLaying(laying)));
  readonly last = computed<Laying[]>(() => lastTurn(this.log.value, this.view.value).map(parseLaying));

  private readonly socket: TableSocket;
  private readonly stopEffect: () => void;
  private asking = new AbortController();

  constructor(readonly id: string) {
    this.socket = new TableSocket(id, () => [tokenOf(id) ?? []].flat(), {
      // Whoever opens the table of a game knows what its views are.
      told: (message) => this.told(message as TableMessage<V>),
      connection: (state, refusal) => {
        this.connection.value = state;
        this.refusal.value = refusal ?? null;
      },
    });
    this.stopEffect = effect(() => {
      // Ask again what may be done whenever anything that it depends on has changed.
      const [view, seat, message] = [this.view.value, this.seat.value, this.message.value];
      const covered = this.covered.value;
      void [settings.points.value, this.lying.value];
      untracked(() => void this.refresh(view, seat, message?.version ?? 0, covered));
    });
  }

  close(): void {
    this.stopEffect();
    this.asking.abort();
    this.socket.close();
  }

  /** Sit down with the token that was just kept. */
  greet(): void {
    this.socket.greet();
  }

  // -- the server tells ------------------------------------------------------------------------

  told(message: TableMessage<V>): void {
    const before = this.message.value;
    batch(() => {
      this.ahead.value = message.now - Date.now();
      const gap = !before || message.version !== before.version + 1;
      if (!gap && message.events.length) {
        this.log.value = [...this.log.value, { version: message.version, at: message.now, events: message.events }];
      }
      this.message.value = message;
      if (gap && message.table.phase !== "waiting" && message.version !== before?.version) void this.remember();
    });
  }

  /** All that has happened so far, after a gap. */
  private async remember(): Promise<void> {
    try {
      const token = tokenOf(this.id);
      const history = await ask<LogEntry[]>(`/tables/${this.id}/history`, { token });
      const known = history.at(-1)?.version ?? 0;
      this.log.value = [...history, ...this.log.value.filter((entry) => entry.version > known)];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  // -- what may be done ------------------------------------------------------------------------

  private async refresh(view: V | null, seat: number | null, version: number, covered: boolean): Promise<void> {
    this.asking.abort();
    const { signal: stop } = (this.asking = new AbortController());
    this.placer.set.value = this.set.value;
    if (!view || seat === null || view.phase === "over" || covered) {
      this.moves.value = [];
      this.placer.refresh([], this.layings.value, new Map());
      return;
    }
    try {
      if (isRace(view)) await this.refreshFrame(view, seat);
      else await this.refreshTurn(view, seat, version, stop);
    } catch (error) {
      if (!stop.aborted && !(error instanceof Refused)) throw error;
    }
  }

  /** What the seat may do, and its dominoes with all their layings: off turn, one may try before. */
  private async refreshTurn(view: V, seat: number, version: number, stop: AbortSignal): Promise<void> {
    const hand = this.game.value.hand(view);
    const layings = this.layings.value;
    const mine = this.acting.value.includes(seat) || this.asked.value.includes(seat);
    // What could be done in a turn that is over must not show when the next one comes.
    if (!mine) this.moves.value = [];
    // The dominoes are seen at once; a ghost that was prepared waits for the answer.
    if (!this.placer.pinned.value) this.placer.refresh(hand, layings, new Map());
    // Of a set of the host's own there is no name, and nobody can be asked about it.
    const name = typeof view.options.set === "string" ? view.options.set : null;
    const [answer, legal] = await Promise.all([
      mine ? this.socket.legal(seat) : null,
      hand.length && name ? api.legal(view.table ?? "", hand, name, stop) : ({} as Record<string, Scored[]>),
    ]);
    if (stop.aborted || (answer && answer.version !== version)) return;
    this.moves.value = answer?.moves ?? [];
    const lays = new Set(this.moves.value.filter(({ move }) => move === "lay").map(({ laying }) => laying));
    const helped = this.aids.value === "all" && settings.points.value && view.phase !== "setup";
    const preview = helped ? this.game.value.preview : null;
    const candidates = !name ? ofMoves(hand, this.moves.value) : new Map(
      Object.entries(legal).map(([tile, scored]) => [
        tile,
        // On turn, the game may allow less than the table does: what can be paid for.
        scored.filter(({ laying }) => !this.mayLay.value || lays.has(laying)).map((one) => candidate(one, preview)),
      ]),
    );
    this.placer.charge.value = preview === "points" && view.turn?.length && view.active === view.viewer ? CHARGE : 0;
    const prepared = this.placer.pinned.value ? this.placer.ghost.value?.laying : null;
    this.placer.refresh(hand, layings, candidates);
    if (prepared && !this.placer.pinned.value && this.mayLay.value) this.notice.value = { text: "", code: "unprepared" };
  }

  /** In a frame of one's own, only the domino in hand is asked about, and only when that can differ. */
  private async refreshFrame(view: RaceView, seat: number): Promise<void> {
    const { placer } = this;
    const layings = view.frames[seat]!.map(parseLaying);
    const race = this.game.value.race!;
    const frame = frameFor(race.frames(view.options), layings, this.lying.value);
    const tile = view.given_up.includes(seat) ? null : race.held(view, seat, this.picked.value?.tile ?? null, layings, this.set.value);
    this.moves.value = [];
    placer.frame.value = frame;
    const asked = `${seat} ${tile} ${frame.width} ${printPosition(layings)}`;
    if (asked === this.framed) return;
    this.framed = asked;
    if (tile === null) {
      placer.refresh([], layings, new Map());
      return;
    }
    if (placer.hand.value[0] !== tile) {
      batch(() => {
        placer.refresh([tile], layings, new Map());
        placer.take(tile, this.picked.value?.tile === tile ? this.picked.value.side : "+");
      });
    }
    const candidates = await this.inFrame(tile).catch((error: unknown) => {
      if (this.framed === asked) this.framed = "";
      throw error;
    });
    if (this.framed !== asked) return;
    const found = candidates.filter(({ laying }) => inside(laying, frame));
    placer.refresh([tile], layings, new Map([[tile, found]]));
    if (placer.otherFace.value) placer.flip();
  }

  /** Choose a domino of one's own pile, with a face up, or put it down. */
  async pick(tile: string | null, side: Side = "+"): Promise<void> {
    this.picked.value = tile === null ? null : { tile, side };
    const [view, seat] = [this.view.value, this.seat.value];
    if (!view || !isRace(view) || seat === null || view.phase === "over") return;
    await this.refreshFrame(view, seat).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }

  /** The layings of one domino in one's own frame. */
  async inFrame(tile: string): Promise<Candidate[]> {
    const seat = this.seat.value;
    if (seat === null) return [];
    const { moves } = await this.socket.legal(seat, tile);
    return moves.filter(({ move }) => move === "lay").map(({ laying }) => ({ laying: parseLaying(String(laying)) }));
  }

  // -- moves -----------------------------------------------------------------------------------

  /** Send a move of the seat that is looked at; refusals become a notice. */
  async move(move: Omit<Move, "player">, player: number | null = this.seat.value): Promise<boolean> {
    if (player === null) return false;
    this.busy.value = true;
    this.notice.value = null;
    try {
      await this.socket.move({ ...move, player } as Move);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.notice.value = { text: error.message, code: error.code };
      return false;
    } finally {
      this.busy.value = false;
    }
  }

  async lay(laying: Laying): Promise<boolean> {
    const done = await this.move({ move: "lay", laying: printLaying(laying) });
    if (done) this.placer.drop();
    return done;
  }

  /** Whether a move of this kind is legal now. */
  may(kind: string): boolean {
    return this.moves.value.some(({ move }) => move === kind);
  }
}

function candidate(scored: Scored, preview: Game["preview"]): Candidate {
  const laying = parseLaying(scored.laying);
  if (preview === "points") return { laying, scored };
  return preview ? { laying, makes: preview === "discs" ? { ...scored, groups: [] } : scored } : { laying };
}

const isRace = (view: View): view is RaceView => gameOf(view.game).race !== null;

/** What may be laid as the legal moves tell it: without points, and only on turn. */
function ofMoves(hand: readonly string[], moves: readonly Move[]): Map<string, Candidate[]> {
  const layings = moves.filter(({ move }) => move === "lay").map(({ laying }) => parseLaying(String(laying)));
  return new Map(hand.map((tile) => [tile, layings.filter((one) => one.tile === tile).map((laying) => ({ laying }))]));
}

/** Who may act now, as far as a view tells. */
export function actors(view: View | null): number[] {
  return view ? gameOf(view.game).actors(view) : [];
}

/** The layings of the last turn that is finished. */
export function lastTurn(log: readonly LogEntry[], view: View | null): string[] {
  const { underWay, turnEnds } = gameOf(view?.game ?? "");
  const staged = new Set(view ? underWay(view).map(({ laying }) => laying) : []);
  let found: string[] = [];
  let finished: string[] = [];
  for (const event of log.flatMap((entry) => entry.events)) {
    if (isLaid(event)) found.push(event.laying);
    else if (event.event === "undone") found = found.filter((laying) => laying !== event.laying);
    else if (turnEnds.includes(event.event)) {
      if (found.length) finished = found;
      found = [];
    }
  }
  // Where nobody ends a turn, and in setups, each laying is a turn of its own.
  const open = found.filter((laying) => !staged.has(laying));
  return open.length ? open.slice(-1) : finished;
}
