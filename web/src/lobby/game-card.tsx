/** One of the games on the first page. */
import { t } from "../i18n.ts";
import { gameName, isOurs, pitchOf } from "../state/catalogue.ts";
import { OpponentMenu } from "./chooser.tsx";
import { GameFacts } from "./facts.tsx";
import { GamePicture } from "./game-picture.tsx";

export function GameCard({ game, busy, onPlay }: { game: string; busy: boolean; onPlay(): void }) {
  const name = gameName(game);
  return (
    <li class="card game-card">
      <GamePicture game={game} />
      <div class="game-words">
        <h3>{name}</h3>
        <p>{pitchOf(game)}</p>
        <GameFacts game={game} />
        <OpponentMenu game={game} />
      </div>
      <div class="buttons game-buttons">
        <button type="button" class="primary" disabled={busy} aria-label={t("play_game", { game: name })} onClick={onPlay}>{t("play")}</button>
        <a class="button" href={`/new/${game}`} aria-label={t("with_friends_game", { game: name })}>{t("with_friends")}</a>
        {isOurs(game) && <a class="quiet" href={`/rules/${game}`} aria-label={t("rules_game", { game: name })}>{t("rules")}</a>}
      </div>
    </li>
  );
}
