/** A small picture of each game that tells what it is about, drawn with the dominoes of the game. */
import type { ComponentChildren } from "preact";
import { Badge, GroupLine, Outlined } from "../board/board.tsx";
import { Domino, Face, wholeDiscs } from "../board/domino.tsx";
import { discColours, groupAt } from "../board/outline.ts";
import { type GameName, SET_120 } from "../data.ts";
import { type Box, bounds, cellsOf, type Disc, type Laying, parseLaying, parsePosition } from "../geometry.ts";
import raw from "./pictures.json"; // Made by scripts/find_lesson.py.

interface Shown {
  position: string;
  /** The domino that is just being laid. */
  last?: string;
  /** A disc of the group that it closes. */
  disc?: Disc;
  /** Discs with somebody's piece. */
  marks?: Disc[];
  hand?: string[];
}

const shown = raw as unknown as Record<Exclude<GameName, "gone"> | "hero", Shown>;

export function GamePicture({ game }: { game: GameName }) {
  return <div class="game-picture" aria-hidden="true">{PICTURES[game]()}</div>;
}

/** Many groups, large and small. */
export function HeroPicture() {
  const layings = parsePosition(shown.hero.position);
  return (
    <div class="game-picture" aria-hidden="true">
      <Scene box={bounds(layings)}><Dominoes layings={layings} /></Scene>
    </div>
  );
}

const PICTURES: Record<GameName, () => ComponentChildren> = {
  classic: Classic,
  auction: Auction,
  conquest: Conquest,
  gone: Gone,
  puzzle: Puzzle,
  arlequin: Arlequin,
  alex: Alex,
  "72": SeventyTwo,
};

function Scene({ box, margin = 0.3, children }: { box: Box; margin?: number; children: ComponentChildren }) {
  const [x, y] = [100 * (box.left - margin), 100 * (box.top - margin)];
  const [width, height] = [100 * (box.right - box.left + 2 * margin), 100 * (box.bottom - box.top + 2 * margin)];
  return <svg viewBox={`${x} ${y} ${width} ${height}`}>{children}</svg>;
}

function Dominoes({ layings }: { layings: readonly Laying[] }) {
  const whole = wholeDiscs(layings, SET_120);
  return <>{layings.map((laying) => <Domino key={laying.tile} laying={laying} set={SET_120} whole={whole} />)}</>;
}

const group = (disc: Disc, layings: readonly Laying[]): Disc[] => groupAt(disc, discColours(layings, SET_120));

/** A pawn on a disc: a mark, a marker. */
function Pawn({ at, seat }: { at: Disc; seat: number }) {
  return (
    <g class={`picture-pawn seat-${seat}`} transform={`translate(${50 * at[0]} ${50 * at[1]})`}>
      <path d="M-26 24C-24 4 -12 2 -9 -8A17 17 0 1 1 9 -8C12 2 24 4 26 24Z" />
    </g>
  );
}

function Bubble({ text, at, seat, tail = 1 }: { text: string; at: readonly [number, number]; seat: number; tail?: 1 | -1 }) {
  return (
    <g class={`picture-bubble seat-${seat}`} transform={`translate(${at[0]} ${at[1]})`}>
      <path d={`M${tail * -10} 30L${tail * -34} 66L${tail * 22} 32Z`} />
      <rect x={-58} y={-40} width={116} height={78} rx={36} />
      <text y={18} font-size={52} text-anchor="middle">{text}</text>
    </g>
  );
}

/** A group is just being closed. */
function Classic() {
  const { position, last, disc } = shown.classic;
  const laid = parseLaying(last!);
  const layings = [...parsePosition(position), laid];
  const cells = cellsOf(laid);
  const [right, top] = [Math.max(...cells.map(([x]) => x)) + 1, Math.min(...cells.map(([, y]) => y))];
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: group(disc!, layings), kind: "closing" }} />
      <Outlined laying={laid} kind="staged" />
      <g transform={`translate(${100 * right - 8} ${100 * top + 12}) scale(1.5)`}><Badge text="+9" at={[0, 0]} /></g>
    </Scene>
  );
}

/** Bids go up for a turn. */
function Auction() {
  const layings = parsePosition(shown.auction.position);
  return (
    <Scene box={{ left: -2.1, top: -2.3, right: 3.2, bottom: 2 }} margin={0.2}>
      <Dominoes layings={layings} />
      <Bubble text="2" at={[-130, -160]} seat={1} />
      <Bubble text="4" at={[50, -182]} seat={2} />
      <Bubble text="6" at={[232, -150]} seat={0} tail={-1} />
      <g class="picture-gavel" transform="translate(262 82) rotate(-32)">
        <rect x={-8} y={-10} width={16} height={130} rx={8} />
        <rect x={-52} y={-52} width={104} height={52} rx={10} />
        <rect x={-62} y={-58} width={18} height={64} rx={7} />
        <rect x={44} y={-58} width={18} height={64} rx={7} />
      </g>
    </Scene>
  );
}

