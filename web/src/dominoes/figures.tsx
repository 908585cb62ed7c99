/** The six figures, each drawn on a domino with a line round what makes it. */
import { GroupLine } from "../board/lines.tsx";
import { Domino } from "../board/domino.tsx";
import { discColours } from "../state/groups.ts";
import { SET_120 } from "../data.ts";
import type { Laying } from "../geometry.ts";
import { t, tt } from "../i18n.ts";
import { faceInWords } from "../words.ts";
import { FIGURES } from "./catalogue.ts";

const countDominoes = (letter: string) => SET_120.tiles.filter(({ name }) => name[0] === letter).length;

export function Figures() {
  return (
    <ul class="cards figure-cards" style={{ "--card": "clamp(9rem, 25vw, 18rem)" }}>
      {FIGURES.map((letter) => (
        <li key={letter} class="card centred">
          <FigurePicture tile={`${letter}RYGB`} />
          <h3>
            <code>{letter}</code> {tt(`figure_${letter}`)}{" "}
            <small>{t("picker_count", { count: countDominoes(letter) })}</small>
          </h3>
          <p>{tt(`dominoes_figure_${letter}`)}</p>
        </li>
      ))}
    </ul>
  );
}

function FigurePicture({ tile }: { tile: string }) {
  const laying: Laying = { tile, side: "+", rotation: 0, x: 0, y: 0 };
  const middle = SET_120.get(tile).recto[0];
  const discs = [...discColours([laying], SET_120).values()]
    .filter(({ colour }) => colour === middle)
    .map(({ disc }) => disc);
  return (
    <svg class="face" viewBox="-2 -2 204 104" role="img" aria-label={faceInWords(tile, "+", SET_120)}>
      <Domino laying={laying} set={SET_120} />
      {/* A picture in the picture: the line ends where the domino does. */}
      <svg width={200} height={100}>
        <GroupLine group={{ discs }} />
      </svg>
    </svg>
  );
}
