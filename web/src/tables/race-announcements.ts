/**
 * What screen readers announce in a race: what the domino in hand can do, how full one's frame is, and when another
 * player's nearly is.
 */
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { parseLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { GameEvent } from "../net/open.ts";
import type { RaceView } from "../net/protocol.ts";
import { frameFor, countNeeded } from "../state/races.ts";
import type { Session } from "../state/session.ts";
import { announce } from "../state/voice.ts";
import { eventInWords } from "../words.ts";
import { useEntries } from "./entries.ts";

export function useRaceAnnouncements(session: Session<RaceView>): void {
  const announced = useRef("");
  useSignalEffect(() => {
    const { placer } = session;
    const tile = placer.hand.value[0] ?? null;
    const known = tile === null ? undefined : placer.candidates.value.get(tile);
    const name = `${tile} ${known?.length}`;
    // Its face is announced by the focus, which goes to the hand.
    if (tile !== null && known && announced.current !== name)
      announce(t("in_hand_now", { tile, fits: t("fits", { count: known.length }) }));
    announced.current = name;
  });
  useEntries(session, ({ entry, live }) => {
    if (live) announceFrames(session, entry.events);
  });
}

function announceFrames(session: Session<RaceView>, events: readonly GameEvent[]): void {
  const [view, game, names] = [
    session.view.value,
    session.game.value,
    session.requireTable().seats.map(({ name }) => name),
  ];
  if (!view || !game.race) return;
  for (const event of events) {
    const seat = event.player ?? null;
    const own = seat !== null && seat === session.seat.value;
    if (event.event === "framed" && seat !== null) {
      const layings = view.frames[seat] ?? [];
      const [count, total] = [
        layings.length,
        countNeeded(frameFor(game.race.frames(view.options, layings.map(parseLaying)), layings.map(parseLaying))),
      ];
      if (own) announce(t("frame_count", { count, total }));
      else if (total - count <= 2) announce(t("nearly_full", { name: session.nameOf(seat), count, total }));
    } else if (own && !game.quiet.includes(event.event)) {
      const line = eventInWords(event, names, game, events);
      if (line) announce(line);
    }
  }
}
