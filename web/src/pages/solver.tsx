/** Frames filled by the solver: any size, any dominoes, with some laid before. */
import { hrefOf, isStatic, linkTo } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Board } from "../board/board.tsx";
import { Outlined } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import { Picture } from "../board/picture.tsx";
import { type Laying, parsePosition, printLaying, printPosition } from "../geometry.ts";
import { t, tt } from "../i18n.ts";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { usePlacingKeys } from "../panels/placing-keys.ts";
import { Radios } from "../shell/radios.tsx";
import { OtherDominoes } from "../panels/other-dominoes.tsx";
import { ShareButton } from "../panels/share.tsx";
import { readHash, solverHash, findUnknownDominoes, unpackPosition } from "../panels/study-link.ts";
import { TilePicker, Tiles } from "../panels/tile-picker.tsx";
import { address } from "../shell/router.ts";
import { useTitle } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { FRAME } from "../state/examples.ts";
import { positionLink } from "../state/prints.ts";
import { MOST_SIDE, Solver, type Stock } from "../state/solver.ts";
import { refusalText } from "../panels/refusal.ts";
import { Room } from "../ui/room.tsx";

export default function SolverPage() {
  const solver = useMemo(() => new Solver(), []);
  const camera = useMemo(() => new Camera(), []);
  useTitle(t("solver"));
  useEffect(() => () => solver.close(), []);
  const others = useLink(solver);
  const commit = (laying: Laying) => solver.lay(laying);
  usePlacingKeys(solver.placer, commit, (key) => {
    if (/^u$/i.test(key)) solver.takeBack();
    return /^u$/i.test(key);
  });
  const solution = solver.solution.value;
  const shown = solution ?? solver.layings.value;
  const frame = solver.frame.value;
  const label = t("solver_frame_label", { ...frame, count: shown.length });
  return (
    <Room
      kind="study"
      of={{ board: { class: "study-board" }, side: { class: "study-side" } }}
      board={
        <Board
          key={`${frame.width}x${frame.height}`}
          set={solver.set}
          layings={shown}
          frame={frame}
          camera={camera}
          placer={solution ? undefined : solver.placer}
          onCommit={commit}
          label={label}
        >
          {solution
            && solver.layings.value.map((laying) => (
              <Outlined key={printLaying(laying)} laying={laying} kind="staged" />
            ))}
        </Board>
      }
      tray={
        <>
          <Findings solver={solver} />
          {solver.held.value && !solution && (
            <>
              <Hand placer={solver.placer} set={solver.set} camera={camera} onCommit={commit} />
              <LayingsList placer={solver.placer} onCommit={commit} />
            </>
          )}
        </>
      }
      side={
        <>
          <h1 class="large">{t("solver")}</h1>
          <OtherDominoes names={others} />
          <p class="soft">{t("solver_intro")}</p>
          <Question solver={solver} />
          <section class="stack" aria-label={t("solver_lay_first")}>
            <h2>{t("solver_lay_first")}</h2>
            <p class="soft">{solver.stock.value === "chosen" ? t("solver_choose_text") : t("solver_lay_text")}</p>
            <div class="buttons">
              <button type="button" disabled={!solver.layings.value.length} onClick={() => solver.takeBack()}>
                {t("analysis_take_back")} <kbd>U</kbd>
              </button>
              <button type="button" disabled={!solver.layings.value.length} onClick={() => solver.clear()}>
                {t("analysis_clear")}
              </button>
            </div>
            {solver.stock.value === "chosen" && (
              <>
                <p class="note">
                  {t("solver_chosen", { count: solver.chosen.value.length, needed: solver.needed.value })}
                </p>
                <ChosenToLay solver={solver} />
              </>
            )}
            <Stocked solver={solver} />
          </section>
        </>
      }
    >
      {solution && (
        <div class="print-only">
          <Picture set={solver.set} layings={solution} frame={frame} label={label} />
          <p>
            Dalapapa · {frame.width} × {frame.height}
          </p>
        </div>
      )}
    </Room>
  );
}

