/** Print and play: everything that belongs to the game on paper. `/print?what=72&...` is one print. */
import { isStatic } from "../base.ts";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n.ts";
import { Fields } from "../print/fields.tsx";
import { PrintOrder, Steps } from "../print/guide.tsx";
import { Previews } from "../print/previews.tsx";
import { findBlamedOption, explainRefusal } from "../print/refusals.ts";
import { usePrinting } from "../print/use-printing.ts";
import { EXAMPLE, WhatCards } from "../print/what-cards.tsx";
import { workOf } from "../state/prints.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { useTitle } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { requireValue } from "../values.ts";

const PreparedPrints = loadLazily<object>(() =>
  import("../print/prepared.tsx").then(({ PreparedPrints }) => PreparedPrints),
);

export default function PrintPage() {
  return isStatic ? <PreparedPrints /> : <PrintDesk />;
}

function PrintDesk() {
  const { what, all, search, pages, shown, shownWhat, waiting, refusal, choose } = usePrinting();
  useTitle(t("print_title"));
  const option = findBlamedOption(refusal);
  const said = refusal && explainRefusal(refusal, all.position ?? "");
  // While others are awaited, the pages that were there stay.
  const work = pages.length ? workOf(shownWhat, pages.length) : null;
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = requireValue(result.current, "the result");
    const observer = new ResizeObserver(() => element.style.setProperty("--tall", `${element.offsetHeight}px`));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="page desk print-page">
      <h1>{t("print_title")}</h1>
      <div class="row apart">
        <p class="note">{t("print_intro")}</p>
        <a class="chip" href="/companion">
          {t("companion_title")}
        </a>
      </div>
      <WhatCards what={what} onChoose={(name) => choose("what", name)} />
      <div class="print-desk">
        <div class="stack far">
          <Fields what={what} all={all} trouble={option && said ? { option, text: said } : null} choose={choose} />
        </div>
        <div class="stack loose print-result" ref={result}>
          <Steps what={what} all={all} />
          <section class="stack" aria-labelledby="print-preview">
            <h2 id="print-preview">{t("print_preview")}</h2>
            {said
              && (option ? (
                <p class="note">{t("print_nothing")}</p>
              ) : (
                <AnnouncedText class="trouble" manner="urgent">
                  {said}
                </AnnouncedText>
              ))}
            {pages.length > 0 ? (
              <Previews pages={pages} search={shown} both={!!work?.both} stale={waiting} />
            ) : waiting ? (
              <p class="note">{t("print_drawing")}</p>
            ) : (
              !refusal && (
                <div class="row">
                  <p>{t("print_no_position")}</p>
                  <a class="button" href="/analysis">
                    {t("analysis")}
                  </a>
                  <button type="button" onClick={() => choose("position", EXAMPLE)}>
                    {t("print_example")}
                  </button>
                </div>
              )
            )}
          </section>
        </div>
      </div>
      <PrintOrder what={what} all={all} search={search} work={work} />
    </div>
  );
}
