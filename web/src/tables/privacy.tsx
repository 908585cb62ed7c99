/**
 * Between players at one screen: the table stays in sight with the last turn, and a hand is covered until its owner has
 * taken the device. The session keeps the hand out of the page until then.
 */
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n.ts";
import { Commit } from "../shell/commit.tsx";
import { focusIn } from "../ui/focus.ts";
import type { TableProps } from "../state/session.ts";

export function CoveredHand({ session }: TableProps) {
  const element = useRef<HTMLDivElement>(null);
  const seat = session.seat.value;
  // The next key is for the player who comes: the button that had the focus is gone.
  useEffect(() => {
    if (element.current) focusIn(element.current, ["button"], { preventScroll: true });
  }, [seat]);
  if (seat === null) return null;
  const name = session.nameOf(seat);
  return (
    <div class={`stack centred privacy seat-${seat}`} role="group" aria-labelledby="privacy-title" ref={element}>
      <h2 id="privacy-title">{t("pass_device", { name })}</h2>
      <p id="privacy-text" class="soft">
        {t("pass_device_text")}
      </p>
      <Commit
        does="uncover"
        means={String(seat)}
        class="primary big"
        aria-describedby="privacy-title privacy-text"
        onCommit={() => (session.uncovered.value = seat)}
      >
        {t("i_am_here", { name })}
      </Commit>
    </div>
  );
}
