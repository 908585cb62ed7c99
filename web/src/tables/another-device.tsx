/**
 * A seat moves to another device by a link that carries its token. The token stands in the fragment,
 * which no browser sends: it reaches neither the server nor any log.
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import { joinList } from "../i18n.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { address } from "../shell/router.ts";
import type { Session, TableProps } from "../state/session.ts";
import { keepToken, offeredSeat, tokenOf } from "../state/storage.ts";

export const ownNames = (session: Session): string => joinList(session.yours.value.map((seat) => session.nameOf(seat)));

/** A token that came with the address and is not this browser's own: taken at once, unless it has another seat here. */
export function takeOffered(id: string): string | null {
  const token = offeredSeat(location.hash);
  if (!token) return null;
  // Neither this screen nor the history of this browser may show it.
  history.replaceState(history.state, "", location.pathname + location.search);
  const known = tokenOf(id);
  if (known === null) keepToken(id, token, "");
  return token;
}

const SeatOffer = loadLazily(() => import("./seat-offer.tsx").then(({ SeatOffer }) => SeatOffer));

/** A seat that the address offers, when the page opens or later. */
export function OfferedSeat({ session, offered }: TableProps & { offered: string | null }) {
  const offers = useSignal<readonly string[]>(offered === null ? [] : [offered]);
  useSignalEffect(() => {
    void address.value.hash;
    const token = takeOffered(session.id);
    if (!token) return;
    offers.value = [...offers.peek(), token];
    if (token === tokenOf(session.id)) session.greet();
  });
  const token = offers.value.at(-1);
  return token ? <SeatOffer key={offers.value.length} session={session} token={token} /> : null;
}
