/**
 * What the viewer of a replay shows. Its position is the one in the address and nowhere else. The rest passes: a turn
 * that is shown belongs to the position for which it was asked, and a replay that plays stops at any other position
 * than the one where it has come to.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Camera } from "../board/camera.ts";
import { bounds, parseLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { type ReviewTurn, study } from "../net/study.ts";
import { useAsking } from "../panels/refusal.ts";
import type { ShownTurn } from "../panels/replay-stage.tsx";
import { isMeantElsewhere } from "../shell/elsewhere.ts";
import { useKeydown } from "../shell/hooks.ts";
import { address, amend } from "../shell/router.ts";
import { Reviewing } from "../state/review.ts";
import { tokenOf } from "../state/storage.ts";
import { wordsOpen } from "../tables/keys.ts";
import { completeFrame, findBest } from "./best-turn.ts";
import { findExampleStart, readPosition, wantsBetterTurn } from "./position.ts";
import type { OpenedGame } from "./use-opened-game.ts";

/** Milliseconds between two moves while it plays. */
const STEP_INTERVAL_MS = 900;

export interface Viewing {
  at: number;
  isPlaying: boolean;
  shown: ShownTurn | null;
  /** What went wrong, or is being done. */
  notice: string;
  reviewing: Reviewing;
  /** Go to a position, and stop there. */
  stop(position: number): void;
  /** Play from here, at the end from the beginning; or stop. */
  togglePlaying(): void;
  /** Show the best turn at this position, or hide the turn that is shown. */
  toggleBest(): void;
  /** Show a turn of the review, with what would have been better. */
  showReviewed(turn: ReviewTurn): void;
  /** Show how a player could complete their frame from here. */
  showCompletion(seat: number): void;
}

interface ViewerParts {
  /** The table of the server; null for a record. */
  id: string | null;
  /** The address of the game without a position. */
  base: string;
  camera: Camera;
  /** Bring the board into sight: on a phone, the review lies below it. */
  scrollToBoard(): void;
}

export function useViewer(
  { replay, record, example }: OpenedGame,
  { id, base, camera, scrollToBoard }: ViewerParts,
): Viewing {
  const start = useMemo(() => (example ? findExampleStart(replay) : 0), [replay]);
  const readAt = () => readPosition(address.value.hash, replay.last, start);
  const at = readAt();
  const move = (position: number) => amend(`${base}#${Math.min(replay.last, Math.max(0, position))}`);

  /** Where it plays; null while it does not. */
  const playingAt = useSignal<number | null>(null);
  const found = useSignal<{ position: number; turn: ShownTurn } | null>(null);
  const { trouble: notice, ask } = useAsking();
  const isPlaying = playingAt.value === at;
  const shown = found.value?.position === at ? found.value.turn : null;
  const reviewing = useMemo(
    () =>
      new Reviewing((language, signal) =>
        id ? study.review(id, tokenOf(id), language, signal) : study.reviewRecord(record, language, signal),
      ),
    [replay],
  );
  const review = reviewing.review.value;

  const stop = (position: number) => {
    [playingAt.value, found.value, notice.value] = [null, null, ""];
    move(position);
  };
  const togglePlaying = () => {
    if (isPlaying) playingAt.value = null;
    else if (readAt() < replay.last) playingAt.value = readAt();
    else {
      stop(0);
      playingAt.value = 0;
    }
  };
  const showBest = (position: number) =>
    ask(async () => {
      playingAt.value = null;
      const best = await findBest(replay, review, position);
      // Meanwhile the player may have gone to another position, or to another page.
      if (address.peek().path !== base || readAt() !== position) return;
      if (!best) {
        notice.value = t("replay_no_best");
        return;
      }
      move(best.position);
      found.value = { position: best.position, turn: best.shown };
      const { layings, played = [] } = best.shown;
      const box = bounds([...replay.layings(best.position), ...[...layings, ...played].map(parseLaying)]);
      if (!camera.sees(box)) camera.fly(camera.fitted(box, 1.6));
    });
  const toggleBest = () => {
    if (shown) found.value = null;
    else void showBest(readAt());
  };
  const showReviewed = (turn: ReviewTurn) => {
    if (!review) return;
    scrollToBoard();
    const position = review.place(turn);
    stop(position);
    const { better, layings: played, player, why: text } = turn;
    if (better) void showBest(position);
    else found.value = { position, turn: { layings: [], played, seat: player ?? undefined, text } };
  };
  const showCompletion = (seat: number) =>
    void ask(async () => {
      playingAt.value = null;
      const position = readAt();
      notice.value = t("solver_searching");
      found.value = { position, turn: await completeFrame(replay, position, seat) };
      notice.value = "";
    });

  // A link without a position gets the one that is shown; its `b` is read once.
  const wantsBetter = useRef(wantsBetterTurn(address.peek().hash));
  useEffect(() => stop(readAt()), [replay]);
  useEffect(() => void (notice.value = ""), [at]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => {
      if (at >= replay.last) playingAt.value = null;
      else {
        stop(at + 1);
        playingAt.value = at + 1;
      }
    }, STEP_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);
  // A link to a missed chance shows it as soon as the review is there.
  useEffect(() => {
    const turn = wantsBetter.current && review?.missed.find((one) => review.place(one) === readAt());
    if (review) wantsBetter.current = false;
    if (turn) showReviewed(turn);
  }, [review]);

  useKeydown((event) => {
    if (isMeantElsewhere(event)) return;
    const [{ key }, now] = [event, readAt()];
    if (key === "ArrowLeft") stop(event.shiftKey ? replay.turnFrom(now, -1) : now - 1);
    else if (key === "ArrowRight") stop(event.shiftKey ? replay.turnFrom(now, 1) : now + 1);
    else if (key === "PageUp") stop(replay.turnFrom(now, -1));
    else if (key === "PageDown") stop(replay.turnFrom(now, 1));
    else if (key === "Home") stop(0);
    else if (key === "End") stop(replay.last);
    else if (key === " " && !(event.target as Element).closest("button, a")) togglePlaying();
    else if (/^b$/i.test(key)) void showBest(now);
    else if (/^w$/i.test(key) && !replay.game.race) wordsOpen.value = true;
    else return;
    event.preventDefault();
  });

  return {
    at,
    isPlaying,
    shown,
    notice: notice.value,
    reviewing,
    stop,
    togglePlaying,
    toggleBest,
    showReviewed,
    showCompletion,
  };
}
