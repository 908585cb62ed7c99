/** One problem: that of a day, or of a grade and a seed, as the address says. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { t } from "../i18n.ts";
import { Refused } from "../net/api.ts";
import { type Problem, problems, type Wish } from "../net/problems.ts";
import { refusalText } from "../panels/refusal.ts";
import { linkTo, readWish } from "../problems/days.ts";
import { FrameView } from "../problems/frame-view.tsx";
import { TurnView } from "../problems/turn-view.tsx";
import { address } from "../shell/router.ts";
import { useTitle } from "../shell/hooks.ts";

export default function ProblemPage() {
  const { search } = address.value;
  const wish = useMemo(() => readWish(search), [search]); // Whoever began it before midnight goes on with it.
  return <Asked key={linkTo(wish)} wish={wish} />;
}

function Asked({ wish }: { wish: Wish }) {
  useTitle(t("problems"));
  const problem = useSignal<Problem | null>(null);
  const trouble = useSignal<Refused | null>(null);
  useEffect(() => {
    const asking = new AbortController();
    problems.fetch(wish, asking.signal).then(
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
        <p class="trouble" role="alert">{status === 400 || status === 422 ? t("problem_missing") : refusalText(code, message)}</p>
        <p><a href="/problems">{t("problem_all")}</a></p>
      </section>
    );
  }
  if (!problem.value) return <p class="problem-waiting" role="status">…</p>;
  return problem.value.kind === "turn" ? <TurnView problem={problem.value} /> : <FrameView problem={problem.value} />;
}
