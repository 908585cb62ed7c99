/** Whether the turn that is shown is worth what was announced. */
import { useSignal } from "@preact/signals";
import { t, tt } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { announce } from "../../../state/voice.ts";
import { Icon } from "../../../ui/icon.tsx";
import { itemAt } from "../../../values.ts";
import { pointsInWords } from "../../../words.ts";
import { savePad } from "../pad-book.ts";
import { EnteredParts } from "../turns/parts.tsx";
import { type TurnEntry, turnPoints } from "../turns/turn-entry.ts";
import { TurnKeys } from "../turns/turn-keys.tsx";
import { type Announcing, findRoundStanding, findShower, judgeShown, type RoundPad } from "./round-pad.ts";

export function ProofForm({ pad, shower }: { pad: RoundPad; shower: Announcing }) {
  const { names, draft } = pad;
  const name = itemAt(names, shower.player);
  const points = pointsInWords(shower.points);
  const before = findRoundStanding({ ...pad, rounds: pad.rounds.slice(0, draft.index), isStopped: false });
  const mistake = itemAt(before.mistakes, shower.player) + 1;
  const judge = (isRight: boolean) => {
    const judged = judgeShown(pad, isRight);
    const said = isRight
      ? t("round_said_right", { name, points })
      : tt(`round_said_wrong_${mistake}`, { name, points });
    const next = findShower(judged.draft);
    announce(said, "urgent");
    if (!isRight && !next) announce(t("round_void"), "urgent");
    savePad(judged);
  };
  return (
    <>
      <AnnouncedText class="large strong" manner="event">
        {t("round_shows", { name, points })}
      </AnnouncedText>
      <div class="pad-verdicts">
        <button type="button" class="primary big" onClick={() => judge(true)}>
          <Icon name="done" /> {t("round_right")}
        </button>
        <button type="button" class="big danger" onClick={() => judge(false)}>
          <Icon name="close" /> {t("round_wrong")}
          <small>{tt(`round_wrong_${mistake}`, { points })}</small>
        </button>
      </div>
      <CountedTurn announced={shower.points} />
    </>
  );
}

/** For those who want to count together. */
function CountedTurn({ announced }: { announced: number }) {
  const turn = useSignal<TurnEntry | null>(null);
  const worth = turn.value && turnPoints(turn.value);
  return (
    <details>
      <summary>{t("round_count")}</summary>
      <div class="stack">
        <TurnKeys turn={turn.value} onChange={(changed) => (turn.value = changed)} />
        {turn.value && worth !== null && (
          <AnnouncedText as="section" later manner="chosen" class="row apart turn-sum">
            <span>
              <EnteredParts turn={turn.value} />
            </span>
            <b class="large">{pointsInWords(worth)}</b>
            <strong>{t(worth >= announced ? "round_enough" : "round_short")}</strong>
          </AnnouncedText>
        )}
      </div>
    </details>
  );
}
