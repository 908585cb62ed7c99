/** A marker in its colour, with the sign that it has on paper; and a token. */
import type { MarkerColour } from "./token-pad.ts";

/** A disc, a square, a diamond, two bars: no one needs to see the colour. */
const SIGNS: Readonly<Record<MarkerColour, string>> = {
  black: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  brown: "M8.5 8.5h7v7h-7z",
  beige: "M12 7l5 5-5 5-5-5z",
  orange: "M8 8h2.5v8H8zM13.500 8h2.5v8h-2.500z",
};

export function MarkerPicture({ colour }: { colour: MarkerColour }) {
  return (
    <svg class={`marker-picture ${colour}`} viewBox="0 0 24 24" aria-hidden="true">
      <rect x={2} y={2} width={20} height={20} rx={3} />
      <path d={SIGNS[colour]} />
    </svg>
  );
}

export function TokenPicture() {
  return (
    <svg class="token-picture" viewBox="-30 -30 60 60" aria-hidden="true">
      <circle r={26} stroke-width={4} />
      <circle r={18} stroke-width={3} />
    </svg>
  );
}
