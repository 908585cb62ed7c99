/** Whose turn it is and what is to be done now: one bar in the player's colour, always of the same height. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useAnnouncement } from "../shell/announced-text.tsx";
import type { Notice } from "../state/session.ts";
import { announce } from "../state/voice.ts";
import { Icon } from "../ui/icon.tsx";
import { refusalText } from "./refusal.ts";

interface TurnBarProps {
  /** Whose colour it has; null if it belongs to no player. */
  seat: number | null;
  /** Something is to be done here. */
  mine: boolean;
  text: string;
  /** What a screen reader announces: keys announce their own results. */
  spoken?: string | null;
  /** What was refused: shown instead of the text, so that nothing moves. */
  notice: Notice | null;
  /** More parts of the bar: the bag, the time, ... */
  children?: ComponentChildren;
}

export function TurnBar({ seat, mine, text, spoken = text, notice, children }: TurnBarProps) {
  const refused = notice && (notice.code ? refusalText(notice.code, notice.text, notice.values) : notice.text);
  useAnnouncement(spoken);
  useEffect(() => {
    if (refused) announce(refused, "urgent");
  }, [notice]);
  return (
    <div class={`turn-bar${seat === null ? "" : ` seat-${seat}`}${mine ? " mine" : ""}`}>
      {seat !== null && (
        <span class="token" aria-hidden="true">
          {seat + 1}
        </span>
      )}
      <p class="status">
        {refused ? (
          <span class="notice">
            <Icon name="warning" /> {refused}
          </span>
        ) : (
          text
        )}
      </p>
      {children}
    </div>
  );
}
