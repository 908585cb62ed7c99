/** A turn in the score sheet, for eyes: pictures and signs instead of sentences. Loaded with the first turn. */
import { FacePicture } from "../board/domino.tsx";
import type { TileSet } from "../data.ts";
import { parseLaying } from "../geometry.ts";
import { formatMinus, formatSigned } from "../i18n.ts";
import { type GameEvent, isLaid } from "../net/open.ts";
import type { Laid } from "../net/protocol.ts";
import type { TurnLine } from "../state/turn-lines.ts";
import { Icon } from "../ui/icon.tsx";
import { earnedPoints } from "../words.ts";

interface SheetProps {
  line: TurnLine;
  set: TileSet;
  called(seat: number): string;
}

/** A turn at a glance: who, what was laid, what it brought in parts, and the sum; before it, who paid whom. */
export function Sheet({ line: { events, layings, player }, set, called }: SheetProps) {
  const laid = events.filter(isLaid);
  const scored = laid.filter(({ scores }) => scores);
  const sum = scored.reduce((points, { earned, charge }) => points + earnedPoints(earned) - charge, 0);
  return (
    <span class="row sheet" aria-hidden="true">
      <Payment events={events} called={called} />
      <span class="sheet-name one-line">{player === null ? "" : called(player)}</span>
      <span class="sheet-faces row">
        {layings.map((text) => {
          const { tile, side } = parseLaying(text);
          return <FacePicture key={text} tile={tile} side={side} set={set} />;
        })}
      </span>
      <span class="sheet-parts row">
        {scored.map((one, i) => (
          <Parts key={i} laid={one} />
        ))}
      </span>
      {scored.length > 0 && <b>{formatSigned(sum)}</b>}
    </span>
  );
}

/** Discs as a number by a disc, closed groups as their sizes in rings of their colours, and what the domino cost. */
function Parts({ laid: { earned, charge } }: { laid: Laid }) {
  return (
    <>
      {charge > 0 && <span class="sheet-charge">{formatMinus(-charge)}</span>}
      {earned.contacts > 0 && <span class="sheet-discs token small">{earned.contacts}</span>}
      {earned.groups.map(({ colour, size }, i) => (
        <span key={i} class="sheet-group token small" style={{ borderColor: `var(--${colour})` }}>
          {size}
        </span>
      ))}
    </>
  );
}

/** An auction in a line. */
function Payment({ events, called }: { events: readonly GameEvent[]; called(seat: number): string }) {
  const paid = events.flatMap(({ event, player, points }) =>
    event === "paid" && typeof player === "number" && typeof points === "number" ? [{ player, points }] : [],
  );
  const payer = paid.find(({ points }) => points < 0);
  if (!payer) return null;
  const getter = paid.find(({ points }) => points > 0);
  return (
    <span class="sheet-paid full note">
      {called(payer.player)} {formatSigned(payer.points)}
      {getter && (
        <>
          {" "}
          <Icon name="arrow" /> {called(getter.player)} {formatSigned(getter.points)}
        </>
      )}
    </span>
  );
}
