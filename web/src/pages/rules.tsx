/** The rules of a game, with figures in the player's own colours: `/rules/GAME`. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { OURS } from "../data.ts";
import { DEFAULT } from "../games/general.ts";
import { language, t } from "../i18n.ts";
import { playNow } from "../lobby/start.ts";
import { retry } from "../net/retry.ts";
import { Refused } from "../net/backend.ts";
import { type RulesPage, study } from "../net/study.ts";
import { type Block, blocks, inline } from "../panels/markdown.tsx";
import { RuleFigure } from "../panels/rule-figure.tsx";
import type { PageProps } from "../shell/app.tsx";
import { gameName } from "../state/catalogue.ts";
import { refusalText, useAsking } from "../panels/refusal.ts";
import { Credits } from "../shell/credits.tsx";
import { useTitle } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { itemAt } from "../values.ts";

export default function Rules({ argument }: PageProps) {
  const game = argument || DEFAULT;
  const page = useSignal<{ text: RulesPage; spoken: string } | null>(null);
  const refusal = useSignal<Refused | null>(null);
  const late = useSignal(false);
  const { value: spoken } = language;
  useTitle(page.value ? `${gameName(game)} – ${t("rules")}` : "");
  useEffect(() => {
    const asking = new AbortController();
    retry((signal) => study.rules(game, spoken, signal), {
      stop: asking.signal,
      onLate: (isLate) => (late.value = isLate),
    }).then(
      (text) => {
        page.value = { text, spoken };
        refusal.value = null;
        // The part that the link names is there only now.
        if (location.hash) setTimeout(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), 50);
      },
      (error: unknown) => {
        if (asking.signal.aborted) return;
        if (!(error instanceof Refused)) throw error;
        refusal.value = error;
      },
    );
    return () => asking.abort();
  }, [game, spoken]);
  return (
    <div class="page rules">
      <nav class="row chip-row" aria-label={t("rules_games")}>
        {OURS.map(({ name }) => (
          <a class="chip" key={name} href={`/rules/${name}`} aria-current={name === game ? "page" : undefined}>
            {gameName(name)}
          </a>
        ))}
        <a class="chip" href="/dominoes">
          {t("dominoes")}
        </a>
      </nav>
      {late.value && <AnnouncedText class="trouble">{t("refused_offline")}</AnnouncedText>}
      {refusal.value && <h1>{t("missing_title")}</h1>}
      {refusal.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {refusal.value.code === "unknown_page"
            ? t("missing_text")
            : refusalText(refusal.value.code, refusal.value.message)}
        </AnnouncedText>
      )}
      {page.value?.spoken === spoken && <Text page={page.value.text} game={game} />}
      <Credits />
    </div>
  );
}

function Text({ page, game }: { page: RulesPage; game: string }) {
  const all = blocks(page.text);
  const headings = all.filter((block) => block.kind === "heading");
  const [title, facts, goal, ...rest] = all;
  return (
    <div class="rules-body">
      <nav class="rules-contents" aria-label={t("rules_contents")}>
        <details open={matchMedia("(min-width: 761px) and (min-height: 501px)").matches}>
          <summary>{t("rules_contents")}</summary>
          <ol>
            {headings.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ol>
        </details>
      </nav>
      <article>
        <header class="rules-head">
          {title?.kind === "title" && <h1>{title.text}</h1>}
          {facts?.kind === "paragraph" && <p class="note">{facts.text.replace(/^\*|\*$/g, "")}</p>}
          {goal?.kind === "paragraph" && <p class="lead">{inline(goal.text)}</p>}
          <Play game={game} />
        </header>
        {withFiguresSideBySide(rest, page).map((run, i) =>
          run.length > 1 ? (
            <div key={i} class="cards rule-figures" style={{ "--card": "17rem" }}>
              {run.map((block, place) => (
                <Part key={place} block={block} page={page} />
              ))}
            </div>
          ) : (
            <Part key={i} block={itemAt(run, 0)} page={page} />
          ),
        )}
      </article>
    </div>
  );
}

/** A figure of so few dominoes is small. */
const SMALL_FIGURE_DOMINOES = 5;

/** Small figures that follow each other share a row; every other block has its own. */
function withFiguresSideBySide(all: readonly Block[], { figures }: RulesPage): Block[][] {
  const small = (block: Block | undefined) =>
    block?.kind === "figure"
    && (figures[block.name]?.position.split(" ").length ?? SMALL_FIGURE_DOMINOES) < SMALL_FIGURE_DOMINOES;
  const runs: Block[][] = [];
  for (const block of all) {
    const last = runs.at(-1);
    if (last && small(block) && small(last[0])) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** One click to play, one to play with others. */
function Play({ game }: { game: string }) {
  const { trouble, ask } = useAsking();
  return (
    <div class="buttons rules-play">
      <button type="button" class="primary big" onClick={() => void ask(() => playNow(game))}>
        {t("play_game", { game: gameName(game) })}
      </button>
      <a class="button big" href={`/new/${game}`}>
        {t("with_friends")}
      </a>
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </div>
  );
}

function Part({ block, page }: { block: Block; page: RulesPage }) {
  switch (block.kind) {
    case "title":
      return <h1>{block.text}</h1>;
    case "heading":
      return <h2 id={block.id}>{inline(block.text)}</h2>;
    case "paragraph":
      return <p>{inline(block.text)}</p>;
    case "list":
      return (
        <ul>
          {block.items.map((item, i) => (
            <li key={i}>{inline(item)}</li>
          ))}
        </ul>
      );
    case "figure": {
      const figure = page.figures[block.name];
      return figure ? (
        <RuleFigure figure={figure} caption={block.caption} />
      ) : (
        <p>
          <em>{block.caption}</em>
        </p>
      );
    }
  }
}
