/** Setting a table up and going there. */
import type { GameName } from "../data.ts";
import { t } from "../i18n.ts";
import { api, type NewTable } from "../net/api.ts";
import { go } from "../shell/router.ts";
import { settings } from "../state/settings.ts";
import { keepToken } from "../state/storage.ts";

/** Who sits opposite when one just wants to play: a gentle one for children, nobody in solitaires. */
const OPPONENTS: Record<GameName, string[]> = {
  classic: ["easy"],
  auction: ["easy"],
  conquest: ["easy"],
  gone: ["novice"],
  puzzle: [],
  arlequin: [],
  alex: ["easy"],
  "72": ["easy"],
};

/** What others call the player of this browser. */
export const playerName = (): string => settings.name.value.trim() || t("guest_default", { number: 1 });

/** Set a table up, keep the seats' token, and go there. */
export async function setUp(table: NewTable): Promise<void> {
  const made = await api.create(table);
  if (made.token) keepToken(made.id, made.token, table.game, made.seats);
  go(`/t/${made.id}`);
}

/** The one click: a game against programs, or alone where that is the game. */
export function playNow(game: GameName): Promise<void> {
  return setUp({ game, seats: [null, ...OPPONENTS[game]], host: playerName() });
}
