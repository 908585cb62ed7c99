/** Help on request in a race; most are run without it. */
import type { Signal } from "@preact/signals";
import type { Laying, Side } from "../geometry.ts";
import type { RaceView } from "../net/protocol.ts";
import { isMeantElsewhere } from "../shell/elsewhere.ts";
import { useKeydown } from "../shell/hooks.ts";
import { loadLazily } from "../shell/lazy.tsx";
import type { TableProps } from "../state/session.ts";
import { helps } from "./own-run.ts";

export interface RaceHelpProps extends TableProps<RaceView> {
  /** Before the race begins. */
  disabled: boolean;
  /** What the bar says, where nothing moves for it. */
  says: Signal<string | null>;
  /** The place to show as soon as its domino is in hand. */
  place: Signal<Laying | null>;
  take(tile: string, side: Side): void;
}

const RaceHints = loadLazily<RaceHelpProps>(() => import("./race-hints.tsx").then(({ RaceHints }) => RaceHints));

export const isHintKey = (event: KeyboardEvent): boolean =>
  !event.repeat && !isMeantElsewhere(event) && /^h$/i.test(event.key);

export function RaceHelp(props: RaceHelpProps) {
  const { session } = props;
  const agreed = helps(session.requireTable());
  useKeydown((event) => {
    if (!agreed && isHintKey(event)) session.notice.value = { text: "", code: "no_hints" };
  });
  return agreed ? <RaceHints {...props} /> : null;
}
