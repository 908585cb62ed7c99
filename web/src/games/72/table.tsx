/** The table of Dalapapa 72: tokens pay for layings and replays, markers take territories. */
import type { Camera } from "../../board/camera.ts";
import { FacePicture } from "../../board/domino.tsx";
import { openInWords, type TableGroup } from "../../board/groups.ts";
import type { Colour } from "../../data.ts";
import { key } from "../../geometry.ts";
import { formatSigned, t } from "../../i18n.ts";
import type { Candidate } from "../../state/placement.ts";
import type { Session, TableProps } from "../../state/session.ts";
import type { LogEntry } from "../../state/table-store.ts";
import {
  choiceLines,
  MarkChooser,
  findOwned,
  OwnedInWords,
  outlineOwned,
  pickMark,
} from "../../tables/mark-chooser.tsx";
import { DiscIcon, MarkIcon, MarkOnBoard } from "../../tables/pieces.tsx";
import { TurnButtons, turnTable } from "../../tables/turn-table.tsx";
import { colourName, faceInWords } from "../../words.ts";
import { markerOf, type Showed, type View72 } from "./game.ts";
import { Icon } from "../../ui/icon.tsx";
import { itemAt } from "../../values.ts";
import { Commit } from "../../shell/commit.tsx";

const REPLAY_PRICE = 2;

export default turnTable<View72>({
  extra: (view, seat) => <Goods view={view} seat={seat} />,
  Panel: Panel72,
  Overlay: Overlay72,
  Buttons: Buttons72,
  groups: (session) => [...outlineOwned(session), ...choiceLines(session, true)],
  onPick: (session, _, disc) => pickMark(session, disc, (group) => (group.closed ? "group_marked" : "open_group")),
  sign,
  groupWords,
  status,
});

/** After the last own marker, undo or end are left (rules 8, End). */
const endsOnly = (session: Session<View72>) =>
  session.myTurn.value && session.requireView().premium === session.seat.value;

function status(session: Session<View72>): string | null {
  const view = session.requireView();
  if (!session.myTurn.value) return null;
  if (view.phase === "setup") return t("seventy_setup", { count: view.hand?.length ?? 0 });
  if (endsOnly(session)) return t("last_marker");
  if (session.may("pass")) return t("seventy_stuck");
  if (session.may("mark")) return t("marker_title");
  return !session.may("end") ? null : session.may("replay") ? t("seventy_replay") : t("do_end");
}

/** What a player has: tokens, markers, and perhaps the premium. */
function Goods({ view, seat }: { view: View72; seat: number }) {
  const [tokens, markers] = [itemAt(view.tokens, seat), itemAt(view.markers_left, seat)];
  return (
    <span class="goods">
      <span role="img" aria-label={t("tokens", { count: tokens })} title={t("tokens", { count: tokens })}>
        <CoinIcon />
        {tokens}
      </span>
      <span role="img" aria-label={t("markers_left", { count: markers })} title={t("markers_left", { count: markers })}>
        <MarkIcon player={seat} marker={markerOf(view, seat)} />
        {markers}
      </span>
      {view.premium === seat && (
        <span title={t("premium")}>
          <Icon name="star" /> <span class="premium-word">{t("premium")}</span>
        </span>
      )}
    </span>
  );
}

function Panel72({ session, camera }: TableProps<View72> & { camera: Camera }) {
  const view = session.requireView();
  if (view.outcome) return null;
  const names = session.requireTable().seats.map(({ name }) => name);
  const shown = findShownHand(session.store.log.value);
  return (
    <>
      {view.phase === "play" && (
        <section class="game-panel reserve" aria-label={t("reserve_label")}>
          <p class="panel-note" title={t("reserve_label")}>
            <CoinIcon /> <span class="reserve-count">{view.reserve}</span>
            <span class="reserve-words">{t("reserve", { count: view.reserve })}</span>
          </p>
          {view.last_turns !== null && view.active !== view.premium && (
            <p class="panel-note alert">{t("last_turns", { count: view.last_turns })}</p>
          )}
          {session.myTurn.value && !view.laid && !session.may("pass") && <Prices />}
        </section>
      )}
      {shown && (
        <section class="game-panel floating shown" aria-label={t("shows", { name: itemAt(names, shown.player) })}>
          <p class="panel-title">{t("shows", { name: itemAt(names, shown.player) })}</p>
          {shown.tiles.map((tile) => (
            <FacePicture
              key={tile}
              tile={tile}
              side="+"
              set={session.set.value}
              label={faceInWords(tile, "+", session.set.value)}
            />
          ))}
        </section>
      )}
      <MarkChooser session={session} camera={camera} confirm={t("marker_confirm")} />
      <OwnedInWords session={session} label={t("territories")} />
    </>
  );
}

