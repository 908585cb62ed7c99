/** The table of Gone: for children, so with large dominoes, pictures and few words. */
import { useEffect, useMemo } from "preact/hooks";
import { Face } from "../../board/domino.tsx";
import { joinList, t } from "../../i18n.ts";
import { isLaid } from "../../net/open.ts";
import type { Candidate } from "../../state/placement.ts";
import { celebrates } from "../../panels/outcome.ts";
import type { Session, TableProps } from "../../state/session.ts";
import { announce } from "../../state/voice.ts";
import { Listen } from "../../tables/listen.tsx";
import { turnStatus } from "../../tables/turn-status.ts";
import { turnTable } from "../../tables/turn-table.tsx";
import type { GoneView } from "./game.ts";
import { BagPicture, LittleDomino, Star } from "./pieces.tsx";
import { Icon } from "../../ui/icon.tsx";
import { itemAt } from "../../values.ts";
import { Commit } from "../../shell/commit.tsx";

/** Discs that let one lay again (rules 4). */
const AGAIN = 3;

export default turnTable<GoneView>({
  extra: (view, seat) => <Left view={view} seat={seat} />,
  Panel: GonePanel,
  sign,
  Front: Party,
  Buttons: () => null,
  status: (session) => (session.may("pass") ? t("gone_stuck") : null),
  large: true,
});

/** A hand as little dominoes, to be counted by looking. */
function Left({ view, seat }: { view: GoneView; seat: number }) {
  const count = itemAt(view.hand_counts, seat);
  return (
    <span class="little-dominoes" role="img" aria-label={t("gone_left", { count })} title={t("gone_left", { count })}>
      {Array.from({ length: count }, (_, i) => (
        <LittleDomino key={i} />
      ))}
    </span>
  );
}

function GonePanel({ session }: TableProps<GoneView>) {
  const view = session.requireView();
  const again =
    view.again
    && (session.myTurn.value ? t("gone_again") : t("gone_again_other", { name: session.nameOf(view.active) }));
  // What others lay says it.
  useEffect(() => {
    if (again && session.myTurn.value) announce(again, "status");
  }, [again && view.table]);
  if (view.outcome) return null;
  if (session.may("pass")) {
    return (
      <div class="game-panel gone-panel">
        <Commit
          does="pass"
          means={String(session.seat.value)}
          class="primary big"
          data-first
          onCommit={() => void session.move({ move: "pass" })}
        >
          <BagPicture /> {t("gone_draw")}
        </Commit>
      </div>
    );
  }
  if (again) {
    return (
      <p class="game-panel gone-panel again" key={view.table}>
        <Star /> <b>{again}</b> <Star />
      </p>
    );
  }
  return (
    <div class="row gone-help">
      <Listen say={() => giveHint(session)} />
      <Legend />
    </div>
  );
}

/** Shows the laying that makes most discs, and says what it brings; off turn, what happens. */
function giveHint(session: Session<GoneView>): string {
  const { placer } = session;
  if (!session.mayLay.value || session.aids.value === "none") return turnStatus(session);
  const all = [...placer.candidates.value.values()].flat();
  const discs = ({ makes }: Candidate) => makes?.contacts ?? 0;
  const best = all.reduce<Candidate | null>((found, one) => (found && discs(found) >= discs(one) ? found : one), null);
  if (!best) return turnStatus(session);
  placer.show(best.laying);
  return discs(best) ? `${t("gone_hint")} ${tellDiscs(Math.min(discs(best), AGAIN))}` : t("gone_hint");
}

/** What one, two and three discs bring, as pictures. */
function Legend() {
  return (
    <ul class="game-panel gone-panel gone-legend lead strong">
      {[1, 2, AGAIN].map((discs) => (
        <li key={discs} class="row" title={tellDiscs(discs)}>
          <span class="hidden">{tellDiscs(discs)}</span>
          <svg
            height="1.15em"
            viewBox={`0 0 ${26 * discs} 24`}
            stroke="var(--text)"
            stroke-width={1.5}
            aria-hidden="true"
          >
            {Array.from({ length: discs }, (_, i) => (
              <circle key={i} class={"BYRG"[i]} cx={13 + 26 * i} cy={12} r={10.5} />
            ))}
          </svg>
          <Icon name="arrow" />
          {brings(discs)}
        </li>
      ))}
    </ul>
  );
}

