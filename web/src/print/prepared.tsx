/** The print page of the static edition: PDFs of the standard sheets, made with it (scripts/build_edition.py). */
import { useSignal } from "@preact/signals";
import { hrefOf } from "../base.ts";
import type { PrintName } from "../data.ts";
import { language, t, tt } from "../i18n.ts";
import { useTitle } from "../shell/hooks.ts";
import { Radios } from "../shell/radios.tsx";
import { completeRequest, PRINTS, usualPaper } from "../state/prints.ts";
import { Steps } from "./guide.tsx";
import { WhatCards } from "./what-cards.tsx";

/** The prints that show what one chooses. */
const CHOSEN: readonly PrintName[] = ["position", "puzzle", "solution"];
const PREPARED = PRINTS.filter((name) => !CHOSEN.includes(name));

type Paper = "a4" | "letter";
const PAPERS: readonly Paper[] = ["a4", "letter"];

/** A PDF, or the picture of its first page. */
const nameFile = (what: PrintName, paper: Paper, kind: "pdf" | "svg"): string =>
  `/prints/dalapapa-${what}-${paper}-${language.value}.${kind}`;

export function PreparedPrints() {
  useTitle(t("print_title"));
  const what = useSignal<PrintName>("box");
  const paper = useSignal<Paper>(usualPaper(navigator.languages));
  const file = nameFile(what.value, paper.value, "pdf");
  return (
    <div class="page desk stack loose">
      <h1>{t("print_title")}</h1>
      <p class="note">{t("print_prepared")}</p>
      <WhatCards
        prints={PREPARED}
        what={what.value}
        onChoose={(name) => (what.value = name)}
        picture={({ what: shown, cover }) => hrefOf(nameFile(cover ? "box" : shown, "a4", "svg"))}
      />
      <Radios
        name="print-paper"
        legend={t("print_option_paper")}
        of={PAPERS}
        value={paper.value}
        word={(name) => tt(`print_paper_${name}`)}
        onChoose={(name) => (paper.value = name)}
      />
      <Steps
        what={what.value}
        all={completeRequest({ what: what.value, paper: paper.value }, paper.value, language.value)}
      />
      <div class="buttons">
        <a class="button primary" href={file} target="_blank" rel="noopener">
          {t("print_open")}
        </a>
        <a class="button" href={file} download={`dalapapa-${what.value}.pdf`}>
          {t("print_download")}
        </a>
      </div>
    </div>
  );
}
