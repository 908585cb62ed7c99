/** One turn in four or five taps: discs, closed groups, the second domino; or only its points. */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { formatSigned, t } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { CHARGE, discPoints, MAX_CONTACTS } from "../../../state/points.ts";
import { announce } from "../../../state/voice.ts";
import { itemAt } from "../../../values.ts";
import { capital, pointsInWords } from "../../../words.ts";
import { GroupKeys, NumberForm } from "../group-keys.tsx";
import { savePad } from "../pad-book.ts";
import { draftTurn, editTurn, enterTurn, findSeats, findStanding, type Pad, roundOf } from "./pad.ts";
import { EnteredParts } from "./parts.tsx";
import { SaleForm } from "./sale-form.tsx";
import {
  addGroup,
  countMaxGroups,
  type DominoEntry,
  enterDiscs,
  MAX_TURN_POINTS,
  MIN_TURN_POINTS,
  readNumber,
  removeGroup,
  type TurnEntry,
  turnPoints,
} from "./turn-entry.ts";

const DISCS = Array.from({ length: MAX_CONTACTS + 1 }, (_, i) => i);

export function TurnForm({ pad, heading }: { pad: Pad; heading: RefObject<HTMLHeadingElement | null> }) {
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
    const score = itemAt(findStanding(entered).scores, player);
    announce(t("said_by", { name: itemAt(names, player), text: pointsInWords(score) }));
  };
  const dominoes = turn && "dominoes" in turn ? turn.dominoes : [];
  return (
    <section class={`stack turn-form seat-${player}`} aria-labelledby="turn-title">
      <h2 id="turn-title" ref={heading} tabIndex={-1}>
        {isCorrection ? t("pad_correct_of", values) : t("pad_turn_of", values)}
      </h2>
      {pad.kind === "auctions" && <SaleForm pad={pad} home={home % names.length} />}
      <Discs
        legend={t("pad_first")}
        pressed={turn && "dominoes" in turn ? (dominoes[0]?.discs ?? 0) : null}
        onChoose={(discs) => change(enterDiscs(turn, 0, discs))}
      />
      {turn && dominoes[0] && <Closed turn={turn} which={0} domino={dominoes[0]} onChange={change} />}
      {turn && dominoes[0] && (
        <Discs
          legend={t("pad_second", { charge: CHARGE })}
          pressed={dominoes[1]?.discs ?? 0}
          onChoose={(discs) => change(enterDiscs(turn, 1, discs))}
        />
      )}
      {turn && dominoes[1] && <Closed turn={turn} which={1} domino={dominoes[1]} onChange={change} />}
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

/** 0 to 6, each with what it earns. */
function Discs({
  legend,
  pressed,
  onChoose,
}: {
  legend: string;
  pressed: number | null;
  onChoose(discs: number): void;
}) {
  return (
    <fieldset class="pad-keys">
      <legend>{legend}</legend>
      {DISCS.map((discs) => (
        <button
          key={discs}
          type="button"
          aria-label={capital(t("pad_discs", { count: discs }))}
          aria-pressed={pressed === discs}
          onClick={() => onChoose(discs)}
        >
          <b>{discs}</b>
          <small>{discs ? formatSigned(discPoints(discs)) : "–"}</small>
        </button>
      ))}
    </fieldset>
  );
}

function Closed({
  turn,
  which,
  domino,
  onChange,
}: {
  turn: TurnEntry;
  which: number;
  domino: DominoEntry;
  onChange(turn: TurnEntry): void;
}) {
  return (
    <GroupKeys
      legend={t("pad_groups")}
      groups={domino.groups}
      isFull={domino.groups.length >= countMaxGroups(domino)}
      onAdd={(size) => onChange(addGroup(turn, which, size))}
      onRemove={(i) => onChange(removeGroup(turn, which, i))}
    />
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
