/**
 * The table in words, to be walked through by ear: what is new, dominoes by place, groups that are open and where,
 * open edges by colour, players and hands. Each part says first how much there is, and lists it when it is opened.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { groupInWords, groupsOf, groupWith, type TableGroup } from "../board/groups.ts";
import { type Colour, COLOURS, SET_120, type TileSet } from "../data.ts";
import type { RaceView } from "../net/protocol.ts";
import { USUAL_WORDS } from "../games/game.ts";
import { type Cell, halves, key, type Laying, parseLaying, type Side } from "../geometry.ts";
import { formatNumber, t } from "../i18n.ts";
import { Dialog } from "../shell/dialog.tsx";
import { useKeydown } from "../shell/hooks.ts";
import { Radios } from "../shell/radios.tsx";
import { type Edge, firstCell, near, openEdges } from "../state/edges.ts";
import { isLaid } from "../net/open.ts";
import type { Placer } from "../state/placer.ts";
import type { Session } from "../state/session.ts";
import { sinceLastTurn } from "../state/turn-lines.ts";
import { focusTargets, UP_AND_DOWN } from "../ui/focus.ts";
import {
  attribute,
  capital,
  colourName,
  eventInWords,
  faceInWords,
  placeInWords,
  sentences,
  sideName,
} from "../words.ts";
import type { TableContents, WordsProps } from "./in-words.tsx";
import { goods } from "./standing.ts";
import { itemAt } from "../values.ts";

export function WordsDialog({
  session,
  placer = session?.placer,
  lying: given,
  onClose,
}: WordsProps & { onClose(): void }) {
  const lying = given ?? (session ? atTable(session) : alone(placer!));
  const close = useSignal(false);
  const colour = useSignal<Colour | "">("");
  const { set, layings, frame, fresh } = lying;
  const here = (cell: Cell) => !close.value || near(cell, fresh);
  const wanted = (one: Colour) => !colour.value || one === colour.value;
  const edges = useMemo(() => openEdges(layings, set, frame), [layings, set, frame]);
  const dominoes = [...layings]
    .sort((a, b) => before(firstCell(a), firstCell(b)))
    .filter(
      (laying) =>
        here(firstCell(laying)) && (!colour.value || set.face(laying.tile, laying.side).includes(colour.value)),
    );
  const shown = edges.filter((edge) => here(edge.cell) && wanted(edge.colour));
  const groups = groupsOf(layings, set)
    .filter((group) => !group.closed && (group.discs.length > 1 || lying.marks.length > 0) && wanted(group.colour))
    .map((group) => ({ group, open: edges.filter(({ disc }) => group.openings.some((one) => key(one) === key(disc))) }))
    .filter(({ open }) => open.some(({ cell }) => here(cell)))
    .sort((a, b) => a.open.length - b.open.length || b.group.discs.length - a.group.discs.length);
  useKeydown(walk);
  return (
    <Dialog title={t("key_words")} kind="words" read onClose={onClose}>
      {session
        && (session.game.value.race ? (
          <Players session={session} open />
        ) : (
          <Part lines={news(session)} title={(count) => t("words_since", { count })} open />
        ))}
      {/* Not lists to choose from: Orca reads those as soon as they appear, and loses its place. */}
      {fresh.length > 0 && (
        <Radios
          legend={t("words_where")}
          name="words-where"
          of={["", "near"]}
          value={close.value ? "near" : ""}
          word={(where) => t(where ? "words_near" : "words_everywhere")}
          onChoose={(where) => (close.value = where === "near")}
        />
      )}
      <Radios<Colour | "">
        legend={t("words_colour")}
        name="words-colour"
        of={["", ...COLOURS]}
        value={colour.value}
        word={(one) => (one ? colourName(one) : t("any_colour"))}
        onChoose={(one) => (colour.value = one)}
      />
      <Part
        lines={dominoes.map((laying) => dominoInWords(laying, set))}
        title={(count) => t("words_dominoes", { count })}
      />
      <Part
        lines={groups.map(({ group, open }) => openGroupInWords(group, open, lying))}
        title={(count) => t("words_groups", { count })}
      />
      {lying.marks.length > 0 && <Part lines={marksInWords(lying)} title={(count) => t("words_marks", { count })} />}
      <Part title={() => t("words_edges", { count: shown.length })} count={shown.length}>
        <p class="note">{t("words_edge_note")}</p>
        {COLOURS.map((one) => ({ one, of: shown.filter((edge) => edge.colour === one) }))
          .filter(({ of }) => of.length)
          .map(({ one, of }) => (
            <section key={one}>
              <h4 tabIndex={-1}>{attribute(capital(colourName(one)), formatNumber(of.length))}</h4>
              <ul>
                {of.map((edge) => (
                  <li key={key(edge.disc)} tabIndex={-1}>
                    {capital(edgeInWords(edge))}
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </Part>
      {placer && (
        <Part
          lines={handInWords(placer, set, session ? session.game.value.drawn(session.requireView()) : [])}
          title={(count) => t("words_hand", { count })}
        />
      )}
      {session && !session.game.value.race && <Players session={session} />}
    </Dialog>
  );
}

/** Up and down go from line to line, where a screen reader leaves the keys to the page. */
function walk(event: KeyboardEvent): void {
  const step = (UP_AND_DOWN as Record<string, number>)[event.key];
  if (!step || (event.target as Element).closest("input")) return;
  const lines = focusTargets(document, ".words :is(h3 button, h4, li)");
  lines[lines.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  event.preventDefault();
}

/** A part with its number, whose lines are there when it is opened. */
function Part({
  title,
  lines = [],
  count = lines.length,
  open: begin = false,
  children,
}: {
  title(count: number): string;
  lines?: readonly string[];
  count?: number;
  open?: boolean;
  children?: ComponentChildren;
}) {
  const open = useSignal(begin);
  if (!count) return <h3>{title(0)}</h3>;
  return (
    <section>
      <h3>
        <button type="button" class="link strong" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
          {title(count)}
        </button>
      </h3>
      {open.value
        && (children ?? (
          <ul>
            {lines.map((line, i) => (
              <li key={i} tabIndex={-1}>
                {line}
              </li>
            ))}
          </ul>
        ))}
    </section>
  );
}

const before = (a: Cell, b: Cell) => a[1] - b[1] || a[0] - b[0];

/** A table without a game round it. */
function alone(placer: Placer): TableContents {
  return {
    set: placer.set.value ?? SET_120,
    layings: placer.layings.value,
    frame: placer.frame.value,
    words: placer.words.value ?? USUAL_WORDS,
    fresh: [],
    marks: [],
    names: [],
  };
}

/** The table of all, or one's own frame. */
function atTable(session: Session): TableContents {
  const [view, game] = [session.requireView(), session.game.value];
  const own = game.race ? itemAt((view as RaceView).frames, session.seat.value ?? 0).map(parseLaying) : null;
  const staged = session.staged.value;
  return {
    set: session.set.value,
    layings: own ?? session.layings.value,
    frame: own ? session.placer.frame.value : null,
    words: game.words,
    fresh: own ? own.slice(-1) : staged.length ? staged : session.last.value,
    marks: game.marks(view),
    names: session.requireTable().seats.map(({ name }) => name),
  };
}

/** What has happened since one's own last turn, in this order; with the dominoes that others have laid. */
function news(session: Session): string[] {
  const [game, seat, names] = [
    session.game.value,
    session.seat.value,
    session.requireTable().seats.map(({ name }) => name),
  ];
  return sinceLastTurn(session.store.log.value, game, seat, names.length)
    .reverse()
    .flatMap(({ events, player, layings }) => {
      const parts = events
        .flatMap((event) => {
          const quiet = game.quiet.includes(event.event) || (event.event === "turn_ended" && layings.length < 2);
          return [
            quiet ? null : eventInWords(event, names, game, events),
            isLaid(event) && (player === null || player !== seat)
              ? dominoInWords(parseLaying(event.laying), session.set.value)
              : null,
          ];
        })
        .filter((line) => line !== null);
      return parts.length ? [sentences(parts)] : [];
    });
}

const SIDES = () => [t("side_above"), t("side_right"), t("side_below"), t("side_left")];

/** "Row 3, column -2, to the right: DRYGB, front. Centre red. Above yellow, green. Right blue. ..." */
function dominoInWords(laying: Laying, set: TileSet): string {
  const names = SIDES();
  const sides = names.flatMap((name, direction) => {
    const found = halves(laying, set)
      .filter((half) => half.direction === direction)
      .sort((a, b) => a.disc[0] - b.disc[0] || a.disc[1] - b.disc[1])
      .map(({ colour }) => colourName(colour));
    return found.length ? [capital(`${name} ${found.join(", ")}`)] : [];
  });
  const centre = t("words_centre", { colour: colourName(set.face(laying.tile, laying.side)[0]!) });
  const name = `${laying.tile}, ${laying.side === "+" ? t("recto") : t("verso")}`;
  return sentences([attribute(capital(placeInWords(laying)), name), capital(centre), ...sides]);
}

/** "Yellow, 7 discs, open at 2 places: row 3, column 2, left. Row ...": and whose it is. */
function openGroupInWords(
  group: TableGroup,
  open: readonly Edge[],
  { words, marks, names, layings, set }: TableContents,
): string {
  const all = groupsOf(layings, set);
  const owners = marks
    .filter(({ disc }) => groupWith(all, disc) === group)
    .map(({ player }) => t("words_marked", { name: names[player] ?? "?" }));
  const [first = "", ...others] = open.map(edgeInWords);
  return sentences([attribute(capital(groupInWords(group, words)), first), ...others.map(capital), ...owners]);
}

/** "Ann: yellow, 7 discs, closed. Row 3, column 2." */
function marksInWords({ marks, names, layings, set, words }: TableContents): string[] {
  const all = groupsOf(layings, set);
  return marks.flatMap(({ player, disc }) => {
    const group = groupWith(all, disc);
    const [column, row] = disc.map((half) => Math.floor((half - 1) / 2)) as [number, number];
    return group
      ? [
          sentences([
            attribute(names[player] ?? "?", groupInWords(group, words)),
            capital(t("words_place", { row, column })),
          ]),
        ]
      : [];
  });
}

const edgeInWords = ({ cell: [column, row], side }: Edge): string =>
  t("words_edge", { row, column, side: itemAt(SIDES(), side) });

/** The dominoes that can be laid, or lie open for all to look at: both faces of each, and in how many ways they fit. */
function handInWords(placer: Placer, set: TileSet, drawn: readonly string[]): string[] {
  return (placer.hand.value.length ? placer.hand.value : drawn).map((tile, i) => {
    const known = placer.candidates.value.get(tile);
    const faces = (["+", "-"] as Side[]).map((side) => attribute(sideName(side), faceInWords(tile, side, set)));
    return sentences([
      t("domino_number", { number: i + 1, tile }),
      ...faces,
      ...(known ? [capital(t("fits", { count: known.length }))] : []),
    ]);
  });
}

function Players({ session, open }: { session: Session; open?: boolean }) {
  return <Part lines={people(session)} title={() => t("words_players")} open={open} />;
}

/** Who has what. */
function people(session: Session): string[] {
  const [table, view, yours] = [session.requireTable(), session.requireView(), session.yours.value];
  return [
    ...table.seats.map(({ name }, seat) =>
      attribute(yours.includes(seat) ? `${name} (${t("you")})` : name, goods(session, seat).join(", ")),
    ),
    ...(view.bag_count === undefined ? [] : [t("bag_count", { count: view.bag_count })]),
  ];
}
