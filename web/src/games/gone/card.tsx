/** Gone among the games. */
import { Face } from "../../board/domino.tsx";
import { SET_120 } from "../../data.ts";
import type { Card } from "../card.tsx";

const FAN = ["DYRBG", "BYGRB", "CYRBG", "ZBGYR", "PRGYB"];

/** A child's hand of dominoes, and the sun. */
function Picture() {
  return (
    <svg viewBox="-340 -300 680 425">
      <g class="Y" transform="translate(0 -190)">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((ray) => (
          <rect key={ray} x={-7} y={-98} width={14} height={34} rx={7} transform={`rotate(${45 * ray})`} />
        ))}
        <circle r={56} />
        <path fill="none" stroke="var(--ink)" stroke-width={8} d="M-26 8A28 28 0 0 0 26 8" />
        <circle fill="var(--ink)" cx={-19} cy={-14} r={6} />
        <circle fill="var(--ink)" cx={19} cy={-14} r={6} />
      </g>
      {FAN.map((tile, i) => (
        <g key={tile} transform={`rotate(${19 * (i - 2)} 0 330) translate(-50 -60) rotate(90 50 50)`}>
          <Face face={SET_120.face(tile, "+")} />
        </g>
      ))}
    </svg>
  );
}

export default {
  family: "small",
  Picture,
  ages: [4, 8],
  minutes: 5,
  opponents: ["child"],
} satisfies Card;
