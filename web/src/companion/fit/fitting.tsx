/** Is a laying allowed, and what is it worth? Only the colours where it meets its neighbours are entered. */
import { useSignal } from "@preact/signals";
import { ColourSymbol } from "../../board/domino.tsx";
import { COLOURS, type Colour } from "../../data.ts";
import { t, tt, withColon } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { itemAt } from "../../values.ts";
import { capital, colourName, pointsInWords } from "../../words.ts";
import { EMPTY_FIT, type Fit, type FitPart, judge, paint, select, selectPart, slotName } from "./fit.ts";
import { DiscParts } from "../pads/turns/parts.tsx";

/** Where the half-discs of a domino look, by slot: 0 is up, clockwise. */
const DIRECTIONS = [3, 0, 0, 1, 2, 2] as const;

/** The half of a disc that lies above, right, below or left of a line, and that line at an edge of its button. */
const VIEWS = [
  { box: "-50 -50 100 50", aligned: "xMidYMax", middle: [0, -22] },
  { box: "0 -50 50 100", aligned: "xMinYMid", middle: [22, 0] },
  { box: "-50 0 100 50", aligned: "xMidYMin", middle: [0, 22] },
  { box: "-50 -50 50 100", aligned: "xMaxYMid", middle: [-22, 0] },
] as const;

const edgeName = (slot: number): string => tt(`edge_${slotName(slot)}`);

export function Fitting() {
  const fit = useSignal<Fit>(EMPTY_FIT);
  const { part, slot } = fit.value;
  const choose = (colour: Colour | null) => (fit.value = paint(fit.value, colour));
  const place = placeName(part, slot);
  return (
    <section class="stack fitting" aria-labelledby="fit-title">
      <h2 id="fit-title" class="hidden">
        {t("companion_fit")}
      </h2>
      <p class="note">{t("fit_intro")}</p>
      <div class="fit-place" role="group" aria-label={t("fit_picture")}>
        <div class="fit-wood" aria-hidden="true" />
        {(["around", "face"] as const).map((one) =>
          DIRECTIONS.map((_, i) => (
            <SlotButton
              key={`${one}-${i}`}
              part={one}
              slot={i}
              fit={fit.value}
              onSelect={(next) => (fit.value = next)}
            />
          )),
        )}
      </div>
      <div class="row" role="group" aria-label={t("companion_fit")}>
        {(["around", "face"] as const).map((one) => (
          <button
            key={one}
            type="button"
            class="chip"
            aria-pressed={part === one}
            onClick={() => (fit.value = selectPart(fit.value, one))}
          >
            {t(one === "around" ? "fit_part_around" : "fit_part_face")}
          </button>
        ))}
        <button type="button" class="chip" onClick={() => (fit.value = EMPTY_FIT)}>
          {t("fit_again")}
        </button>
      </div>
      <fieldset class="fit-colours">
        <legend>{t("fit_colours", { place })}</legend>
        {COLOURS.map((colour) => (
          <button key={colour} type="button" onClick={() => choose(colour)}>
            <Disc colour={colour} />
            {capital(colourName(colour))}
          </button>
        ))}
        <button type="button" onClick={() => choose(null)}>
          <Icon name="close" />
          {capital(t("fit_none"))}
        </button>
      </fieldset>
      <Answer fit={fit.value} />
    </section>
  );
}

const placeName = (part: FitPart, slot: number): string =>
  t(part === "around" ? "fit_around" : "fit_face", { edge: edgeName(slot) });

/** A whole disc with its symbol: here colours always have one. */
function Disc({ colour }: { colour: Colour }) {
  return (
    <svg viewBox="-50 -50 100 100" aria-hidden="true">
      <circle class={colour} r={40} />
      <ColourSymbol colour={colour} at={[0, 0]} scale={1.6} />
    </svg>
  );
}

/** One half-disc: of a neighbour, whose flat side is at the place, or of the domino, whose flat side is at its edge. */
function SlotButton({
  part,
  slot,
  fit,
  onSelect,
}: {
  part: FitPart;
  slot: number;
  fit: Fit;
  onSelect(next: Fit): void;
}) {
  const colour = fit[part][slot] ?? null;
  const isClash = judge(fit).clashes.includes(slot);
  const name = withColon(placeName(part, slot), colour ? colourName(colour) : t("fit_none"));
  const view = itemAt(VIEWS, (itemAt(DIRECTIONS, slot) + (part === "face" ? 2 : 0)) % 4);
  return (
    <button
      type="button"
      class={`fit-${part} at-${slotName(slot)}`}
      aria-label={isClash ? `${name} – ${t("fit_forbidden")}` : name}
      aria-pressed={fit.part === part && fit.slot === slot}
      onClick={() => onSelect(select(fit, part, slot))}
    >
      <svg viewBox={view.box} preserveAspectRatio={view.aligned} aria-hidden="true">
        <circle class={colour ?? "fit-empty"} r={46} />
        {colour && <ColourSymbol colour={colour} at={view.middle} scale={1.1} />}
        {isClash && part === "face" && (
          <path class="fit-cross" d="M-14 -14L14 14M14 -14L-14 14" transform={`translate(${view.middle})`} />
        )}
      </svg>
    </button>
  );
}

function Answer({ fit }: { fit: Fit }) {
  const { contacts, missing, clashes, points, isKnown } = judge(fit);
  return (
    <AnnouncedText as="section" later class={clashes.length ? "tinted feedback poor stack" : "tinted feedback stack"}>
      {clashes.length > 0 && <strong>{t("fit_forbidden")}</strong>}
      {clashes.map((slot) => (
        <p key={slot}>
          {t("fit_clash", {
            edge: edgeName(slot),
            own: colourName(fit.face[slot] ?? ""),
            other: colourName(fit.around[slot] ?? ""),
          })}
        </p>
      ))}
      {!contacts && <p>{t("fit_alone")}</p>}
      {contacts > 0 && missing > 0 && !clashes.length && <p>{t("fit_missing", { count: missing })}</p>}
      {points !== null && (
        <>
          <strong>{withColon(t("fit_allowed"), pointsInWords(points))}</strong>
          <p>
            <DiscParts discs={contacts} />
          </p>
          <p>{t("fit_groups")}</p>
        </>
      )}
      {!isKnown && <p>{t("fit_unknown")}</p>}
    </AnnouncedText>
  );
}
