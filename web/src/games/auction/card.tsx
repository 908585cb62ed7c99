/** Auction among the games. */
import { Bubble, Dominoes, Scene } from "../../board/scene.tsx";
import { parsePosition } from "../../geometry.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** Bids go up for a turn. */
function Picture() {
  const layings = parsePosition(picture.position);
  return (
    <Scene box={{ left: -2.1, top: -2.3, right: 3.2, bottom: 2 }} margin={0.2}>
      <Dominoes layings={layings} />
      <Bubble text="2" at={[-130, -160]} seat={1} />
      <Bubble text="4" at={[50, -182]} seat={2} />
      <Bubble text="6" at={[232, -150]} seat={0} tail={-1} />
      <g fill="var(--frame)" stroke="var(--frame-edge)" stroke-width={4} transform="translate(262 82) rotate(-32)">
        <rect x={-8} y={-10} width={16} height={130} rx={8} />
        <rect x={-52} y={-52} width={104} height={52} rx={10} />
        <rect x={-62} y={-58} width={18} height={64} rx={7} />
        <rect x={44} y={-58} width={18} height={64} rx={7} />
      </g>
    </Scene>
  );
}

export default {
  Picture,
  ages: 12,
  minutes: null,
  opponents: ["easy"],
} satisfies Card;
