/** Any position: an example, the end of a game, or one of one's own; choose a hand and see the best turns and the groups. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Board } from "../board/board.tsx";
import type { Marked } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import { WrongLaying } from "../board/ghost.tsx";
import { tileSet, type TileSet } from "../data.ts";
import { bounds, clashes, key, type Laying, parseLaying } from "../geometry.ts";
import { language, formatMinus, t, textOr, tt } from "../i18n.ts";
import type { Group, Scored, Turn } from "../net/api.ts";
import { type CoachTurn, study } from "../net/study.ts";
import { partsInWords, partsOf, ThoughtTurn } from "../panels/best-turn.tsx";
import { chanceInWords, meanInWords, oneDigit } from "../panels/estimate.ts";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { FinishedGames, useFinished } from "../panels/finished-games.tsx";
import { usePlacingKeys } from "../panels/placing-keys.ts";
import { OtherDominoes } from "../panels/other-dominoes.tsx";
import { ShareButton } from "../panels/share.tsx";
import {
  analysisHash,
  linkHash,
  momentHash,
  readHash,
  toPreviewLink,
  parseStanding,
  findUnknownDominoes,
  unpackPosition,
} from "../panels/study-link.ts";
import { TilePicker } from "../panels/tile-picker.tsx";
import { TurnPictures } from "../panels/turn-pictures.tsx";
import { colourName, placeInWords, pointsInWords, sentences } from "../words.ts";
import { announce } from "../state/voice.ts";
import { onPointing, useTitle } from "../shell/hooks.ts";
import { address } from "../shell/router.ts";
import { AnnouncedText, useAnnouncement } from "../shell/announced-text.tsx";
import { Analysis, type Fault, turnName } from "../state/analysis.ts";
import { TURNS } from "../state/examples.ts";
import { type Finished, hasTurns } from "../state/finished.ts";
import { positionLink } from "../state/prints.ts";
import { Replay } from "../state/replay.ts";
import { tokenOf } from "../state/storage.ts";
import { refusalText, useAsking } from "../panels/refusal.ts";
import { Room } from "../ui/room.tsx";

export default function AnalysisPage() {
  const analysis = useMemo(() => new Analysis(), []);
  const camera = useMemo(() => new Camera(), []);
  const games = useFinished();
  // Who opens a link with a position but no hand begins with the dominoes; others come for the best turns.
  const building = useSignal(/[#&]p=/.test(linkHash(address.peek())) && !readHash(linkHash(address.peek())).h);
  const group = useSignal<Group | null>(null);
  const turn = useSignal<Turn | null>(null);
  const parts = useSignal<Scored[]>([]);
  useEffect(() => () => analysis.close(), []);
  useTitle(t("analysis"));
  const [position, hand, set] = [analysis.position.value, analysis.hand.value, analysis.setName.value];
  const others = useLink(analysis);
  const commit = (laying: Laying) => {
    analysis.lay(laying);
    announce(t("study_laid", { tile: laying.tile, place: placeInWords(laying) }));
  };
  usePlacingKeys(analysis.placer, commit, (key) => {
    if (/^u$/i.test(key)) analysis.takeBack();
    return /^u$/i.test(key);
  });

  // What the turn that is pointed at earns, in parts.
  const pointed = turn.value;
  useEffect(() => {
    parts.value = [];
    if (!pointed) return;
    const box = bounds([...analysis.layings.value, ...pointed.layings.map(parseLaying)]);
    if (!camera.sees(box)) camera.fly(camera.fitted(box, 0.6));
    void partsOf(position, pointed.layings, set).then(
      (found) => {
        if (turn.value === pointed) parts.value = found;
      },
      () => undefined,
    );
  }, [pointed, position, set]);
  useEffect(() => {
    turn.value = null;
    group.value = null;
  }, [position, hand, set]);

  const marked: Marked[] = group.value
    ? [{ discs: group.value.discs, label: String(group.value.size), kind: group.value.closed ? "closed" : "open" }]
    : [];
  return (
    <Room
      kind="study"
      of={{ board: { class: "study-board" }, side: { class: "study-side" } }}
      board={
        <>
          <Board
            set={analysis.set.value}
            layings={analysis.layings.value}
            camera={camera}
            placer={analysis.placer}
            groups={marked}
            places={!analysis.fault.value}
            onCommit={commit}
            label={t("table_label", { count: analysis.layings.value.length })}
          >
            {pointed && !analysis.placer.ghost.value && (
              <ThoughtTurn layings={pointed.layings.map(parseLaying)} set={analysis.set.value} parts={parts.value} />
            )}
            {analysis.fault.value && <Blamed analysis={analysis} fault={analysis.fault.value} />}
          </Board>
          {!analysis.layings.value.length && !hand.length && <p class="toast">{t("analysis_empty")}</p>}
        </>
      }
      tray={
        <>
          {/* A link may bring a wrong position: the text and its field are out of sight then. Other dominoes are told of beside it. */}
          {analysis.fault.value && !others.some((name) => analysis.fault.value!.laying.startsWith(name)) && (
            <p class="trouble full">{faultInWords(analysis.fault.value, analysis.set.value)}</p>
          )}
          {hand.length ? (
            <Hand placer={analysis.placer} set={analysis.set.value} camera={camera} onCommit={commit} />
          ) : (
            <p class="soft">{t("analysis_choose")}</p>
          )}
          <div class="buttons">
            <button type="button" onClick={() => analysis.draw()}>
              {t("analysis_draw")}
            </button>
            <button type="button" disabled={!analysis.layings.value.length} onClick={() => analysis.takeBack()}>
              {t("analysis_take_back")} <kbd>U</kbd>
            </button>
          </div>
          {hand.length > 0 && <LayingsList placer={analysis.placer} onCommit={commit} />}
        </>
      }
      side={
        <>
          <h1 class="large">{t("analysis")}</h1>
          <OtherDominoes names={others} />
          {analysis.trouble.value && (
            <AnnouncedText class="trouble full" manner="urgent">
              {refusalText(analysis.trouble.value.code, analysis.trouble.value.message)}
            </AnnouncedText>
          )}
          <Begin analysis={analysis} games={games.value} onEmpty={() => (building.value = true)} />
          <Part title={t("analysis_dominoes")} open={building.value} onToggle={(open) => (building.value = open)}>
            {building.value && (
              <TilePicker
                set={analysis.set.value}
                chosen={hand}
                laid={analysis.laid.value}
                onToggle={(tile) => analysis.toggle(tile)}
              />
            )}
          </Part>
          <Part title={t("analysis_best")} open>
            {!hand.length && <p class="soft">{t("analysis_best_hint")}</p>}
            <Turns analysis={analysis} turns={analysis.turns.value} pointed={turn} parts={parts.value} />
          </Part>
          <Part title={t("coach")} open>
            <CoachPart analysis={analysis} pointed={turn} parts={parts.value} />
          </Part>
          {analysis.groups.value.length > 0 && (
            <Part title={t("analysis_groups")} open>
              <Groups analysis={analysis} pointed={group} />
            </Part>
          )}
          <Part title={t("analysis_position")} open={false}>
            <PositionText analysis={analysis} />
          </Part>
          <div class="buttons">
            <ShareButton
              url={() => `${location.origin}/analysis${toPreviewLink(linkOf(analysis))}`}
              title={t("analysis")}
              label={t("study_copy_link")}
            />
            {position && !analysis.fault.value && (
              <a class="button" href={positionLink(position)}>
                {t("solver_print")}
              </a>
            )}
          </div>
        </>
      }
    />
  );
}

