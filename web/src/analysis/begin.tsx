/** What to study: the next example, an empty table, or how one's own games ended. */
import { useRef } from "preact/hooks";
import { t } from "../i18n.ts";
import { FinishedGames } from "../panels/finished-games.tsx";
import { useAsking } from "../panels/refusal.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { Analysis } from "../state/analysis.ts";
import { type Finished, hasTurns } from "../state/finished.ts";
import { endingHash, exampleHash, openLink } from "./link.ts";

export function AnalysisBegin({
  analysis,
  games,
  onEmpty,
}: {
  analysis: Analysis;
  games: readonly Finished[] | null;
  onEmpty(): void;
}) {
  const { trouble, ask } = useAsking();
  const own = games?.filter(hasTurns) ?? [];
  const example = useRef(0);
  const open = (game: Finished, event: MouseEvent) => {
    event.preventDefault();
    void ask(async () => openLink(analysis, await endingHash(game)));
  };
  return (
    <section class="stack" aria-label={t("analysis_begin")}>
      <div class="buttons">
        <button type="button" onClick={() => openLink(analysis, exampleHash(++example.current))}>
          {t("analysis_another")}
        </button>
        <button
          type="button"
          disabled={!analysis.text.value && !analysis.hand.value.length}
          onClick={() => {
            analysis.empty();
            onEmpty();
          }}
        >
          {t("analysis_empty_table")}
        </button>
        <a class="button" href="/replay">
          {t("replay_title")}
        </a>
      </div>
      {trouble.value && (
        <AnnouncedText class="trouble full" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
      {own.length > 0 && (
        <>
          <h2>{t("finished_study")}</h2>
          <FinishedGames strip games={own} href={({ id }) => `/replay/${id}`} onOpen={open} />
        </>
      )}
    </section>
  );
}
