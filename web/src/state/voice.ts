/**
 * What screen readers announce, without a screen: one thing after the other, so that nothing is cut off. What happens
 * in the same moment is one announcement. A screen reader that gets the next line stops the one it is reading, so a
 * line waits for the one before it; but a key stops it anyway, and a player who presses one wants an answer.
 */
import { sentences } from "../words.ts";

/**
 * The order of announcements: a key's answer and what must be known come first, then what has happened, then what is to
 * be done. Of answers, and of what is to be done, only the latest is still true; of all else nothing is left out.
 */
export type Manner = "chosen" | "urgent" | "event" | "status";
const ORDER: readonly Manner[] = ["chosen", "urgent", "event", "status"];
const LATEST: readonly Manner[] = ["chosen", "status"];

/** Milliseconds in which things happen together. */
const TOGETHER = 120;
/**
 * Milliseconds that a letter takes to be read at an unhurried pace, and the most that a line is waited for: a key ends
 * the waiting anyway.
 */
const [LETTER, LONGEST] = [60, 15_000];

interface Saying {
  text: string;
  manner: Manner;
}

export class Voice {
  /** Says a line. */
  utter: (line: string) => void = () => undefined;
  #waiting: Saying[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held = false;
  #answer = "";
  /** When the last line will have been read. */
  #read = 0;

  say(text: string, manner: Manner = "event"): void {
    // A key that is held and gets no further has nothing more to answer.
    if (manner === "chosen") {
      if (this.#held && text === this.#answer) return;
      this.#answer = text;
    }
    if (LATEST.includes(manner)) this.#waiting = this.#waiting.filter((one) => one.manner !== manner);
    if (!text) return;
    this.#waiting.push({ text, manner });
    this.#plan();
  }

  /** A key was pressed, or goes on being `held`: what was being read is not heard any more. */
  hush(held = false): void {
    this.#held = held;
    this.yield("");
  }

  /**
   * The screen reader reads something itself, such as the title of a dialog: what was being read is not heard any more.
   */
  yield(text: string): void {
    this.#read = Date.now() + LETTER * text.length;
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#plan();
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => this.#announce(), Math.max(TOGETHER, this.#read - Date.now()));
  }

  #announce(): void {
    this.#timer = undefined;
    if (!this.#waiting.length) return;
    const texts = ORDER.flatMap((manner) => this.#waiting.filter((one) => one.manner === manner));
    const isRepeated = (one: Saying, at: number) =>
      texts.some(
        (other, i) => other.manner !== one.manner && says(other.text, one.text) && (other.text !== one.text || i < at),
      );
    // What stands side by side on a screen is one sentence after the other.
    const line = sentences(
      texts.filter((one, at) => !isRepeated(one, at)).map(({ text }) => text.replaceAll(" · ", ". ")),
    );
    this.#waiting = [];
    this.#read = Date.now() + Math.min(LONGEST, LETTER * line.length);
    this.utter(line);
  }
}

/** Whether a text says another one, too, as a sentence of its own: an answer how it stands says what is to be done. */
function says(text: string, other: string): boolean {
  const at = text.indexOf(other);
  const ends = /[.!?…]$/.test(other) ? 1 : 0;
  return (
    at >= 0 && /(?:^|[.!?…·:] )$/.test(text.slice(0, at)) && /^$|^[.!?…]/.test(text.slice(at + other.length - ends))
  );
}

/** The voice of the page. */
export const voice = new Voice();

/**
 * Announce a text. The same text twice is heard twice, unless only the latest counts; an empty text withdraws a waiting
 * one.
 */
export const announce = (text: string, manner?: Manner): void => voice.say(text, manner);
