/** An open score pad of the classic turn: with auctions, and with marks. */
import { formatMinus, t } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { itemAt } from "../../../values.ts";
import { savePad } from "../pad-book.ts";
import { PadCards, PadFrame } from "../pad-frame.tsx";
import { PadHistory } from "../pad-history.tsx";
import { MarkedGroups } from "./marked-groups.tsx";
import { TurnForm } from "./turn-form.tsx";
import { editTurn, findTurnStanding, isOver, removeLastTurn, type TurnPad, type TurnStanding } from "./turn-pad.ts";
import { marksRow, rowsOf, turnSheet } from "./turn-sheet.ts";

export function OpenTurnPad({ pad }: { pad: TurnPad }) {
  const standing = findTurnStanding(pad);
  const { names, turns, draft, target } = pad;
  const { scores, next, winners, reachedBy, isLastRound, ending, counted } = standing;
  const surplus = turns.length - counted;
  const isCorrection = draft.index < turns.length;
  return (
    <PadFrame
      pad={pad}
      sheet={turnSheet(pad)}
      turn={draft.index}
      isBegun={turns.length > 0}
      reason={ending && t(ending === "target" ? "reason_target" : "reason_blocked")}
      endNote={surplus > 0 ? t("pad_surplus", { count: surplus }) : null}
      cards={
        <>
          <PadCards names={names} current={next}>
            {(player) => (
              <>
                <b class="pad-score">{formatMinus(itemAt(scores, player))}</b>
                {winners.includes(player) && <small>{t("result_winner")}</small>}
              </>
            )}
          </PadCards>
          {isLastRound && reachedBy !== null && (
            <AnnouncedText class="tinted strong" manner="urgent">
              {t("pad_last_round", { name: itemAt(names, reachedBy) })}
            </AnnouncedText>
          )}
        </>
      }
      form={(heading) =>
        (!isOver(standing) || isCorrection) && (
          <TurnForm pad={pad} heading={heading} goal={t("target", { points: target })} />
        )
      }
    >
      {isOver(standing) && pad.kind === "marks" && <MarkedGroups pad={pad} />}
      {turns.length > 0 && <Turns pad={pad} standing={standing} />}
    </PadFrame>
  );
}

function Turns({ pad, standing }: { pad: TurnPad; standing: TurnStanding }) {
  const { names, draft } = pad;
  const marks = marksRow(pad, standing);
  const rows = rowsOf(pad).map((row, i) => ({
    label: String(i + 1),
    cells: row.map(({ index, text }, player) => ({
      index,
      text,
      label: t("pad_correct", { name: itemAt(names, player), round: i + 1, points: text }),
    })),
  }));
  return (
    <PadHistory
      names={names}
      rows={rows}
      more={marks && { label: t("pad_marks"), cells: marks }}
      totals={standing.scores}
      counted={standing.counted}
      drafted={draft.index}
      onCorrect={(index) => savePad(editTurn(pad, index))}
      onRemoveLast={() => savePad(removeLastTurn(pad))}
    />
  );
}
