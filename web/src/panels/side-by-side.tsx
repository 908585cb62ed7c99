/**
 * Several games with the same bag, turn by turn beside each other: what each laid, what it brought, how far they came.
 */
import type { TileSet } from "../data.ts";
import { parseLaying } from "../geometry.ts";
import { formatMinus, formatSigned, t } from "../i18n.ts";
import type { Earned } from "../net/protocol.ts";
import { discPoints } from "../state/points.ts";
import { colourName } from "../words.ts";
import { ScoreCurve } from "./curve.tsx";
import { LaidFaces } from "./turn-pictures.tsx";

/** Lines that can still be distinguished, and as many colours of players. */
const MAX_LINES = 10;

export interface PlayedTurn {
  layings: readonly string[];
  /** The points and the charge of each laying; empty where layings alone earn nothing. */
  parts: readonly { earned: Earned; charge: number }[];
  points: number;
  /** Points since the turn before that no turn earned: payments, ... */
  others: number;
  /** After the turn. */
  total: number;
  /** A bot played it for the player. */
  stand_in: boolean;
}

/** The turns of one player. */
export interface ComparedGame {
  name: string;
  turns: readonly PlayedTurn[];
  /** Points after the last turn. */
  rest: number;
}

interface SideBySideProps {
  sides: readonly ComparedGame[];
  set: TileSet;
  /** The name of the table for screen readers. */
  label: string;
  target?: number;
}

export function SideBySide({ sides, set, label, target }: SideBySideProps) {
  const longest = Math.max(0, ...sides.map(({ turns }) => turns.length));
  const lines = sides.slice(0, MAX_LINES);
  const hasRest = sides.some(({ rest }) => rest !== 0);
  return (
    <div class="side-by-side">
      <ScoreCurve
        names={lines.map(({ name }) => name)}
        curves={lines.map(({ turns, rest }) => [
          0,
          ...turns.map(({ total }) => total),
          ...(rest ? [lastTotal(turns) + rest] : []),
        ])}
        positions={Array.from({ length: longest + (hasRest ? 2 : 1) }, (_, turn) => turn)}
        measure={t("measure_points")}
        target={target}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div role="region" aria-label={label} tabIndex={0}>
        <table>
          <caption class="hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t("column_turn")}</th>
              {sides.map(({ name }, seat) => (
                <th key={seat} scope="col">
                  <span class={`token small seat-${seat % MAX_LINES}`} aria-hidden="true">
                    {seat + 1}
                  </span>{" "}
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: longest }, (_, at) => (
              <tr key={at}>
                <th scope="row">{at + 1}</th>
                {sides.map(({ turns }, seat) => (
                  <td key={seat}>{turns[at] && <Played turn={turns[at]} set={set} />}</td>
                ))}
              </tr>
            ))}
            {hasRest && (
              <tr>
                <th scope="row">{t("side_rest")}</th>
                {sides.map(({ turns, rest }, seat) => (
                  <td key={seat}>
                    {rest !== 0 && (
                      <span class="row">
                        <b>{formatSigned(rest)}</b>{" "}
                        <span>{t("side_total", { points: formatMinus(lastTotal(turns) + rest) })}</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const lastTotal = (turns: readonly PlayedTurn[]): number => turns.at(-1)?.total ?? 0;

function Played({ turn, set }: { turn: PlayedTurn; set: TileSet }) {
  return (
    <div class="stack tight">
      {turn.layings.length > 0 && <LaidFaces layings={turn.layings.map(parseLaying)} set={set} />}
      <span class="row">
        <b>{formatSigned(turn.points)}</b> <span>{t("side_total", { points: formatMinus(turn.total) })}</span>
      </span>
      {layingsInWords(turn).map((line, i) => (
        <small key={i}>{line}</small>
      ))}
      {turn.stand_in && <small>{t("presence_left")}</small>}
      {turn.others !== 0 && <small>{t("side_others", { points: formatSigned(turn.others) })}</small>}
    </div>
  );
}

/** "3 discs +4 · yellow +7": a line for each laying. */
export function layingsInWords({ parts }: PlayedTurn): string[] {
  return parts.map(({ earned, charge }) =>
    [
      t("discs_earn", { count: earned.contacts, points: formatSigned(discPoints(earned.contacts)) }),
      ...earned.groups.map(({ colour, size }) =>
        t("group_earns", { colour: colourName(colour), points: formatSigned(size) }),
      ),
      ...(charge ? [t("study_charge", { points: charge })] : []),
    ].join(" · "),
  );
}
