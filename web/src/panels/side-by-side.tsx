/** Several games with the same bag, turn by turn beside each other: what each laid, what it brought, how far they came. */
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
  /** After the turn. */
  total: number;
}

/** The turns of one player. */
export interface ComparedGame {
  name: string;
  turns: readonly PlayedTurn[];
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
  return (
    <div class="side-by-side">
      <ScoreCurve
        names={lines.map(({ name }) => name)}
        curves={lines.map(({ turns }) => [0, ...turns.map(({ total }) => total)])}
        positions={Array.from({ length: longest + 1 }, (_, turn) => turn)}
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
          </tbody>
        </table>
      </div>
    </div>
  );
}

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
    </div>
  );
}

/** "3 discs 4 · yellow 7": a line for each laying. */
export function layingsInWords({ parts }: PlayedTurn): string[] {
  return parts.map(({ earned, charge }) =>
    [
      t("discs_earn", { count: earned.contacts, points: discPoints(earned.contacts) }),
      ...earned.groups.map(({ colour, size }) => t("group_earns", { colour: colourName(colour), points: size })),
      ...(charge ? [t("study_charge", { points: charge })] : []),
    ].join(" · "),
  );
}
