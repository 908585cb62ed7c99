/** A position that is studied, without a screen: its layings, a hand, its groups and best turns. */
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { tileSet } from "../data.ts";
import { type Laying, parseLaying, printPosition } from "../geometry.ts";
import { api, type Group, type Scored, type Turn } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { type CoachTurn, study } from "../net/study.ts";
import { Guarded } from "./guarded.ts";
import { Placer } from "./placer.ts";
import { LEVEL, type Standing } from "./standing.ts";
import { type Candidate, NO_PLACEMENT } from "./placement.ts";

/** What is wrong with a text: which laying, and why. */
export interface Fault {
  /** From 1; 0 if no laying is to blame. */
  number: number;
  laying: string;
  code: string;
  /** The server's sentence, in English. */
  message: string;
}

const MOST_TURNS = 10;

export class Analysis extends Guarded {
  /** What was typed or pasted; it may be wrong. */
  readonly text = signal("");
  readonly setName = signal("120");
  readonly hand = signal<string[]>([]);
  /** What lies there: of a wrong text, what is right before the fault. */
  readonly layings = signal<Laying[]>([]);
  readonly fault = signal<Fault | null>(null);
  readonly groups = signal<Group[]>([]);
  readonly turns = signal<Turn[] | null>(null);
  /** How the game stands that the coach is asked about. */
  readonly game = signal<Standing>(LEVEL);
  /** What the coach has said about this position and hand. */
  readonly advice = signal<CoachTurn[] | null>(null);
  readonly asking = signal(false);
  readonly #placement = signal(NO_PLACEMENT);
  readonly placer = new Placer(this.#placement);

  readonly set = computed(() => tileSet(this.setName.value));
  readonly position = computed(() => printPosition(this.layings.value));
  readonly laid = computed(() => new Set(this.layings.value.map(({ tile }) => tile)));

  readonly #stop: () => void;
  /** Of the last question: set once it is not wanted any more. */
  #stopped = this.newest();

  constructor() {
    super();
    this.#stop = effect(() => {
      const [position, hand, set] = [this.position.value, this.hand.value, this.setName.value];
      untracked(() => void this.#refresh(position, hand, set));
    });
  }

  override close(): void {
    this.#stop();
    super.close();
  }

  /**
   * Read a position, perhaps with a hand. A wrong one is refused with the laying to blame, and what is right is shown.
   */
  async read(text: string, set = this.setName.value, hand?: string[]): Promise<void> {
    this.text.value = text;
    const words = text.split(/\s+/).filter(Boolean);
    const layings: Laying[] = [];
    let fault: Fault | null = null;
    for (const [i, word] of words.entries()) {
      try {
        layings.push(parseLaying(word));
      } catch {
        fault = { number: i + 1, laying: word, code: "malformed_laying", message: "" };
        break;
      }
    }
    try {
      await api.groups(printPosition(layings), set);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === "offline") {
        this.trouble.value = error;
        return;
      }
      const number = Number(error.values.laying ?? 0) || layings.findIndex(({ tile }) => !tileSet(set).has(tile)) + 1;
      fault = { number, laying: number ? words[number - 1]! : "", code: error.code, message: error.message };
    }
    if (this.text.value !== text) return; // Something else was typed meanwhile.
    batch(() => {
      this.setName.value = set;
      this.fault.value = fault;
      this.layings.value = fault ? layings.slice(0, Math.max(0, fault.number - 1)) : layings;
      this.hand.value = (hand ?? this.hand.value).filter(
        (tile) => this.set.value.has(tile) && !this.laid.value.has(tile),
      );
    });
  }

  /** A domino, or a turn as it would be played. */
  lay(...layings: Laying[]): void {
    this.placer.drop();
    batch(() => {
      this.hand.value = this.hand.value.filter((tile) => !layings.some((laying) => laying.tile === tile));
      this.#change([...this.layings.value, ...layings]);
    });
  }

  takeBack(): void {
    if (this.layings.value.length) this.#change(this.layings.value.slice(0, -1));
  }

  /** A table without anything, and a hand without anything. */
  empty(): void {
    this.placer.drop();
    batch(() => {
      this.hand.value = [];
      this.#change([]);
    });
  }

  /** Take a domino into the hand, or put it back; a hand has two at most. */
  toggle(tile: string): void {
    const { value } = this.hand;
    this.hand.value = value.includes(tile) ? value.filter((one) => one !== tile) : [...value, tile].slice(-2);
    // What was just chosen is at once in the fingers.
    this.placer.drop();
    if (this.hand.value.includes(tile)) this.placer.take(tile, "+");
  }

  /** Two dominoes by chance. */
  draw(): void {
    const left = this.set.value.tiles.map(({ name }) => name).filter((name) => !this.laid.value.has(name));
    const hand: string[] = [];
    while (hand.length < 2 && left.length) hand.push(...left.splice(Math.floor(Math.random() * left.length), 1));
    this.hand.value = hand;
  }

  /** Ask the coach for the turns that win most often; an answer for another position is dropped. */
  async askCoach(language: string): Promise<void> {
    const stopped = this.#stopped;
    const [position, hand, set] = [this.position.value, this.hand.value, this.setName.value];
    const { scores, target, began } = this.game.value;
    this.asking.value = true;
    await this.guarded(async () => {
      const { turns } = await study.coach(
        { position, hand, set, scores: [...scores], target: Math.min(240, Math.max(60, target)), began, language },
        stopped,
      );
      if (!stopped.aborted) this.advice.value = turns;
    }, stopped);
    if (!stopped.aborted) this.asking.value = false;
  }

  #change(layings: Laying[]): void {
    batch(() => {
      this.fault.value = null;
      this.layings.value = layings;
      this.text.value = printPosition(layings);
    });
  }

  #place(hand: string[], candidates: Iterable<readonly [string, Candidate[]]>): void {
    const [set, layings] = [this.set.value, this.layings.value];
    this.#placement.value = { ...NO_PLACEMENT, set, layings, hand, candidates: new Map(candidates) };
  }

  async #refresh(position: string, hand: string[], set: string): Promise<void> {
    const stopped = (this.#stopped = this.newest());
    this.advice.value = null;
    this.asking.value = false;
    if (!hand.length) {
      this.#place([], []);
      this.turns.value = null;
    }
    await this.guarded(async () => {
      const [groups, legal, turns] = await Promise.all([
        api.groups(position, set),
        hand.length ? api.legal(position, hand, set, stopped) : ({} as Record<string, Scored[]>),
        // In both orders, every one of them could be there twice.
        hand.length ? api.best(position, hand, 2 * MOST_TURNS, set) : null,
      ]);
      if (stopped.aborted) return;
      this.groups.value = groups;
      this.turns.value = turns && withoutOrders(turns).slice(0, MOST_TURNS);
      const candidates = Object.entries(legal).map(
        ([tile, scored]) => [tile, scored.map((one) => ({ laying: parseLaying(one.laying), scored: one }))] as const,
      );
      this.#place(hand, candidates);
    }, stopped);
  }
}

/** Whether a turn is the same as another one. */
export const turnName = (turn: Turn): string => turn.layings.join(" ");

/** Each turn once: the same dominoes in the same places, in whichever order, leave the same table. */
export function withoutOrders(turns: readonly Turn[]): Turn[] {
  const tables = new Map<string, Turn>();
  for (const turn of turns) {
    const table = [...turn.layings].sort().join(" ");
    if (!tables.has(table)) tables.set(table, turn);
  }
  return [...tables.values()];
}
