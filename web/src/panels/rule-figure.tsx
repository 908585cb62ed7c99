/** A figure of the rules, drawn with the player's own colours, discs and symbols. */
import { useMemo } from "preact/hooks";
import { Badge, Clashes, GroupLine, type Marked } from "../board/lines.tsx";
import { Domino, FacePicture } from "../board/domino.tsx";
import { discColours, groupAt } from "../state/groups.ts";
import { Picture } from "../board/picture.tsx";
import { type TileSet, tileSet } from "../data.ts";
import { cellsOf, clashes, key, type Laying, parseLaying, parsePosition, type Side } from "../geometry.ts";
import type { Figure } from "../net/study.ts";
import { faceInWords } from "../words.ts";

export function RuleFigure({ figure, caption }: { figure: Figure; caption: string }) {
  const set = tileSet(figure.set ?? "120");
  return (
    <figure class="card framed rule-figure">
      {figure.tiles ? <Tiles figure={figure} set={set} /> : <Scene figure={figure} set={set} caption={caption} />}
      <figcaption class="small">{caption}</figcaption>
    </figure>
  );
}

function Scene({ figure, set, caption }: { figure: Figure; set: TileSet; caption: string }) {
  const scene = useMemo(() => {
    const own = (figure.turn ?? (figure.laying ? [figure.laying] : [])).map(parseLaying);
    const position = parsePosition(figure.position);
    const layings = [...position, ...own];
    const wrong = figure.clashes ? own.flatMap((laying) => clashes(laying, position, set)) : [];
    return { own, layings, groups: groupsOf(figure, layings, own, set), wrong };
  }, [figure, set]);
  const frame = figure.frame && { width: figure.frame[0], height: figure.frame[1] };
  return (
    <div class="row centred cloth rule-scene">
      <Picture set={set} layings={scene.layings} frame={frame} staged={scene.own} label={caption}>
        {scene.groups.map((group, i) => (
          <GroupLine key={i} group={group} />
        ))}
        <Clashes discs={scene.wrong} />
        {scene.own.length > 1 && scene.own.map((laying, i) => <Order key={i} laying={laying} number={i + 1} />)}
      </Picture>
    </div>
  );
}

/** Which domino of a turn comes first: a small number on its corner. */
function Order({ laying, number }: { laying: Laying; number: number }) {
  const [[x, y], [u, v]] = cellsOf(laying);
  return (
    <g transform={`translate(${100 * Math.min(x, u) + 12} ${100 * Math.max(y, v) + 88}) scale(0.75)`}>
      <Badge text={String(number)} at={[0, 0]} />
    </g>
  );
}

/** Groups with labels, and those that the laying closes. */
function groupsOf(figure: Figure, layings: readonly Laying[], own: readonly Laying[], set: TileSet): Marked[] {
  const before = discColours(figure.joins ? layings.slice(0, layings.length - own.length) : layings, set);
  const marked: Marked[] = Object.entries(figure.labels ?? {}).flatMap(([label, at]) =>
    typeof at === "string" ? [] : [{ label, kind: "closed", discs: groupAt(at, before) }],
  );
  if (marked.length || !figure.closes?.length) return marked;
  // A group that was just closed has a disc of the domino that was just laid.
  const wanted = figure.closes.map(([colour, size]) => `${colour}${size}`);
  const colours = discColours(layings, set);
  const seen = new Set<string>();
  for (const { disc, colour } of own.flatMap((laying) => [...discColours([laying], set).values()])) {
    const discs = groupAt(disc, colours);
    const name = discs.map(key).sort().join();
    const place = wanted.indexOf(`${colour}${discs.length}`);
    if (seen.has(name) || place < 0) continue;
    seen.add(name);
    wanted.splice(place, 1);
    marked.push({ discs, kind: "closed" });
  }
  return marked;
}

/** A face; lines join the discs that the figure is about, and so draw its shape. */
function Face({ figure, tile, side, set }: { figure: Figure; tile: string; side: Side; set: TileSet }) {
  const label = faceInWords(tile, side, set);
  if (!figure.outline) return <FacePicture tile={tile} side={side} set={set} label={label} />;
  const discs = figure.outline[side].map(([x, y]) => [50 * x, 50 * y] as const);
  const path = `M${discs.map((at) => at.join(" ")).join("L")}Z`;
  return (
    <svg class="face" viewBox="-14 -14 228 128" role="img" aria-label={label}>
      <Domino laying={{ tile, side, rotation: 0, x: 0, y: 0 }} set={set} />
      <g class="shape" fill="none" stroke="var(--ink)" stroke-width={11}>
        <path d={path} />
        <path stroke="var(--white)" stroke-width={6} d={path} />
        {discs.map(([x, y]) => (
          <circle key={`${x},${y}`} fill="var(--white)" stroke-width={3} cx={x} cy={y} r={9} />
        ))}
      </g>
    </svg>
  );
}

/** Dominoes by themselves, both faces, with their labels. */
function Tiles({ figure, set }: { figure: Figure; set: TileSet }) {
  const labels = Object.entries(figure.labels ?? {});
  return (
    <div class="row centred cloth rule-scene rule-tiles">
      {figure.tiles?.map((tile) => (
        <div key={tile} class="stack tight">
          {labels
            .filter(([, at]) => at === tile)
            .map(([label]) => (
              <svg key={label} width={34} viewBox="-24 -24 48 48" aria-hidden="true">
                <Badge text={label} at={[0, 0]} />
              </svg>
            ))}
          <Face figure={figure} tile={tile} side="+" set={set} />
          <Face figure={figure} tile={tile} side="-" set={set} />
        </div>
      ))}
    </div>
  );
}
