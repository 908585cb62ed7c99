/**
 * The table: dominoes in layers, and the pointer. It knows no rules and asks no server: what may be
 * laid comes with the placer, what is marked with the properties.
 */
import { effect, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { TileSet } from "../data.ts";
import {
  type Box,
  bounds,
  type Cell,
  cellsOf,
  contacts,
  type Disc,
  key,
  type Laying,
  printLaying,
  sameLaying,
} from "../geometry.ts";
import { t } from "../i18n.ts";
import { withSymbols } from "../state/settings.ts";
import { boxOfFrame, cellsOfFrame } from "../state/layout.ts";
import type { Frame } from "../state/placement.ts";
import type { Placer } from "../state/placer.ts";
import { type Camera, LARGEST } from "./camera.ts";
import { CarriedDomino } from "./carried.tsx";
import { GroupJustClosed } from "./closing.tsx";
import { Domino, Shining, wholeDiscs, WholeSymbols } from "./domino.tsx";
import { FrameBack } from "./frame-back.tsx";
import { type Aim, GhostControls, GhostLayer, type GhostSign } from "./ghost.tsx";
import { Ground } from "./ground.tsx";
import type { TableGroup } from "./groups.ts";
import { GroupLine, type Marked, Outlined } from "./lines.tsx";
import { LookedGroup, LookedWords } from "./looked.tsx";
import { memo } from "./memo.ts";
import { useDropping } from "./motion.ts";
import { usePointer } from "./pointer.ts";
import { Icon } from "../ui/icon.tsx";
import { useTableParts } from "../ui/table-parts.ts";
import { itemAt, requireValue } from "../values.ts";

/** What lies there, and what is marked of it. */
export interface LaidProps {
  set: TileSet;
  layings: readonly Laying[];
  /** Outlined as the last turn. */
  last?: readonly Laying[];
  /** Of the turn under way: can still be taken back. */
  staged?: readonly Laying[];
  /** Under way to the server, which has not confirmed them yet. */
  sent?: readonly Laying[];
  groups?: readonly Marked[];
  frame?: Frame | null;
}

export interface BoardProps extends LaidProps {
  label: string;
  camera: Camera;
  placer?: Placer;
  /** Click or tap lays at once. */
  oneTap?: boolean;
  /** Carry the ghost out. */
  onCommit?(laying: Laying): void;
  /** A cell was clicked with nothing in hand; where exactly, in half-cells. */
  onPick?(cell: Cell, at: Disc): void;
  /** More tools; `box` is what there is to see. */
  tools?(box: () => Box): ComponentChildren;
  /** What goes on top, in units of the world (100 to a cell). */
  children?: ComponentChildren;
  /** Show what outlines where the domino in hand fits. */
  places?: boolean;
  /** What a ghost brings, beside it, where that is not points. */
  sign?: GhostSign;
  /** What is said of a group that is looked at, if the game has words of its own. */
  groupWords?(group: TableGroup): string;
}

/** How much larger everything could be, until it is shown larger. */
const ROOM = 1.2;
/** Pixels at the right that the tools cover. */
const TOOLS = 56;

export function Board(props: BoardProps) {
  const { camera } = props;
  camera.covered = props.frame ? 0 : TOOLS;
  const element = useRef<HTMLDivElement>(null);
  const { board } = useTableParts();
  useLayoutEffect(() => {
    const own = (board.current = element.current);
    return () => void (board.current === own && (board.current = null));
  }, [board]);
  const fittedOnce = useRef(false);
  const grabbed = useSignal(false);

  const shown = useRef(props);
  shown.current = props;
  const box = () => boxOf(shown.current);
  const margin = props.frame ? 0.35 : 0.8;
  // A frame is what there is to see; it takes all the room there is.
  const largest = props.frame ? LARGEST : undefined;
  /**
   * The same, and where the dominoes in hand fit with any face, if that is shown: whichever is chosen or turned, the
   * table stays where it is.
   */
  const boxWithPlaces = (grow = 0): Box => {
    const { placer, places = true } = shown.current;
    return holding(box(), placer && places ? reachable(placer) : [], grow);
  };
  const fitting = useRef<Camera["target"]>(null);
  const fit = (milliseconds?: number) => {
    // Places need less of a margin than what lies.
    fitting.current = camera.fitted(boxWithPlaces(0.3 - margin), margin, largest);
    camera.fly(fitting.current, milliseconds);
  };
  camera.fit = fit;
  /** Everything was shown, and the player has not moved it since. */
  const untouched = () => camera.target !== null && camera.target === fitting.current;

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (!width || !height) return;
      const { x, y, scale } = camera.view.value;
      const [dx, dy] = [(width - camera.width) / 2, (height - camera.height) / 2];
      const saw = camera.sees(box());
      camera.resize(width, height);
      if (camera.remembered && camera.sees(box())) fittedOnce.current = true;
      else if (!fittedOnce.current || props.frame) fit(0);
      else {
        // A panel takes some of the room, or gives it back: who saw everything still does, and large.
        const small =
          camera.fitted(boxWithPlaces(0.3 - margin), margin, largest).scale > ROOM * (fitting.current?.scale ?? scale);
        if (untouched() && small) fit();
        else {
          if (!camera.flying && !grabbed.value) camera.view.value = { x: x + dx, y: y + dy, scale };
          if ((saw || untouched()) && !camera.sees(box())) fit();
        }
      }
      camera.remembered = false;
      fittedOnce.current = true;
    });
    observer.observe(requireValue(element.current, "the board"));
    return () => observer.disconnect();
  }, [props.frame?.width, props.frame?.height, props.frame?.left, props.frame?.top]);

  // What is new comes into sight by itself, unless the player is moving the table.
  const count = props.layings.length;
  useEffect(() => {
    if (fittedOnce.current && !grabbed.value && !camera.sees(box())) fit();
  }, [count]);

  // So does where the dominoes in hand fit, as soon as that is known, and where the ghost waits for the tick.
  useEffect(
    () =>
      effect(() => {
        const { placer } = props;
        void placer?.candidates.value;
        untracked(() => {
          if (fittedOnce.current && !grabbed.value && untouched() && !camera.sees(boxWithPlaces())) fit();
        });
      }),
    [props.placer],
  );
  useEffect(
    () =>
      effect(() => {
        const { placer } = props;
        const ghost = placer?.illegal.value?.laying ?? (placer?.pinned.value ? placer.ghost.value?.laying : null);
        untracked(() => {
          if (ghost && fittedOnce.current && !grabbed.value && !camera.sees(bounds([ghost])))
            camera.fly(camera.moved(bounds([ghost]), 0.3));
        });
      }),
    [props.placer],
  );

  const own = useSignal<Disc | null>(null);
  const looked = props.placer?.looked ?? own;
  const aim = useSignal<Aim | null>(null);
  usePointer(element, camera, shown, { grabbed, aim, looked });
  useZoomBelowCarried(element, camera, props.frame ? undefined : props.placer);
  useEffect(() => {
    looked.value = null;
  }, [count]);

  const world = useRef<SVGSVGElement>(null);
  // Once a frame, however often the pointer moves: signals delay effects of components until then.
  useSignalEffect(() => {
    const { transform } = camera;
    if (world.current) world.current.style.transform = transform;
  });
  const moving = useComputed(
    () => `world${camera.moving.value ? " moving" : ""}${camera.turned.value ? " turned" : ""}`,
  );

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a label only together with the role.
    <div
      class="board"
      ref={element}
      role={props.placer && "application"}
      tabIndex={props.placer ? 0 : undefined}
      aria-label={props.placer && props.label}
    >
      <svg class={moving} ref={world} width="100" height="100" role="img" aria-label={props.label}>
        <LaidDominoes {...props} />
        {props.placer && <PlacesLayer placer={props.placer} shown={props.places ?? true} />}
        <LookedGroup {...{ looked, set: props.set, layings: props.layings }} />
        {props.placer && <GhostLayer placer={props.placer} set={props.set} />}
        {props.children}
      </svg>
      <LookedWords {...{ looked, camera, set: props.set, layings: props.layings, words: props.groupWords }} />
      {props.placer && (
        <GhostControls
          {...{ placer: props.placer, camera, aim, set: props.set, sign: props.sign, onCommit: props.onCommit }}
        />
      )}
      {props.placer && <CarriedDomino placer={props.placer} camera={camera} set={props.set} />}
      <div class="board-tools">
        <button
          type="button"
          class="tool"
          title={t("zoom_in")}
          aria-label={t("zoom_in")}
          onClick={() => camera.zoom(1.3)}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="tool"
          title={t("zoom_out")}
          aria-label={t("zoom_out")}
          onClick={() => camera.zoom(1 / 1.3)}
        >
          <Icon name="minus" />
        </button>
        <button type="button" class="tool" title={t("fit_all")} aria-label={t("fit_all")} onClick={() => fit()}>
          <Icon name="fit" />
        </button>
        {!!props.last?.length && (
          <button
            type="button"
            class="tool"
            title={t("last_move")}
            aria-label={t("last_move")}
            onClick={() => camera.fly(camera.fitted(bounds(props.last!), 3))}
          >
            <Icon name="latest" />
          </button>
        )}
        {props.tools?.(box)}
      </div>
    </div>
  );
}

