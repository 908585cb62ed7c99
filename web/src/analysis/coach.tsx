/** Which of the best turns wins most often, what each leaves, and why. */
import { useEffect } from "preact/hooks";
import { language, t } from "../i18n.ts";
import type { CoachTurn } from "../net/study.ts";
import { chanceInWords, meanInWords, oneDigit } from "../panels/estimate.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { itemAt } from "../values.ts";
import { pointsInWords, sentences } from "../words.ts";
import { type TurnProps, Turns } from "./turns.tsx";

export function CoachAdvice({ analysis, pointed, parts }: TurnProps) {
  const { game, advice, asking } = analysis;
  const { scores, target, began } = game.value;
  const other = (seat: number) => (scores.length > 2 ? `${t("coach_other")} ${seat}` : t("coach_other"));
  useEffect(() => {
    if (advice.peek()) void analysis.askCoach(language.value); // Its sentences are the server's.
  }, [language.value]);
  const best = advice.value?.[0];
  useAnnouncement(best ? sentences([pointsInWords(best.points), chanceAndNext(best), best.why]) : null, "event");
  const score = (seat: number, value: string) =>
    (game.value = {
      ...game.value,
      scores: scores.map((one, i) => (i === seat ? Math.trunc(Number(value)) || 0 : one)),
    });
  return (
    <>
      <p class="soft">{t("coach_hint")}</p>
      <form
        class="row foot coach-form"
        onSubmit={(event) => {
          event.preventDefault();
          void analysis.askCoach(language.value);
        }}
      >
        {scores.map((points, seat) => (
          <label key={seat} class="field-row small">
            {seat ? other(seat) : t("coach_you")}
            <input
              type="number"
              min={-999}
              max={999}
              value={points}
              onInput={(event) => score(seat, event.currentTarget.value)}
            />
          </label>
        ))}
        <label class="field-row small">
          {t("coach_target")}
          <input
            type="number"
            min={60}
            max={240}
            value={target}
            onInput={(event) =>
              (game.value = { ...game.value, target: Math.trunc(Number(event.currentTarget.value)) || 60 })
            }
          />
        </label>
        <label class="field-row small">
          {t("coach_began")}
          <select
            value={began}
            onChange={(event) => (game.value = { ...game.value, began: Number(event.currentTarget.value) })}
          >
            {scores.map((_, seat) => (
              <option key={seat} value={seat}>
                {seat ? other(seat) : t("coach_me")}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={asking.value || !analysis.hand.value.length || analysis.fault.value !== null}>
          {t("review_ask")}
        </button>
      </form>
      <div aria-busy={asking.value}>
        <Turns
          analysis={analysis}
          turns={advice.value}
          pointed={pointed}
          parts={parts}
          kind="coach-turns"
          more={({ chance, leaves, why }) => (
            <span class="note full stack tight">
              <span>{chanceAndNext({ chance, leaves })}</span>
              <span>{why}</span>
              {!chance.exact && (
                <small>
                  {leaves.reply
                    && t("coach_leaves", {
                      tile: itemAt(leaves.reply.tiles, 0),
                      points: leaves.reply.points,
                      mean: oneDigit(leaves.mean),
                    })}{" "}
                  {leaves.kept && t("coach_keeps", { tile: leaves.kept, points: leaves.kept_points })}
                </small>
              )}
            </span>
          )}
        />
      </div>
    </>
  );
}

/** An exact chance is that of a turn with which the game is over, so that no turn follows. */
const chanceAndNext = ({ chance, leaves }: Pick<CoachTurn, "chance" | "leaves">): string =>
  chance.exact
    ? `${t("column_chance")} ${chanceInWords(chance)}`
    : t("coach_chance", { chance: chanceInWords(chance), points: meanInWords(leaves.next) });
