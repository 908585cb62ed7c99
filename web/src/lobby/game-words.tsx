/** One game with its picture, its facts, and a way to its rules: before a table, and while it waits. */
import type { ComponentChildren } from "preact";
import { t } from "../i18n.ts";
import { gameName, isOurs, pitchOf } from "../state/catalogue.ts";
import { GameFacts } from "./facts.tsx";
import { GamePicture } from "./game-picture.tsx";

/** `children`: what names it. */
export function GameWords({ game, children }: { game: string; children: ComponentChildren }) {
  return (
    <div class="new-game">
      <GamePicture game={game} />
      <div>
        {children}
        <p>{pitchOf(game)}</p>
        <GameFacts game={game} />
        {isOurs(game) && <a href={`/rules/${game}`}>{t("rules_game", { game: gameName(game) })}</a>}
      </div>
    </div>
  );
}
