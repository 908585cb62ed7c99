/** A turn to be found, on the table: laid as in a game; its worth is shown afterwards. */
import { useEffect, useMemo } from "preact/hooks";
import type { Marked } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import { formatSigned, t } from "../i18n.ts";
import type { Problem, Verdict } from "../net/problems.ts";
import { Practice } from "../panels/practice.tsx";
import { refusalText } from "../panels/refusal.ts";
import { analysisHash } from "../panels/study-link.ts";
import { capital, earnedInWords } from "../words.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { settings } from "../state/settings.ts";
import { KeyHelp } from "../tables/key-help.tsx";
import { InWords } from "../tables/in-words.tsx";
import { usePlacerKeys } from "../tables/keys.ts";
import { focusFirst } from "../ui/focus.ts";
import { FoundBy } from "./found-by.tsx";
import { outcomeOf } from "./in-words.ts";
import { NextButton, ProblemHead, ProblemLinks, useKeptFocus } from "./parts.tsx";
import { TurnTask } from "./turn-task.ts";

export function TurnView({ problem }: { problem: Problem }) {
  const task = useMemo(() => new TurnTask(problem), []);
  const camera = useMemo(() => new Camera(), []);
  useEffect(() => () => task.close(), []);
  const commit = task.lay.bind(task);
  usePlacerKeys(task, commit, camera);
  const end = task.end.value;
  const position = problem.position.join(" ");
  useAnnouncement(writeInstruction(task));
  return (
    <Practice
      kind={end ? "lesson problem over" : "lesson problem"}
      title="problem-title"
      placer={task.placer}
      camera={camera}
      layings={task.layings.value}
      staged={task.laid.value}
      groups={groups(task.verdict.value)}
      places={settings.places.value}
      onCommit={commit}
      buttons={<Buttons task={task} />}
      side={
        <>
          <ProblemHead problem={problem} />
          <p class="lead strong lesson-rule">{t("problem_task")}</p>
          <p
            class={`tinted feedback lesson-task${end === "solved" ? " reaction" : task.verdict.value && !end ? " poor" : ""}`}
          >
            {writeInstruction(task)}
          </p>
          {task.verdict.value && <Parts verdict={task.verdict.value} />}
          {end && (
            <p>
              <FoundBy date={problem.date} />
            </p>
          )}
          {!end && (
            <button type="button" class="link soft" onClick={() => void task.show()}>
              {t("problem_show")}
            </button>
          )}
          <ProblemLinks problem={problem}>
            {end && (
              <a class="button" href={`/analysis${analysisHash({ position, hand: problem.tiles, set: "120" })}`}>
                {t("replay_analysis")}
              </a>
            )}
          </ProblemLinks>
        </>
      }
    >
      <KeyHelp />
      <InWords placer={task.placer} />
    </Practice>
  );
}

const points = (count: number) => t("said_points", { count }).replace("-", "−");

/** Say what the player has to do, what the turn was worth, or what the solution is worth. */
function writeInstruction(task: TurnTask): string {
  const trouble = task.trouble.value;
  if (trouble) return refusalText(trouble.code, trouble.message);
  const verdict = task.verdict.value;
  if (task.end.value === "shown") return t("problem_shown", { points: points(verdict?.points ?? 0) });
  if (task.end.value === "solved") {
    const found = t("problem_found", { points: points(verdict?.points ?? 0) });
    const outcome = outcomeOf("turn", { tries: task.tries.value, hints: task.hints.value });
    return `${found} ${task.seen ? t("problem_seen") : `${capital(outcome)}.`}`;
  }
  if (verdict?.other_order) return t("problem_order", { points: points(verdict.points ?? 0) });
  if (verdict) return t("problem_worth", { points: points(verdict.points ?? 0), count: verdict.more ?? 0 });
  const solution = task.solution.value;
  if (!solution || !task.hints.value) return t("problem_how");
  if (task.hints.value === 1)
    return solution.solution.length > 1
      ? t("problem_hint_both", { count: solution.points ?? 0 })
      : t("problem_hint_one", { count: solution.points ?? 0 });
  switch (task.hinted()) {
    case "domino":
      return t("problem_hint_domino");
    case "place":
      return t("problem_hint_place");
    default:
      return t("problem_how");
  }
}

/** The points of each domino, and the charge. */
function Parts({ verdict: { parts = [], charge = 0 } }: { verdict: Verdict }) {
  return (
    <ul class="stack tight problem-parts">
      {parts.map((part) => (
        <li key={part.laying} class="row tied">
          <b>{formatSigned(part.points)}</b> {earnedInWords(part)}
        </li>
      ))}
      {charge > 0 && (
        <li class="row tied">
          <b>{formatSigned(-charge)}</b> {t("problem_charge")}
        </li>
      )}
    </ul>
  );
}

function groups(verdict: Verdict | null): Marked[] {
  return (verdict?.parts ?? []).flatMap((part) =>
    part.groups.map(({ discs, size }) => ({ discs: discs ?? [], label: formatSigned(size) })),
  );
}

function Buttons({ task }: { task: TurnTask }) {
  const end = task.end.value;
  const judged = task.verdict.value !== null;
  const pressed = useKeptFocus(judged ? ".turn-buttons .primary" : ".held-face");
  if (end)
    return (
      <div class="turn-buttons">
        <NextButton problem={task.problem} />
      </div>
    );
  const laid = task.laid.value.length > 0;
  const hint = async () => {
    await task.hint();
    // Enter lays what is shown, and asks for no further hint.
    focusFirst([".held-face.chosen"]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the clicks of the buttons in it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys click buttons, too.
    <div class="turn-buttons" onClick={pressed}>
      {!judged && (
        <button type="button" onClick={() => void hint()}>
          {t("problem_hint")}
        </button>
      )}
      {laid && (
        <button type="button" onClick={() => void task.move({ move: "undo" })}>
          {t("undo")} <kbd>U</kbd>
        </button>
      )}
      {laid && !judged && (
        <button type="button" class="primary" onClick={() => void task.move({ move: "end" })}>
          {t("problem_my_turn")} <kbd>E</kbd>
        </button>
      )}
      {judged && (
        <button type="button" class="primary" onClick={() => task.again()}>
          {t("problem_again")}
        </button>
      )}
    </div>
  );
}
