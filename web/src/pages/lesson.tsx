/** Two minutes with dominoes in hand: the classic rules, one small task after the other. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Marked } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import { discColours, groupAt } from "../state/groups.ts";
import { SET_120 } from "../data.ts";
import { bounds } from "../geometry.ts";
import { DEFAULT } from "../games/general.ts";
import { formatSigned, t, tt, withColon } from "../i18n.ts";
import { Lesson } from "../lesson/lesson.ts";
import { LESSON_STEPS, type LessonStep } from "../lesson/steps.ts";
import { GENTLEST } from "../lobby/opponent.ts";
import { playNow } from "../lobby/start.ts";
import { Practice } from "../panels/practice.tsx";
import { refusalText, useAsking } from "../panels/refusal.ts";
import { castName } from "../state/cast.ts";
import { remember } from "../state/storage.ts";
import { KeyHelp } from "../tables/key-help.tsx";
import { InWords } from "../tables/in-words.tsx";
import { AnnouncedText, useAnnouncement } from "../shell/announced-text.tsx";
import { usePlacerKeys } from "../tables/keys.ts";
import { CHARGE } from "../state/points.ts";
import { Icon } from "../ui/icon.tsx";

export default function LessonPage() {
  const lesson = useMemo(() => new Lesson(), []);
  useEffect(() => () => lesson.close(), []);
  const step = lesson.step.value;
  return step ? <StepPage lesson={lesson} step={step} /> : <Finished lesson={lesson} />;
}

interface StepProps {
  lesson: Lesson;
  step: LessonStep;
}

function StepPage({ lesson, step }: StepProps) {
  const camera = useMemo(() => new Camera(), []);
  const number = lesson.number.value;
  const commit = lesson.lay.bind(lesson);
  usePlacerKeys(lesson, commit, camera);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    camera.fly(camera.fitted(bounds(lesson.layings.value), 1.6), 0);
  }, [number]);
  const instruction = lesson.trouble.value
    ? refusalText(lesson.trouble.value.code, lesson.trouble.value.message)
    : task(lesson, step);
  const points = step.ends && lesson.laid.value.length > 0 ? t("lesson_turn_points", { sum: sum(lesson) }) : null;
  useAnnouncement(instruction);
  useAnnouncement(points, "event");
  return (
    <Practice
      kind="lesson"
      title="lesson-title"
      placer={lesson.placer}
      camera={camera}
      layings={lesson.layings.value}
      staged={lesson.staged.value}
      groups={groups(lesson, step)}
      onCommit={commit}
      sum={points && <p class="lesson-sum full strong">{points}</p>}
      buttons={<Buttons lesson={lesson} step={step} />}
      side={
        <>
          <div class="row lesson-head">
            <h1 id="lesson-title" aria-describedby="lesson-rule" ref={heading} tabIndex={-1}>
              <span class="hidden">{withColon(t("lesson"), "")}</span>
              {t("lesson_step", { number: number + 1, count: LESSON_STEPS.length })}
            </h1>
            <Progress number={number} />
            {!lesson.done.value && (
              <button type="button" class="link soft" onClick={() => lesson.begin(number + 1)}>
                {t("lesson_skip_step")}
              </button>
            )}
            <a
              class="button tool"
              href="/"
              aria-label={t("lesson_skip")}
              title={t("lesson_skip")}
              onClick={() => remember("lesson", true)}
            >
              <Icon name="close" />
            </a>
          </div>
          <p class="lead strong lesson-rule" id="lesson-rule">
            {tt(`lesson_${step.name}`)}
          </p>
          <p class={`tinted feedback lesson-task${lesson.done.value ? " reaction" : lesson.poor.value ? " poor" : ""}`}>
            {instruction}
          </p>
        </>
      }
    >
      <KeyHelp />
      <InWords placer={lesson.placer} />
    </Practice>
  );
}

function Progress({ number }: { number: number }) {
  return (
    <span class="dots grow" aria-hidden="true">
      {LESSON_STEPS.map(({ name }, i) => (
        <i key={name} style={{ "--share": i < number ? 1 : i === number ? 0.5 : 0 }} />
      ))}
    </span>
  );
}

/** Say what the pupil has to do now, or how it went. */
function task(lesson: Lesson, { name, mistake, ends }: LessonStep): string {
  const count = lesson.points.value;
  if (lesson.done.value) return tt(`lesson_${name}_done`, { count });
  if (mistake && !lesson.corrected.value)
    return t("lesson_undo_task", { points: t("said_points", { count: mistake.points }) });
  if (lesson.poor.value) return ends ? t("lesson_both_poor") : t("lesson_not_yet");
  if (lesson.may("end")) return t("lesson_both_end");
  return mistake ? t("lesson_undo_task_2") : tt(`lesson_${name}_task`);
}

