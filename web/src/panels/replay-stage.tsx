/** The board at a position of a replay: the common table, or the frame of every player. */
import { BothFaces } from "../board/domino.tsx";
import { useMemo } from "preact/hooks";
import { Board } from "../board/board.tsx";
import { Outlined } from "../board/lines.tsx";
import type { Camera } from "../board/camera.ts";
import { Picture } from "../board/picture.tsx";
import type { Mark } from "../games/game.ts";
import { parseLaying, printLaying } from "../geometry.ts";
import { t, tt } from "../i18n.ts";
import type { Scored } from "../net/api.ts";
import type { Replay } from "../state/replay.ts";
import type { TurnLine } from "../state/turn-lines.ts";
import { Numbered } from "../ui/numbered.tsx";
import { ThoughtTurn } from "./best-turn.tsx";
import { Pointed } from "./pointed.tsx";
import { requireValue } from "../values.ts";

/** A turn to show on top: the best one, or how a frame can be completed. */
export interface ShownTurn {
  layings: string[];
  text: string;
  parts?: Scored[];
  /** The layings that were played instead. */
  played?: string[];
  /** Whose frame it belongs to. */
  seat?: number;
}

interface StageProps {
  replay: Replay;
  position: number;
  shown: ShownTurn | null;
  /** The turn that the log points at. */
  pointed: TurnLine | null;
}

export function ReplayStage({ camera, ...stage }: StageProps & { camera: Camera }) {
  return stage.replay.game.race ? <Frames {...stage} /> : <CommonTable {...stage} camera={camera} />;
}

function CommonTable({ replay, position, shown, pointed, camera }: StageProps & { camera: Camera }) {
  const { view } = replay.at(position);
  const set = useMemo(replay.set, [replay]);
  const layings = useMemo(() => replay.layings(position), [replay, view.table]);
  const ghosts = useMemo(() => (shown?.layings ?? []).map(parseLaying), [shown]);
  const played = useMemo(() => (shown?.played ?? []).map(parseLaying), [shown]);
  return (
    <Board
      set={set}
      layings={layings}
      camera={camera}
      last={replay.lastTurn(position)}
      staged={replay.staged(position)}
      label={t("table_label", { count: layings.length })}
    >
      <Marks marks={replay.game.marks(replay.view(position))} />
      {played.map((laying) => (
        <Outlined key={printLaying(laying)} laying={laying} kind="played" />
      ))}
      {ghosts.length > 0 && <ThoughtTurn layings={ghosts} set={set} parts={shown?.parts} />}
      <Pointed line={pointed} among={layings} />
    </Board>
  );
}

/** Pieces on discs, with the number of their player. */
function Marks({ marks }: { marks: readonly Mark[] }) {
  return (
    <>
      {marks.map(({ player, disc }) => (
        <Numbered key={disc.join()} number={player + 1} seat={player} at={[50 * disc[0], 50 * disc[1]]} radius={19} />
      ))}
    </>
  );
}

function Frames({ replay, position, shown, pointed }: StageProps) {
  const view = requireValue(replay.raceView(position), "a race");
  const inHand = replay.game.race?.inHand;
  const set = useMemo(replay.set, [replay]);
  const just = replay.at(position).events.find(({ event }) => event === "framed");
  return (
    <div class={view.frames.length > 2 ? "replay-frames many" : "replay-frames"}>
      {view.frames.map((frame, seat) => {
        const held = inHand?.(view, seat);
        const layings = frame.map(parseLaying);
        const ghosts =
          shown?.seat === seat ? shown.layings.filter((laying) => !frame.includes(laying)).map(parseLaying) : [];
        return (
          <section key={seat} class={`stack centred replay-frame seat-${seat}`} aria-label={replay.names[seat]}>
            <h3>
              <span class="token small" aria-hidden="true">
                {seat + 1}
              </span>{" "}
              {replay.names[seat]}{" "}
              <small>
                {frame.length} {tt("unit_framed", { count: frame.length })}
              </small>
            </h3>
            <Picture
              set={set}
              layings={layings}
              frame={replay.frame(position, seat)}
              last={just?.player === seat ? [parseLaying(String(just.laying))] : []}
              label={t("replay_frame_label", { name: replay.names[seat] ?? "", count: frame.length })}
            >
              {ghosts.length > 0 && <ThoughtTurn layings={ghosts} set={set} numbered={false} />}
              {shown?.seat === seat
                && shown.played?.map((laying) => <Outlined key={laying} laying={parseLaying(laying)} kind="wrong" />)}
              {pointed?.player === seat && <Pointed line={pointed} among={layings} />}
            </Picture>
            {inHand && <p class="row centred replay-held">{held && <BothFaces tile={held} set={set} />}</p>}
          </section>
        );
      })}
    </div>
  );
}
