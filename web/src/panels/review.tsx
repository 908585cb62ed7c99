/** The coach's review of a game: the curve of chances, and the biggest ones that were missed. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { gameOf } from "../games/general.ts";
import { language, t, tt } from "../i18n.ts";
import type { ReviewTurn } from "../net/study.ts";
import type { Review, Reviewing } from "../state/review.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { CurveTable, ScoreCurve } from "./curve.tsx";
import { chanceInWords } from "./estimate.ts";
import { refusalText } from "./refusal.ts";

export interface ReviewProps {
  reviewing: Reviewing;
  /** The players' names on this page. */
  names: readonly string[];
  at?: number;
  /** To look at a position. */
  onPick?(position: number): void;
  /** To look at what would have been better. */
  onShow?(turn: ReviewTurn): void;
  /** The address of a turn, on pages without `onShow`. */
  link?(turn: ReviewTurn): string;
}

/** Asks as soon as it is there, and again when the language changes: sentences come from the server. */
export const ReviewPanel = withBoundary(Panel);

function Panel(props: ReviewProps) {
  const { reviewing } = props;
  const { review, waiting, trouble } = reviewing;
  const spoken = language.value;
  useEffect(() => void reviewing.start(spoken), [reviewing, spoken]);
  useEffect(() => () => reviewing.close(), [reviewing]);
  return (
    <section class="review" aria-label={t("review_title")} aria-busy={waiting.value}>
      {waiting.value && !review.value && (
        <AnnouncedText class="row tied soft">
          <span class="review-sand" aria-hidden="true" /> {t("review_waiting")}
        </AnnouncedText>
      )}
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {refusalText(trouble.value.code, trouble.value.message)}{" "}
          {trouble.value.code !== "no_review" && (
            <button type="button" onClick={() => void reviewing.start(spoken)}>
              {t("review_again")}
            </button>
          )}
        </AnnouncedText>
      )}
      {review.value && <Reviewed {...props} review={review.value} />}
    </section>
  );
}

function Reviewed({ review, names, at, onPick, onShow, link }: ReviewProps & { review: Review }) {
  const {
    missed,
    document: { measure, players },
  } = review;
  return (
    <>
      <h3>{t("review_missed")}</h3>
      {missed.length === 0 && <p>{t("review_none_missed")}</p>}
      <ol class="stack missed-cards">
        {missed.map((turn, i) => (
          <li key={turn.number} class={`card stack tight${turn.player === null ? "" : ` seat-${turn.player}`}`}>
            <Card
              number={i + 1}
              review={review}
              turn={turn}
              name={turn.player === null ? "" : (names[turn.player] ?? "")}
            >
              {onShow ? (
                <button type="button" onClick={() => onShow(turn)}>
                  {t("review_show")}
                </button>
              ) : (
                <a class="button" href={link?.(turn)}>
                  {t("review_show")}
                </a>
              )}
            </Card>
          </li>
        ))}
      </ol>
      {players.map(
        ({ pace }, seat) =>
          pace && (
            <p key={seat} class="soft">
              {t("review_pace", {
                name: names[seat] ?? "",
                framed: pace.framed,
                needed: pace.needed,
                moves: pace.moves,
                out: pace.taken_out,
              })}
            </p>
          ),
      )}
      {measure === "chance" && <Chances review={review} names={names} at={at} onPick={onPick} />}
    </>
  );
}

function Card({
  number,
  review,
  turn,
  name,
  children,
}: {
  number: number;
  review: Review;
  turn: ReviewTurn;
  name: string;
  children: ComponentChildren;
}) {
  const {
    document: { game, measure, unit },
  } = review;
  const title = gameOf(game).inRounds
    ? t("review_round", { number: turn.number })
    : measure === "full"
      ? t("review_way", { number: turn.first, name })
      : t(unit === "points" ? "review_turn" : "review_laying", { number: turn.number, name });
  const chance = turn.lost_chance;
  return (
    <>
      <h4 class="row tied">
        <b class="token small" aria-hidden="true">
          {number}
        </b>{" "}
        {title}
      </h4>
      <p class="soft">
        {chance && chance.low > 0
          ? t("review_lost_chance", { chance: chanceInWords(chance) })
          : tt(`review_lost_${unit}`, { count: turn.lost })}
      </p>
      <p>{turn.why}</p>
      {children}
    </>
  );
}

function Chances({
  review,
  names,
  at,
  onPick,
}: {
  review: Review;
  names: readonly string[];
  at?: number;
  onPick?(position: number): void;
}) {
  const { curve } = review.document;
  const [low, high] = [review.curves("low"), review.curves("high")];
  return (
    <ScoreCurve
      names={names}
      curves={review.curves()}
      positions={review.positions}
      bands={names.map((_, seat) => ({ low: low[seat] ?? [], high: high[seat] ?? [] }))}
      marks={review.missed.map(({ first }) => first)}
      measure={t("review_chance")}
      titled
      at={at}
      onPick={onPick}
    >
      {review.sampled && <p class="soft">{t("review_onlooker")}</p>}
      <details class="small course-table">
        <summary>{t("course_as_table")}</summary>
        <CurveTable
          names={names}
          rows={curve.map(({ position, chances }) => ({ position, values: chances.map(chanceInWords) }))}
          onPick={onPick}
        />
      </details>
    </ScoreCurve>
  );
}
