/** What each game is like, in short: players, ages, duration (as on the first lines of its rules). */
import { game as infoOf, type GameName } from "../data.ts";
import { t } from "../i18n.ts";

interface Facts {
  /** From this age, or between two; null: for all. */
  ages: number | [number, number] | null;
  /** As the author gives them; null: it varies. (He gives none for 72: that is our own.) */
  minutes: number | null;
  /** At least so long. */
  longer?: boolean;
}

const FACTS: Record<GameName, Facts> = {
  classic: { ages: 7, minutes: 30 },
  auction: { ages: 12, minutes: null },
  conquest: { ages: 7, minutes: null },
  gone: { ages: [4, 8], minutes: 5 },
  puzzle: { ages: null, minutes: 10, longer: true },
  arlequin: { ages: null, minutes: null },
  alex: { ages: null, minutes: null },
  "72": { ages: 6, minutes: 30 },
};

export function GameFacts({ game }: { game: GameName }) {
  const { ages } = FACTS[game];
  const [least, most] = infoOf(game).players;
  return (
    <ul class="facts">
      <li>{t("players_range", { least, most })}</li>
      <li>{ages === null ? t("ages_all") : typeof ages === "number" ? t("ages_from", { age: ages }) : t("ages_between", { age: ages[0], most: ages[1] })}</li>
      <li>{duration(game)}</li>
    </ul>
  );
}

function duration(game: GameName): string {
  const { minutes, longer } = FACTS[game];
  if (minutes === null) return t("minutes_vary");
  if (longer) return t("minutes_more", { count: minutes });
  const about = t("minutes_about", { count: minutes });
  return game === "classic" ? `${about} (${t("minutes_classic")})` : about;
}
