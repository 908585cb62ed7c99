/** Being told of one's turns while no page is open, over HTTP (docs/protocol.md). */
import { ask, path } from "./api.ts";

/** What this server offers. */
export interface Offered {
  /** Its key for web push; null: it sends none. */
  push: string | null;
  mail: boolean;
}

/** Where one is told. */
export interface Told {
  /** The endpoints of browsers. */
  push: string[];
  /** `asked`: its owner has not confirmed it yet. `refused`: nobody is there. */
  mail: { address: string; state: "asked" | "on" | "refused" } | null;
}

export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}

const place = (table: string) => `${path(table)}/notices`;

export const notices = {
  offered: () => ask<Offered>("/notices"),
  told: (table: string, token: string) => ask<Told>(place(table), { token }),
  push: (table: string, token: string, body: Subscription) => ask<Told>(`${place(table)}/push`, { body, token }),
  stopPush: (table: string, token: string, endpoint: string) =>
    ask<Told>(`${place(table)}/push/stop`, { body: { endpoint }, token }),
  mail: (table: string, token: string, body: { address: string; proof: string; language: string }) =>
    ask<Told>(`${place(table)}/mail`, { body, token }),
  stopMail: (table: string, token: string) => ask<Told>(`${place(table)}/mail/stop`, { method: "POST", token }),
};
