/** What people call the programs: each has a name of its own, the same in all languages, and its level beside it. */
import { CAST } from "../data.ts";
import { textOr } from "../i18n.ts";
import { guestOf } from "./catalogue.ts";

/** The name of a program; one of another package has the name that the server gives. */
export const castName = (program: string): string => CAST[program] ?? guestOf(program)?.title ?? program;

/** How well it plays, in the reader's language. */
export const levelName = (program: string): string => textOr(`level_${program}`, "");

/** Both: "Pia · Novice". */
export const nameAndLevel = (program: string): string =>
  [castName(program), levelName(program)].filter(Boolean).join(" · ");

interface Sitting {
  name: string;
  program?: string | null;
}

/** A seat with the name that people read; players with the same name have a number. */
export function nameSeat<Seat extends Sitting>(seat: Seat, number: number, seats: readonly Seat[]): Seat {
  if (!seat.program || !(seat.program in CAST || guestOf(seat.program))) return seat;
  const name = castName(seat.program);
  const taken = seats.filter((other, place) =>
    other.program ? place < number && castName(other.program) === name : other.name === name,
  ).length;
  return { ...seat, name: taken ? `${name} ${taken + 1}` : name };
}
