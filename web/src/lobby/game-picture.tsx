/** A small picture of each game that shows what it is about. */
import { Dominoes, Scene } from "../board/scene.tsx";
import { CARDS } from "../games/cards.ts";
import { bounds, parsePosition } from "../geometry.ts";
import hero from "./hero.json"; // Made by scripts/find_lesson.py.

/** A picture for games without one of their own: many groups, large and small. */
export function GamePicture({ game }: { game?: string }) {
  const { Picture = ManyGroups } = (game && CARDS[game]) || {};
  return (
    <div class="game-picture cloth" aria-hidden="true">
      <Picture />
    </div>
  );
}

function ManyGroups() {
  const layings = parsePosition(hero.position);
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
    </Scene>
  );
}
