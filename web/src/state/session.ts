/**
 * One table as this browser looks at it, without a screen: whose seat is looked at, what it sees and may do, and the
 * placer for it. What was received is in the `store`; only a player's own moves, in the `queue`, are ahead of it.
 */
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { tileSet } from "../data.ts";
import type { Game, Race } from "../games/game.ts";
import { gameOf } from "../games/general.ts";
import { type Laying, parsePosition, printLaying, sameLaying, type Side } from "../geometry.ts";
import type { Refused } from "../net/backend.ts";
import { backend } from "../net/backends.ts";
import { isLaid, type Move } from "../net/open.ts";
import type { Capability, Laid, RaceView, TableMessage, View } from "../net/protocol.ts";
import { retry } from "../net/retry.ts";
import { TableClient } from "../net/table-client.ts";
import { nameSeat } from "./cast.ts";
import { Presence } from "./presence.ts";
import type { LoadedMay, SeatMay } from "./may-loader.ts";
import { MoveQueue } from "./move-queue.ts";
import { NO_PLACEMENT, type Placement } from "./placement.ts";
import { Placer } from "./placer.ts";
import { RacePlacing } from "./race-placing.ts";
import { settings } from "./settings.ts";
import { forgetToken, tokensOf } from "./storage.ts";
import { type LogEntry, TableStore } from "./table-store.ts";
import { placeOnTable } from "./turn-placing.ts";
import { itemAt, requireValue } from "../values.ts";

/** A notice for the player: a refusal, or a turn that could not stay prepared. */
export interface Notice {
  text: string;
  code?: string;
  values?: Refused["values"];
}

/** What shows a table; a game's own table knows its own view. */
export interface TableProps<V extends View = View> {
  session: Session<V>;
}

/** Moves of a race that may be under way: players go on in their frames without waiting for answers. */
const MAX_PENDING_IN_RACE = 8;

export class Session<V extends View = View> {
  readonly store: TableStore<V>;
  readonly queue: MoveQueue;
  /** Who is there, and what they say. */
  readonly presence: Presence;
  readonly placer: Placer;
  readonly notice = signal<Notice | null>(null);
  /** The host has sent us away, and we have not sat down again. */
  readonly removed = signal(false);
  /** Which of one's own seats is looked at; where several share a screen, whose turn it is. */
  readonly chosen = signal<number | null>(null);
  /** The seat whose hand was last uncovered, where several share a screen. */
  readonly uncovered = signal<number | null>(null);
  /** In a race: the domino that is, or is to be, in hand, and the face that is wanted up. */
  readonly picked = signal<{ tile: string; side: Side } | null>(null);
  /** In a race whose frame may lie either way: it is wanted lying, not upright. */
  readonly lying = signal(false);
  readonly #client: TableClient;
  /** What the seat may do, where the message did not list it. */
  readonly #loadedMay = signal<LoadedMay | null>(null);
  #asking = new AbortController();
  readonly #racePlacing = new RacePlacing();
  readonly #stops: (() => void)[];

  readonly table = computed(() => {
    const table = this.store.message.value?.table;
    return table ? { ...table, seats: table.seats.map(nameSeat) } : null;
  });
  readonly game = computed<Game<V>>(() => gameOf(this.table.value?.game ?? ""));
  /** The table, for components that are shown only at one. */
  requireTable(): NonNullable<typeof this.table.value> {
    return requireValue(this.table.value, "a table");
  }

  /** What the seat that is looked at sees, for components that are shown only while a game is. */
  requireView(): V {
    return requireValue(this.view.value, "a view");
  }

  /** The seat that is looked at, for components that only players see. */
  requireSeat(): number {
    return requireValue(this.seat.value, "a seat");
  }

  /** How frames are filled, for components of races. */
  requireRace(): Race {
    return requireValue(this.game.value.race, "a race");
  }

  nameOf(seat: number): string {
    return this.table.value?.seats[seat]?.name ?? "";
  }

