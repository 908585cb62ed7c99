/** A small picture of each game that tells what it is about, drawn with the dominoes of the game. */
import type { ComponentChildren } from "preact";
import { Badge, GroupLine, Outlined } from "../board/board.tsx";
import { Domino, Face, wholeDiscs } from "../board/domino.tsx";
import { discColours, groupAt } from "../board/outline.ts";
import { type GameName, SET_120 } from "../data.ts";
import { type Box, bounds, type Disc, type Laying, parseLaying, parsePosition } from "../geometry.ts";

export function GamePicture({ game }: { game: GameName }) {
  return <div class="game-picture" aria-hidden="true">{PICTURES[game]()}</div>;
}

/** Many groups, large and small. */
const GROUPS = "CRGYB+0@0,0 BGRYB-1@-1,0 ZGYRB+1@0,1 DBRYG+0@1,1 DBRGY+1@2,-1 ZBGRY+0@-1,-1 DRBGY+3@-1,-2 ZYBRG+3@3,0 ZYGRB-1@0,-3 ZRGYB-1@3,1 AYGBR-3@4,2 ZBGRY-3@4,-1 PRYBG-3@-2,-1 ZGYRB-0@-3,-3 CGRBY+0@1,-2";

export function HeroPicture() {
  const layings = parsePosition(GROUPS);
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
      <text y={18} text-anchor="middle">{text}</text>
    </g>
  );
}

const YELLOW = "BYGBR+0@0,0 CRGYB-2@1,-1 BRGYB-2@1,1 ZRBGY-1@2,-1 BBRGY-1@-1,0 CGYBR+0@1,-2 PBRYG+0@-1,-2 DYGBR+0@1,-3 AYRBG+1@3,-1";

/** A group is just being closed. */
function Classic() {
  const layings = parsePosition(YELLOW);
  const last = layings.at(-1)!;
  const closed = group([3, -2], layings);
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: closed, kind: "closing" }} />
      <Outlined laying={last} kind="staged" />
      <g transform="translate(372 -128) scale(1.5)"><Badge text="+9" at={[0, 0]} /></g>
    </Scene>
  );
}

/** Bids go up for a turn. */
function Auction() {
  const layings = parsePosition("BRBYG+0@0,0 DBGRY-2@1,-1 PGBRY-2@1,1 ZRYBG-3@-1,1 CYRBG-2@-1,-1");
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
  const layings = parsePosition("ZBRGY+0@0,0 DBRYG+2@0,-1 BRYGB-0@-3,-1 DGBYR-1@1,-2 CYRBG+3@2,-1 AYGBR-1@0,-3");
  const [first, second] = [group([1, 0], layings), group([2, -3], layings)];
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: first }} />
      <GroupLine group={{ discs: second }} />
      <Pawn at={[1, 0]} seat={1} />
      <Pawn at={[2, -3]} seat={0} />
    </Scene>
  );
}

const FAN = ["DYRBG", "BYGRB", "CYRBG", "ZBGYR", "PRGYB"];

/** A child's hand of dominoes, and the sun. */
function Gone() {
  return (
    <svg viewBox="-340 -300 680 425">
      <g class="picture-sun" transform="translate(0 -190)">
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
  const layings = parsePosition("ZBGYR+1@0,0 DGYRB-2@2,0 PYBGR-3@3,1 PBRGY-3@1,2 PRGYB+3@2,2 BGBYR+1@0,2 ZRBGY-2@2,3");
  return (
    <Scene box={{ left: -0.6, top: 0, right: 6.4, bottom: 4 }} margin={0.3}>
      <FrameBack width={4} height={4} />
      <Dominoes layings={layings} />
      <g transform="translate(205 30) rotate(18 350 300)">
        <Domino laying={parseLaying("AYBGR-3@3,3")} set={SET_120} />
      </g>
      <path class="picture-motion" d="M500 318C480 296 462 292 436 300M460 276L432 301L462 324" />
    </Scene>
  );
}

/** Forty dominoes without a mistake. */
const HARLEQUIN = "DYRBG+0@0,0 DGBRY-1@2,0 PGYRB+0@3,0 ZGBRY+0@5,0 BBGYR+0@7,0 BGBRY+3@9,1 ZRYGB+2@1,1 BGYRB+2@4,1 BYGBR+1@5,1 PBRYG+2@7,1 PYRBG+1@8,1 ZGBRY-0@0,2 PRBGY+1@2,2 PGYRB-3@3,3 PGBRY-1@4,2 BRYGB+2@7,2 CYRBG+1@9,2 AYRBG+1@0,3 CRYGB+3@1,4 BRBGY-0@5,3 ZYGBR+2@8,3 PBGYR-0@2,4 PYRBG-0@4,4 CYRBG-2@7,4 CYGBR+0@8,4 DBRYG+3@0,6 DRBGY+1@1,5 AYGBR-1@2,5 ZYRBG+3@3,6 DBGYR-3@4,6 ZBRYG-0@5,5 AYGBR+3@7,6 DYGBR+2@9,5 ARBGY-0@5,6 ZGYRB+2@9,6 DRYGB+0@0,7 BYRBG+0@2,7 DGYRB+0@4,7 BBRYG-2@7,7 ZRBGY-0@8,7";

function Arlequin() {
  return (
    <Scene box={{ left: 0, top: 0, right: 10, bottom: 8 }} margin={0.4}>
      <FrameBack width={10} height={8} />
      <Dominoes layings={parsePosition(HARLEQUIN)} />
    </Scene>
  );
}

/** Two dominoes for all, a sandglass, and somebody sees twelve points. */
function Alex() {
  const layings = parsePosition("BGBRY+0@0,0 DBGYR+1@2,0 DGYBR+2@2,-1 DGBYR+1@3,0");
  return (
    <Scene box={{ left: -3.2, top: -1.9, right: 5, bottom: 2.3 }} margin={0.1}>
      <Dominoes layings={layings} />
      <g transform="translate(-290 30) rotate(-8)"><Face face={SET_120.face("PRBGY", "+")} /></g>
      <g transform="translate(-270 130) rotate(6)"><Face face={SET_120.face("PGBRY", "+")} /></g>
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
  const layings = parsePosition("CRYBG-2@1,0 DGYBR+0@2,0 ZBGYR+0@2,1 DBRGY-2@3,-1 ZRBGY-3@3,3 ARYGB-1@4,0 ZGYRB+1@4,2");
  const mine = group([6, 3], layings);
  return (
    <Scene box={bounds(layings)}>
      <Dominoes layings={layings} />
      <GroupLine group={{ discs: mine }} />
      <Pawn at={[6, 3]} seat={4} />
      <g class="picture-coins" transform="translate(70 290)">
        {[0, 1, 2].map((coin) => <ellipse key={coin} cx={0} cy={-22 * coin} rx={52} ry={24} />)}
        <ellipse cx={104} cy={8} rx={52} ry={24} />
      </g>
    </Scene>
  );
}
