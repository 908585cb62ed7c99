/** What each game is like, in short: players, ages, duration (as on the first lines of its rules). */
import { game as infoOf, type GameName } from "../data.ts";
import { t } from "../i18n.ts";

interface Facts {
  /** From this age, or between two; null: for all. */
  ages: number | [number, number] | null;
  minutes: number;
  /** At least so long. */
  longer?: boolean;
}

const FACTS: Record<GameName, Facts> = {
  classic: { ages: 7, minutes: 30 },
  auction: { ages: 12, minutes: 45 },
  conquest: { ages: 7, minutes: 40 },
  gone: { ages: [4, 8], minutes: 10 },
  puzzle: { ages: null, minutes: 10 },
  arlequin: { ages: null, minutes: 60, longer: true },
  alex: { ages: null, minutes: 30 },
  "72": { ages: 6, minutes: 30 },
};

export function GameFacts({ game }: { game: GameName }) {
  const { ages, minutes, longer } = FACTS[game];
  const [least, most] = infoOf(game).players;
  return (
    <ul class="facts">
      <li>{t("players_range", { least, most })}</li>
      <li>{ages === null ? t("ages_all") : typeof ages === "number" ? t("ages_from", { age: ages }) : t("ages_between", { age: ages[0], most: ages[1] })}</li>
      <li>{longer ? t("minutes_more") : t("minutes_about", { count: minutes })}</li>
    </ul>
  );
}