/** The list adds dominoes to a stock of the player's choice; with any other stock, it takes one to lay. */
function Stocked({ solver }: { solver: Solver }) {
  const own = solver.stock.value === "chosen";
  const tiles = useMemo(() => solver.tiles.value.map((name) => solver.set.get(name)), [solver.tiles.value]);
  return (
    <TilePicker
      set={solver.set}
      tiles={own ? undefined : tiles}
      chosen={own ? solver.chosen.value : solver.held.value ? [solver.held.value] : []}
      laid={solver.laid.value}
      onToggle={(tile) => (own ? solver.choose(tile) : solver.hold(tile))}
    />
  );
}

/** The chosen dominoes that can be laid by hand. */
function ChosenToLay({ solver }: { solver: Solver }) {
  const free = solver.chosen.value.filter((tile) => !solver.laid.value.has(tile));
  if (!free.length) return null;
  return (
    <>
      <h3>{t("solver_lay_one")}</h3>
      <Tiles
        set={solver.set}
        tiles={free.map((tile) => solver.set.get(tile))}
        chosen={solver.held.value ? [solver.held.value] : []}
        onToggle={(tile) => solver.hold(tile)}
      />
    </>
  );
}

const COMMON_SIZES = [
  [4, 4],
  [6, 6],
  [8, 10],
  [10, 8],
] as const;

const STOCKS: readonly Stock[] = ["1", "2", "3", "all", "chosen"];

function stockName(stock: Stock): string {
  if (stock === "all") return t("study_set", { count: 120 });
  return stock === "chosen" ? t("solver_stock_chosen") : t("dominoes_pile", { number: Number(stock) });
}

function Question({ solver }: { solver: Solver }) {
  return (
    <form
      class="stack loose"
      onSubmit={(event) => {
        event.preventDefault();
        void solver.solve();
      }}
    >
      <div class="row foot">
        <Side
          label={t("solver_width")}
          value={solver.width.value}
          onChange={(n) => solver.resize(n, solver.height.value)}
        />
        <span aria-hidden="true">×</span>
        <Side
          label={t("solver_height")}
          value={solver.height.value}
          onChange={(n) => solver.resize(solver.width.value, n)}
        />
        <span class="soft">{t("pool_count", { count: Math.floor(solver.needed.value) })}</span>
      </div>
      <div class="buttons">
        {COMMON_SIZES.map(([w, h]) => (
          <button
            key={`${w}x${h}`}
            type="button"
            aria-pressed={solver.width.value === w && solver.height.value === h}
            onClick={() => solver.resize(w, h)}
          >
            {w} × {h}
          </button>
        ))}
      </div>
      <Radios
        legend={t("solver_stock")}
        name="stock"
        of={STOCKS}
        value={solver.stock.value}
        word={stockName}
        onChoose={(stock) => {
          solver.forget();
          solver.stock.value = stock;
        }}
      />
      <Radios
        legend={t("solver_faces")}
        name="faces"
        of={["both", "recto"] as const}
        value={solver.faces.value}
        word={(faces) => tt(`solver_${faces}`)}
        onChoose={(faces) => {
          solver.forget();
          solver.faces.value = faces;
        }}
      />
      <label class="field-row small">
        <span>{t("solver_count")}</span>{" "}
        <input
          type="number"
          min={1}
          max={100}
          value={solver.count.value}
          onChange={(event) =>
            (solver.count.value = Math.min(100, Math.max(1, Math.round(event.currentTarget.valueAsNumber) || 1)))
          }
        />
      </label>
      {solver.obstacle.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {solver.obstacle.value === "odd"
            ? t("solver_odd")
            : t("solver_few", { count: solver.tiles.value.length, needed: solver.needed.value })}
        </AnnouncedText>
      )}
      <button
        type="submit"
        class="primary big"
        disabled={solver.obstacle.value !== null || solver.finding.value === "searching"}
      >
        {t("solver_solve")}
      </button>
    </form>
  );
}

