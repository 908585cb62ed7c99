/** The side of a replay: players with their hands, and the log. */
import { Faces } from "../board/domino.tsx";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { language, t } from "../i18n.ts";
import { withBoundary } from "../shell/boundary.tsx";
import type { Replay } from "../state/replay.ts";
import { onPointing } from "../shell/hooks.ts";
import type { TurnLine } from "../state/turn-lines.ts";
import { seatClass, writeLines } from "./log.tsx";
import { Level } from "./level.tsx";
import { scoreInWords, scoreNumber } from "./outcome.ts";
import { eventInWords } from "../words.ts";
import { Icon } from "../ui/icon.tsx";

export function ReplayPlayers({ replay, position }: { replay: Replay; position: number }) {
  const { hands, acting: onTurn } = replay.at(position);
  const { game } = replay;
  const view = replay.view(position);
  const set = useMemo(replay.set, [replay]);
  const acting = game.race ? [] : onTurn;
  const winners = view.outcome?.winners ?? [];
  const drawn = game.drawn(view);
  return (
    <>
      <ol class="people" aria-label={t("players")}>
        {replay.names.map((name, seat) => {
          const count = replay.counts(position)[seat] ?? 0;
          const hand = hands?.[seat] ?? [];
          const program = replay.document.players[seat]?.program;
          const goods = game.goods(view, seat);
          return (
            <li
              key={seat}
              class={`row seat-${seat}${acting.includes(seat) ? " acting" : ""}${winners.includes(seat) ? " winner" : ""}`}
              aria-current={acting.includes(seat) ? "true" : undefined}
            >
              <span class="token" aria-hidden="true">
                {seat + 1}
              </span>
              <span class="name grow">
                {name}
                {winners.includes(seat) && (
                  <>
                    {" "}
                    <Icon name="star" />
                  </>
                )}
                {program && (
                  <small>
                    {" "}
                    <Level program={program} />
                  </small>
                )}
                {goods && <small> {goods}</small>}
              </span>
              <b class="score" role="img" aria-label={scoreInWords(count, game.measure)}>
                {scoreNumber(count, game.measure)}
              </b>
              {hand.length > 0 && <Faces tiles={hand} set={set} kind="row tight full replay-hand" />}
            </li>
          );
        })}
      </ol>
      {drawn.length > 0 && (
        <div class="stack">
          <h3>{t("replay_drawn")}</h3>
          <Faces tiles={drawn} set={set} kind="row tight full replay-hand" />
        </div>
      )}
    </>
  );
}

/** The events of a move in words, without those that the log leaves out. */
export function momentInWords(replay: Replay, position: number): string[] {
  const { events } = replay.at(position);
  return events
    .filter(({ event }) => event !== "drew")
    .flatMap((event) => eventInWords(event, replay.names, replay.game, events) ?? []);
}

export const ReplayLog = withBoundary(Moves);

function Moves({
  replay,
  position,
  onPick,
  onPoint,
}: {
  replay: Replay;
  position: number;
  onPick(position: number): void;
  onPoint(line: TurnLine | null): void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const current = useRef<HTMLLIElement>(null);
  const lines = useMemo(() => writeLines(replay.log, replay.names, replay.game), [replay, replay.game, language.value]);
  const now = lines.find(({ first }) => first <= position)?.first;
  useEffect(() => {
    const line = current.current;
    if (!list.current) return;
    if (!line || now === undefined) {
      // Before the first line: the beginning is at the bottom.
      list.current.scrollTop = list.current.scrollHeight;
      return;
    }
    // Only the list scrolls, never the page.
    const [top, bottom] = [line.offsetTop, line.offsetTop + line.offsetHeight];
    const { scrollTop, clientHeight } = list.current;
    if (top < scrollTop || bottom > scrollTop + clientHeight) list.current.scrollTop = top - clientHeight / 3;
  }, [position]);
  return (
    <section class="stack replay-log" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <ol class="log small" reversed ref={list}>
        {lines.map((line) => (
          <li
            key={line.first}
            ref={line.first === now ? current : undefined}
            class={seatClass(line)}
            aria-current={line.first === now ? "step" : undefined}
          >
            <button
              type="button"
              class="log-line"
              {...onPointing((on) => onPoint(on ? line : null))}
              onClick={() => onPick(line.last)}
            >
              {line.text}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
