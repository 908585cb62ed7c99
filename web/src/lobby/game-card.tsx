/** One of the games on the first page: what it is about, and one click to play it. All else is a page further. */
import { t } from "../i18n.ts";
import { gameName, infoOf, pitchOf } from "../state/catalogue.ts";
import { GamePicture } from "./game-picture.tsx";
import { requireValue } from "../values.ts";

export function GameCard({ game, busy, onPlay }: { game: string; busy: boolean; onPlay(): void }) {
  const name = gameName(game);
  const {
    players: [least, most],
  } = requireValue(infoOf(game), game);
  return (
    <li class="card framed game-card">
      <GamePicture game={game} />
      <div class="stack game-words">
        <h4 class="lead">
          <a href={`/new/${game}`}>{name}</a>
        </h4>
        <p>{pitchOf(game)}</p>
        <div class="row">
          <button type="button" disabled={busy} aria-label={t("play_game", { game: name })} onClick={onPlay}>
            {t("play")}
          </button>
          <small>{t("players_range", { least, most })}</small>
        </div>
      </div>
    </li>
  );
}
