/** The course of a game: the curve, what each turn left on the table, and both in numbers. */
import { useMemo } from "preact/hooks";
import { formatMinus, t, tt } from "../i18n.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { numberOr } from "../net/open.ts";
import type { Replay, TurnSummary } from "../state/replay.ts";
import type { Review } from "../state/review.ts";
import { CurveTable, PositionLink, ScoreCurve } from "./curve.tsx";
import { chanceInWords } from "./estimate.ts";

export interface CourseProps {
  replay: Replay;
  /** The coach's review, once it is there. */
  review?: Review | null;
  /** The position that is looked at. */
  at?: number;
  onPick?(position: number): void;
  /** The address of a position, on pages without `onPick`. */
  link?(position: number): string;
  /** Whether it says itself what it shows. */
  titled?: boolean;
}

export const CourseCharts = withBoundary(Charts);

function Charts(props: CourseProps) {
  const { replay, at, onPick, titled } = props;
  const curves = useMemo(() => replay.curves(), [replay]);
  return (
    <ScoreCurve
      names={replay.names}
      curves={curves}
      measure={tt(`measure_${replay.game.measure}`)}
      titled={titled}
      target={numberOr(replay.document.options.target)}
      at={at}
      onPick={onPick}
    >
      {replay.turns.length > 0 && <MissedBars {...props} />}
      <details class="small course-table">
        <summary>{t("course_as_table")}</summary>
        {replay.turns.length ? <TurnsTable {...props} /> : <CountsTable {...props} />}
      </details>
    </ScoreCurve>
  );
}

/** A bar for each turn: what it brought, and above it what it left. */
function MissedBars({ replay, at, onPick, link }: CourseProps) {
  const most = Math.max(1, ...replay.turns.map(({ points, best }) => Math.max(points, best?.points ?? 0)));
  const missed = replay.turns.some((turn) => turn.missed > 0);
  return (
    <div class="missed">
      <h3>{replay.game.unit === "points" ? t("missed_title") : tt(`missed_title_${replay.game.unit}`)}</h3>
      <p class="row small">
        {replay.names.map((name, seat) => {
          const { turns, perfect, missed: left } = replay.player(seat);
          if (!turns) return null;
          return (
            <span key={seat}>
              <b class={`token small seat-${seat}`} aria-hidden="true">
                {seat + 1}
              </b>{" "}
              {!left
                ? t("missed_none", { name })
                : replay.game.unit === "points"
                  ? t("missed_player", { name, count: left })
                  : tt(`missed_player_${replay.game.unit}`, { name, count: left })}{" "}
              <small>{t("missed_perfect", { count: perfect, turns })}</small>
            </span>
          );
        })}
      </p>
      {missed && (
        <ol class="missed-bars" aria-hidden="true">
          {replay.turns.map((turn) => {
            const inside = at !== undefined && turn.first <= at && at <= turn.last;
            const bar = (
              <>
                {turn.missed > 0 && <span class="missed-part" style={{ height: `${(70 * turn.missed) / most}px` }} />}
                <span
                  class={`made-part ${turn.player === null ? "" : `seat-${turn.player}`}`}
                  style={{ height: `${(70 * Math.max(0, turn.points)) / most}px` }}
                />
              </>
            );
            const title = t("course_turn", {
              number: turn.number,
              name: playerOf(replay, turn),
              points: turn.points,
              best: turn.best?.points ?? 0,
            });
            return (
              <li key={turn.number} class={inside ? "now" : undefined} title={title}>
                {onPick ? (
                  <button type="button" class="bare" tabIndex={-1} onClick={() => onPick(turn.first)}>
                    {bar}
                  </button>
                ) : (
                  <a class="bare" href={link?.(turn.first)} tabIndex={-1}>
                    {bar}
                  </a>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}

const playerOf = ({ names }: Replay, { player }: TurnSummary): string =>
  player === null ? t("course_nobody") : (names[player] ?? "");

function TurnsTable({ replay, review, onPick, link }: CourseProps) {
  const chances = review?.document.turns.some(({ chance }) => chance) ?? false;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{replay.game.inRounds ? t("column_round") : t("column_turn")}</th>
          <th scope="col">{t("column_player")}</th>
          <th scope="col">{replay.game.unit === "points" ? t("column_points") : tt(`column_${replay.game.unit}`)}</th>
          <th scope="col">{t("column_best")}</th>
          <th scope="col">{t("column_missed")}</th>
          {chances && <th scope="col">{t("column_chance")}</th>}
          {chances && <th scope="col">{t("column_lost_chance")}</th>}
          {replay.names.map((name, seat) => (
            <th key={seat} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {replay.turns.map((turn) => (
          <tr key={turn.number}>
            <th scope="row">
              <PositionLink position={turn.first} number={turn.number} onPick={onPick} link={link} />
            </th>
            <td>{playerOf(replay, turn)}</td>
            <td>{formatMinus(turn.points)}</td>
            <td>{turn.best ? formatMinus(turn.best.points) : "–"}</td>
            <td>{turn.missed ? formatMinus(turn.missed) : "–"}</td>
            {chances && review && <Chances review={review} first={turn.first} />}
            {replay.counts(turn.last + 1).map((count, seat) => (
              <td key={seat}>{formatMinus(count)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The chance to win after a turn, and how much of it that turn cost. */
function Chances({ review, first }: { review: Review; first: number }) {
  const turn = review.turnFrom(first);
  return (
    <>
      <td>{turn?.chance ? chanceInWords(turn.chance) : "–"}</td>
      <td>{turn?.lost_chance ? chanceInWords(turn.lost_chance) : "–"}</td>
    </>
  );
}

/** Every move that changed a count, in games without turns that score. */
function CountsTable({ replay, onPick, link }: CourseProps) {
  const rows = replay.moments.flatMap((_, position) => {
    const [now, before] = [replay.counts(position), position ? replay.counts(position - 1) : []];
    return now.some((count, seat) => count !== before[seat]) ? [{ position, values: now.map(formatMinus) }] : [];
  });
  return <CurveTable names={replay.names} rows={rows} onPick={onPick} link={link} />;
}
