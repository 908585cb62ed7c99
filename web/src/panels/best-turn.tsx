/** Turns that could be played: shown on the board, and what they bring in parts. */
import { Badge, GroupLine, Outlined } from "../board/lines.tsx";
import { Domino } from "../board/domino.tsx";
import { rectangle } from "../board/outline.ts";
import type { TileSet } from "../data.ts";
import { type Laying, parseLaying, printLaying } from "../geometry.ts";
import { formatSigned, t } from "../i18n.ts";
import { api, type Scored } from "../net/api.ts";
import { CHARGE } from "../state/points.ts";
import { colourName } from "../words.ts";

/** Layings that are only thought of, numbered in their order, with their points where known. */
export function ThoughtTurn({
  layings,
  set,
  parts,
  numbered = true,
}: {
  layings: readonly Laying[];
  set: TileSet;
  parts?: readonly Scored[] | null;
  numbered?: boolean;
}) {
  return (
    <g class="ghost pinned" aria-hidden="true">
      {layings.map((laying) => (
        <g key={printLaying(laying)} class="ghost-domino" opacity={0.8}>
          <Domino laying={laying} set={set} />
        </g>
      ))}
      {parts?.map((part, i) =>
        part.groups.map((group, j) =>
          group.discs ? <GroupLine key={`${i}.${j}`} group={{ discs: group.discs, kind: "closing" }} /> : null,
        ),
      )}
      {layings.map((laying, i) => {
        const { x, y, width } = rectangle(laying, 20);
        const number = numbered && layings.length > 1 ? `${i + 1}. ` : "";
        const text = parts?.[i] ? `${number}${formatSigned(parts[i].points - (i ? CHARGE : 0))}` : number.trim();
        return (
          <g key={i}>
            <Outlined laying={laying} kind="ghostly" />
            {text && <Badge text={text} at={[x + width, y]} kind="points" />}
          </g>
        );
      })}
    </g>
  );
}

const asked = new Map<string, Promise<Scored[]>>();

/** Ask what each laying of a turn earns, one after the other. */
export async function partsOf(position: string, layings: readonly string[], set: string): Promise<Scored[]> {
  const name = [set, position, ...layings].join(" ");
  let found = asked.get(name);
  if (!found) {
    found = ask(position, layings, set);
    asked.set(name, found);
    found.catch(() => asked.delete(name));
  }
  return found;
}

async function ask(position: string, layings: readonly string[], set: string): Promise<Scored[]> {
  const parts: Scored[] = [];
  let lying = position;
  for (const text of layings) {
    const { tile } = parseLaying(text);
    const legal = await api.legal(lying, [tile], set);
    const part = legal[tile]?.find(({ laying }) => laying === text);
    if (!part) break;
    parts.push(part);
    lying = `${lying} ${text}`.trim();
  }
  return parts;
}

/** "3 discs +4 · yellow +7": one line for each laying, and the charge. */
export function partsInWords(parts: readonly Scored[]): string[] {
  return parts.map((part, i) => {
    const words = [t("discs_earn", { count: part.contacts, points: formatSigned(part.disc_points) })];
    for (const { colour, size } of part.groups)
      words.push(t("group_earns", { colour: colourName(colour), points: formatSigned(size) }));
    if (i) words.push(t("study_charge", { points: CHARGE }));
    return words.join(" · ");
  });
}
