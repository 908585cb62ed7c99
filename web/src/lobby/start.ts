/** Setting a table up and going there. */
import { CARDS } from "../games/cards.ts";
import { t } from "../i18n.ts";
import { api, type NewTable } from "../net/api.ts";
import { go } from "../shell/router.ts";
import { infoOf } from "../state/catalogue.ts";
import { settings } from "../state/settings.ts";
import { keepToken } from "../state/storage.ts";

/** Who sits opposite when one just wants to play: in a game by somebody else, as few as can be, of its best. */
function opponents(game: string): readonly string[] {
  const { programs = [], players: [least, most] = [1, 1] } = infoOf(game) ?? {};
  const best = programs.at(-1);
  return CARDS[game]?.opponents ?? (best ? Array<string>(Math.max(Math.min(1, most - 1), least - 1)).fill(best) : []);
}

/** What others call the player of this browser. */
export const playerName = (): string => settings.name.value.trim() || t("guest_default", { number: 1 });

/** Set a table up, keep the seats' token, and go there. */
export async function setUp(table: NewTable): Promise<void> {
  const made = await api.create(table);
  if (made.token) keepToken(made.id, made.token, table.game, made.seats);
  go(`/t/${made.id}`);
}

/** The one click: a game against programs, or alone where that is the game. */
export function playNow(game: string): Promise<void> {
  return setUp({ game, seats: [null, ...opponents(game)], host: playerName() });
}
