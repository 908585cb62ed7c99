/** The grade of a problem: dots, and a word for screen readers. */
import { t, tt, withColon } from "../i18n.ts";

export function Grade({ grade }: { grade: number }) {
  const words = withColon(t("problem_grade", { grade }), tt(`problem_grade_${grade}`));
  return (
    <span class="dots grade" role="img" aria-label={words} title={words}>
      {[1, 2, 3, 4, 5].map((n) => (
        <i key={n} style={{ "--share": Number(n <= grade) }} />
      ))}
    </span>
  );
}