const tellDiscs = (discs: number) => (discs === 1 ? t("gone_one") : discs === 2 ? t("gone_two") : t("gone_three"));

/** Beside the ghost: what this laying will bring. */
function sign(_: unknown, { makes }: Candidate) {
  if (!makes) return null;
  return <span class="gone-sign">{brings(makes.contacts)}</span>;
}

/** Another domino from the bag, nothing, or another turn. */
function brings(discs: number) {
  return discs >= AGAIN ? (
    <Star />
  ) : discs === 2 ? (
    <span class="good large">
      <Icon name="done" />
    </span>
  ) : (
    <span class="plus-domino" aria-hidden="true">
      +<LittleDomino />
    </span>
  );
}

const COLOURS = ["R", "Y", "G", "B"];
const CONFETTI = 70;
const DANCERS = 5;

/** A star for three discs; at the end confetti and dancing dominoes. */
function Party({ session }: TableProps<GoneView>) {
  const view = session.requireView();
  const news = session.store.latest.value;
  const outcome = view.outcome;
  const scraps = useMemo(
    () =>
      Array.from({ length: CONFETTI }, (_, i) => ({
        left: `${(i * 61.8) % 100}%`,
        animationDelay: `${((i * 37) % 40) / 10}s`,
        animationDuration: `${3 + ((i * 29) % 25) / 10}s`,
        background: `var(--${COLOURS[i % 4]})`,
        width: `${8 + (i % 3) * 3}px`,
      })),
    [],
  );
  if (!outcome) {
    const isThree = news?.live && news.entry.events.some((event) => isLaid(event) && event.earned.contacts >= AGAIN);
    return isThree ? (
      <div class="covering burst" key={news.entry.version} aria-hidden="true">
        <Star />
      </div>
    ) : null;
  }
  const names = session.requireTable().seats.map(({ name }) => name);
  const won = session.seat.value !== null && !session.away.value && outcome.winners.includes(session.seat.value);
  const laid = session.layings.value.slice(-DANCERS);
  return (
    <div class="covering party">
      {!session.away.value && celebrates(outcome, session.yours.value) && (
        <div class="covering confetti" aria-hidden="true">
          {scraps.map((style, i) => (
            <i key={i} style={style} />
          ))}
        </div>
      )}
      <p class="slip party-word">
        {won ? t("gone_you") : t("gone_won", { name: joinList(outcome.winners.map((seat) => itemAt(names, seat))) })}
      </p>
      <div class="dancers" aria-hidden="true">
        {laid.map(({ tile, side }, i) => (
          <Dancer key={tile} face={session.set.value.face(tile, side)} beat={i} />
        ))}
      </div>
    </div>
  );
}

/** A domino with arms, legs and a smile. */
function Dancer({ face, beat }: { face: string; beat: number }) {
  return (
    <svg class="dancer" viewBox="-20 -40 140 290" style={{ animationDelay: `${-0.3 * beat}s` }}>
      <g fill="none" stroke="var(--text)" stroke-width={9}>
        <path d="M4 80C-14 70 -14 40 -8 28M96 80C114 70 114 40 108 28" />
        <path d="M32 196V236h-14M68 196V236h14" />
      </g>
      <Face face={face} rotation={1} />
      {[
        [34, 36],
        [66, 64],
      ].map(([eye, pupil]) => (
        <g key={eye} fill="var(--ink)" stroke="var(--ink)" stroke-width={3}>
          <circle cx={eye} cy={52} r={13} fill="var(--white)" />
          <circle cx={pupil} cy={54} r={6} />
        </g>
      ))}
      <path d="M32 76Q50 96 68 76" fill="none" stroke="var(--white)" stroke-width={7} />
    </svg>
  );
}
