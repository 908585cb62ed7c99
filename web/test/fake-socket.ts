/** A WebSocket that goes nowhere: tests look at what was sent, and say what comes back. */
import type { Move } from "../src/net/open.ts";
import type { May, TableMessage, View } from "../src/net/protocol.ts";

export class FakeSocket {
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  readonly sent: any[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.drop(1000);
  }

  // -- the other side ------------------------------------------------------------------------------

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  deliver(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code = 1006): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

export const asWebSocket = (url: string): WebSocket => new FakeSocket(url) as unknown as WebSocket;

/** A table message of a classic game; `view` and `more` say what differs. */
export function message(version: number, view: object = {}, more: Partial<TableMessage> = {}): TableMessage {
  const seat = { program: null, free: false, away: false, replaced: false, hints: 0 };
  const seen: View = {
    game: "classic",
    viewer: 0,
    options: { target: 60, first: 0, set: "120" },
    phase: "play",
    can_undo: false,
    outcome: null,
    table: "DRYGB+0@0,0",
    bag_count: 100,
    hand: ["ZBGRY", "PGBYR"],
    hand_counts: [2, 2],
    active: 0,
    scores: [0, 0],
    turn: [],
    last_round: false,
    ...view,
  };
  const acting = seen.phase === "over" || seen.active === undefined ? [] : [seen.active];
  return complete({
    type: "table",
    version,
    now: Date.now(),
    at: Date.now(),
    yours: [0],
    views: { 0: seen },
    acting,
    invited: [],
    events: [],
    table: {
      id: "abc",
      game: seen.game,
      options: {},
      phase: "playing",
      visibility: "private",
      spectators: "public",
      pace: 0,
      aids: "all",
      hands: "own",
      absence: 0,
      countdown: 3,
      hints: "alone",
      seats: [
        { name: "Ann", ...seat },
        { name: "Bob", ...seat },
      ],
      clock: { kind: "none", seconds: 60, increment: 0 },
      commitment: "",
      begins: null,
      deadline: null,
      timer: null,
      rematch: null,
      host: null,
      capabilities: ["share", "review", "verify"],
    },
    ...more,
  });
}

/** What the server adds to what a test says about the moves of a seat. */
export function complete(message: TableMessage): TableMessage {
  const { views, acting, may } = message;
  if (!may) return message;
  const whole = Object.entries(may).map(([seat, listed]) => {
    const { hand = [], turn } = views[seat] ?? ({} as Partial<View>);
    const isActing = acting.includes(Number(seat));
    const more = { hand, can_try: !isActing, charge: isActing && turn?.length ? 4 : 0 };
    return [seat, Object.assign(more, listed)];
  });
  return { ...message, may: Object.fromEntries(whole) };
}

/** A laying that earns a point. */
export const scored = (laying: string) => ({
  laying,
  contacts: 1,
  disc_points: 1,
  groups: [],
  group_points: 0,
  points: 1,
});

/** What seat 0 may do: lay there, and other moves; `message` completes it. */
export function may(layings: Record<string, string[]>, moves: Move[] = [], lays = true): Pick<TableMessage, "may"> {
  const offered = Object.entries(layings).map(([tile, all]) => [tile, all.map(scored)]);
  const listed = { moves, lays, layings: Object.fromEntries(offered) };
  return { may: { 0: listed as unknown as May } };
}
