/** All that was entered, as a table: a tap corrects it. */
import { useEffect, useRef } from "preact/hooks";
import { formatMinus, t } from "../../i18n.ts";

export interface HistoryCell {
  /** Empty where nothing was played. */
  readonly text: string;
  /** The index of what a tap corrects. */
  readonly index: number;
  readonly label: string;
}

interface PadHistoryProps {
  names: readonly string[];
  rows: readonly { label: string; cells: readonly HistoryCell[] }[];
  /** Below the turns. */
  more?: { label: string; cells: readonly string[] } | null;
  totals: readonly number[];
  /** How many entries count. */
  counted: number;
  /** The entry that is being corrected. */
  drafted: number;
  onCorrect(index: number): void;
  /** Take back the last entry; null where something else does. */
  onRemoveLast: (() => void) | null;
}

export function PadHistory(props: PadHistoryProps) {
  const { names, rows, more, totals, counted, drafted, onCorrect, onRemoveLast } = props;
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [rows.length]);
  return (
    <section class="stack" aria-labelledby="pad-turns">
      <h2 id="pad-turns">{t("pad_turns")}</h2>
      <p class="note">{t("pad_turns_note")}</p>
      <div class="pad-table" ref={scroller}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("column_round")}</th>
              {names.map((name, i) => (
                <th key={i} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, cells }, i) => (
              <tr key={i}>
                <th scope="row">{label}</th>
                {cells.map((cell, player) => (
                  <td key={player}>
                    {cell.text && (
                      <button
                        type="button"
                        class={cell.index < counted ? "pad-turn" : "pad-turn surplus"}
                        aria-label={cell.label}
                        aria-pressed={drafted === cell.index}
                        onClick={() => onCorrect(cell.index)}
                      >
                        {cell.text}
                      </button>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {more && (
              <tr>
                <th scope="row">{more.label}</th>
                {more.cells.map((points, i) => (
                  <td key={i}>{points}</td>
                ))}
              </tr>
            )}
            <tr>
              <th scope="row">{t("pad_total")}</th>
              {totals.map((score, i) => (
                <td key={i}>
                  <b>{formatMinus(score)}</b>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      {onRemoveLast && (
        <button type="button" onClick={onRemoveLast}>
          {t("pad_remove_turn")}
        </button>
      )}
    </section>
  );
}
