/** From the front of a domino to its back: a mirror, then complementary colours. */
import { ColourSymbol, FacePicture } from "../board/domino.tsx";
import { SET_120, TileSet } from "../data.ts";
import { t } from "../i18n.ts";
import { colourName, faceInWords } from "../words.ts";
import { withSymbols } from "../state/settings.ts";
import { type Pair, exchangeColours, mirrorFace, pairsOf } from "./backs.ts";

const EXAMPLE = "PRYGB";

/** "red and green, yellow and blue". */
export function pairsInWords(pairs: readonly Pair[]): string {
  return pairs.map(([one, other]) => t("dominoes_pair", { one: colourName(one), other: colourName(other) })).join(", ");
}

export function BackSteps() {
  const tile = SET_120.get(EXAMPLE);
  const pairs = pairsOf(tile);
  const mirror = mirrorFace(tile.recto);
  // Faces that no domino need have: the one in the mirror is only thought of.
  const faces = new TileSet(
    [tile.recto, mirror, exchangeColours(mirror, pairs)].map((recto, i) => ({
      name: String(i),
      recto,
      verso: recto,
      pile: null,
    })),
  );
  const words = [
    t("dominoes_step_front", { tile: EXAMPLE }),
    t("dominoes_step_mirror"),
    t("dominoes_step_colours", { pairs: pairsInWords(pairs) }),
  ];
  return (
    <ol class="cards back-steps" style={{ "--card": "18rem" }}>
      {words.map((said, i) => (
        <li key={i} class="card centred">
          <FacePicture tile={String(i)} side="+" set={faces} label={faceInWords(String(i), "+", faces)} />
          {i === 2 && <PairDots pairs={pairs} />}
          <p>{said}</p>
        </li>
      ))}
    </ol>
  );
}

/** Pairs of colours as discs, for the eye. */
export function PairDots({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <span class="row centred pair-dots" aria-hidden="true">
      {pairs.map(([one, other]) => (
        <svg key={one} height={26} viewBox="0 0 104 40">
          <circle class={one} cx={20} cy={20} r={17} />
          <path fill="none" stroke="var(--soft)" stroke-width={4} d="M44 20H60M49 14L43 20L49 26M55 14L61 20L55 26" />
          <circle class={other} cx={84} cy={20} r={17} />
          {withSymbols() && (
            <>
              <ColourSymbol colour={one} at={[20, 20]} scale={1.2} />
              <ColourSymbol colour={other} at={[84, 20]} scale={1.2} />
            </>
          )}
        </svg>
      ))}
    </span>
  );
}
