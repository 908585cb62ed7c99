/** One turn in four or five taps: discs, closed groups, the second domino; or only its points. */
import { useSignal } from "@preact/signals";
import { t } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { announce } from "../../../state/voice.ts";
import { itemAt } from "../../../values.ts";
import { pointsInWords } from "../../../words.ts";
import { readNumber } from "../../numbers.ts";
import { NumberForm } from "../group-keys.tsx";
import { savePad } from "../pad-book.ts";
import { type HeadingRef, PadHeading } from "../pad-frame.tsx";
import { EnteredParts } from "./parts.tsx";
import { SaleForm } from "./sale-form.tsx";
import { MAX_TURN_POINTS, MIN_TURN_POINTS, type TurnEntry, turnPoints } from "./turn-entry.ts";
import { TurnKeys } from "./turn-keys.tsx";
import { draftTurn, editTurn, enterTurn, findSeats, findTurnStanding, roundOf, type TurnPad } from "./turn-pad.ts";

export function TurnForm({ pad, heading, goal }: { pad: TurnPad; heading: HeadingRef; goal: string }) {
  const { names, turns, draft } = pad;
  const { index, turn } = draft;
  const isCorrection = index < turns.length;
  const { home, seat } = itemAt(findSeats(pad), index);
  const player = seat % names.length;
  const values = { name: itemAt(names, player), round: roundOf(seat, names.length) + 1 };
  const change = (changed: TurnEntry | null) => savePad(draftTurn(pad, changed));
  const writeDown = () => {
    const entered = enterTurn(pad);
    savePad(entered);
    const score = itemAt(findTurnStanding(entered).scores, player);
    announce(t("said_by", { name: itemAt(names, player), text: pointsInWords(score) }));
  };
  return (
    <section class={`stack turn-form seat-${player}`} aria-labelledby="turn-title">
      <PadHeading id="turn-title" own={heading} goal={goal}>
        {isCorrection ? t("pad_correct_of", values) : t("pad_turn_of", values)}
      </PadHeading>
      {pad.kind === "auctions" && <SaleForm pad={pad} home={home % names.length} />}
      <TurnKeys key={`keys-${index}`} turn={turn} onChange={change} />
      <PlainNumber key={index} turn={turn} onChange={change} />
      <div class="stack turn-end">
        {turn ? (
          <AnnouncedText as="section" later manner="chosen" class="row apart turn-sum">
            <span>
              <EnteredParts turn={turn} />
            </span>
            <b class="large">{pointsInWords(turnPoints(turn))}</b>
          </AnnouncedText>
        ) : (
          <p class="note">{t("pad_tap")}</p>
        )}
        <div class="buttons">
          <button type="button" class="primary big grow" disabled={!turn} onClick={writeDown}>
            {t("pad_enter")}
          </button>
          {isCorrection && (
            <button type="button" class="big" onClick={() => savePad(editTurn(pad, turns.length))}>
              {t("pad_keep_turn")}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

/** Only the points, for those who have counted themselves. */
function PlainNumber({ turn, onChange }: { turn: TurnEntry | null; onChange(turn: TurnEntry | null): void }) {
  const isPlain = !!turn && "points" in turn;
  const text = useSignal(isPlain ? String(turn.points) : "");
  const trouble = useSignal(false);
  return (
    <details open={isPlain}>
      <summary>{t("pad_number")}</summary>
      <NumberForm
        label={t("pad_number_of")}
        button={t("pad_add")}
        text={text.value}
        trouble={trouble.value ? t("pad_trouble_points", { least: MIN_TURN_POINTS, most: MAX_TURN_POINTS }) : null}
        onInput={(typed) => (text.value = typed)}
        onSubmit={() => {
          const points = readNumber(text.value, MIN_TURN_POINTS, MAX_TURN_POINTS);
          trouble.value = points === null;
          if (points !== null) onChange({ points });
        }}
      />
    </details>
  );
}