/** While a domino is carried over a small table, the place below it is larger; loaded with the first one. */
function useZoomBelowCarried(
  element: { current: HTMLElement | null },
  camera: Camera,
  placer: Placer | undefined,
): void {
  useEffect(() => {
    if (!placer) return undefined;
    let [isWanted, isShown] = [true, true];
    let end = () => {};
    const stop = placer.carried.subscribe((carried) => {
      if (!carried || !isWanted) return;
      isWanted = false;
      void import("./carry-zoom.ts").then(({ zoomBelowCarried }) => {
        if (isShown) end = zoomBelowCarried(element, camera, placer);
      });
    });
    return () => {
      isShown = false;
      stop();
      end();
    };
  }, [placer]);
}

export function LaidDominoes({ set, layings, last, staged, sent, groups, frame }: LaidProps) {
  const whole = useMemo(() => wholeDiscs(layings, set), [layings, set]);
  const drawn = useRef<SVGGElement>(null);
  useDropping(drawn, layings, sent ?? NONE);
  return (
    <g ref={drawn}>
      {frame && <FrameLayer frame={frame} />}
      <Dominoes layings={layings} set={set} whole={whole} symbols={withSymbols()} />
      {groups?.map((group, i) =>
        group.lights ? (
          <GroupJustClosed key={`lights ${key(itemAt(group.discs, 0))}`} discs={group.discs} colour={group.lights} />
        ) : (
          <GroupLine key={i} group={group} />
        ),
      )}
      {last?.map((laying) => (
        <Laid key={printLaying(laying)} laying={laying} kind="last" among={layings} set={set} />
      ))}
      {staged?.map((laying) => (
        <Laid key={printLaying(laying)} laying={laying} kind="staged" among={layings} set={set} />
      ))}
      {sent?.map((laying) => (
        <SentDomino key={printLaying(laying)} laying={laying} set={set} />
      ))}
    </g>
  );
}

