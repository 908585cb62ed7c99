/** The strength of bots in a game, as measured (docs/ladder.md): for each seat, and all at a glance. */
import { LADDER, type Measured } from "./ladder.ts";
import { formatSigned, t, tt } from "../i18n.ts";
import { castName, nameAndLevel } from "../state/cast.ts";
import { guestOf } from "../state/catalogue.ts";
import { requireValue } from "../values.ts";

/** The least width of a bar, in percent: even the weakest has some strength. */
const MIN_PERCENT = 12;

const measuredLevel = (levels: Measured["levels"], level: string) =>
  requireValue(levels[level], `the strength of ${level}`);

/** The place of a level on the ladder, from MIN_PERCENT to 100 percent. */
export function height({ levels }: Measured, level: string): number {
  const elos = Object.values(levels).map(({ elo }) => elo);
  const [low, high] = [Math.min(...elos), Math.max(...elos)];
  const part = high > low ? (measuredLevel(levels, level).elo - low) / (high - low) : 1;
  return Math.round(MIN_PERCENT + (100 - MIN_PERCENT) * part);
}

/** Describe a level: the players that it suits, and how often it wins against the level of comparison. */
export function strengthText({ anchor, levels }: Measured, level: string): string {
  const { wins } = measuredLevel(levels, level);
  const suits = tt(`suits_${level}`);
  return wins === null
    ? suits
    : `${suits} ${t("wins_of_100", { count: Math.round(100 * wins), level: castName(anchor) })}`;
}

/**
 * The strength of a bot beside its seat, where it was measured; for a bot from another package, what the package says.
 */
export function Strength({ id, game, level }: { id: string; game: string; level: string }) {
  const measured = LADDER[game];
  const description = guestOf(level)?.description;
  if (description)
    return (
      <p id={id} class="row note full strength">
        {description}
      </p>
    );
  if (!measured?.levels[level]) return null;
  return (
    <p id={id} class="row note full strength">
      <Bar measured={measured} level={level} />
      <span class="grow">{strengthText(measured, level)}</span>
    </p>
  );
}

/** All levels of a game, from the gentlest to the best. */
export function LevelGuide({ game, programs }: { game: string; programs: readonly string[] }) {
  const measured = LADDER[game];
  if (!measured) return null;
  const { anchor, games, seconds, levels } = measured;
  return (
    <details class="levels">
      <summary>{t("levels_title")}</summary>
      <ul class="stack">
        {programs.map((level) => (
          <li key={level}>
            <b>{nameAndLevel(level)}</b>
            <Bar measured={measured} level={level} />
            <small>{t("elo_value", { elo: formatSigned(measuredLevel(levels, level).elo) })}</small>
            <p class="note full">{strengthText(measured, level)}</p>
          </li>
        ))}
      </ul>
      <p class="note">{t("levels_measured", { games, seconds, level: castName(anchor) })}</p>
    </details>
  );
}

function Bar({ measured, level }: { measured: Measured; level: string }) {
  return <i class="bar" style={{ "--share": height(measured, level) / 100 }} />;
}
