/** For parts of a table that react to what happens there. */
import { useEffect, useRef } from "preact/hooks";
import type { View } from "../net/protocol.ts";
import type { Session } from "../state/session.ts";
import type { EntryNews } from "../state/table-store.ts";

/** Hear of every entry of the log that comes while this is shown, once. */
export function useEntries<V extends View>(session: Session<V>, onEntry: (news: EntryNews) => void): void {
  const latest = useRef(onEntry);
  latest.current = onEntry;
  useEffect(() => session.store.onEntry((news) => latest.current(news)), [session]);
}
