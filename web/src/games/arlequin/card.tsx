/** Arlequin among the games. */
import { FrameBack } from "../../board/frame-back.tsx";
import { Dominoes, Scene } from "../../board/scene.tsx";
import { parsePosition } from "../../geometry.ts";
import type { Card } from "../card.tsx";
import picture from "./picture.json"; // Made by scripts/find_lesson.py.

/** Forty dominoes without a mistake. */
function Picture() {
  return (
    <Scene box={{ left: 0, top: 0, right: 10, bottom: 8 }} margin={0.4}>
      <FrameBack frame={{ width: 10, height: 8 }} edge={20} />
      <Dominoes layings={parsePosition(picture.position)} />
    </Scene>
  );
}

export default {
  family: "races",
  Picture,
  ages: null,
  minutes: null,
  opponents: [],
} satisfies Card;
