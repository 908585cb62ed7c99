/** A score pad that is open: who stands where, the next turn, and all turns before it. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatMinus, joinList, t } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { loadLazily } from "../../../shell/lazy.tsx";
import { itemAt } from "../../../values.ts";
import { MarkedGroups } from "./marked-groups.tsx";
import { amendBook, deletePad, savePad } from "../pad-book.ts";
import type { PadExtrasProps } from "../pad-extras.tsx";
import { marksRow, outcomeInWords, rowsOf } from "./pad-text.ts";
import { editTurn, findStanding, isOver, type Pad, type PadStanding, removeLastTurn } from "./pad.ts";
import { TurnForm } from "./turn-form.tsx";

/** The chart and what is given away need the bundles of tables: the pad does not wait for them. */
const PadExtras = loadLazily<PadExtrasProps>(() => import("../pad-extras.tsx").then((module) => module.PadExtras));

export function OpenPad({ pad }: { pad: Pad }) {
  const standing = findStanding(pad);
  const { turns, draft } = pad;
  const isCorrection = draft.index < turns.length;
  const [title, result, isFirst] = [useRef<HTMLHeadingElement>(null), useRef<HTMLHeadingElement>(null), useRef(true)];
  // The next turn, or the end: the button that was pressed is not there any more, or for another turn.
  useEffect(() => {
    if (!isFirst.current) (title.current ?? result.current)?.focus();
    isFirst.current = false;
  }, [draft.index, isOver(standing)]);
  return (
    <div class="stack loose open-pad">
      <Scores pad={pad} standing={standing} />
      <Ending pad={pad} standing={standing} heading={result} />
      {(!isOver(standing) || isCorrection) && <TurnForm pad={pad} heading={title} />}
      {isOver(standing) && pad.kind === "marks" && <MarkedGroups pad={pad} />}
      {turns.length > 0 && <Turns pad={pad} standing={standing} />}
      {turns.length > 0 && <PadExtras pad={pad} standing={standing} />}
      <Actions pad={pad} />
    </div>
  );
}

function Scores({ pad: { names, target }, standing: { scores, next, winners } }: PadProps) {
  return (
    <section aria-label={t("companion_pad")}>
      <ol class="row tied pad-scores">
        {names.map((name, i) => (
          <li key={i} class={`seat-${i} card`} aria-current={next === i ? "true" : undefined}>
            <span class="row tied">
              <span class="token small" aria-hidden="true">
                {i + 1}
              </span>
              <span class="pad-name">{name}</span>
            </span>
            <b class="pad-score">{formatMinus(itemAt(scores, i))}</b>
            {winners.includes(i) && <small>{t("result_winner")}</small>}
          </li>
        ))}
      </ol>
      <p class="note">{t("target", { points: target })}</p>
    </section>
  );
}

interface PadProps {
  pad: Pad;
  standing: PadStanding;
}

/** The last round and the end are announced. */
function Ending({ pad, standing, heading }: PadProps & { heading: RefObject<HTMLHeadingElement | null> }) {
  const { reachedBy, isLastRound, ending, counted, winners } = standing;
  const surplus = pad.turns.length - counted;
  return (
    <>
      {isLastRound && reachedBy !== null && (
        <AnnouncedText class="tinted strong" manner="urgent">
          {t("pad_last_round", { name: itemAt(pad.names, reachedBy) })}
        </AnnouncedText>
      )}
      {winners.length > 0 && (
        <AnnouncedText as="section" class="tinted" manner="urgent">
          <h2 ref={heading} tabIndex={-1}>
            {outcomeInWords(pad, standing)}
          </h2>
          <p>{ending === "target" ? t("reason_target") : t("reason_blocked")}</p>
          {surplus > 0 && <p>{t("pad_surplus", { count: surplus })}</p>}
        </AnnouncedText>
      )}
    </>
  );
}

function Turns({ pad, standing }: PadProps) {
  const { names, turns, draft } = pad;
  const marks = marksRow(pad, standing);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [turns.length]);
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
            {rowsOf(pad).map((row, round) => (
              <tr key={round}>
                <th scope="row">{round + 1}</th>
                {row.map(({ index, text: points }, player) => {
                  const name = itemAt(names, player);
                  return (
                    <td key={player}>
                      {points && (
                        <button
                          type="button"
                          class={index < standing.counted ? "pad-turn" : "pad-turn surplus"}
                          aria-label={t("pad_correct", { name, round: round + 1, points })}
                          aria-pressed={draft.index === index}
                          onClick={() => savePad(editTurn(pad, index))}
                        >
                          {points}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            {marks && (
              <tr>
                <th scope="row">{t("pad_marks")}</th>
                {marks.map((points, i) => (
                  <td key={i}>{points}</td>
                ))}
              </tr>
            )}
            <tr>
              <th scope="row">{t("pad_total")}</th>
              {standing.scores.map((score, i) => (
                <td key={i}>
                  <b>{formatMinus(score)}</b>
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <button type="button" onClick={() => savePad(removeLastTurn(pad))}>
        {t("pad_remove_turn")}
      </button>
    </section>
  );
}

function Actions({ pad }: { pad: Pad }) {
  return (
    <div class="buttons">
      <button type="button" onClick={() => amendBook({ open: null })}>
        {t("pad_all")}
      </button>
      <button
        type="button"
        class="danger"
        aria-label={t("pad_delete_of", { names: joinList(pad.names) })}
        onClick={() => deletePad(pad.id)}
      >
        {t("pad_delete")}
      </button>
    </div>
  );
}
