/**
 * Any position: an example, the end of a game, or one of one's own; choose a hand and see the best turns and the
 * groups.
 */
import { isStatic, linkTo } from "../base.ts";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { AnalysisBegin } from "../analysis/begin.tsx";
import { CoachAdvice } from "../analysis/coach.tsx";
import { GroupList } from "../analysis/groups.tsx";
import { linkOf, useLink } from "../analysis/link.ts";
import { BlamedLaying, faultInWords, PositionText } from "../analysis/position-text.tsx";
import { Turns } from "../analysis/turns.tsx";
import { Board } from "../board/board.tsx";
import type { Marked } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import { bounds, type Laying, parseLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { Group, Scored, Turn } from "../net/api.ts";
import { partsOf, ThoughtTurn } from "../panels/best-turn.tsx";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { useFinished } from "../panels/finished-games.tsx";
import { usePlacingKeys } from "../panels/placing-keys.ts";
import { OtherDominoes } from "../panels/other-dominoes.tsx";
import { refusalText } from "../panels/refusal.ts";
import { ShareButton } from "../panels/share.tsx";
import { linkHash, readHash, toPreviewLink } from "../panels/study-link.ts";
import { TilePicker } from "../panels/tile-picker.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { useTitle } from "../shell/hooks.ts";
import { address } from "../shell/router.ts";
import { Analysis } from "../state/analysis.ts";
import { positionLink } from "../state/prints.ts";
import { announce } from "../state/voice.ts";
import { Room } from "../ui/room.tsx";
import { placeInWords } from "../words.ts";

export default function AnalysisPage() {
  const analysis = useMemo(() => new Analysis(), []);
  const camera = useMemo(() => new Camera(), []);
  const games = useFinished();
  // A link with a position but no hand opens the choice of dominoes; otherwise the best turns come first.
  const building = useSignal(/[#&]p=/.test(linkHash(address.peek())) && !readHash(linkHash(address.peek())).h);
  const group = useSignal<Group | null>(null);
  const turn = useSignal<Turn | null>(null);
  const parts = useSignal<Scored[]>([]);
  useEffect(() => () => analysis.close(), []);
  useTitle(t("analysis"));
  const [position, hand, set] = [analysis.position.value, analysis.hand.value, analysis.setName.value];
  const fault = analysis.fault.value;
  const others = useLink(analysis);
  const commit = (laying: Laying) => {
    analysis.lay(laying);
    announce(t("study_laid", { tile: laying.tile, place: placeInWords(laying) }));
  };
  usePlacingKeys(analysis.placer, commit, (key) => {
    if (/^u$/i.test(key)) analysis.takeBack();
    return /^u$/i.test(key);
  });

  // Ask what the turn that is pointed at earns, in parts.
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
            places={!fault}
            onCommit={commit}
            label={t("table_label", { count: analysis.layings.value.length })}
          >
            {pointed && !analysis.placer.ghost.value && (
              <ThoughtTurn layings={pointed.layings.map(parseLaying)} set={analysis.set.value} parts={parts.value} />
            )}
            {fault && <BlamedLaying analysis={analysis} fault={fault} />}
          </Board>
          {!analysis.layings.value.length && !hand.length && <p class="toast">{t("analysis_empty")}</p>}
        </>
      }
      tray={
        <>
          {/* A link may bring a wrong position: the text and its field are out of sight then. Unknown dominoes are
              named beside the board. */}
          {fault && !others.some((name) => fault.laying.startsWith(name)) && (
            <p class="trouble full">{faultInWords(fault, analysis.set.value)}</p>
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
          <AnalysisBegin analysis={analysis} games={games.value} onEmpty={() => (building.value = true)} />
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
            <CoachAdvice analysis={analysis} pointed={turn} parts={parts.value} />
          </Part>
          {analysis.groups.value.length > 0 && (
            <Part title={t("analysis_groups")} open>
              <GroupList analysis={analysis} pointed={group} />
            </Part>
          )}
          <Part title={t("analysis_position")} open={false}>
            <PositionText analysis={analysis} />
          </Part>
          <div class="buttons">
            <ShareButton
              url={() => linkTo(`/analysis${toPreviewLink(linkOf(analysis))}`)}
              title={t("analysis")}
              label={t("study_copy_link")}
            />
            {!isStatic && position && !fault && (
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
