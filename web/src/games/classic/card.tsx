/** The classic game among the games. */
import { Badge, GroupLine, Outlined } from "../../board/lines.tsx";
import { Dominoes, group, Scene } from "../../board/scene.tsx";
import { bounds, cellsOf, parseLaying, parsePosition } from "../../geometry.ts";
import { t } from "../../i18n.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** A group is just being closed. */
function Picture() {
  const { position, last, disc } = picture;
  const laid = parseLaying(last);
  const layings = [...parsePosition(position), laid];
  const cells = cellsOf(laid);
  const [right, top] = [Math.max(...cells.map(([x]) => x)) + 1, Math.min(...cells.map(([, y]) => y))];
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: group(disc, layings), kind: "closing" }} />
      <Outlined laying={laid} kind="staged" />
      <g transform={`translate(${100 * right - 8} ${100 * top + 12}) scale(1.5)`}>
        <Badge text="+9" at={[0, 0]} />
      </g>
    </Scene>
  );
}

export default {
  Picture,
  ages: 7,
  minutes: 30,
  opponents: ["easy"],
  note: () => t("minutes_classic"),
} satisfies Card;
