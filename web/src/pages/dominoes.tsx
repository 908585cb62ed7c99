/** The dominoes of the game: how they are made, where the set comes from, and all of them: `/dominoes`. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { BackSteps, PairDots, pairsInWords } from "../dominoes/back-steps.tsx";
import { pairsOfPile } from "../dominoes/backs.ts";
import { CatalogueView } from "../dominoes/catalogue-view.tsx";
import { Figures } from "../dominoes/figures.tsx";
import { t, tt } from "../i18n.ts";
import { PILES } from "../panels/tile-filters.tsx";
import { Credits } from "../shell/credits.tsx";
import { useTitle } from "../shell/hooks.ts";
import { loadLazily } from "../shell/lazy.tsx";

const OwnSet = loadLazily(() => import("../dominoes/own-set-view.tsx").then((module) => module.OwnSet));

/** The parts of the page; their titles are `dominoes_PART_title`. */
const PARTS = ["back", "figures", "piles", "origin", "own", "all"] as const;
const FACTS = [1, 2, 3, 4, 5, 6, 7];

/** A domino of a file, as docs/tiles.md has it. */
const FILE = "name,recto,verso\nA1,YGYYRRR,BGBBRGG\n…";
const CHECK = "dalapapa tiles --check box.csv";

export default function DominoesPage() {
  useTitle(t("dominoes"));
  useEffect(() => {
    // The part that the link names is there only now.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <div class="page dominoes">
      <h1>{t("dominoes")}</h1>
      <p class="lead">{t("dominoes_intro")}</p>
      <p class="tinted feedback">
        {t("dominoes_note")} <a href="#origin">{t("dominoes_note_more")}</a>
      </p>
      <nav class="row chip-row" aria-label={t("dominoes_contents")}>
        {PARTS.map((part) => (
          <a class="chip" key={part} href={`#${part}`}>
            {tt(`dominoes_${part}_title`)}
          </a>
        ))}
      </nav>
      <Part name="back">
        <p>{t("dominoes_back_text")}</p>
        <BackSteps />
        <p>{t("dominoes_back_count")}</p>
      </Part>
      <Part name="figures">
        <p>{t("dominoes_figures_text")}</p>
        <Figures />
        <p>{t("dominoes_name_text")}</p>
        <p>{t("dominoes_name_twins")}</p>
      </Part>
      <Part name="piles">
        <p>{t("dominoes_piles_text")}</p>
        <ul class="cards" style={{ "--card": "18rem" }}>
          {PILES.map((pile) => (
            <li key={pile} class="card centred">
              <h3>{t("dominoes_pile", { number: pile })}</h3>
              <PairDots pairs={pairsOfPile(pile)} />
              <p>{pairsInWords(pairsOfPile(pile))}</p>
            </li>
          ))}
        </ul>
        <p>{t("dominoes_piles_halves")}</p>
      </Part>
      <Part name="origin">
        <p>{t("dominoes_origin_text")}</p>
        <p>{t("dominoes_facts")}</p>
        <ul>
          {FACTS.map((fact) => (
            <li key={fact}>{tt(`dominoes_fact_${fact}`)}</li>
          ))}
        </ul>
      </Part>
      <Part name="own">
        <p>{t("dominoes_own_text")}</p>
        <pre class="card">
          <code>{FILE}</code>
        </pre>
        <OwnSet />
        <p>{t("dominoes_own_where")}</p>
        <p>{t("dominoes_own_check", { command: CHECK })}</p>
      </Part>
      <Part name="all">
        <p>
          <a class="button" href="/print">
            {t("dominoes_print")}
          </a>
        </p>
        <CatalogueView />
      </Part>
      <Credits here />
    </div>
  );
}

function Part({ name, children }: { name: (typeof PARTS)[number]; children: ComponentChildren }) {
  return (
    <section class={`dominoes-${name}`} aria-labelledby={name}>
      <h2 id={name} tabIndex={-1}>
        {tt(`dominoes_${name}_title`)}
      </h2>
      {children}
    </section>
  );
}
