/** Tables that only this browser has, and the door to what it can answer without a server (alone/answers.ts). */
import type { Ask } from "./api.ts";
import type { FromServer } from "./protocol.ts";

/** Their ids begin like this; those of a server never do. */
const PREFIX = "here-";

export const isHere = (id: string): boolean => id.startsWith(PREFIX);
export const hereId = (text: string): string => PREFIX + text;

/** A table of this browser: it hears what is said to a table's socket, and tells what comes from one. */
export interface HereTable {
  hear(message: { type: string; id?: string; [field: string]: unknown }): void;
  leave(): void;
}

/** Opened by `main.tsx`, when it is needed: most people never come here. */
export const alone: {
  /** An answer, or a refusal; undefined: only a server knows. */
  answer(path: string, asked: Ask): Promise<unknown>;
  open(id: string, tell: (message: FromServer) => void): Promise<HereTable>;
} = {
  answer: async () => undefined,
  open: () => new Promise(() => undefined),
};

/** A WebSocket to a table of this browser, as far as `TableSocket` needs one. */
export class HereSocket {
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  private table: HereTable | null = null;

  constructor(id: string) {
    void alone
      .open(id, (message) => this.onmessage?.({ data: JSON.stringify(message) }))
      .then((table) => {
        if (this.readyState === 3) return table.leave();
        this.table = table;
        this.readyState = 1;
        return this.onopen?.();
      });
  }

  send(text: string): void {
    // An answer never comes before the question has been sent.
    queueMicrotask(() => this.table?.hear(JSON.parse(text)));
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.table?.leave();
    this.onclose?.({ code: 1000 });
  }
}
