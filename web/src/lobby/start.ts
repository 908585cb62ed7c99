/** Setting a table up and going there. */
import { t } from "../i18n.ts";
import { api, type NewTable } from "../net/api.ts";
import { go } from "../shell/router.ts";
import { settings } from "../state/settings.ts";
import { keepToken } from "../state/storage.ts";
import { opponentIn, seatsAgainst } from "./opponent.ts";

/** The name of this browser's player. */
export const playerName = (): string => settings.name.value.trim() || t("guest_default", { number: 1 });

/** Set a table up, keep the seats' token, and go there. */
export async function startTable(table: NewTable, onDevice = false): Promise<void> {
  const made = await (onDevice ? api.createOnDevice(table) : api.create(table));
  if (made.token) keepToken(made.id, made.token, table.game, made.seats);
  go(`/t/${made.id}`);
}

/** The one click: a game against a program, or alone where that is the game. */
export function playNow(game: string, opponent = opponentIn(game)): Promise<void> {
  return startTable({ game, seats: seatsAgainst(game, opponent), host: playerName() });
}
