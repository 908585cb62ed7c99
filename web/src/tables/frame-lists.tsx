/**
 * A frame in words: what lies there, and the empty cells with the colours that they ask for. Loaded when it is opened.
 */
import type { TileSet } from "../data.ts";
import { key, type Laying } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { Frame } from "../state/placement.ts";
import { holes } from "../state/races.ts";
import { colourName, placeInWords } from "../words.ts";
import type { Holes } from "./hole.tsx";

interface FrameListsProps {
  frame: Frame;
  set: TileSet;
  layings: readonly Laying[];
  onTakeOut(laying: Laying): void;
  holes?: Holes;
}

export function FrameLists({ frame, set, layings, onTakeOut, holes: asking }: FrameListsProps) {
  const sides = [t("side_above"), t("side_right"), t("side_below"), t("side_left")];
  return (
    <>
      <h3>{t("frame_laid")}</h3>
      <ol>
        {layings.map((laying) => (
          <li key={laying.tile}>
            <button type="button" class="link" onClick={() => onTakeOut(laying)}>
              {t("take_out", { tile: laying.tile, place: placeInWords(laying) })}
            </button>
          </li>
        ))}
      </ol>
      <h3>{t("frame_holes")}</h3>
      <ul>
        {holes(frame, layings, set).map(({ cell, colours }) => {
          const words = t("hole_words", {
            row: cell[1],
            column: cell[0],
            colours: colours
              .map((colour, i) => (colour ? `${sides[i]} ${colourName(colour)}` : ""))
              .filter(Boolean)
              .join(", "),
          });
          const asked = !!asking?.hole && key(asking.hole.cell) === key(cell);
          return (
            <li key={key(cell)}>
              {asking ? (
                <button type="button" class="link" aria-pressed={asked} onClick={() => asking.ask(cell)}>
                  {words}
                </button>
              ) : (
                words
              )}
              {asked && ` ${t("hole_fits", { count: asking?.hole?.count ?? 0 })}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
