/** The open pad of the children's game, in pictures: who cannot read taps what has happened. */
import type { ComponentChildren } from "preact";
import { formatNumber, t, tt } from "../../../i18n.ts";
import { announce } from "../../../state/voice.ts";
import { Icon } from "../../../ui/icon.tsx";
import { itemAt } from "../../../values.ts";
import { savePad } from "../pad-book.ts";
import { PadCards, PadFrame, PadHeading } from "../pad-frame.tsx";
import { CHILD_STEPS, type ChildPad, type ChildStep, findChildStanding, takeStep, undoStep } from "./child-pad.ts";
import { childSheet } from "./child-sheet.ts";

/** More dominoes than these are only a number. */
const MAX_DRAWN = 12;

/** What a child sees on each button: the discs, and then the bag, the next child or another turn. */
const PICTURES: Readonly<Record<ChildStep, ComponentChildren>> = {
  one: (
    <>
      <Discs count={1} />
      <Icon name="bag" />
    </>
  ),
  two: (
    <>
      <Discs count={2} />
      <Icon name="arrow" />
    </>
  ),
  three: (
    <>
      <Discs count={3} />
      <Icon name="turn" />
    </>
  ),
  stuck: (
    <>
      <Icon name="close" />
      <Icon name="bag" />
    </>
  ),
};

export function OpenChildPad({ pad }: { pad: ChildPad }) {
  const { names, steps } = pad;
  const { left, next, isAgain, winners } = findChildStanding(pad);
  const step = (taken: ChildStep) => {
    const changed = takeStep(pad, taken);
    savePad(changed);
    const after = findChildStanding(changed);
    if (next !== null) {
      const text = t("child_left", { count: itemAt(after.left, next) });
      announce(t("said_by", { name: itemAt(names, next), text }));
    }
  };
  return (
    <PadFrame
      pad={pad}
      sheet={childSheet(pad)}
      turn={steps.length}
      isBegun={steps.length > 0}
      reason={next === null ? t(left.includes(0) ? "reason_gone" : "reason_blocked") : null}
      cards={
        <PadCards names={names} current={next}>
          {(player) => (
            <>
              <b class="pad-score">
                {formatNumber(itemAt(left, player))} {winners.includes(player) && <Icon name="star" />}
              </b>
              <Dominoes count={itemAt(left, player)} />
            </>
          )}
        </PadCards>
      }
      form={(heading) => (
        <section class={`stack turn-form seat-${next ?? 0}`} aria-labelledby="turn-title">
          {next !== null && (
            <>
              <PadHeading id="turn-title" own={heading} goal={t("pad_kind_ages")}>
                {t(isAgain ? "child_again" : "child_turn", { name: itemAt(names, next) })}
              </PadHeading>
              <div class="child-keys">
                {CHILD_STEPS.map((one) => (
                  <button key={one} type="button" class="child-key" onClick={() => step(one)}>
                    <span class="row tied child-picture" aria-hidden="true">
                      {PICTURES[one]}
                    </span>
                    <small>{tt(`child_${one}`)}</small>
                  </button>
                ))}
              </div>
            </>
          )}
          {steps.length > 0 && (
            <button type="button" class="big" onClick={() => savePad(undoStep(pad))}>
              <Icon name="turnBack" /> {t("round_back")}
            </button>
          )}
        </section>
      )}
    />
  );
}

function Discs({ count }: { count: number }) {
  const colours = ["R", "Y", "B"].slice(0, count);
  return (
    <svg class="child-discs" viewBox={`0 0 ${24 * count} 24`} aria-hidden="true">
      {colours.map((colour, i) => (
        <circle key={colour} class={colour} cx={12 + 24 * i} cy={12} r={10} />
      ))}
    </svg>
  );
}

/** A small domino for each one in the hand. */
function Dominoes({ count }: { count: number }) {
  return (
    <span class="child-dominoes" aria-hidden="true">
      {Array.from({ length: Math.min(count, MAX_DRAWN) }, (_, i) => (
        <i key={i} />
      ))}
    </span>
  );
}