/** What connections cost and bring. */
function Prices() {
  return (
    <ul class="row prices">
      {[1, 2, 3, 4].map((connections) => (
        <li key={connections}>
          <span class="hidden">
            {t("connections", { count: connections })}:{" "}
            {t("tokens_moved_by", { tokens: formatSigned(tokensFor(connections)) })}
          </span>
          <span aria-hidden="true" class="price-discs">
            {Array.from({ length: connections }, (_, i) => (
              <Icon key={i} name="here" />
            ))}
            {connections === 4 ? "…" : ""}
          </span>
          <b aria-hidden="true">{formatSigned(tokensFor(connections))}</b>
        </li>
      ))}
    </ul>
  );
}

const tokensFor = (connections: number) => (connections === 1 ? -1 : connections - 2);

function Buttons72({ session }: TableProps<View72>) {
  return (
    <TurnButtons session={session}>
      {session.may("replay") && (
        <Commit does="replay" means={String(session.seat.value)} onCommit={() => void session.move({ move: "replay" })}>
          {t("replay")}{" "}
          <span class="price">
            <CoinIcon />
            {formatSigned(-REPLAY_PRICE)}
          </span>{" "}
          <kbd>A</kbd>
        </Commit>
      )}
    </TurnButtons>
  );
}

function Overlay72({ session }: TableProps<View72>) {
  return (
    <g class="marks" aria-hidden="true">
      {findOwned(session).map(({ player, disc, group }) => (
        <MarkOnBoard
          key={key(disc)}
          player={player}
          marker={markerOf(session.requireView(), player)}
          disc={disc}
          worth={group && String(group.discs.length)}
        />
      ))}
    </g>
  );
}

/** What a laying costs or brings, and the cells of the territories that it closes. */
function sign(session: Session<View72>, { makes }: Candidate) {
  if (!makes) return null;
  const tokens = Math.min(tokensFor(makes.contacts), session.view.value?.reserve ?? 0);
  return (
    <>
      <CoinIcon />
      <b class="points">{formatSigned(tokens)}</b>
      {makes.groups.map(({ colour, size }, i) => (
        <span key={i} class="sign-territory">
          <DiscIcon colour={colour as Colour} />
          {size}
        </span>
      ))}
    </>
  );
}

/** In the words of this game, a disc is a cell and a closed group a territory (rules 8). */
function groupWords(group: TableGroup): string {
  const values = { colour: colourName(group.colour), count: group.discs.length };
  return group.closed ? t("territory_words", values) : `${t("cells_words", values)}, ${openInWords(group)}`;
}

/** Who has just passed shows the hand (rules 8, Passing), until the next laying. */
export function findShownHand(log: readonly LogEntry[]): { player: number; tiles: string[] } | null {
  let shown: { player: number; tiles: string[] } | null = null;
  for (const event of log.slice(-6).flatMap(({ events }) => events)) {
    if (event.event === "showed") shown = { player: event.player!, tiles: (event as unknown as Showed).tiles };
    else if (event.event === "laid" || event.event === "ended") shown = null;
  }
  return shown;
}

/** A token. */
function CoinIcon() {
  return (
    <svg class="coin" viewBox="-30 -30 60 60" fill="var(--coin)" stroke="var(--coin-edge)" aria-hidden="true">
      <circle r={26} stroke-width={4} />
      <circle r={18} stroke-width={3} />
    </svg>
  );
}
