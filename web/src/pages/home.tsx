/** The first page: what to do now, then all games, the public tables, and whose game it is. */
import { isStatic } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n.ts";
import { Chooser } from "../lobby/chooser.tsx";
import { Demonstration } from "../lobby/demonstration.tsx";
import { Families } from "../lobby/families.tsx";
import { lastGame } from "../lobby/opponent.ts";
import { useRefreshed } from "../lobby/refreshed.ts";
import { playNow } from "../lobby/start.ts";
import { Story } from "../lobby/story.tsx";
import { DeviceTables, Lobby, useOwnTables, YourTables, YourTurns } from "../lobby/table-lists.tsx";
import { api } from "../net/api.ts";
import { NeedsServer } from "../panels/needs-server.tsx";
import { useAsking } from "../panels/refusal.ts";
import { TodayCard } from "../problems/today-card.tsx";
import { useToday } from "../problems/use-today.ts";
import { Credits } from "../shell/credits.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { learnGames } from "../state/catalogue.ts";
import { knownTables, recall, remember } from "../state/storage.ts";

export default function Home() {
  const { busy, trouble, ask } = useAsking();
  const lobby = useRefreshed(api.lobby, 10);
  const own = useOwnTables();
  const newcomer = useSignal(!recall("lesson", false) && !Object.keys(knownTables()).length);
  useEffect(() => void learnGames(), []);
  const day = useToday();
  const game = lastGame();
  const play = (wanted: string) => void ask(() => playNow(wanted));
  const said = trouble.value || (lobby.value.offline ? t("refused_offline") : "");
  return (
    <div class="page desk stack far home">
      {said && (
        <AnnouncedText class="trouble" manner="urgent">
          {said}
        </AnnouncedText>
      )}
      <YourTurns {...own} />
      <div class={newcomer.value ? "now newcomer" : "now"}>
        <div class="now-words">
          <h1>Dalapapa</h1>
          <p class="large strong">{t("tagline")}</p>
          {newcomer.value && <p>{t("tagline_more")}</p>}
          {newcomer.value && <FirstVisit onDismiss={() => (newcomer.value = false)} />}
        </div>
        <div class="stack now-play">
          <Chooser game={game} />
          <div class="buttons">
            <button type="button" class="primary big" disabled={busy.value} onClick={() => play(game)}>
              {t("play_now")}
            </button>
            <a class="button big" href={`/new/${game}`}>
              {t("with_friends")}
            </a>
            {!newcomer.value && (
              <a class="button link" href="/lesson">
                {t("learn")}
              </a>
            )}
          </div>
        </div>
        <Demonstration />
        <TodayCard day={day} kind="turn" />
      </div>
      <YourTables {...own} />
      <DeviceTables {...own} />
      <aside class="row tinted" aria-label={t("companion_title")}>
        <p class="grow">
          <b>{t("companion_title")}</b> {t("companion_link_text")}
        </p>
        <a class="button" href="/companion">
          {t("companion_pad")}
        </a>
      </aside>
      <Families busy={busy.value} onPlay={play} />
      {isStatic ? <NeedsServer /> : <Lobby tables={lobby.value} />}
      <Story />
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
    <aside class="row tinted" aria-label={t("first_visit")}>
      <p>
        <b>{t("first_visit")}</b> {t("first_visit_text")}
      </p>
      <a class="button primary" href="/lesson">
        {t("learn")}
      </a>
      <button type="button" onClick={dismiss}>
        {t("not_now")}
      </button>
    </aside>
  );
}