const NONE: readonly Laying[] = [];

/** The box of a frame, or else of what lies there. */
export const boxOf = ({ frame, layings }: LaidProps): Box => (frame ? boxOfFrame(frame) : bounds(layings));

/** Drawn again only when something is laid or looks different. */
const Dominoes = memo(function Dominoes({
  layings,
  set,
  whole,
  symbols,
}: {
  layings: readonly Laying[];
  set: TileSet;
  whole: ReturnType<typeof wholeDiscs>;
  symbols: boolean;
}) {
  return (
    <>
      <Ground layings={layings} />
      {layings.map((laying) => (
        <g key={printLaying(laying)} class="domino" data-laying={printLaying(laying)}>
          <Domino laying={laying} set={set} whole={whole} />
        </g>
      ))}
      {symbols && <WholeSymbols whole={whole} />}
    </>
  );
});

/** It lies there, and is not yet confirmed. */
function SentDomino({ laying, set }: { laying: Laying; set: TileSet }) {
  return (
    <g class="sent" data-laying={printLaying(laying)}>
      <Ground layings={[laying]} />
      <g class="sent-domino" opacity={0.9}>
        <Domino laying={laying} set={set} />
      </g>
      <Outlined laying={laying} kind="sent" />
    </g>
  );
}

/** What was just laid: a line round it, and the discs that it has completed shine for a moment. */
function Laid({ laying, kind, among, set }: { laying: Laying; kind: string; among: readonly Laying[]; set: TileSet }) {
  const discs = useMemo(
    () =>
      contacts(
        laying,
        among.filter((one) => !sameLaying(one, laying)),
        set,
      ),
    [among, set],
  );
  return (
    <>
      <Outlined laying={laying} kind={kind} discs={discs.map(({ disc }) => disc)} />
      <Shining discs={discs} kind="shining fresh" />
    </>
  );
}

function FrameLayer({ frame }: { frame: Frame }) {
  const { left = 0, top = 0, width, height } = frame;
  let lines = "";
  if (frame.cells) for (const [x, y] of cellsOfFrame(frame)) lines += `M${100 * x} ${100 * y}h100v100h-100z`;
  for (let x = 1; x < width && !frame.cells; x++) lines += `M${100 * (left + x)} ${100 * top}v${100 * height}`;
  for (let y = 1; y < height && !frame.cells; y++) lines += `M${100 * left} ${100 * (top + y)}h${100 * width}`;
  return (
    <g class="frame">
      <FrameBack frame={frame} edge={14} />
      <path d={lines} fill="none" stroke="var(--cloth-mark)" stroke-width={2} opacity={0.3} />
    </g>
  );
}

function PlacesLayer({ placer, shown }: { placer: Placer; shown: boolean }) {
  if (!shown) return null;
  return (
    <g class="places" fill="var(--cloth-mark)" aria-hidden="true">
      {[...placer.places.value.values()].map(([x, y]) => (
        <g key={key([x, y])}>
          <rect
            x={100 * x + 13}
            y={100 * y + 13}
            width={74}
            height={74}
            rx={14}
            fill="none"
            stroke="var(--cloth-mark)"
            stroke-width={4}
            stroke-dasharray="0 9.5"
          />
          <circle cx={100 * x + 50} cy={100 * y + 50} r={5} />
        </g>
      ))}
    </g>
  );
}

/** All cells that a domino in hand can reach, with either face. */
function* reachable(placer: Placer): Generator<Cell> {
  for (const known of placer.candidates.peek().values()) for (const { laying } of known) yield* cellsOf(laying);
}

/** The box round a box and some cells, which may be grown. */
function holding(box: Box, cells: Iterable<Cell>, grow: number): Box {
  let { left, top, right, bottom } = box;
  for (const [x, y] of cells) {
    [left, right] = [Math.min(left, x - grow), Math.max(right, x + 1 + grow)];
    [top, bottom] = [Math.min(top, y - grow), Math.max(bottom, y + 1 + grow)];
  }
  return { left, top, right, bottom };
}
