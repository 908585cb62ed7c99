/**
 * One table as this browser sees it, without a screen: what the server told, whose seat is
 * looked at, the log, and the placer with what may be laid. Only a player's own move is ahead of
 * the server: it shows at once, as sent, and goes back if the server refuses it.
 */
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { type TileSet, tileSet } from "../data.ts";
import type { Game, Sent } from "../games/game.ts";
import { gameOf } from "../games/general.ts";
import { type Laying, parseLaying, printLaying, printPosition, sameLaying, type Side } from "../geometry.ts";
import { backend } from "../net/backends.ts";
import { api, ask, type Scored } from "../net/api.ts";
import { type ConnectionState, Refused } from "../net/backend.ts";
import { retry } from "../net/retry.ts";
import { TableClient } from "../net/table-client.ts";
import { type GameEvent, isLaid, type Move } from "../net/open.ts";
import type { Capability, May, OfferedLaying, RaceView, TableMessage, View } from "../net/protocol.ts";
import { chargeOf } from "./charge.ts";
import { named } from "./cast.ts";
import { Company } from "./company.ts";
import { framePlaces } from "./frames.ts";
import { closedBy } from "./groups.ts";
import { frameFor } from "./races.ts";
import { type Candidate, Placer } from "./placer.ts";
import { settings } from "./settings.ts";
import { forgetToken, tokenOf, tokensOf } from "./storage.ts";

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

/** So many moves of a race may be under way: one need not wait for an answer to go on in one's own frame. */
const AHEAD = 8;

