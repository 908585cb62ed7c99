/** Below the board of a replay: what has happened here, and how to go on. */
import { t } from "../i18n.ts";
import { headline, reasonInWords } from "../panels/outcome.ts";
import { momentInWords } from "../panels/replay-side.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { Replay } from "../state/replay.ts";
import { timeInFigures } from "../state/times.ts";
import { inARow } from "../state/turn-lines.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { Viewing } from "./use-viewer.ts";

type ControlsProps = { replay: Replay } & Pick<
  Viewing,
  "at" | "isPlaying" | "shown" | "notice" | "stop" | "togglePlaying" | "toggleBest"
>;

export function ReplayControls({ replay, isPlaying, togglePlaying, toggleBest, stop, ...now }: ControlsProps) {
  const { at, shown } = now;
  return (
    <>
      <MomentLine replay={replay} {...now} />
      <label class="row tied">
        <span class="hidden">{t("replay_position")}</span>
        <input
          class="grow"
          type="range"
          min={0}
          max={replay.last}
          value={at}
          aria-valuetext={t("replay_of_moves", { number: at, count: replay.last })}
          onInput={(event) => stop(Number(event.currentTarget.value))}
        />
        <span class="soft">
          {at}/{replay.last}
        </span>
      </label>
      <div class="buttons centred replay-buttons">
        <Control sign="first" label={t("replay_first")} keys="Home" disabled={at === 0} onClick={() => stop(0)} />
        <Control
          sign="turnBack"
          label={t("replay_turn_back")}
          keys="Page Up"
          disabled={at === 0}
          onClick={() => stop(replay.turnFrom(at, -1))}
        />
        <Control sign="back" label={t("replay_back")} keys="←" disabled={at === 0} onClick={() => stop(at - 1)} />
        <Control
          sign={isPlaying ? "pause" : "play"}
          label={isPlaying ? t("replay_pause") : t("replay_play")}
          keys="Space"
          kind="primary"
          onClick={togglePlaying}
        />
        <Control
          sign="forward"
          label={t("replay_forward")}
          keys="→"
          disabled={at === replay.last}
          onClick={() => stop(at + 1)}
        />
        <Control
          sign="turnForward"
          label={t("replay_turn_forward")}
          keys="Page Down"
          disabled={at === replay.last}
          onClick={() => stop(replay.turnFrom(at, 1))}
        />
        <Control
          sign="last"
          label={t("replay_last")}
          keys="End"
          disabled={at === replay.last}
          onClick={() => stop(replay.last)}
        />
        {!replay.game.race && (
          <button type="button" class="at-end replay-best" aria-pressed={shown !== null} onClick={toggleBest}>
            {t("replay_best")} <kbd>B</kbd>
          </button>
        )}
      </div>
    </>
  );
}

/** The turn that is shown, what went wrong, the result, or the move that led here. */
function MomentLine({ replay, at, shown, notice }: Pick<ControlsProps, "replay" | "at" | "shown" | "notice">) {
  // The move that led here belongs to the turn of the position before.
  const turn = at ? replay.turnAt(at - 1) : null;
  const { outcome } = replay.at(at).view;
  const time = replay.timeAt(at);
  const words = momentInWords(replay, at);
  return (
    <AnnouncedText later manner="chosen" class="row apart replay-now">
      {shown ? (
        <strong>{shown.text}</strong>
      ) : notice ? (
        <span>{notice}</span>
      ) : outcome ? (
        <strong>
          {headline(outcome, replay.names)} <small>{reasonInWords(outcome)}</small>
        </strong>
      ) : (
        <span>{inARow(words) || (at === 0 ? t("replay_beginning") : "–")}</span>
      )}
      {time !== null && <time class="clock">{timeInFigures(time)}</time>}
      {shown?.layings.length && shown.played?.length ? <small>{t("review_beside")}</small> : null}
      {turn && !shown && (
        <small>
          {t(replay.game.inRounds ? "replay_round" : "replay_turn", {
            number: turn.number,
            points: turn.points,
            best: turn.best?.points ?? 0,
          })}
        </small>
      )}
    </AnnouncedText>
  );
}

function Control({
  sign,
  label,
  keys,
  kind = "",
  disabled,
  onClick,
}: {
  sign: IconName;
  label: string;
  keys: string;
  kind?: string;
  disabled?: boolean;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      class={`tool ${kind}`}
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={sign} />
    </button>
  );
}
