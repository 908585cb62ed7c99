/** One's own games that are over, each with a small picture of its end. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Picture } from "../board/picture.tsx";
import { formatDate, joinList, t } from "../i18n.ts";
import { gameName, infoOf, learnGames } from "../state/catalogue.ts";
import { endingOf, type Finished, finishedGames, namesOf } from "../state/finished.ts";
import { headline, staying } from "./outcome.ts";

/** Further games are shown on request. */
const MAX_FIRST_GAMES = 6;

/** Asked once; null until it is known. */
export function useFinished(): Signal<Finished[] | null> {
  const games = useSignal<Finished[] | null>(null);
  useEffect(() => {
    void finishedGames().then((found) => {
      games.value = found;
      if (found.some(({ table }) => !infoOf(table.game))) void learnGames();
    });
  }, []);
  return games;
}

interface FinishedProps {
  games: readonly Finished[];
  /** In one row that scrolls. */
  strip?: boolean;
  href(game: Finished): string;
  /** Handle a click instead of following the link. */
  onOpen?(game: Finished, event: MouseEvent): void;
}

export function FinishedGames({ games, strip, href, onOpen }: FinishedProps) {
  const all = useSignal(false);
  return (
    <>
      <ul class={strip ? "stack small finished-games strip" : "stack finished-games"}>
        {games.slice(0, strip || all.value ? undefined : MAX_FIRST_GAMES).map((game) => (
          <li key={game.id}>
            <a href={href(game)} onClick={(event) => onOpen?.(game, event)}>
              <Ending game={game} />
              <span class="stack tight">
                <b>{gameName(game.table.game)}</b>
                <span>{resultInWords(game)}</span>
                <small>
                  <time>{formatDate(game.known.at)}</time>
                </small>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {!strip && games.length > MAX_FIRST_GAMES && !all.value && (
        <button type="button" class="link" onClick={() => (all.value = true)}>
          {t("more_tables", { count: games.length - MAX_FIRST_GAMES })}
        </button>
      )}
    </>
  );
}

/** The picture says nothing that the words do not. */
function Ending({ game }: { game: Finished }) {
  const ending = endingOf(game);
  return (
    <span class="cloth finished-picture" aria-hidden="true">
      {ending && <Picture {...ending} label="" />}
    </span>
  );
}

/** Name the winners and their points; without a result, the players. */
function resultInWords(game: Finished): string {
  const [names, outcome] = [namesOf(game), game.view?.outcome];
  if (!outcome) return joinList(names);
  const scores = outcome.scores.map((score) => String(Math.abs(score)));
  const { seats = [] } = game.known;
  return `${headline(outcome, names, staying(seats, game.table.seats))} ${names.length > 1 ? scores.join(" : ") : ""}`.trim();
}
