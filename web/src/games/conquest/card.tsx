/** Conquest among the games. */
import { GroupLine } from "../../board/lines.tsx";
import { Dominoes, group, Pawn, Scene } from "../../board/scene.tsx";
import { bounds, parsePosition } from "../../geometry.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** Two players' marks on their groups. */
function Picture() {
  const { position, marks } = picture;
  const layings = parsePosition(position);
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      {marks.map((mark, i) => (
        <GroupLine key={i} group={{ discs: group(mark, layings) }} />
      ))}
      {marks.map((mark, i) => (
        <Pawn key={i} at={mark} seat={1 - i} />
      ))}
    </Scene>
  );
}

export default {
  Picture,
  ages: 7,
  minutes: null,
  opponents: ["easy"],
} satisfies Card;
