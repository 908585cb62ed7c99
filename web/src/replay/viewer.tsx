/** A game that is over, at one of its positions: the board, what is known about the game, and controls. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { Camera } from "../board/camera.ts";
import { t, tt } from "../i18n.ts";
import { CourseCharts } from "../panels/course.tsx";
import { RaceTimes } from "../panels/race-times.tsx";
import { ReplayLog, ReplayPlayers } from "../panels/replay-side.tsx";
import { ReplayStage } from "../panels/replay-stage.tsx";
import { ReviewPanel } from "../panels/review.tsx";
import { useGame } from "../shell/hooks.ts";
import { gameName } from "../state/catalogue.ts";
import type { Replay } from "../state/replay.ts";
import type { TurnLine } from "../state/turn-lines.ts";
import { InWords, type TableContents } from "../tables/in-words.tsx";
import { Room } from "../ui/room.tsx";
import { ReplayControls } from "./controls.tsx";
import { ReplayTools } from "./tools.tsx";
import type { OpenedGame } from "./use-opened-game.ts";
import { useViewer } from "./use-viewer.ts";

interface ViewerProps {
  game: OpenedGame;
  /** The table of the server; null for a record. */
  id: string | null;
  /** The head of the page, before the example. */
  begin: ComponentChildren;
  onClose(): void;
}

export function Viewer({ game, id, begin, onClose }: ViewerProps) {
  const { replay, record, example } = game;
  useGame(replay.document.game);
  const camera = useMemo(() => new Camera(), [replay]);
  const board = useRef<HTMLDivElement>(null);
  /** The turn that the log points at. */
  const pointed = useSignal<TurnLine | null>(null);
  /** A review takes seconds of the server's time, so that of an example waits until it is opened. */
  const isReviewOpen = useSignal(!example);
  const base = id ? `/replay/${id}` : "/replay";
  const viewing = useViewer(game, {
    id,
    base,
    camera,
    scrollToBoard: () => board.current?.scrollIntoView({ block: "start" }),
  });
  const { at, shown, reviewing, stop } = viewing;
  const races = replay.game.race !== null;
  return (
    <Room
      kind="study replay"
      of={{
        board: { class: "cloth replay-stage", ref: board },
        side: { class: "replay-side" },
        tray: { class: "replay-controls" },
      }}
      board={<ReplayStage replay={replay} position={at} shown={shown} pointed={pointed.value} camera={camera} />}
      side={
        <>
          {begin}
          {example ? (
            <h2>{t("study_example", { game: gameName(replay.document.game) })}</h2>
          ) : (
            <h1 class="large">{t("replay_of", { game: gameName(replay.document.game) })}</h1>
          )}
          <ReplayPlayers replay={replay} position={at} />
          {races && !replay.at(at).view.outcome && (
            <div class="buttons small replay-tools">
              {replay.names.map((name, seat) => (
                <button key={seat} type="button" onClick={() => viewing.showCompletion(seat)}>
                  {t("replay_complete", { name })}
                </button>
              ))}
            </div>
          )}
          <ReplayLog replay={replay} position={at} onPick={stop} onPoint={(line) => (pointed.value = line)} />
          {replay.runs() && (
            <details open>
              <summary class="strong">{t("race_times")}</summary>
              <RaceTimes replay={replay} onPick={stop} />
            </details>
          )}
          <details open={isReviewOpen.value} onToggle={(event) => (isReviewOpen.value ||= event.currentTarget.open)}>
            <summary class="strong">{t("review_title")}</summary>
            {isReviewOpen.value && (
              <ReviewPanel
                reviewing={reviewing}
                names={replay.names}
                at={at}
                onPick={stop}
                onShow={viewing.showReviewed}
              />
            )}
          </details>
          <details open>
            <summary class="strong">{tt(`measure_${replay.game.measure}`)}</summary>
            <CourseCharts replay={replay} review={reviewing.review.value} at={at} onPick={stop} />
          </details>
          <ReplayTools replay={replay} id={id} record={record} at={at} base={base} onClose={example ? null : onClose} />
        </>
      }
      tray={<ReplayControls replay={replay} {...viewing} />}
    >
      {!races && <InWords lying={describePosition(replay, at)} />}
    </Room>
  );
}

function describePosition(replay: Replay, at: number): TableContents {
  const { game, names } = replay;
  const layings = replay.layings(at);
  return {
    set: replay.set(),
    layings,
    frame: null,
    words: game.words,
    fresh: layings.slice(-1),
    marks: game.marks(replay.view(at)),
    names,
  };
}
