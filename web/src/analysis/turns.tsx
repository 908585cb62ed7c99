/** Turns from a position, as pictures: one that is pointed at lies on the board, one that is pressed is played. */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { parseLaying } from "../geometry.ts";
import { formatMinus, t, tt } from "../i18n.ts";
import type { Scored, Turn } from "../net/api.ts";
import { partsInWords } from "../panels/best-turn.tsx";
import { TurnPictures } from "../panels/turn-pictures.tsx";
import { onPointing } from "../shell/hooks.ts";
import { type Analysis, turnName } from "../state/analysis.ts";

interface Pointed {
  value: Turn | null;
}

export interface TurnProps {
  analysis: Analysis;
  pointed: Pointed;
  parts: readonly Scored[];
}

/** Turns, the best first; `more` is what is to be said of each. */
export function Turns<T extends Turn>({
  turns,
  kind = "",
  more,
  ...props
}: TurnProps & { turns: readonly T[] | null; kind?: string; more?(turn: T): ComponentChildren }) {
  if (!turns) return null;
  if (!turns.length) return <p class="soft">{t("analysis_no_turn")}</p>;
  return (
    <ol class={`cards tight best-turns ${kind}`} style={{ "--card": "290px" }}>
      {turns.map((turn) => (
        <li key={turnName(turn)}>
          <TurnButton {...props} turn={turn}>
            {more?.(turn)}
          </TurnButton>
        </li>
      ))}
    </ol>
  );
}

/** A turn to look at and to play. */
function TurnButton({
  analysis,
  turn,
  pointed,
  parts,
  children,
}: TurnProps & { turn: Turn; children?: ComponentChildren }) {
  const tapped = useRef(false);
  const on = pointed.value !== null && turnName(pointed.value) === turnName(turn);
  return (
    <button
      type="button"
      aria-pressed={on}
      title={t("analysis_play")}
      {...onPointing((on) => (pointed.value = on ? turn : null))}
      onPointerDown={(event) => (tapped.current = event.pointerType !== "mouse" && !on)}
      onClick={() => {
        // A first tap shows, the second lays; a mouse and the keyboard have shown already.
        const only = tapped.current;
        tapped.current = false;
        pointed.value = only ? turn : null;
        if (!only) analysis.lay(...turn.layings.map(parseLaying));
      }}
    >
      <b class="number">
        {formatMinus(turn.points)} <small class="small">{tt("unit_points", { count: turn.points })}</small>
      </b>
      <TurnPictures layings={turn.layings.map(parseLaying)} table={analysis.layings.value} set={analysis.set.value} />
      {on && parts.length > 0 && (
        <span class="note full stack tight">
          {partsInWords(parts).map((line, i) => (
            <span key={i}>{line}</span>
          ))}
        </span>
      )}
      {children}
    </button>
  );
}
