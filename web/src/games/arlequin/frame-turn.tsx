/** The frame of Arlequin upright or on its side, until a domino fits only one of them. */
import { parseLaying } from "../../geometry.ts";
import { t } from "../../i18n.ts";
import { framesFor } from "../../state/races.ts";
import type { TableProps } from "../../state/session.ts";
import type { ArlequinView } from "./game.ts";
import { Icon } from "../../ui/icon.tsx";
import { itemAt } from "../../values.ts";

export function FrameTurn({ session }: TableProps<ArlequinView>) {
  const [view, seat] = [session.requireView(), session.requireSeat()];
  if (framesFor(session.requireRace().frames(view.options, []), itemAt(view.frames, seat).map(parseLaying)).length < 2)
    return null;
  const turn = session.lying.value ? t("frame_upright") : t("frame_lying");
  return (
    <button
      type="button"
      class="tool frame-turn"
      aria-label={turn}
      title={turn}
      onClick={() => (session.lying.value = !session.lying.value)}
    >
      <Icon name={session.lying.value ? "upright" : "lying"} />
    </button>
  );
}