/** What to look at: the next example, nothing, or how one's own games ended. */
function Begin({
  analysis,
  games,
  onEmpty,
}: {
  analysis: Analysis;
  games: readonly Finished[] | null;
  onEmpty(): void;
}) {
  const { trouble, ask } = useAsking();
  const own = games?.filter(hasTurns) ?? [];
  const example = useRef(0);
  const open = (game: Finished, event: MouseEvent) => {
    event.preventDefault();
    void ask(async () => show(analysis, await endingHash(game)));
  };
  return (
    <section class="stack" aria-label={t("analysis_begin")}>
      <div class="buttons">
        <button type="button" onClick={() => show(analysis, exampleHash(++example.current))}>
          {t("analysis_another")}
        </button>
        <button
          type="button"
          disabled={!analysis.text.value && !analysis.hand.value.length}
          onClick={() => {
            analysis.empty();
            onEmpty();
          }}
        >
          {t("analysis_empty_table")}
        </button>
        <a class="button" href="/replay">
          {t("replay_title")}
        </a>
      </div>
      {trouble.value && (
        <AnnouncedText class="trouble full" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
      {own.length > 0 && (
        <>
          <h2>{t("finished_study")}</h2>
          <FinishedGames strip games={own} href={({ id }) => `/replay/${id}`} onOpen={open} />
        </>
      )}
    </section>
  );
}

/** One of the examples, by any number. */
const exampleHash = (number: number): string => analysisHash({ ...TURNS[number % TURNS.length]!, set: "120" });

/** The last turn of a game, as its player saw it. */
async function endingHash({ id }: Finished): Promise<string> {
  const replay = new Replay(await study.replay(id, tokenOf(id)));
  return momentHash(replay, replay.turns.findLast(({ layings }) => layings.length > 0)?.first ?? replay.last);
}

/** A part of the side that can be folded. */
function Part({
  title,
  open,
  onToggle,
  children,
}: {
  title: string;
  open: boolean;
  onToggle?(open: boolean): void;
  children: ComponentChildren;
}) {
  return (
    <details open={open} onToggle={onToggle && ((event) => onToggle(event.currentTarget.open))}>
      <summary>
        <h2>{title}</h2>
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

function linkOf({ position, hand, setName, game }: Analysis): string {
  return analysisHash({ position: position.value, hand: hand.value, set: setName.value, game: game.value });
}

/** Look at what a link tells. */
function show(analysis: Analysis, hash: string): void {
  const { p, h, s, g } = readHash(hash);
  const set = s === "72" ? "72" : "120";
  analysis.game.value = parseStanding(g);
  void analysis.read(
    unpackPosition(p),
    set,
    (h ?? "")
      .split(",")
      .filter((tile) => tileSet(set).has(tile))
      .slice(0, 2),
  );
}

/** The address tells the position, and the other way round. */
function useLink(analysis: Analysis): readonly string[] {
  const hash = linkHash(address.value);
  const others = useSignal<readonly string[]>([]);
  useEffect(() => {
    const { p, h, s } = readHash(hash);
    others.value = findUnknownDominoes({ position: p, tiles: h }, tileSet(s));
    show(analysis, hash || exampleHash(0));
  }, [hash]);
  const now = linkOf(analysis);
  const wrong = analysis.fault.value !== null;
  const begun = useSignal(false);
  useEffect(() => {
    // Not before the link that was opened has been read; and a wrong text is no position.
    if (!begun.value) {
      begun.value = true;
      return undefined;
    }
    if (wrong) return undefined;
    const timer = setTimeout(() => history.replaceState(null, "", `/analysis${now}`), 300);
    return () => clearTimeout(timer);
  }, [now, wrong]);
  return others.value;
}

/** The laying that is to blame, where it was meant to lie. */
function Blamed({ analysis, fault }: { analysis: Analysis; fault: Fault }) {
  const set = analysis.set.value;
  let laying: Laying;
  try {
    laying = parseLaying(fault.laying);
  } catch {
    return null;
  }
  return set.has(laying.tile) ? (
    <WrongLaying laying={laying} clashes={clashes(laying, analysis.layings.value, set)} set={set} />
  ) : null;
}

interface Pointed {
  value: Turn | null;
}

interface TurnProps {
  analysis: Analysis;
  pointed: Pointed;
  parts: readonly Scored[];
}

/** Turns, the best first; `more` is what is to be said of each. */
function Turns<T extends Turn>({
  turns,
  kind = "",
  more,
  ...props
}: TurnProps & { turns: readonly T[] | null; kind?: string; more?(turn: T): ComponentChildren }) {
  if (!turns) return null;
  if (!turns.length) return <p class="soft">{t("analysis_no_turn")}</p>;
  return (
    <ol class={`cards tight best-turns ${kind}`} style={{ "--card": "290px" }}>
      {turns.map((turn) => (
        <li key={turnName(turn)}>
          <TurnButton {...props} turn={turn}>
            {more?.(turn)}
          </TurnButton>
        </li>
      ))}
    </ol>
  );
}

/** A turn to look at and to play. */
function TurnButton({
  analysis,
  turn,
  pointed,
  parts,
  children,
}: TurnProps & { turn: Turn; children?: ComponentChildren }) {
  const tapped = useRef(false);
  const on = pointed.value !== null && turnName(pointed.value) === turnName(turn);
  return (
    <button
      type="button"
      aria-pressed={on}
      title={t("analysis_play")}
      {...onPointing((on) => (pointed.value = on ? turn : null))}
      onPointerDown={(event) => (tapped.current = event.pointerType !== "mouse" && !on)}
      onClick={() => {
        // A first tap shows, the second lays; a mouse and the keyboard have shown already.
        const only = tapped.current;
        tapped.current = false;
        pointed.value = only ? turn : null;
        if (!only) analysis.lay(...turn.layings.map(parseLaying));
      }}
    >
      <b class="number">
        {formatMinus(turn.points)} <small class="small">{tt("unit_points", { count: turn.points })}</small>
      </b>
      <TurnPictures layings={turn.layings.map(parseLaying)} table={analysis.layings.value} set={analysis.set.value} />
      {on && parts.length > 0 && (
        <span class="note full stack tight">
          {partsInWords(parts).map((line, i) => (
            <span key={i}>{line}</span>
          ))}
        </span>
      )}
      {children}
    </button>
  );
}

/** Which of the best turns wins most often, what each leaves, and why. */
function CoachPart({ analysis, pointed, parts }: TurnProps) {
  const { game, advice, asking } = analysis;
  const { scores, target, began } = game.value;
  const other = (seat: number) => (scores.length > 2 ? `${t("coach_other")} ${seat}` : t("coach_other"));
  useEffect(() => {
    if (advice.peek()) void analysis.askCoach(language.value); // Its sentences are the server's.
  }, [language.value]);
  const best = advice.value?.[0];
  useAnnouncement(best ? sentences([pointsInWords(best.points), chanceAndNext(best), best.why]) : null, "event");
  const score = (seat: number, value: string) =>
    (game.value = {
      ...game.value,
      scores: scores.map((one, i) => (i === seat ? Math.trunc(Number(value)) || 0 : one)),
    });
  return (
    <>
      <p class="soft">{t("coach_hint")}</p>
      <form
        class="row foot coach-form"
        onSubmit={(event) => {
          event.preventDefault();
          void analysis.askCoach(language.value);
        }}
      >
        {scores.map((points, seat) => (
          <label key={seat} class="field-row small">
            {seat ? other(seat) : t("coach_you")}
            <input
              type="number"
              min={-999}
              max={999}
              value={points}
              onInput={(event) => score(seat, event.currentTarget.value)}
            />
          </label>
        ))}
        <label class="field-row small">
          {t("coach_target")}
          <input
            type="number"
            min={60}
            max={240}
            value={target}
            onInput={(event) =>
              (game.value = { ...game.value, target: Math.trunc(Number(event.currentTarget.value)) || 60 })
            }
          />
        </label>
        <label class="field-row small">
          {t("coach_began")}
          <select
            value={began}
            onChange={(event) => (game.value = { ...game.value, began: Number(event.currentTarget.value) })}
          >
            {scores.map((_, seat) => (
              <option key={seat} value={seat}>
                {seat ? other(seat) : t("coach_me")}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={asking.value || !analysis.hand.value.length || analysis.fault.value !== null}>
          {t("review_ask")}
        </button>
      </form>
      <div aria-busy={asking.value}>
        <Turns
          analysis={analysis}
          turns={advice.value}
          pointed={pointed}
          parts={parts}
          kind="coach-turns"
          more={({ chance, leaves, why }) => (
            <span class="note full stack tight">
              <span>{chanceAndNext({ chance, leaves })}</span>
              <span>{why}</span>
              {!chance.exact && (
                <small>
                  {leaves.reply
                    && t("coach_leaves", {
                      tile: leaves.reply.tiles[0]!,
                      points: leaves.reply.points,
                      mean: oneDigit(leaves.mean),
                    })}{" "}
                  {leaves.kept && t("coach_keeps", { tile: leaves.kept, points: leaves.kept_points })}
                </small>
              )}
            </span>
          )}
        />
      </div>
    </>
  );
}

/** An exact chance is that of a turn with which the game is over: nobody comes next. */
const chanceAndNext = ({ chance, leaves }: Pick<CoachTurn, "chance" | "leaves">): string =>
  chance.exact
    ? `${t("column_chance")} ${chanceInWords(chance)}`
    : t("coach_chance", { chance: chanceInWords(chance), points: meanInWords(leaves.next) });

function Groups({ analysis, pointed }: { analysis: Analysis; pointed: { value: Group | null } }) {
  const groups = analysis.groups.value;
  const list = (closed: boolean) => groups.filter((group) => group.closed === closed);
  return (
    <>
      {[true, false].map(
        (closed) =>
          list(closed).length > 0 && (
            <div key={String(closed)} class="stack">
              <h3>
                {closed ? t("analysis_closed") : t("analysis_open")} <small>{list(closed).length}</small>
              </h3>
              <ul class="row">
                {list(closed).map((group) => {
                  const name = group.discs.map(key).join(" ");
                  const label = t(group.closed ? "analysis_group_closed" : "analysis_group_open", {
                    colour: colourName(group.colour),
                    count: group.size,
                  });
                  return (
                    <li key={name}>
                      <button
                        type="button"
                        class="chip"
                        title={label}
                        aria-pressed={pointed.value === group}
                        {...onPointing((on) => (pointed.value = on ? group : null))}
                        onClick={() => (pointed.value = group)}
                      >
                        <svg width={18} height={18} viewBox="-16 -16 32 32" aria-hidden="true">
                          <circle class={group.colour} r={15} />
                        </svg>
                        <span>
                          {colourName(group.colour)} {group.size}
                        </span>
                      </button>
                    </li>
                  );
                })}
              </ul>
            </div>
          ),
      )}
    </>
  );
}

function PositionText({ analysis }: { analysis: Analysis }) {
  const fault = analysis.fault.value;
  const apply = (text: string) => void analysis.read(text);
  return (
    <>
      <label class="field-row small">
        <span>{t("analysis_position_text")}</span>
        <textarea
          rows={4}
          spellcheck={false}
          autocomplete="off"
          value={analysis.text.value}
          placeholder="PRYGB+0@0,0 …"
          aria-invalid={fault !== null}
          aria-describedby={fault ? "fault" : undefined}
          onInput={(event) => apply(event.currentTarget.value)}
        />
      </label>
      {fault && (
        <AnnouncedText class="trouble full" manner="urgent" id="fault">
          {faultInWords(fault, analysis.set.value)}
        </AnnouncedText>
      )}
      <div class="buttons">
        <label class="field-row small">
          <span>{t("analysis_set")}</span>{" "}
          <select
            value={analysis.setName.value}
            onChange={(event) => void analysis.read(analysis.text.value, event.currentTarget.value)}
          >
            <option value="120">{t("study_set", { count: 120 })}</option>
            <option value="72">{t("study_set", { count: 72 })}</option>
          </select>
        </label>
      </div>
    </>
  );
}

/** Which laying is wrong, and why. */
function faultInWords(fault: Fault, set: TileSet): string {
  const name = fault.laying.split(/[+-]/)[0]!;
  const front = fault.code === "unknown_domino" ? set.frontOf(name) : null;
  if (front) return t("back_of", { name, front });
  const reason = textOr(`wrong_${fault.code}`, fault.message);
  return fault.number ? t("study_fault", { number: fault.number, laying: fault.laying, reason }) : reason;
}
