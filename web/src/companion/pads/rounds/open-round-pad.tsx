/** An open score pad of a game in rounds: who announces what, the sandglass, and whether it was right. */
import { useSignal } from "@preact/signals";
import { formatMinus, t, tt } from "../../../i18n.ts";
import { announce } from "../../../state/voice.ts";
import { Icon } from "../../../ui/icon.tsx";
import { itemAt } from "../../../values.ts";
import { pointsInWords } from "../../../words.ts";
import { fillGlass, keepGlass, startGlass } from "../../glass/glass.ts";
import { ringLater } from "../../glass/running-glass.tsx";
import { savePad } from "../pad-book.ts";
import { PadFrame, PadHeading, PadName, StopButton } from "../pad-frame.tsx";
import { PadHistory } from "../pad-history.tsx";
import { AnnounceKeys } from "./announce-keys.tsx";
import {
  announcePoints,
  canTakeBack,
  closeAnnouncing,
  editRound,
  findRoundStanding,
  findShower,
  highestOf,
  mayAnnounce,
  type RoundPad,
  type RoundStanding,
  takeBackStep,
} from "./round-pad.ts";
import { goalInWords, isThrownOut, roundCells, roundSheet } from "./round-sheet.ts";
import { ProofForm } from "./proof-form.tsx";

export function OpenRoundPad({ pad }: { pad: RoundPad }) {
  const standing = findRoundStanding(pad);
  const { rounds, draft } = pad;
  const chosen = useSignal<number | null>(null);
  const isCorrection = draft.index < rounds.length;
  const isOpen = !standing.ending || isCorrection;
  const shower = draft.isShowing ? findShower(draft) : null;
  // A player who has been overtaken, or leads, is chosen no more.
  const speaker = isOpen && chosen.value !== null && mayAnnounce(pad, standing, chosen.value) ? chosen.value : null;
  const choose = (player: number) => (chosen.value = chosen.value === player ? null : player);
  return (
    <PadFrame
      pad={pad}
      sheet={roundSheet(pad)}
      turn={draft.index}
      isBegun={rounds.length > 0}
      reason={standing.ending && tt(`reason_${standing.ending}`)}
      cards={<Players pad={pad} standing={standing} isOpen={isOpen} speaker={speaker} onChoose={choose} />}
      form={(heading) =>
        isOpen && (
          <section class="stack turn-form" aria-labelledby="turn-title">
            <PadHeading id="turn-title" own={heading} goal={goalInWords(pad)}>
              {t(isCorrection ? "round_correct" : "round_title", { round: itemAt(standing.numbers, draft.index) })}
            </PadHeading>
            {shower ? (
              <ProofForm key={shower.player} pad={pad} shower={shower} />
            ) : (
              <Announcing pad={pad} speaker={speaker} onSaid={() => (chosen.value = null)} />
            )}
            <div class="buttons">
              {canTakeBack(pad) && (
                <button type="button" class="grow" onClick={() => takeBack(pad)}>
                  <Icon name="turnBack" /> {t("round_back")}
                </button>
              )}
              {isCorrection && (
                <button type="button" onClick={() => savePad(editRound(pad, rounds.length))}>
                  {t("pad_keep_turn")}
                </button>
              )}
            </div>
          </section>
        )
      }
      actions={<StopButton pad={pad} isOver={standing.ending !== null} label={t("pad_stop")} />}
    >
      {rounds.length > 0 && <Rounds pad={pad} standing={standing} />}
    </PadFrame>
  );
}

function takeBack(pad: RoundPad): void {
  const before = takeBackStep(pad);
  savePad(before);
  // Without an announcement the glass has not been turned yet.
  if (!before.draft.announced.length) keepGlass(fillGlass(pad.seconds));
}

