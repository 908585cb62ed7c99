/** One problem: that of a day, or of a grade and a seed, as the address says. */
import { isStatic } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { t } from "../i18n.ts";
import { retry } from "../net/retry.ts";
import { Refused } from "../net/backend.ts";
import { type Problem, problems, type ProblemRequest } from "../net/problems.ts";
import { refusalText } from "../panels/refusal.ts";
import { isFuture, dayInWords, problemLink, readRequest, today } from "../problems/days.ts";
import { FrameView } from "../problems/frame-view.tsx";
import { TurnView } from "../problems/turn-view.tsx";
import { address } from "../shell/router.ts";
import { useTitle } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

export default function ProblemPage() {
  const { search } = address.value;
  const request = useMemo(() => readRequest(search), [search]); // A problem that was begun before midnight stays.
  return request.date && isFuture(request.date) ? (
    <NotYet date={request.date} />
  ) : (
    <Asked key={problemLink(request)} request={request} />
  );
}

/** The problems of days to come can wait. */
function NotYet({ date }: { date: string }) {
  return (
    <section class="page narrow">
      <h1>{t("problems")}</h1>
      <AnnouncedText manner="urgent">{t("problem_not_yet", { date: dayInWords(date, "full") })}</AnnouncedText>
      <p class="buttons">
        <a class="button primary" href={problemLink({ kind: "turn", date: today() })}>
          {t("problem_of_the_day")}
        </a>
        <a class="button" href="/problems">
          {t("problem_all")}
        </a>
        <a class="button" href="/">
          {t("home")}
        </a>
      </p>
    </section>
  );
}

function Asked({ request }: { request: ProblemRequest }) {
  useTitle(t("problems"));
  const problem = useSignal<Problem | null>(null);
  const trouble = useSignal<Refused | null>(null);
  const late = useSignal(false);
  useEffect(() => {
    const asking = new AbortController();
    retry((signal) => problems.fetch(request, signal), {
      stop: asking.signal,
      ...(isStatic && { timeoutMs: Infinity }), // The engine would begin again with each attempt.
      onLate: (isLate) => (late.value = isLate),
    }).then(
      (found) => (problem.value = found),
      (error) => {
        if (asking.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        trouble.value = error;
      },
    );
    return () => asking.abort();
  }, []);
  if (trouble.value) {
    const { code, message, status } = trouble.value;
    return (
      <section class="page narrow">
        <h1>{t("problems")}</h1>
        <AnnouncedText class="trouble" manner="urgent">
          {status === 422 ? t("problem_missing") : refusalText(code, message)}
        </AnnouncedText>
        <p class="buttons">
          <a class="button" href="/problems">
            {t("problem_all")}
          </a>{" "}
          <a class="button" href="/">
            {t("home")}
          </a>
        </p>
      </section>
    );
  }
  if (!problem.value)
    return late.value ? (
      <AnnouncedText class="page narrow">{t("refused_offline")}</AnnouncedText>
    ) : (
      <p class="page narrow number">…</p>
    );
  return problem.value.kind === "turn" ? <TurnView problem={problem.value} /> : <FrameView problem={problem.value} />;
}
