/** Notifications of one's turns while no page is open, over HTTP (docs/protocol.md). */
import { ask, path } from "./api.ts";

/** What this server offers. */
export interface Offered {
  /** Its key for web push; null: it sends none. */
  push: string | null;
  mail: boolean;
}

/** Where notifications go. */
export interface Subscriptions {
  /** The endpoints of browsers. */
  push: string[];
  /** `asked`: its owner has not confirmed it yet. `refused`: the address does not exist. */
  mail: { address: string; state: "asked" | "on" | "refused" } | null;
}

export interface PushSubscriptionData {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}

const place = (table: string) => `${path(table)}/notices`;

export const notices = {
  offer: () => ask<Offered>("/notices"),
  list: (table: string, token: string) => ask<Subscriptions>(place(table), { token }),
  push: (table: string, token: string, body: PushSubscriptionData) =>
    ask<Subscriptions>(`${place(table)}/push`, { body, token }),
  stopPush: (table: string, token: string, endpoint: string) =>
    ask<Subscriptions>(`${place(table)}/push/stop`, { body: { endpoint }, token }),
  mail: (table: string, token: string, body: { address: string; proof: string; language: string }) =>
    ask<Subscriptions>(`${place(table)}/mail`, { body, token }),
  stopMail: (table: string, token: string) =>
    ask<Subscriptions>(`${place(table)}/mail/stop`, { method: "POST", token }),
};
