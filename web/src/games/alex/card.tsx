/** Alex among the games. */
import { Face } from "../../board/domino.tsx";
import { Bubble, Dominoes, Scene } from "../../board/scene.tsx";
import { SET_120 } from "../../data.ts";
import { parsePosition } from "../../geometry.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** Two dominoes for all, a sandglass, and one player sees twelve points. */
function Picture() {
  const {
    position,
    hand: [first, second],
  } = picture;
  return (
    <Scene box={{ left: -3.2, top: -1.9, right: 5, bottom: 2.3 }} margin={0.1}>
      <Dominoes layings={parsePosition(position)} />
      <g transform="translate(-290 30) rotate(-8)">
        <Face face={SET_120.face(first!, "+")} />
      </g>
      <g transform="translate(-270 130) rotate(6)">
        <Face face={SET_120.face(second!, "+")} />
      </g>
      <g transform="translate(-200 -90) scale(1.5)">
        <Bubble text="12!" at={[0, 0]} seat={1} />
      </g>
      <g fill="var(--sand)" transform="translate(455 -10)">
        <path d="M-34 84C-34 52 0 40 0 22C0 40 34 52 34 84Z" />
        <path
          fill="none"
          stroke="var(--frame)"
          stroke-width={12}
          d="M-42 -90H42M-42 92H42M-34 -88C-34 -40 -8 -20 -8 0C-8 20 -34 40 -34 90M34 -88C34 -40 8 -20 8 0C8 20 34 40 34 90"
        />
        <path d="M-20 -42C-12 -24 12 -24 20 -42Z" />
      </g>
    </Scene>
  );
}

export default {
  family: "races",
  Picture,
  ages: null,
  minutes: null,
  opponents: ["easy"],
} satisfies Card;