/** "+12 −4 +8 = 16". */
function sum(lesson: Lesson): string {
  const [first, second] = lesson.laid.value;
  const parts = [
    ...(first ? [formatSigned(first.points)] : []),
    ...(second ? [formatSigned(-CHARGE), formatSigned(second.points)] : []),
  ];
  return second ? `${parts.join(" ")} = ${formatSigned(lesson.points.value)}` : parts.join(" ");
}

/** The group that is to be closed has a line round it; so has what a good laying has closed. */
function groups(lesson: Lesson, { group, showsPoints }: LessonStep): Marked[] {
  const closed = lesson.done.value ? lesson.laid.value.flatMap((one) => one.groups) : [];
  const marked: Marked[] = closed.flatMap(({ discs, size }) =>
    discs && showsPoints ? [{ discs, label: formatSigned(size) }] : [],
  );
  if (group && !lesson.done.value) marked.push({ discs: groupAt(group, discColours(lesson.layings.value, SET_120)) });
  return marked;
}

function Buttons({ lesson, step }: StepProps) {
  const next = useRef<HTMLButtonElement>(null);
  const done = lesson.done.value;
  useEffect(() => {
    if (done) next.current?.focus();
  }, [done]);
  const must = lesson.poor.value || (!!step.mistake && !lesson.corrected.value);
  return (
    <div class="turn-buttons">
      {lesson.view.value.can_undo && (
        <button type="button" class={must ? "primary" : ""} onClick={() => void lesson.move({ move: "undo" })}>
          {t("undo")} <kbd>U</kbd>
        </button>
      )}
      {lesson.placer.hand.value.length > 0 && (
        <button type="button" onClick={() => void lesson.hint()}>
          {t("problem_hint")}
        </button>
      )}
      {lesson.may("end") && (
        <button type="button" class="primary" onClick={() => void lesson.move({ move: "end" })}>
          {t("end_turn")} <kbd>E</kbd>
        </button>
      )}
      {done && (
        <button type="button" class="primary big" ref={next} onClick={() => lesson.begin(lesson.number.value + 1)}>
          {t("lesson_next")}
        </button>
      )}
    </div>
  );
}

function Finished({ lesson }: { lesson: Lesson }) {
  const { trouble, ask } = useAsking();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    remember("lesson", true);
    button.current?.focus();
  }, []);
  return (
    <section class="page narrow lesson-end">
      <h1>{t("lesson_end_title")}</h1>
      <p>{t("lesson_end_text")}</p>
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
      <div class="buttons">
        <button
          type="button"
          class="primary big"
          ref={button}
          onClick={() => void ask(() => playNow(DEFAULT, GENTLEST))}
        >
          {t("play_against", { name: castName(GENTLEST) })}
        </button>
        <a class="button big" href={`/rules/${DEFAULT}`}>
          {t("lesson_rules")}
        </a>
      </div>
      <p>
        <button type="button" class="link" onClick={() => lesson.begin(0)}>
          {t("lesson_again")}
        </button>{" "}
        · <a href="/">{t("eight_games")}</a>
      </p>
    </section>
  );
}