function Side({ label, value, onChange }: { label: string; value: number; onChange(n: number): void }) {
  return (
    <label class="field-row small">
      <span>{label}</span>
      <input
        type="number"
        min={1}
        max={MOST_SIDE}
        value={value}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

/** What the solver says, and the way through its solutions. */
function Findings({ solver }: { solver: Solver }) {
  const [finding, all, number] = [solver.finding.value, solver.solutions.value.length, solver.shown.value];
  const refusal = solver.trouble.value;
  return (
    <div class="row apart full">
      <AnnouncedText
        later
        manner="status"
        class={finding === "none" || finding === "gave_up" ? "strong notice" : "strong"}
      >
        {refusal
          ? refusalText(refusal.code, refusal.message)
          : finding === "searching"
            ? t("solver_searching")
            : finding === "none"
              ? t("solver_none", { count: solver.nodes.value })
              : finding === "gave_up"
                ? t("solver_gave_up", { count: solver.nodes.value })
                : finding === "no_more"
                  ? t("solver_no_more")
                  : all
                    ? t("solver_found", { number: number + 1, count: all })
                    : solver.layings.value.length
                      ? t("solver_laid", { count: solver.layings.value.length })
                      : t("solver_idle")}
      </AnnouncedText>
      <div class="buttons">
        {finding === "searching" && (
          <button type="button" onClick={() => solver.cancel()}>
            {t("cancel")}
          </button>
        )}
        {all > 0 && finding !== "searching" && (
          <>
            <button type="button" disabled={number === 0} onClick={() => solver.shown.value--}>
              {t("solver_previous")}
            </button>
            <button
              type="button"
              disabled={finding === "no_more" && number === all - 1}
              onClick={() => void solver.next()}
            >
              {t("solver_next")}
            </button>
            <button type="button" onClick={() => solver.forget()}>
              {t("solver_back")}
            </button>
            {!isStatic && (
              <a class="button" href={positionLink(printPosition(solver.solution.value ?? []))}>
                {t("solver_print")}
              </a>
            )}
          </>
        )}
        <ShareButton url={() => linkTo(`/solver${hashOf(solver)}`)} title={t("solver")} label={t("study_copy_link")} />
      </div>
    </div>
  );
}

function hashOf(solver: Solver): string {
  const stock = solver.stock.value;
  return solverHash({
    ...solver.frame.value,
    pile: /^\d$/.test(stock) ? Number(stock) : undefined,
    tiles: stock === "chosen" ? solver.chosen.value : stock === "all" ? ["all"] : undefined,
    faces: solver.faces.value,
    position: printPosition(solver.layings.value),
  });
}

/** Read the question from the address, and keep the address up to date. */
function useLink(solver: Solver): readonly string[] {
  const { hash } = address.value;
  const others = useSignal<readonly string[]>([]);
  useEffect(() => {
    const { w, h, pile, t: tiles, f, p } = readHash(hash || solverHash(FRAME));
    solver.resize(Number(w ?? 8), Number(h ?? 10));
    solver.faces.value = f === "recto" ? "recto" : "both";
    others.value = findUnknownDominoes({ position: p, tiles: tiles === "all" ? "" : tiles }, solver.set);
    const chosen = (tiles ?? "").split(",").filter((tile) => solver.set.has(tile));
    solver.chosen.value = chosen;
    solver.stock.value =
      tiles === "all"
        ? "all"
        : chosen.length
          ? "chosen"
          : /^[123]$/.test(pile ?? "")
            ? (pile as Stock)
            : tiles === undefined && !pile && w
              ? "all"
              : "1";
    try {
      solver.layings.value = parsePosition(unpackPosition(p)).filter(({ tile }) => solver.set.has(tile));
    } catch {
      solver.layings.value = [];
    }
    // Without a question in the address, the page shows an example of an answer.
    if (!hash) solver.show(FRAME.solution);
  }, [hash]);
  const now = hashOf(solver);
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(null, "", hrefOf(`/solver${now}`)), 300);
    return () => clearTimeout(timer);
  }, [now]);
  return others.value;
}
