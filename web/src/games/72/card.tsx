/** Dalapapa 72 among the games. */
import { GroupLine } from "../../board/lines.tsx";
import { Dominoes, group, Pawn, Scene } from "../../board/scene.tsx";
import { bounds, parsePosition } from "../../geometry.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** A territory with a marker, and tokens. */
function Picture() {
  const layings = parsePosition(picture.position);
  const mark = picture.marks[0]!;
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: group(mark, layings) }} />
      <Pawn at={mark} seat={4} />
      <g fill="var(--coin)" stroke="var(--coin-edge)" stroke-width={4} transform="translate(70 290)">
        {[0, 1, 2].map((coin) => (
          <ellipse key={coin} cx={0} cy={-22 * coin} rx={52} ry={24} />
        ))}
        <ellipse cx={104} cy={8} rx={52} ry={24} />
      </g>
    </Scene>
  );
}

export default {
  Picture,
  ages: 6,
  minutes: 30, // The author gives none: this is our own.
  opponents: ["easy"],
} satisfies Card;