  /** Whether the host of the table offers something. */
  can(capability: Capability): boolean {
    return this.table.value?.capabilities.includes(capability) ?? false;
  }

  /** What the host lets pages show beforehand. */
  readonly aids = computed(() => (this.#may.value?.aids === false ? "none" : (this.table.value?.aids ?? "all")));
  /** Whether lists of places may begin with the best one: against people only if the table allows it. */
  readonly ranksPlaces = computed(() => {
    const { hints = "yes", seats = [] } = this.table.value ?? {};
    const isAlone = !seats.some(({ program }, seat) => !program && !this.yours.value.includes(seat));
    return this.aids.value === "all" && (hints === "yes" || (hints === "alone" && isAlone));
  });
  readonly yours = computed(() => this.store.message.value?.yours ?? []);
  readonly #setChoice = computed(() => JSON.stringify(this.view.value?.options.set ?? this.table.value?.options.set));
  /** The same object as long as the same set is meant. */
  readonly set = computed(() => tileSet(this.#setChoice.value && JSON.parse(this.#setChoice.value)));

  readonly #anyView = computed<V | null>(() => Object.values(this.store.message.value?.views ?? {})[0] ?? null);

  /** The seats whose turn it is. */
  readonly acting = computed<readonly number[]>(() => this.store.message.value?.acting ?? []);
  /** The seats that may act out of turn; and those of them that have not declined. */
  readonly invited = computed<readonly number[]>(() => this.store.message.value?.invited ?? []);
  readonly undecided = computed<readonly number[]>(() => {
    const view = this.#anyView.value;
    return view ? this.invited.value.filter((seat) => !this.game.value.declined(view).includes(seat)) : [];
  });

  /** The seat that is looked at, or null for a spectator. */
  readonly seat = computed<number | null>(() => {
    const yours = this.yours.value;
    if (!yours.length) return null;
    const chosen = this.chosen.value;
    if (yours.length === 1) return itemAt(yours, 0);
    const on = this.acting.value.filter((seat) => yours.includes(seat));
    const acting = on.length ? on : this.undecided.value.filter((seat) => yours.includes(seat)).slice(0, 1);
    if (chosen !== null && yours.includes(chosen) && (acting.includes(chosen) || !acting.length)) return chosen;
    return acting[0] ?? this.uncovered.value ?? itemAt(yours, 0);
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
    const views = this.store.message.value?.views ?? {};
    const seat = this.seat.value;
    const seen =
      (seat === null ? undefined : views[String(seat)]) ?? views.spectator ?? Object.values(views)[0] ?? null;
    const { race } = this.game.value;
    if (!seen || !race || !isRace(seen) || seen.phase === "over") return seen;
    return this.queue.pending.value.reduce<V & RaceView>((view, sent) => race.after(view, sent) as V & RaceView, seen);
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
    return this.undecided.value[0] === seat && !this.away.value && (!!player?.program || !!player?.away);
  });
  readonly away = computed(() => {
    const seat = this.seat.value;
    return seat !== null && !!this.table.value?.seats[seat]?.away;
  });

  // Layings that are the same as before are the same array, so that nothing is drawn again.

  /** What lies on the table of all. */
  readonly layings = computeLayings(() => this.view.value?.table ?? "");
  /** Layings that the server has not sent yet. */
  readonly sent = computeLayings(() => {
    const laid = new Set(this.layings.value.map(printLaying));
    return this.queue.pending.value
      .filter(({ move: { move, laying } }) => move === "lay" && !laid.has(String(laying)))
      .map(({ move }) => String(move.laying))
      .join(" ");
  });
  /** Layings of the turn under way, and of the turn before it. */
  readonly staged = computeLayings(() => {
    const view = this.view.value;
    return view ? joinLayings(this.game.value.underWay(view)) : "";
  });
  readonly last = computeLayings(() => lastTurn(this.store.log.value, this.view.value).join(" "));

  /** The player at this screen can choose what to do. */
  readonly #canChoose = computed(() => {
    const view = this.view.value;
    return view !== null && this.seat.value !== null && view.phase !== "over" && !this.covered.value;
  });

  /** What the seat that is looked at may do; null while that is not known. */
  readonly #may = computed<SeatMay | null>(() => {
    const [message, seat, loaded] = [this.store.message.value, this.seat.value, this.#loadedMay.value];
    if (!message || seat === null || !this.#canChoose.value) return null;
    const listed = message.may?.[seat];
    return listed ?? (loaded?.version === message.version && loaded.seat === seat ? loaded : null);
  });

  /** It is for the seat that is looked at to lay a domino, if one fits. */
  readonly mayLay = computed(() => this.myTurn.value && !!this.view.value && !this.#may.value?.can_try);
  /** The dominoes of the seat that is looked at that it may lay or try. */
  readonly playable = computed<readonly string[]>(() => this.#may.value?.hand ?? this.view.value?.hand ?? []);
  /** What the next domino of the turn costs; null where that is unknown. */
  readonly charge = computed(() => this.#may.value?.charge ?? null);

  /** The moves of the seat that is looked at, other than layings: passing, marks, bids, ... */
  readonly moves = computed<readonly Move[]>(() => {
    const [may, seat, loaded] = [this.#may.value, this.seat.value, this.#loadedMay.value];
    if (may) return may.moves;
    // Of the version before, while the answer for this one is awaited in the same turn.
    return this.#canChoose.value && this.#mayAct.value && loaded?.seat === seat ? (loaded?.moves ?? []) : [];
  });

  readonly #mayAct = computed(() => {
    const seat = this.seat.value;
    return seat !== null && (this.acting.value.includes(seat) || this.undecided.value.includes(seat));
  });

  readonly #placement = computed<Placement>(() => {
    const [table, view, seat, set] = [this.table.value, this.view.value, this.seat.value, this.set.value];
    if (!table || !view || seat === null || !this.#canChoose.value)
      return { ...NO_PLACEMENT, set, layings: this.layings.value, words: this.game.value.words };
    const { race } = this.game.value;
    if (race && isRace(view)) {
      const [picked, isLying] = [this.picked.value, this.lying.value];
      return this.#racePlacing.place({ race, view, seat, set, picked, isLying });
    }
    return placeOnTable({
      table,
      game: this.game.value,
      view,
      set,
      layings: this.layings.value,
      sent: this.sent.value,
      may: this.#may.value,
      playable: this.playable.value,
      mayLay: this.mayLay.value,
      showsPoints: settings.points.value,
    });
  });

  constructor(readonly id: string) {
    this.store = new TableStore<V>(id);
    this.#client = new TableClient(backend, id, {
      tokens: () => tokensOf(id),
      // A page knows what the views of its game are.
      onTable: (message) => this.receive(message as TableMessage<V>),
      onSocial: (message) => this.presence.receive(message),
      onRemoved: () => {
        forgetToken(id);
        this.removed.value = true;
      },
      onState: (state, refusal) => {
        this.store.connection.value = state;
        this.store.refusal.value = refusal ?? null;
      },
      onLate: (isLate) => this.store.reportLate("answer", isLate),
    });
    this.queue = new MoveQueue(
      (move) => this.#client.move(move),
      (version) => this.store.waitFor(version),
    );
    this.presence = new Presence(id, this.#client);
    this.placer = new Placer(this.#placement, () => this.#reportLost());
    this.#stops = [effect(() => this.#loadMay()), () => this.placer.close()];
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#asking.abort();
    this.presence.close();
    this.#client.close();
    this.store.close();
  }

  /** Sit down with the token that was just kept. */
  greet(): void {
    this.#client.greet();
  }

  receive(message: TableMessage<V>): void {
    const turn = this.store.message.value && this.#turn();
    batch(() => {
      this.store.receive(message);
      if (message.yours.length) this.removed.value = false;
      // A notice about one turn does not belong to the next one.
      if (turn !== null && this.#turn() !== turn) this.notice.value = null;
    });
  }

  /** The same as long as the same seats are to act. */
  #turn(): string {
    return `${this.#anyView.value?.phase} ${this.acting.value}`;
  }

  /** Ask what may be done where the message does not list it. */
  #loadMay(): void {
    const [message, view, seat] = [this.store.message.value, this.view.value, this.seat.value];
    this.#asking.abort();
    if (!message || !view || seat === null || !this.#canChoose.value || isRace(view) || message.may?.[seat]) return;
    const [version, hand, mayAct] = [message.version, view.hand ?? [], this.#mayAct.value];
    // Of a custom set no question has a name; and points are shown only where the table allows it.
    const { set } = view.options;
    const points = this.aids.value === "all" && typeof set === "string" ? { position: view.table ?? "", set } : null;
    const { signal: stop } = (this.#asking = new AbortController());
    const channel = {
      stop,
      listMoves: (of: number, tile?: string) => this.#client.listMoves(of, tile),
      onLate: (isLate: boolean) => this.store.reportLate("legal", isLate),
    };
    const load = async (): Promise<void> => {
      // Most games list it, and need nothing of this.
      const { loadMay } = await retry(() => import("./may-loader.ts"), { stop, isTemporary: () => true });
      stop.throwIfAborted();
      const may = await loadMay({ version, seat, hand, mayAct, view, points }, channel);
      if (may && !stop.aborted) this.#loadedMay.value = may;
    };
    untracked(() =>
      load().catch((error: unknown) => {
        if (!stop.aborted) throw error;
      }),
    );
  }

  /** A laying that was prepared is no longer possible. */
  #reportLost(): void {
    const view = this.view.value;
    if (view && !isRace(view) && this.mayLay.value && !this.sent.value.length)
      this.notice.value = { text: "", code: "unprepared" };
  }

  /** Choose a domino of one's own pile, with a face up, or put it down. */
  pick(tile: string | null, side: Side = "+"): void {
    this.picked.value = tile === null ? null : { tile, side };
  }

  // -- moves -----------------------------------------------------------------------------------

  /**
   * Send a move of the seat that is looked at; refusals become a notice. While one is under way there is no
   * second one: a key that is held, or a button that is hit twice, moves once. In a race, moves follow each other.
   */
  async move(wanted: Omit<Move, "player">, player: number | null = this.seat.value): Promise<boolean> {
    const { race } = this.game.value;
    if (player === null || this.queue.pending.value.length >= (race ? MAX_PENDING_IN_RACE : 1)) return false;
    const move = { ...wanted, player } as Move;
    const view = this.view.value;
    const held =
      race && view && isRace(view)
        ? race.held(view, player, this.picked.value?.tile ?? null, [], this.set.value)
        : null;
    const turn = this.#turn();
    this.notice.value = null;
    const refusal = await this.queue.submit({ move, held }, (refused) => {
      // A turn that has ended meanwhile needs no word; and of moves that build upon each other, the first says why.
      if (refused && !this.notice.value && (this.#turn() === turn || this.myTurn.value))
        this.notice.value = { text: refused.message, code: refused.code, values: refused.values };
    });
    return !refusal;
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

/** The layings of a text; the same array as long as the text is the same. */
function computeLayings(text: () => string): ReadonlySignal<Laying[]> {
  const joined = computed(text);
  return computed(() => parsePosition(joined.value));
}

const joinLayings = (laid: readonly Laid[]): string => laid.map(({ laying }) => laying).join(" ");

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
  // Where turns have no end, and in setups, each laying is a turn of its own.
  const open = found.filter((laying) => !staged.has(laying));
  return open.length ? open.slice(-1) : finished;
}
