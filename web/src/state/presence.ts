/** Who is at a table and what they say to each other, without a screen. Nothing of it is kept by the server. */
import { signal } from "@preact/signals";
import type { Greeting, SeatPresence } from "../net/protocol.ts";
import type { SocialMessage } from "../net/table-client.ts";
import { settings } from "./settings.ts";
import { recall, remember } from "./storage.ts";

/** All that can be said: nothing that needs moderation. */
export const GREETINGS: readonly Greeting[] = ["hello", "well_played", "thanks", "oops", "thinking", "good_game"];

/** Milliseconds that a greeting stands at a name. */
export const SHOWN = 6_000;
const MOST_MUTED = 50;

/** What a table's socket does for presence and greetings. */
export interface Line {
  sendGreeting(seat: number, greeting: Greeting): Promise<void>;
  remind(seat: number): Promise<boolean>;
}

export class Presence {
  readonly seats = signal<readonly SeatPresence[]>([]);
  readonly spectators = signal(0);
  /** Greetings that are shown now, by seat. */
  readonly bubbles = signal<ReadonlyMap<number, Greeting>>(new Map());
  /** The greeting that came last, for ears. */
  readonly said = signal<{ seat: number; greeting: Greeting } | null>(null);
  /** Who was called last, and by whom. */
  readonly reminder = signal<{ seat: number; by: number } | null>(null);
  readonly muted;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly id: string,
    private readonly line: Line,
  ) {
    this.muted = signal(recall<string[]>("muted", []).includes(id));
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  receive(message: SocialMessage): void {
    if (message.type === "company") {
      this.seats.value = message.seats;
      this.spectators.value = message.spectators;
    } else if (message.type === "reminder") {
      this.reminder.value = { seat: message.seat, by: message.by };
    } else if (settings.greetings.value && !this.muted.value && GREETINGS.includes(message.greeting)) {
      const { seat, greeting } = message;
      clearTimeout(this.#timers.get(seat));
      this.#timers.set(
        seat,
        setTimeout(() => this.#show(seat, null), SHOWN),
      );
      this.#show(seat, greeting);
      this.said.value = { seat, greeting };
    }
  }

  #show(seat: number, greeting: Greeting | null): void {
    const shown = new Map(this.bubbles.value);
    if (greeting) shown.set(seat, greeting);
    else shown.delete(seat);
    this.bubbles.value = shown;
  }

  /** No greetings at this table, or greetings again. */
  mute(muted: boolean): void {
    this.muted.value = muted;
    if (muted) this.bubbles.value = new Map();
    const others = recall<string[]>("muted", []).filter((table) => table !== this.id);
    remember("muted", muted ? [...others, this.id].slice(-MOST_MUTED) : others);
  }

  say(seat: number, greeting: Greeting): Promise<void> {
    return this.line.sendGreeting(seat, greeting);
  }

  /** Call a player; whether a page of theirs was open to hear it. */
  remind(seat: number): Promise<boolean> {
    return this.line.remind(seat);
  }

  /** Milliseconds until the others may let a program play; null if that is not to be. */
  replaceIn(seat: number, now: number): number | null {
    const time = this.seats.value[seat]?.replace;
    return time === undefined ? null : Math.max(0, time - now);
  }
}
