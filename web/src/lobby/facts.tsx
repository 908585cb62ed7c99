/** What each game is like, in short: players, ages, duration (as on the first lines of its rules). */
import type { ComponentChildren } from "preact";
import type { Card } from "../games/card.tsx";
import { CARDS } from "../games/cards.ts";
import { t } from "../i18n.ts";
import { gameName, infoOf, isOurs, pitchOf } from "../state/catalogue.ts";
import { GamePicture } from "./game-picture.tsx";

export function GameFacts({ game }: { game: string }) {
  const [info, card] = [infoOf(game), CARDS[game]];
  return (
    <p class="note facts">
      {[
        info && t("players_range", { least: info.players[0], most: info.players[1] }),
        card && ages(card),
        card && duration(card),
      ]
        .filter(Boolean)
        .join(" · ")}
    </p>
  );
}

function ages({ ages }: Card): string {
  if (ages === null) return t("ages_all");
  return typeof ages === "number" ? t("ages_from", { age: ages }) : t("ages_between", { age: ages[0], most: ages[1] });
}

function duration({ minutes, longer, note }: Card): string {
  if (minutes === null) return t("minutes_vary");
  if (longer) return t("minutes_more", { count: minutes });
  const about = t("minutes_about", { count: minutes });
  return note ? `${about} (${note()})` : about;
}

/** A game with its picture, its facts, and a way to its rules; `children` name it. */
export function GameIntroduction({ game, children }: { game: string; children: ComponentChildren }) {
  return (
    <div class="columns new-game">
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
