/** What happens is shown and announced: groups that light up, flying points, a voice. */
import { effect, type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Marked } from "../board/lines.tsx";
import type { Camera } from "../board/camera.ts";
import { still } from "../board/motion.ts";
import { centre, type Laying, parseLaying } from "../geometry.ts";
import { formatSigned } from "../i18n.ts";
import { isLaid } from "../net/open.ts";
import type { Laid } from "../net/protocol.ts";
import { capital, earnedPoints, eventInWords, placeInWords, sentences } from "../words.ts";
import { announce } from "../state/voice.ts";
import { findClosedGroups } from "../state/groups.ts";
import type { Session } from "../state/session.ts";
import type { LogEntry } from "../state/table-store.ts";
import { recallHere, rememberHere } from "../state/storage.ts";
import { COMING_AND_GOING, turnLines } from "../state/turn-lines.ts";
import { type TableParts, useTableParts } from "../ui/table-parts.ts";
import { useEntries } from "./entries.ts";

/** How long a closed group is lit, and how long points are shown, most of the time at rest. */
const [LIT_MS, POINTS_MS] = [1800, 1100];

/** Groups that were just closed, for a moment; points that fly to a score; and every entry in words. */
export function useClosedGroups(session: Session, camera: Camera): Signal<Marked[]> {
  const groups = useSignal<Marked[]>([]);
  const parts = useTableParts();
  useEntries(session, ({ entry, live }) => {
    announceEntry(session, entry);
    if (!live) return;
    const laid = entry.events.filter(isLaid);
    const now = laid.flatMap((event) => findClosed(event, session.layings.peek(), session));
    groups.value = now;
    if (now.length) setTimeout(() => groups.value === now && (groups.value = []), LIT_MS);
    for (const event of laid) if (event.scores) fly(event, camera, parts);
  });
  return groups;
}

/** The groups that a laying has closed, found again on the table. */
function findClosed(event: Laid, layings: readonly Laying[], session: Session): Marked[] {
  if (!event.earned.groups.length) return [];
  return findClosedGroups(parseLaying(event.laying), layings, session.set.peek()).map(({ discs, colour }) => ({
    discs,
    lights: colour,
  }));
}

/** Points come up at the domino, rest there to be read, and fly to the player's score. */
function fly(event: Laid, camera: Camera, parts: TableParts): void {
  const points = earnedPoints(event.earned) - event.charge;
  const board = parts.board.current;
  const score = parts.scores.get(event.player);
  if (!points || !board || !score || still()) return;
  const [x, y] = centre(parseLaying(event.laying));
  const from = board.getBoundingClientRect();
  const to = score.getBoundingClientRect();
  const [left, top] = camera.toScreen(x / 2, y / 2);
  const flying = document.createElement("div");
  flying.className = `flying seat-${event.player}`;
  flying.textContent = formatSigned(points);
  flying.setAttribute("aria-hidden", "true");
  document.body.append(flying);
  const at = (px: number, py: number, scale: number) =>
    `translate(${px}px, ${py}px) translate(-50%, -50%) scale(${scale})`;
  const start = [from.left + left, from.top + top] as const;
  const end = [to.left + to.width / 2, to.top + to.height / 2] as const;
  flying
    .animate(
      [
        { transform: at(start[0], start[1], 0.4), opacity: 0 },
        { transform: at(start[0], start[1] - 24, 1.1), opacity: 1, offset: 0.12 },
        { transform: at(start[0], start[1] - 24, 1.1), opacity: 1, offset: 0.76, easing: "ease-in" },
        { transform: at(end[0], end[1], 0.7), opacity: 0.9 },
      ],
      POINTS_MS,
    )
    .finished.finally(() => flying.remove())
    .catch(() => undefined);
}

/** What happened, in the words of the log. */
function announceEntry(session: Session, entry: LogEntry): void {
  const names = session.table.peek()?.seats.map(({ name }) => name) ?? [];
  const seat = session.seat.peek();
  const game = session.game.peek();
  const { events } = entry;
  const announced = events.filter(
    ({ event }) =>
      ![...game.unannounced, ...COMING_AND_GOING].includes(event)
      && (event !== "turn_ended" || severalLaid(session, entry)),
  );
  const lines = announced.flatMap((event) => {
    const line = eventInWords(event, names, game, events);
    // Where one has laid a domino, one knows; where others have is news.
    return line === null
      ? []
      : isLaid(event) && event.player !== seat
        ? [line, capital(placeInWords(parseLaying(event.laying)))]
        : [line];
  });
  if (lines.length) announce(sentences(lines));
}

/** Whether the turn that ends here had several dominoes: the points of a single one were announced with it. */
function severalLaid(session: Session, { events, version }: LogEntry): boolean {
  const until = session.store.log.peek().filter((entry) => entry.version <= version);
  const turn = turnLines(until, session.game.peek()).findLast((line) =>
    line.events.some((event) => events.includes(event)),
  );
  return !!turn && turn.layings.length > 1;
}

/** The place on the table is remembered while the browser is open. */
export function useRememberedCamera(camera: Camera, name: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const stop = effect(() => {
      const view = { ...camera.view.value, turned: camera.turned.value };
      clearTimeout(timer);
      timer = setTimeout(() => rememberHere(`camera.${name}`, JSON.stringify(view)), 500);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [camera, name]);
}

export function recallView(name: string): ConstructorParameters<typeof Camera>[0] {
  return JSON.parse(recallHere(`camera.${name}`) ?? "null") as ConstructorParameters<typeof Camera>[0];
}
