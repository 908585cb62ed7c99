/** All games by family (`FAMILIES` in `games/card.tsx`). */
import { FAMILIES } from "../games/card.tsx";
import { CARDS } from "../games/cards.ts";
import { t, tt } from "../i18n.ts";
import { catalogue } from "../state/catalogue.ts";
import { GameCard } from "./game-card.tsx";

export function Families({ busy, onPlay }: { busy: boolean; onPlay(game: string): void }) {
  return (
    <section aria-labelledby="games">
      <h2 id="games">{t("eight_games")}</h2>
      <div class="families">
        {FAMILIES.map((family) => {
          const games = catalogue.value.filter(({ name }) => (CARDS[name]?.family ?? "turns") === family);
          return (
            <section key={family} aria-labelledby={`family-${family}`} style={{ "--count": games.length }}>
              <h3 class="note" id={`family-${family}`}>
                {tt(`family_${family}`)}
              </h3>
              <ul class="columns">
                {games.map(({ name }) => (
                  <GameCard key={name} game={name} busy={busy} onPlay={() => onPlay(name)} />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </section>
  );
}
