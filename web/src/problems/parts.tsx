/** Parts of both kinds of problem pages: their head, and links to go on. */
import { isStatic } from "../base.ts";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { language, t, withColon } from "../i18n.ts";
import { type Problem, query } from "../net/problems.ts";
import { focusFirst } from "../ui/focus.ts";
import { Icon } from "../ui/icon.tsx";
import { ShareButton } from "../panels/share.tsx";
import { go } from "../shell/router.ts";
import { problemLink, newSeed, recallResult } from "./days.ts";
import { Grade } from "./grade.tsx";
import { addressOf, problemName } from "./in-words.ts";
import { ResultCard } from "./result-card.tsx";

export function ProblemHead({ problem }: { problem: Problem }) {
  const { kind, grade, seed } = problem;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const before = useMemo(() => recallResult(kind, grade, seed)?.solved, []);
  return (
    <div class="row tied problem-head">
      <h1 id="problem-title" ref={heading} tabIndex={-1}>
        <span class="hidden">{withColon(problem.kind === "frame" ? t("problem_frames") : t("problems"), "")}</span>
        {problemName(problem)}
      </h1>
      <Grade grade={problem.grade} />
      {before && (
        <span class="good" role="img" aria-label={t("problem_is_solved")} title={t("problem_is_solved")}>
          <Icon name="done" />
        </span>
      )}
      <a class="button tool at-end" href="/problems" aria-label={t("problem_all")} title={t("problem_all")}>
        <Icon name="close" />
      </a>
    </div>
  );
}

/** Links that are there all the time: print and share; once it is found, how it went. Others come last. */
export function ProblemLinks({ problem, children }: { problem: Problem; children?: ComponentChildren }) {
  const { kind, grade, seed } = problem;
  const print = `/api/problem/problem.pdf?${query({ kind, grade, seed }, { language: language.value })}`;
  const result = recallResult(kind, grade, seed);
  return (
    <>
      {result?.solved && <ResultCard problem={problem} result={result} />}
      <p class="buttons problem-links">
        {!result?.solved && (
          <ShareButton url={() => addressOf(problem)} title={`Dalapapa · ${problemName(problem)}`} label={t("share")} />
        )}
        {!isStatic && (
          <a class="button" href={print} target="_blank" rel="noopener">
            {t("solver_print")}
          </a>
        )}
        {children}
      </p>
    </>
  );
}

/**
 * Buttons come and go: after a press on one that goes, the focus moves to `goal` once that is there.
 * What is returned wants to know of every press.
 */
export function useKeptFocus(goal: string): () => void {
  const lost = useRef(false);
  useEffect(() => {
    if (!lost.current) return;
    if (document.activeElement === document.body) focusFirst([goal], { preventScroll: true });
    lost.current = document.activeElement === document.body;
  });
  return () => (lost.current = true);
}

/** Another one like this; after that of a day, back to all of them. It has the focus once it is there. */
export function NextButton({ problem: { kind, grade, date } }: { problem: Problem }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button
      type="button"
      class="primary big"
      ref={button}
      onClick={() => go(date ? "/problems" : problemLink({ kind, grade, seed: newSeed() }))}
    >
      {date ? t("problem_all") : t("problem_next")}
    </button>
  );
}
