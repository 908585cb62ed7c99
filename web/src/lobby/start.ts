/** Setting a table up and going there. */
import { t } from "../i18n.ts";
import { api, type Created, type NewTable } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { hasEngine } from "../net/device-backend.ts";
import { go } from "../shell/router.ts";
import { isOurs } from "../state/catalogue.ts";
import { settings } from "../state/settings.ts";
import { keepToken } from "../state/storage.ts";
import { opponentIn, seatsAgainst } from "./opponent.ts";

/** The name of this browser's player. */
export const playerName = (): string => settings.name.value.trim() || t("guest_default", { number: 1 });

/** The engine has our games. */
export const canPlayOnDevice = (game: string): boolean => hasEngine() && isOurs(game);

/** Whether a table needs no one who is elsewhere. */
function isForOneDevice({ seats, host, guests = [] }: NewTable): boolean {
  return seats.filter((one) => one === null).length === (host ? 1 : 0) + guests.length;
}

/** Without a server, this device sets the table up if it has the engine; if not, the refusal says what would help. */
async function create(table: NewTable): Promise<Created> {
  try {
    return await api.create(table);
  } catch (error) {
    const isOffline = error instanceof Refused && error.code === "offline";
    if (!isOffline || !isForOneDevice(table) || !isOurs(table.game)) throw error;
    const { isEngineStored } = await import("../state/engine-ahead.ts");
    if (!(await isEngineStored())) throw new Refused("needs_engine", "This needs a connection, or the engine.");
    return api.createOnDevice(table);
  }
}

/** Set a table up, keep the seats' token, and go there. */
export async function startTable(
  table: NewTable,
  onDevice = settings.where.value === "device" && canPlayOnDevice(table.game) && isForOneDevice(table),
): Promise<void> {
  const made = await (onDevice ? api.createOnDevice(table) : create(table));
  if (made.token) keepToken(made.id, made.token, table.game, made.seats);
  go(`/t/${made.id}`);
}

/** The one click: a game against a program, or alone where that is the game. */
export function playNow(game: string, opponent = opponentIn(game)): Promise<void> {
  return startTable({ game, seats: seatsAgainst(game, opponent), host: playerName() });
}