/** Two players' marks on their groups. */
function Conquest() {
  const { position, marks } = shown.conquest;
  const layings = parsePosition(position);
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      {marks!.map((mark, i) => <GroupLine key={i} group={{ discs: group(mark, layings) }} />)}
      {marks!.map((mark, i) => <Pawn key={i} at={mark} seat={1 - i} />)}
    </Scene>
  );
}

const FAN = ["DYRBG", "BYGRB", "CYRBG", "ZBGYR", "PRGYB"];

/** A child's hand of dominoes, and the sun. */
function Gone() {
  return (
    <svg viewBox="-340 -300 680 425">
      <g class="Y" transform="translate(0 -190)">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((ray) => <rect key={ray} x={-7} y={-98} width={14} height={34} rx={7} transform={`rotate(${45 * ray})`} />)}
        <circle r={56} />
        <path class="picture-smile" d="M-26 8A28 28 0 0 0 26 8" />
        <circle class="picture-eye" cx={-19} cy={-14} r={6} />
        <circle class="picture-eye" cx={19} cy={-14} r={6} />
      </g>
      {FAN.map((tile, i) => (
        <g key={tile} transform={`rotate(${19 * (i - 2)} 0 330) translate(-50 -60) rotate(90 50 50)`}>
          <Face face={SET_120.face(tile, "+")} />
        </g>
      ))}
    </svg>
  );
}

function FrameBack({ width, height }: { width: number; height: number }) {
  return (
    <>
      <rect class="frame-wood" x={-20} y={-20} width={100 * width + 40} height={100 * height + 40} rx={18} />
      <rect class="frame-floor" width={100 * width} height={100 * height} rx={4} />
    </>
  );
}

/** The last domino comes down into the frame. */
function Puzzle() {
  const { position, last } = shown.puzzle;
  return (
    <Scene box={{ left: -0.6, top: 0, right: 6.4, bottom: 4 }} margin={0.3}>
      <FrameBack width={4} height={4} />
      <Dominoes layings={parsePosition(position)} />
      <g transform="translate(205 30) rotate(18 350 300)">
        <Domino laying={parseLaying(last!)} set={SET_120} />
      </g>
      <path class="picture-motion" d="M500 318C480 296 462 292 436 300M460 276L432 301L462 324" />
    </Scene>
  );
}

/** Forty dominoes without a mistake. */
function Arlequin() {
  return (
    <Scene box={{ left: 0, top: 0, right: 10, bottom: 8 }} margin={0.4}>
      <FrameBack width={10} height={8} />
      <Dominoes layings={parsePosition(shown.arlequin.position)} />
    </Scene>
  );
}

/** Two dominoes for all, a sandglass, and somebody sees twelve points. */
function Alex() {
  const { position, hand } = shown.alex;
  const [first, second] = hand!;
  return (
    <Scene box={{ left: -3.2, top: -1.9, right: 5, bottom: 2.3 }} margin={0.1}>
      <Dominoes layings={parsePosition(position)} />
      <g transform="translate(-290 30) rotate(-8)"><Face face={SET_120.face(first!, "+")} /></g>
      <g transform="translate(-270 130) rotate(6)"><Face face={SET_120.face(second!, "+")} /></g>
      <g transform="translate(-200 -90) scale(1.5)"><Bubble text="12!" at={[0, 0]} seat={1} /></g>
      <g class="picture-glass" transform="translate(455 -10)">
        <path class="sand" d="M-34 84C-34 52 0 40 0 22C0 40 34 52 34 84Z" />
        <path d="M-42 -90H42M-42 92H42M-34 -88C-34 -40 -8 -20 -8 0C-8 20 -34 40 -34 90M34 -88C34 -40 8 -20 8 0C8 20 34 40 34 90" />
        <path class="sand" d="M-20 -42C-12 -24 12 -24 20 -42Z" />
      </g>
    </Scene>
  );
}

/** A territory with a marker, and tokens. */
function SeventyTwo() {
  const { position, marks } = shown["72"];
  const layings = parsePosition(position);
  const [mark] = marks!;
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: group(mark!, layings) }} />
      <Pawn at={mark!} seat={4} />
      <g class="picture-coins" transform="translate(70 290)">
        {[0, 1, 2].map((coin) => <ellipse key={coin} cx={0} cy={-22 * coin} rx={52} ry={24} />)}
        <ellipse cx={104} cy={8} rx={52} ry={24} />
      </g>
    </Scene>
  );
}
