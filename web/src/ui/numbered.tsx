/** A number on a disc, in a picture: a player on a table or at the end of a curve, a turn below it. */

interface NumberedProps {
  number: number;
  at: readonly [number, number];
  /** The player whose colour it has; by default, it has the colour of text. */
  seat?: number;
  radius?: number;
  kind?: string;
}

export function Numbered({ number, at: [x, y], seat, radius = 9.5, kind = "" }: NumberedProps) {
  const [ground, ink] = seat === undefined ? ["var(--text)", "var(--paper)"] : ["var(--seat)", "var(--white)"];
  return (
    <g class={seat === undefined ? kind : `${kind} seat-${seat % 10}`} transform={`translate(${x} ${y})`}>
      <circle r={radius} fill={ground} stroke={ink} stroke-width={radius / 6} />
      <text y={0.45 * radius} text-anchor="middle" font-size={1.36 * radius} font-weight="var(--display)" fill={ink}>
        {number}
      </text>
    </g>
  );
}
