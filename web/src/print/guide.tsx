/** The work of the printer, the file, and what to do with the paper. */
import { linkTo } from "../base.ts";
import type { PrintName } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { ShareButton } from "../panels/share.tsx";
import type { PrintChoices, Work } from "../state/prints.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

/** "3 sheets of A4 · both sides · at 100 %", and the buttons. */
export function PrintOrder({
  what,
  all,
  search,
  work,
}: {
  what: PrintName;
  all: PrintChoices;
  search: string;
  work: Work | null;
}) {
  const file = `/api/print/dalapapa.pdf${search}`;
  const said =
    work
    && [
      t("print_sheets", { count: work.sheets, paper: tt(`print_paper_${all.paper}`) }),
      work.both ? t("print_both") : t("print_one"),
      ...(work.exact ? [t("print_exact")] : []),
    ].join(" · ");
  return (
    <div class="row apart print-order">
      <AnnouncedText later manner="status" class="strong print-work">
        {said ?? "–"}
      </AnnouncedText>
      <div class="buttons print-buttons">
        {work ? (
          <>
            <a class="button primary" href={file} target="_blank" rel="noopener">
              {t("print_open")}
            </a>
            <a class="button" href={file} download={`dalapapa-${what}.pdf`}>
              {t("print_download")}
            </a>
          </>
        ) : (
          <>
            <button type="button" class="primary" disabled>
              {t("print_open")}
            </button>
            <button type="button" disabled>
              {t("print_download")}
            </button>
          </>
        )}
        <ShareButton
          url={() => linkTo(`/print${search}`)}
          title={t("print_title")}
          label={t("study_copy_link")}
          kind="print-share"
        />
      </div>
    </div>
  );
}

/** The way from the file to the game, step by step. */
export function Steps({ what, all }: { what: PrintName; all: PrintChoices }) {
  const steps = stepsOf(what, all);
  return (
    steps.length > 0 && (
      <section aria-labelledby="print-how">
        <h2 id="print-how">{t("print_how")}</h2>
        <ol>
          {steps.map((step) => (
            <li key={step}>{tt(`print_step_${step}`)}</li>
          ))}
        </ol>
      </section>
    )
  );
}

function stepsOf(what: PrintName, { flip = "", pages, arrangement = "" }: PrintChoices): string[] {
  const bound = pages === "half" ? "booklet" : "staple";
  switch (what) {
    case "box":
      return ["thick", flip, "exact", arrangement, "board", bound];
    case "set":
      return ["thick", flip, "exact", arrangement];
    case "72":
      return ["glue", "exact", "fold", "lines"];
    case "board":
      return ["thick", "exact", "board"];
    case "extras":
      return ["thick", "exact", "lines"];
    case "scores":
      return ["scores"];
    case "booklet":
      return [flip, bound];
    case "calibration":
      return ["measure_1", "measure_2", "measure_3"];
    case "puzzle":
      return ["exact", "solution"];
    default:
      return [];
  }
}
