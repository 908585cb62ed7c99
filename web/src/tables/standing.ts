/** How it stands at a table, in a few sentences for ears. */
import { parseLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { RaceView, View } from "../net/protocol.ts";
import { frameFor, countNeeded } from "../state/races.ts";
import type { Session } from "../state/session.ts";
import { pointsInWords, sentences } from "../words.ts";
import { itemAt } from "../values.ts";

/** `status`: what is to be done, where that comes first. */
export function standing<V extends View>(session: Session<V>, status = ""): string {
  const [table, view] = [session.requireTable(), session.requireView()];
  const people = table.seats.map(({ name }, seat) => [name, ...goods(session, seat)].join(", "));
  return sentences(
    [status, ...people, view.bag_count === undefined ? "" : t("bag_count", { count: view.bag_count })].filter(Boolean),
  );
}

/** What a player has: points, dominoes in hand or in a frame, and what else the game counts. */
export function goods<V extends View>(session: Session<V>, seat: number): string[] {
  const [view, game] = [session.requireView(), session.game.value];
  const found: string[] = [];
  if (view.scores) found.push(pointsInWords(itemAt(view.scores, seat)));
  if (view.hand_counts) found.push(t("score_in_hand", { count: itemAt(view.hand_counts, seat) }));
  if (game.race) {
    const layings = itemAt((view as V & RaceView).frames, seat);
    found.push(
      t("frame_count", {
        count: layings.length,
        total: countNeeded(
          frameFor(game.race.frames(view.options, layings.map(parseLaying)), layings.map(parseLaying)),
        ),
      }),
    );
  }
  const more = game.goods(view, seat);
  return more ? [...found, more] : found;
}
