/** The first page: one click to play, the lesson, all games, one's tables and the public ones. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FacePicture } from "../board/domino.tsx";
import { SET_120, TILES } from "../data.ts";
import { t } from "../i18n.ts";
import { Chooser } from "../lobby/chooser.tsx";
import { GameCard } from "../lobby/game-card.tsx";
import { GamePicture } from "../lobby/game-picture.tsx";
import { useRefreshed } from "../lobby/refreshed.ts";
import { lastGame } from "../lobby/opponent.ts";
import { playNow } from "../lobby/start.ts";
import { Lobby, useOwnTables, YourTables, YourTurns } from "../lobby/table-lists.tsx";
import { api } from "../net/api.ts";
import { useAsking } from "../panels/refusal.ts";
import { gradeOf, linkTo, solvedDay, streak } from "../problems/days.ts";
import { FoundBy } from "../problems/found-by.tsx";
import { Grade } from "../problems/grade.tsx";
import { useToday } from "../problems/use-today.ts";
import { PageLinks } from "../shell/app.tsx";
import { Credits } from "../shell/credits.tsx";
import { catalogue, learnGames } from "../state/catalogue.ts";
import { knownTables, recall, remember } from "../state/storage.ts";
import { Icon } from "../ui/icon.tsx";

export default function Home() {
  const { busy, trouble, ask } = useAsking();
  const lobby = useRefreshed(api.lobby, 10);
  const own = useOwnTables();
  const newcomer = useSignal(!recall("lesson", false) && !Object.keys(knownTables()).length);
  useEffect(() => void learnGames(), []);
  const game = lastGame();
  const play = (wanted: string) => void ask(() => playNow(wanted));
  const said = trouble.value || (lobby.value.offline ? t("refused_offline") : "");
  return (
    <div class="page home">
      {said && <p class="trouble" role="alert">{said}</p>}
      <YourTurns {...own} />
      <section class="hero">
        <div class="hero-words">
          <h1>Dalapapa</h1>
          <p class="tagline">{t("tagline")}</p>
          <p>{t("tagline_more")}</p>
          <Chooser game={game} />
          <div class="buttons hero-buttons">
            <button type="button" class="primary big" disabled={busy.value} onClick={() => play(game)}>{t("play_now")}</button>
            {!newcomer.value && <a class="button big" href="/lesson">{t("learn")}</a>}
          </div>
        </div>
        <GamePicture />
      </section>
      {newcomer.value && <FirstVisit onDismiss={() => (newcomer.value = false)} />}
      <YourTables {...own} />
      <ProblemCard />
      <section aria-labelledby="games">
        <h2 id="games">{t("eight_games")}</h2>
        <ul class="game-cards">
          {catalogue.value.map(({ name }) => <GameCard key={name} game={name} busy={busy.value} onPlay={() => play(name)} />)}
        </ul>
      </section>
      <Lobby tables={lobby.value} />
      <nav class="home-links" aria-label={t("pages")}>
        <PageLinks />
      </nav>
      <Credits />
    </div>
  );
}

/** The lesson is offered once, to those who have never played here. */
function FirstVisit({ onDismiss }: { onDismiss(): void }) {
  const dismiss = () => {
    remember("lesson", true);
    onDismiss();
  };
  return (
    <aside class="row first-visit" aria-label={t("first_visit")}>
      <p><b>{t("first_visit")}</b> {t("first_visit_text")}</p>
      <a class="button primary" href="/lesson">{t("learn")}</a>
      <button type="button" onClick={dismiss}>{t("not_now")}</button>
    </aside>
  );
}

/** The problem of the day is one click away; who has solved it sees how many days in a row. */
function ProblemCard() {
  const day = useToday();
  const days = streak(day);
  // Two dominoes to look at, others every day.
  const shown = [7, 11].map((step) => TILES[(step * Number(day.replaceAll("-", ""))) % TILES.length]!.name);
  return (
    <section class="home-problem">
      <a class={solvedDay(day) ? "problem-card solved" : "problem-card"} href={linkTo({ kind: "turn", date: day })}>
        <b>{t("problem_of_the_day")}</b> <Grade grade={gradeOf(day)} />
        <span>{t("problem_card")}</span>
        {days > 0 && <small><Icon name="done" /> {t("problem_streak", { count: days })}</small>}
        <FoundBy date={day} />
        <span class="problem-hand" aria-hidden="true">{shown.map((tile) => <FacePicture key={tile} tile={tile} side="+" set={SET_120} />)}</span>
      </a>
    </section>
  );
}
