/** The seats of a new table: the player, friends by link, guests at this screen, bots. */
import { isStatic } from "../base.ts";
import type { Signal } from "@preact/signals";
import { t, tt } from "../i18n.ts";
import type { NewTable } from "../net/api.ts";
import type { GameInfo } from "../data.ts";
import { nameAndLevel } from "../state/cast.ts";
import { Strength } from "./strength.tsx";
import { NameInput } from "../shell/name-input.tsx";

/** How a seat is filled; any other text is the name of a bot. */
export type Sitter = "you" | "link" | "guest" | (string & {});

export interface Place {
  sitter: Sitter;
  /** The name of a guest. */
  name: string;
}

const PEOPLE: readonly Sitter[] = ["you", "link", "guest"];

export const isPerson = (sitter: Sitter): boolean => PEOPLE.includes(sitter);

/** The seats of a request for a new table. The server seats host and guests first, then those with the link. */
export function seatsOf(places: readonly Place[], you: string): Pick<NewTable, "seats" | "host" | "guests"> {
  const guests = places.map(guestName).filter((name) => name !== null);
  return {
    seats: places.map(({ sitter }) => (isPerson(sitter) ? null : sitter)),
    host: places.some(({ sitter }) => sitter === "you") ? you : null,
    guests,
  };
}

function guestName({ sitter, name }: Place, seat: number): string | null {
  return sitter === "guest" ? name.trim() || t("guest_default", { number: seat + 1 }) : null;
}

/** The name of a seat while the table is set up. */
export function placeName(place: Place, seat: number, you: string): string {
  if (place.sitter === "you") return you;
  return guestName(place, seat) ?? `${t("seat_number", { number: seat + 1 })} (${sitterName(place.sitter)})`;
}

const sitterName = (sitter: Sitter): string =>
  isPerson(sitter) ? tt(`seat_${sitter}`) : t("program_level", { level: nameAndLevel(sitter) });

export function Places({ info, places }: { info: GameInfo; places: Signal<Place[]> }) {
  const { name: game, programs, guests = [] } = info;
  const change = (seat: number, change: Partial<Place>) => {
    const changed = places.value.map((place, i) => (i === seat ? { ...place, ...change } : place));
    // Guests need a host.
    const other = isStatic ? (programs[0] ?? "guest") : "link";
    places.value = changed.some(({ sitter }) => sitter === "you")
      ? changed
      : changed.map((place) => (place.sitter === "guest" ? { ...place, sitter: other } : place));
  };
  const hosted = places.value.some(({ sitter }) => sitter === "you");
  return (
    <ol class="stack places-form">
      {places.value.map(({ sitter, name }, seat) => {
        // Guests share the screen of the host, who sits at the first seat or only watches.
        const choices: Sitter[] = [
          ...(seat === 0 ? ["you"] : [...(isStatic ? [] : ["link"]), ...(hosted ? ["guest"] : [])]),
          ...programs,
        ];
        const number = seat + 1;
        return (
          <li key={seat} class={`row seat-${seat}`}>
            <span class="token" aria-hidden="true">
              {number}
            </span>
            <select
              class="grow"
              aria-label={t("seat_number", { number })}
              aria-describedby={isPerson(sitter) ? undefined : `strength-of-${seat}`}
              value={sitter}
              onChange={(event) => change(seat, { sitter: event.currentTarget.value })}
            >
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {sitterName(choice)}
                </option>
              ))}
              {guests.length > 0 && (
                <optgroup label={t("programs_of_others")}>
                  {guests.map((guest) => (
                    <option key={guest.name} value={guest.name}>
                      {sitterName(guest.name)}
                    </option>
                  ))}
                </optgroup>
              )}
            </select>
            {sitter === "guest" && (
              <NameInput
                class="grow"
                aria-label={t("guest_name", { number })}
                placeholder={t("guest_default", { number })}
                value={name}
                onName={(name) => change(seat, { name })}
              />
            )}
            {!isPerson(sitter) && <Strength id={`strength-of-${seat}`} game={game} level={sitter} />}
          </li>
        );
      })}
    </ol>
  );
}