export class Session<V extends View = View> {
  readonly connection = signal<ConnectionState>("connecting");
  readonly refusal = signal<Refused | null>(null);
  readonly message = signal<TableMessage<V> | null>(null);
  readonly log = signal<LogEntry[]>([]);
  readonly notice = signal<Notice | null>(null);
  /** The host has sent us away, and we have not sat down again. */
  readonly removed = signal(false);
  /** The moves that are under way, in their order: one, or several in a race. */
  readonly under = signal<readonly Sent[]>([]);
  readonly busy = computed(() => this.under.value.length > 0);
  /** What the server was asked a while ago and has not answered yet, by name. */
  readonly #unanswered = signal<ReadonlySet<string>>(new Set());
  readonly late = computed(() => this.#unanswered.value.size > 0);
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
  /** What the places in the frame were last found for. */
  #framed = "";
  /** Milliseconds that the server's clock is ahead of ours. */
  readonly ahead = signal(0);

  readonly table = computed(() => {
    const table = this.message.value?.table;
    return table ? { ...table, seats: table.seats.map(named) } : null;
  });
  readonly game = computed<Game<V>>(() => gameOf(this.table.value?.game ?? ""));
  /** Whether the host of the table offers something. */
  can(capability: Capability): boolean {
    return this.table.value?.capabilities.includes(capability) ?? false;
  }

  /** What the host lets pages show beforehand. */
  readonly aids = computed(() => this.table.value?.aids ?? "all");
  readonly yours = computed(() => this.message.value?.yours ?? []);
  readonly set = computed(() => tileSet(this.view.value?.options.set ?? this.table.value?.options.set));

  readonly #anyView = computed<V | null>(() => Object.values(this.message.value?.views ?? {})[0] ?? null);

  /** The seats that may act now; and those that may say something though it is not their turn. */
  readonly acting = computed<number[]>(() => (this.#anyView.value ? this.game.value.actors(this.#anyView.value) : []));
  readonly asked = computed<number[]>(() => (this.#anyView.value ? this.game.value.asked(this.#anyView.value) : []));

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
    () =>
      this.shared.value
      && this.table.value?.phase === "playing"
      && this.table.value.hands !== "open"
      && this.uncovered.value !== this.seat.value
      && !!this.view.value?.hand,
  );

  /** What the seat that is looked at sees; in a race, after the moves that are under way. */
  readonly view = computed<V | null>(() => {
    const views = this.message.value?.views ?? {};
    const seat = this.seat.value;
    const told =
      (seat === null ? undefined : views[String(seat)]) ?? views.spectator ?? Object.values(views)[0] ?? null;
    const { race } = this.game.value;
    if (!told || !race || !isRace(told) || told.phase === "over") return told;
    return this.under.value.reduce<V & RaceView>((view, sent) => race.after(view, sent) as V & RaceView, told);
  });

  /** It is for the seat that is looked at to act. */
  readonly myTurn = computed(
    () => this.seat.value !== null && this.acting.value.includes(this.seat.value) && !this.away.value,
  );
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
  readonly layings = computed<Laying[]>(() => this.#laid.value.map(parseLaying));
  readonly #laid = computed<string[]>((): string[] => (this.view.value?.table ?? "").split(/\s+/).filter(Boolean));

  /** Layings that the server has not told of yet. */
  readonly sent = computed<Laying[]>(() =>
    this.under.value
      .filter(({ move: { move, laying } }) => move === "lay" && !this.#laid.value.includes(String(laying)))
      .map(({ move }) => parseLaying(String(move.laying))),
  );

  /** Layings of the turn under way, and of the turn before it. */
  readonly staged = computed<Laying[]>(() =>
    (this.view.value ? this.game.value.underWay(this.view.value) : []).map(({ laying }) => parseLaying(laying)),
  );
  readonly last = computed<Laying[]>(() => lastTurn(this.log.value, this.view.value).map(parseLaying));

  /** Who is there, and what they say. */
  readonly company: Company;
  readonly #client: TableClient;
  readonly #stopEffect: () => void;
  #asking = new AbortController();
  #remembering = new AbortController();
  /** Who waits until the table is at a version. */
  #waiting: { version: number; resolve(): void }[] = [];

  constructor(readonly id: string) {
    this.#client = new TableClient(backend, id, {
      tokens: () => tokensOf(id),
      // Whoever opens the table of a game knows what its views are.
      onTable: (message) => this.told(message as TableMessage<V>),
      onSocial: (message) => this.company.told(message),
      onRemoved: () => {
        forgetToken(id);
        this.removed.value = true;
      },
      onState: (state, refusal) => {
        this.connection.value = state;
        this.refusal.value = refusal ?? null;
      },
      onLate: (isLate) => this.#tellLate("answer", isLate),
    });
    this.company = new Company(id, this.#client);
    this.#stopEffect = effect(() => {
      // Ask again what may be done whenever anything that it depends on has changed.
      const [view, seat, message] = [this.view.value, this.seat.value, this.message.value];
      const covered = this.covered.value;
      void [settings.points.value, this.lying.value, this.under.value];
      untracked(() => this.#refresh(view, seat, message, covered));
    });
  }

  close(): void {
    this.#stopEffect();
    this.#asking.abort();
    this.#remembering.abort();
    this.company.close();
    this.#client.close();
    this.#reached(Infinity);
  }

  /** Sit down with the token that was just kept. */
  greet(): void {
    this.#client.greet();
  }

  // -- the server tells ------------------------------------------------------------------------

  told(message: TableMessage<V>): void {
    const before = this.message.value;
    // What is told twice has happened once.
    if (message.version === before?.version) message = { ...message, events: [] };
    batch(() => {
      this.ahead.value = message.now - Date.now();
      const gap = !before || message.version !== before.version + 1;
      if (!gap && message.events.length) {
        this.log.value = [
          ...this.log.value,
          { version: message.version, at: message.at ?? message.now, events: message.events },
        ];
      }
      const turn = this.#turn();
      this.message.value = message;
      if (message.yours.length) this.removed.value = false;
      // What was said about a turn is not about the next one.
      if (before && this.#turn() !== turn) this.notice.value = null;
      if (gap && message.table.phase !== "waiting" && message.version !== before?.version) void this.#remember();
    });
    this.#reached(message.version);
  }

  /** Something that is the same as long as the same ones are to act. */
  #turn(): string {
    return `${this.#anyView.value?.phase} ${this.acting.value}`;
  }

  #reached(version: number): void {
    const there = this.#waiting.filter((one) => one.version <= version);
    this.#waiting = this.#waiting.filter((one) => one.version > version);
    for (const { resolve } of there) resolve();
  }

  #tellLate(what: string, is: boolean): void {
    if (this.#unanswered.value.has(what) === is) return;
    const others = [...this.#unanswered.value].filter((one) => one !== what);
    this.#unanswered.value = new Set(is ? [...others, what] : others);
  }

  /** All that has happened so far, after a gap. */
  async #remember(): Promise<void> {
    this.#remembering.abort();
    const { signal: stop } = (this.#remembering = new AbortController());
    try {
      const token = tokenOf(this.id);
      const history = await retry((signal) => ask<LogEntry[]>(`/tables/${this.id}/history`, { token, signal }), {
        stop,
        onLate: (isLate) => this.#tellLate("history", isLate),
      });
      if (stop.aborted) return;
      const known = history.at(-1)?.version ?? 0;
      this.log.value = [...history, ...this.log.value.filter((entry) => entry.version > known)];
    } catch (error) {
      if (!stop.aborted && !(error instanceof Refused)) throw error;
    }
  }

  // -- what may be done ------------------------------------------------------------------------

  #refresh(view: V | null, seat: number | null, message: TableMessage<V> | null, covered: boolean): void {
    this.#asking.abort();
    this.placer.set.value = this.set.value;
    if (!view || !message || seat === null || view.phase === "over" || covered) {
      this.moves.value = [];
      this.placer.refresh([], this.layings.value, new Map());
      return;
    }
    if (isRace(view)) {
      this.#refreshFrame(view, seat);
      return;
    }
    const may = message.may?.[seat];
    if (may) this.#offer(view, may);
    else void this.#askMay(view, seat, message.version);
  }

  /** What the seat may do, and its dominoes with all their layings: off turn, one may try before. */
  #offer(view: V, { moves, lays, layings: offered }: May): void {
    const { placer } = this;
    this.moves.value = moves;
    const sent = this.sent.value;
    const hand = this.game.value.hand(view).filter((tile) => !sent.some((laying) => laying.tile === tile));
    const layings = [...this.layings.value, ...sent];
    const helped = this.aids.value === "all" && settings.points.value && view.phase !== "setup";
    const charge = chargeOf(this.table.value!.game, view);
    const preview = helped ? (this.game.value.preview ?? (charge === null ? null : "points")) : null;
    const set = this.set.value;
    const candidates = new Map(
      hand.map((tile) => {
        // On turn, the game may allow less than the table does: what can be paid for.
        const found = this.mayLay.value && !lays ? [] : (offered[tile] ?? []);
        return [tile, found.map((one) => candidate(one, preview, layings, set))];
      }),
    );
    placer.charge.value = preview === "points" && view.turn?.length && view.active === view.viewer ? charge! : 0;
    const prepared = placer.pinned.value ? placer.ghost.value?.laying : null;
    // Where the other dominoes fit beside a laying that is under way, the server will say.
    placer.refresh(hand, layings, sent.length ? new Map() : candidates);
    if (prepared && !placer.pinned.value && this.mayLay.value && !sent.length)
      this.notice.value = { text: "", code: "unprepared" };
  }

  /** The legal moves of a seat; if they are too many for one answer, the layings of each domino. */
  async #listMoves(seat: number, hand: string[]): Promise<{ version: number; moves: Move[] }> {
    try {
      return await this.#client.listMoves(seat);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "too_many_moves") throw error;
      const lists = await Promise.all(hand.map((tile) => this.#client.listMoves(seat, tile)));
      return { version: Math.max(...lists.map(({ version }) => version)), moves: lists.flatMap(({ moves }) => moves) };
    }
  }

  /** The same, asked: of a game by another package, or where there is too much to list in every message. */
  async #askMay(view: V, seat: number, version: number): Promise<void> {
    const { signal: stop } = (this.#asking = new AbortController());
    const hand = this.game.value.hand(view);
    const mine = this.acting.value.includes(seat) || this.asked.value.includes(seat);
    // What could be done in a turn that is over must not show when the next one comes.
    if (!mine) this.moves.value = [];
    // The dominoes are seen at once; a ghost that was prepared waits for the answer.
    if (!this.placer.pinned.value) this.placer.refresh(hand, this.layings.value, new Map());
    // Of a custom set there is no name to ask about; and points are shown only where the table allows it.
    const name = this.aids.value === "all" && typeof view.options.set === "string" ? view.options.set : null;
    try {
      const [answer, scored] = await Promise.all([
        mine ? this.#listMoves(seat, hand) : null,
        hand.length && name
          ? retry((signal) => api.legal(view.table ?? "", hand, name, signal), {
              stop,
              onLate: (isLate) => this.#tellLate("legal", isLate),
            })
          : null,
      ]);
      if (stop.aborted || (answer && answer.version !== version)) return;
      const legal = answer?.moves ?? [];
      const lays = legal.filter(({ move }) => move === "lay").map(({ laying }) => String(laying));
      const layings = Object.fromEntries(
        hand.map((tile): [string, OfferedLaying[]] => [
          tile,
          scored
            ? scored[tile]!.filter(({ laying }) => !lays.length || lays.includes(laying))
            : lays.filter((laying) => parseLaying(laying).tile === tile).map((laying) => ({ laying })),
        ]),
      );
      this.#offer(view, { moves: legal.filter(({ move }) => move !== "lay"), lays: lays.length > 0, layings });
    } catch (error) {
      if (!stop.aborted && !(error instanceof Refused)) throw error;
    }
  }

  /** In a frame of one's own, places are found for the domino in hand, and only when they can differ. */
  #refreshFrame(view: RaceView, seat: number): void {
    const { placer } = this;
    const layings = view.frames[seat]!.map(parseLaying);
    const race = this.game.value.race!;
    const frame = frameFor(race.frames(view.options), layings, this.lying.value);
    const tile = view.given_up.includes(seat)
      ? null
      : race.held(view, seat, this.picked.value?.tile ?? null, layings, this.set.value);
    this.moves.value = [];
    placer.frame.value = frame;
    const framed = `${seat} ${tile} ${frame.width} ${printPosition(layings)}`;
    if (framed === this.#framed) return;
    this.#framed = framed;
    if (tile === null) {
      placer.refresh([], layings, new Map());
      return;
    }
    batch(() => {
      const taken = placer.hand.value[0] !== tile;
      placer.refresh([tile], layings, new Map([[tile, framePlaces(tile, frame, layings, this.set.value, ["+", "-"])]]));
      if (taken) placer.take(tile, this.picked.value?.tile === tile ? this.picked.value.side : "+");
      if (placer.otherFace.value) placer.flip();
    });
  }

  /** Choose a domino of one's own pile, with a face up, or put it down. */
  pick(tile: string | null, side: Side = "+"): void {
    this.picked.value = tile === null ? null : { tile, side };
    const [view, seat] = [this.view.value, this.seat.value];
    if (view && isRace(view) && seat !== null && view.phase !== "over") this.#refreshFrame(view, seat);
  }

  // -- moves -----------------------------------------------------------------------------------

  /**
   * Send a move of the seat that is looked at; refusals become a notice. While one is under way there is no
   * second one: a key that is held, or a button that is hit twice, moves once. In a race, moves follow each other.
   */
  async move(wanted: Omit<Move, "player">, player: number | null = this.seat.value): Promise<boolean> {
    if (player === null || this.under.value.length >= (this.game.value.race ? AHEAD : 1)) return false;
    const move = { ...wanted, player } as Move;
    const view = this.view.value;
    const held =
      view && isRace(view)
        ? this.game.value.race!.held(view, player, this.picked.value?.tile ?? null, [], this.set.value)
        : null;
    const sent: Sent = { move, held };
    const turn = this.#turn();
    batch(() => {
      this.notice.value = null;
      this.under.value = [...this.under.value, sent];
    });
    let refused: Notice | null = null;
    try {
      await this.#until(await this.#client.move(move));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused = { text: error.message, code: error.code };
    } finally {
      batch(() => {
        this.under.value = this.under.value.filter((one) => one !== sent);
        // A turn that has ended meanwhile needs no word; and of moves that build upon each other, the first says why.
        if (refused && !this.notice.value && (this.#turn() === turn || this.myTurn.value)) this.notice.value = refused;
      });
    }
    return !refused;
  }

  /** Until the table has been told at this version: it comes before the answer, but may be lost. */
  async #until(version: number): Promise<void> {
    if ((this.message.value?.version ?? 0) >= version) return;
    await new Promise<void>((resolve) => this.#waiting.push({ version, resolve }));
  }

  async lay(laying: Laying): Promise<boolean> {
    const done = this.move({ move: "lay", laying: printLaying(laying) });
    if (this.sent.value.some((one) => sameLaying(one, laying))) this.placer.drop();
    return done;
  }

  /** Whether a move of this kind is legal now. */
  may(kind: string): boolean {
    if (kind === "lay")
      return this.mayLay.value && [...this.placer.candidates.value.values()].some((found) => found.length > 0);
    return this.moves.value.some(({ move }) => move === kind);
  }
}

/** A laying with as much of what it makes as the game tells beforehand. */
function candidate(
  offered: OfferedLaying,
  preview: Game["preview"],
  layings: readonly Laying[],
  set: TileSet,
): Candidate {
  const laying = parseLaying(offered.laying);
  if (!preview || !earns(offered)) return { laying };
  // Which discs a group has is found when somebody looks at it: there may be hundreds of layings.
  const groups = offered.groups.map(({ colour, size }, i, all) => ({
    colour,
    size,
    get discs() {
      const alike = (one: { colour: string; size: number }) => one.colour === colour && one.size === size;
      const found = closedBy(laying, [...layings, laying], set).filter(alike);
      return found[all.slice(0, i).filter(alike).length]?.discs ?? [];
    },
  }));
  if (preview === "points") return { laying, scored: { ...offered, groups } };
  return { laying, makes: { ...offered, groups: preview === "discs" ? [] : groups } };
}

const earns = (offered: OfferedLaying): offered is Scored => offered.points !== undefined;

const isRace = (view: View): view is RaceView => gameOf(view.game).race !== null;

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
