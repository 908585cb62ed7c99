/** A frame to be filled: as in the races, but without opponents. */
import { useEffect, useMemo } from "preact/hooks";
import { Board } from "../board/board.tsx";
import { Outlined } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import { type Cell, cellsOf, key, printLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { Problem } from "../net/problems.ts";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { refusalText } from "../panels/refusal.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { announce } from "../state/voice.ts";
import { settings } from "../state/settings.ts";
import { FrameInWords, useFocusOfHand, usePutBackKey } from "../tables/frame-table.tsx";
import { Room } from "../ui/room.tsx";
import { useTableParts } from "../ui/table-parts.ts";
import { KeyHelp } from "../tables/key-help.tsx";
import { InWords } from "../tables/in-words.tsx";
import { usePlacerKeys } from "../tables/keys.ts";
import { fromPool, Pool } from "../tables/pool.tsx";
import { FoundBy } from "./found-by.tsx";
import { FrameTask } from "./frame-task.ts";
import { capital, sentences } from "../words.ts";
import { NextButton, ProblemHead, ProblemLinks, useKeptFocus } from "./parts.tsx";

export function FrameView({ problem }: { problem: Problem }) {
  const task = useMemo(() => new FrameTask(problem), []);
  const camera = useMemo(() => new Camera(), []);
  useEffect(() => () => task.close(), []);
  const { placer, frame, set } = task;
  const parts = useTableParts();
  const commit = task.lay.bind(task);
  usePlacerKeys(task, commit, camera);
  usePutBackKey(placer, () => task.putBack());
  useFocusOfHand(placer);
  const held = task.held.value;
  useEffect(() => {
    if (held)
      announce(
        t("in_hand_now", { tile: held, fits: t("fits", { count: placer.candidates.value.get(held)?.length ?? 0 }) }),
      );
  }, [held]);
  const end = task.end.value;
  useAnnouncement(writeInstruction(task));
  const layings = task.layings.value;
  const pick = (cell: Cell) => {
    const laying = task.laid.value.find((one) => cellsOf(one).some((at) => key(at) === key(cell)));
    if (laying) task.takeOut(laying);
  };
  return (
    <Room
      kind={end ? "lesson race problem over" : "lesson race problem"}
      title="problem-title"
      of={{ board: { class: end === "solved" ? "full" : "" }, tray: { class: "race-tray" } }}
      side={
        <>
          <ProblemHead problem={problem} />
          <p class="lead strong lesson-rule">{t("problem_frame_task")}</p>
          <p
            class={`tinted feedback lesson-task${end === "solved" ? " reaction" : task.lastHint.value === "impossible" ? " poor" : ""}`}
          >
            {writeInstruction(task)}
          </p>
          {end && (
            <p>
              <FoundBy kind="frame" date={problem.date} />
            </p>
          )}
          <ProblemLinks problem={problem} />
        </>
      }
      board={
        <Board
          set={set}
          layings={layings}
          frame={frame}
          camera={camera}
          placer={end ? undefined : placer}
          places={settings.places.value}
          oneTap
          onCommit={commit}
          onPick={pick}
          label={t("problem_frame_label", { ...frame, count: layings.length, total: problem.tiles.length })}
        >
          {task.given.map((laying) => (
            <Outlined key={printLaying(laying)} laying={laying} kind="staged" />
          ))}
        </Board>
      }
      tray={
        <>
          <div class="row race-at-hand">
            {!end && (
              <div class="row race-hand">
                {placer.hand.value.length > 0 ? (
                  <Hand placer={placer} set={set} camera={camera} onCommit={commit} oneTap turning />
                ) : (
                  <p class="empty-hand" aria-hidden="true" />
                )}
                {placer.hand.value.length > 0 && (
                  <button type="button" class="put-back" onClick={() => task.putBack()}>
                    {t("put_back")} <kbd>⌫</kbd>
                  </button>
                )}
              </div>
            )}
            <Buttons task={task} />
          </div>
          {!end && (
            <div class="row race-more">
              <LayingsList placer={placer} onCommit={commit} />
              <FrameInWords
                placer={placer}
                set={set}
                layings={task.laid.value}
                onTakeOut={(laying) => task.takeOut(laying)}
              />
              <button type="button" class="link note give-up" onClick={() => void task.show()}>
                {t("problem_show")}
              </button>
            </div>
          )}
        </>
      }
      pool={
        <Pool
          set={set}
          tiles={task.stock}
          gone={task.gone.value}
          held={task.held.value}
          label={t("analysis_dominoes")}
          onTake={end ? undefined : (tile, side) => void task.take(tile, side)}
          onCarry={
            end
              ? undefined
              : fromPool({ placer, camera, parts, onCommit: commit }, (tile, side) => task.take(tile, side))
          }
        />
      }
    >
      <KeyHelp keys={[{ keys: ["⌫"], text: "put_back" }]} />
      <InWords placer={placer} />
    </Room>
  );
}

function writeInstruction(task: FrameTask): string {
  const trouble = task.trouble.value;
  if (trouble) return refusalText(trouble.code, trouble.message);
  if (task.end.value === "solved") {
    const hints = task.hints.value;
    const used = hints ? capital(t("problem_with_hints", { count: hints })) : "";
    return sentences([t("problem_frame_solved"), used, task.seen ? t("problem_seen") : ""].filter(Boolean));
  }
  if (task.end.value === "shown") return t("problem_frame_shown");
  switch (task.lastHint.value) {
    case "possible":
      return t("problem_frame_possible");
    case "impossible":
      return t("problem_frame_impossible");
    case "gave_up":
      return t("problem_frame_unknown");
    default:
      return t("problem_frame_how");
  }
}

function Buttons({ task }: { task: FrameTask }) {
  const end = task.end.value;
  const pressed = useKeptFocus('.pool-item[tabindex="0"]');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the clicks of the buttons in it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys click buttons, too.
    <div class="buttons race-buttons" onClick={pressed}>
      {!end && (
        <button type="button" onClick={() => void task.hint()}>
          {t("problem_hint")}
        </button>
      )}
      {task.view.value.can_undo && (
        <button type="button" onClick={() => void task.move({ move: "undo" })}>
          {t("undo")} <kbd>U</kbd>
        </button>
      )}
      {!end && task.laid.value.length > 0 && (
        <button type="button" onClick={() => task.clear()}>
          {t("problem_clear")}
        </button>
      )}
      {end && <NextButton problem={task.problem} />}
    </div>
  );
}
