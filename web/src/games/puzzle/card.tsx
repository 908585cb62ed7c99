/** Puzzle among the games. */
import { Domino } from "../../board/domino.tsx";
import { FrameBack } from "../../board/frame-back.tsx";
import { Dominoes, Scene } from "../../board/scene.tsx";
import { SET_120 } from "../../data.ts";
import { parseLaying, parsePosition } from "../../geometry.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** The last domino comes down into the frame. */
function Picture() {
  const { position, last } = picture;
  return (
    <Scene box={{ left: -0.6, top: 0, right: 6.4, bottom: 4 }} margin={0.3}>
      <FrameBack frame={{ width: 4, height: 4 }} edge={20} />
      <Dominoes layings={parsePosition(position)} />
      <g transform="translate(205 30) rotate(18 350 300)">
        <Domino laying={parseLaying(last)} set={SET_120} />
      </g>
      <path
        fill="none"
        stroke="var(--cloth-mark)"
        stroke-width={9}
        d="M500 318C480 296 462 292 436 300M460 276L432 301L462 324"
      />
    </Scene>
  );
}

export default {
  family: "races",
  Picture,
  ages: null,
  minutes: 10,
  longer: true,
  opponents: [],
} satisfies Card;
