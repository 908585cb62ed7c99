/** The position as text, which may be wrong: then the laying that is to blame is named and shown. */
import { WrongLaying } from "../board/ghost.tsx";
import type { TileSet } from "../data.ts";
import { clashes, type Laying, parseLaying } from "../geometry.ts";
import { t, textOr } from "../i18n.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { Analysis, Fault } from "../state/analysis.ts";

export function PositionText({ analysis }: { analysis: Analysis }) {
  const fault = analysis.fault.value;
  const apply = (text: string) => void analysis.read(text);
  return (
    <>
      <label class="field-row small">
        <span>{t("analysis_position_text")}</span>
        <textarea
          rows={4}
          spellcheck={false}
          autocomplete="off"
          value={analysis.text.value}
          placeholder="PRYGB+0@0,0 …"
          aria-invalid={fault !== null}
          aria-describedby={fault ? "fault" : undefined}
          onInput={(event) => apply(event.currentTarget.value)}
        />
      </label>
      {fault && (
        <AnnouncedText class="trouble full" manner="urgent" id="fault">
          {faultInWords(fault, analysis.set.value)}
        </AnnouncedText>
      )}
      <div class="buttons">
        <label class="field-row small">
          <span>{t("analysis_set")}</span>{" "}
          <select
            value={analysis.setName.value}
            onChange={(event) => void analysis.read(analysis.text.value, event.currentTarget.value)}
          >
            <option value="120">{t("study_set", { count: 120 })}</option>
            <option value="72">{t("study_set", { count: 72 })}</option>
          </select>
        </label>
      </div>
    </>
  );
}

/** Which laying is wrong, and why. */
export function faultInWords(fault: Fault, set: TileSet): string {
  const name = fault.laying.replace(/[+-].*/, "");
  const front = fault.code === "unknown_domino" ? set.frontOf(name) : null;
  if (front) return t("back_of", { name, front });
  const reason = textOr(`wrong_${fault.code}`, fault.message);
  return fault.number ? t("study_fault", { number: fault.number, laying: fault.laying, reason }) : reason;
}

/** The laying that is to blame, where it was meant to lie. */
export function BlamedLaying({ analysis, fault }: { analysis: Analysis; fault: Fault }) {
  const set = analysis.set.value;
  let laying: Laying;
  try {
    laying = parseLaying(fault.laying);
  } catch {
    return null;
  }
  return set.has(laying.tile) ? (
    <WrongLaying laying={laying} clashes={clashes(laying, analysis.layings.value, set)} set={set} />
  ) : null;
}
