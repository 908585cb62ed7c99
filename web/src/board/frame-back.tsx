/** The wood and the floor of a frame, of any shape. */
import { cellsOfFrame } from "../state/layout.ts";
import type { Frame } from "../state/placement.ts";

/** `edge`: the width of the wood around it. */
export function FrameBack({ frame, edge }: { frame: Frame; edge: number }) {
  const { left = 0, top = 0 } = frame;
  const [x, y, width, height] = [left, top, frame.width, frame.height].map((one) => 100 * one) as [
    number,
    number,
    number,
    number,
  ];
  if (!frame.cells)
    return (
      <>
        <rect
          class="frame-wood"
          x={x - edge}
          y={y - edge}
          width={width + 2 * edge}
          height={height + 2 * edge}
          rx={edge + 2}
        />
        <rect class="frame-floor" x={x} y={y} width={width} height={height} rx={4} />
      </>
    );
  const floor = cellsOfFrame(frame)
    .map(([u, v]) => `M${100 * u} ${100 * v}h100v100h-100z`)
    .join("");
  return (
    <>
      <path
        class="frame-wood"
        d={floor}
        style={{ stroke: "var(--frame)", strokeWidth: 2 * edge, strokeLinejoin: "round" }}
      />
      <path class="frame-floor" d={floor} />
    </>
  );
}