/** The cards are buttons while points are announced. */
function Players({
  pad,
  standing,
  isOpen,
  speaker,
  onChoose,
}: {
  pad: RoundPad;
  standing: RoundStanding;
  isOpen: boolean;
  speaker: number | null;
  onChoose(player: number): void;
}) {
  const { names, draft } = pad;
  const { scores, mistakes, sitting, winners } = standing;
  const shower = draft.isShowing ? findShower(draft) : null;
  const leader = shower ?? draft.announced.at(-1);
  const state = (player: number): string => {
    if (isThrownOut(mistakes, player)) return t("round_lake");
    if (winners.includes(player)) return t("result_winner");
    if (isOpen && sitting[draft.index]?.includes(player)) return t("round_sits");
    return "";
  };
  const says = (player: number): number => (isOpen && leader?.player === player ? leader.points : 0);
  return (
    <section aria-label={t("companion_pad")}>
      <ol class={names.length > 4 ? "pad-scores many" : "pad-scores"}>
        {names.map((name, player) => (
          <li key={player} class={`seat-${player}`}>
            <button
              type="button"
              class="pad-player"
              disabled={!isOpen || !mayAnnounce(pad, standing, player)}
              aria-pressed={speaker === player}
              aria-current={leader?.player === player && isOpen ? "true" : undefined}
              onClick={() => onChoose(player)}
            >
              <PadName player={player} name={name} />
              <span class="row tied apart">
                <b class="pad-score">{formatMinus(itemAt(scores, player))}</b>
                {itemAt(mistakes, player) > 0 && (
                  <small>
                    {Array.from({ length: itemAt(mistakes, player) }, (_, i) => (
                      <Icon key={i} name="close" />
                    ))}
                    <span class="hidden">{t("round_mistakes", { count: itemAt(mistakes, player) })}</span>
                  </small>
                )}
              </span>
              <small>
                {says(player) > 0 && (
                  <>
                    <Icon name="speech" /> <b aria-hidden="true">{says(player)}</b>{" "}
                    <span class="hidden">{t("round_says", { points: says(player) })}</span>
                  </>
                )}
                {state(player)}
              </small>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Announcing({ pad, speaker, onSaid }: { pad: RoundPad; speaker: number | null; onSaid(): void }) {
  const { names, draft, seconds } = pad;
  const leader = draft.announced.at(-1);
  const say = (points: number) => {
    if (speaker === null) return;
    if (!leader) {
      ringLater();
      keepGlass(startGlass(fillGlass(seconds), Date.now()));
    }
    const said = announcePoints(pad, speaker, points);
    savePad(said);
    onSaid();
    if (said !== pad)
      announce(t("round_announces", { name: itemAt(names, speaker), points: pointsInWords(points) }), "chosen");
  };
  const close = () => {
    keepGlass(fillGlass(seconds));
    if (!leader) announce(t("round_nothing"), "urgent");
    savePad(closeAnnouncing(pad));
  };
  return (
    <>
      <AnnounceKeys
        isRunning={leader !== undefined}
        highest={highestOf(draft)}
        speaker={speaker === null ? null : itemAt(names, speaker)}
        onSay={say}
      />
      <button type="button" class={leader ? "primary big" : "big"} onClick={close}>
        {leader ? t("round_close", { name: itemAt(names, leader.player) }) : t("round_none")}
      </button>
    </>
  );
}

function Rounds({ pad, standing }: { pad: RoundPad; standing: RoundStanding }) {
  const { names, draft } = pad;
  const rows = roundCells(pad).map((cells, index) => {
    const round = itemAt(standing.numbers, Math.min(index, standing.numbers.length - 1));
    return {
      label: String(round),
      cells: cells.map((text, player) => {
        const points = text || "–";
        return { index, text: points, label: t("pad_correct", { name: itemAt(names, player), round, points }) };
      }),
    };
  });
  return (
    <PadHistory
      names={names}
      rows={rows}
      totals={standing.scores}
      counted={standing.counted}
      drafted={draft.index}
      onCorrect={(index) => savePad(editRound(pad, index))}
      onRemoveLast={null}
    />
  );
}
