/** One of the eight games on the first page. */
import type { GameName } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { GameFacts } from "./facts.tsx";
import { GamePicture } from "./game-picture.tsx";

export function GameCard({ game, busy, onPlay }: { game: GameName; busy: boolean; onPlay(game: GameName): void }) {
  const name = tt(`game_${game}`);
  return (
    <li class="card game-card">
      <GamePicture game={game} />
      <div class="game-words">
        <h3>{name}</h3>
        <p>{tt(`pitch_${game}`)}</p>
        <GameFacts game={game} />
      </div>
      <div class="buttons game-buttons">
        <button type="button" class="primary" disabled={busy} aria-label={t("play_game", { game: name })} onClick={() => onPlay(game)}>{t("play")}</button>
        <a class="button" href={`/new/${game}`} aria-label={t("with_friends_game", { game: name })}>{t("with_friends")}</a>
        <a class="quiet" href={`/rules/${game}`} aria-label={t("rules_game", { game: name })}>{t("rules")}</a>
      </div>
    </li>
  );
}
