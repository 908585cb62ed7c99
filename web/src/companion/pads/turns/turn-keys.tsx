/** The dominoes of a classic turn by taps: discs, closed groups, the second domino. */
import { useSignal } from "@preact/signals";
import { formatSigned, t } from "../../../i18n.ts";
import { CHARGE, discPoints, MAX_CONTACTS } from "../../../state/points.ts";
import { capital } from "../../../words.ts";
import { GroupKeys } from "../group-keys.tsx";
import { addGroup, countMaxGroups, enterDiscs, removeGroup, type TurnEntry } from "./turn-entry.ts";

const DISCS = Array.from({ length: MAX_CONTACTS + 1 }, (_, i) => i);

/** The groups are those of the domino that was tapped last, so that all keys fit a phone. */
export function TurnKeys({ turn, onChange }: { turn: TurnEntry | null; onChange(turn: TurnEntry): void }) {
  const chosen = useSignal<number | null>(null);
  const dominoes = turn && "dominoes" in turn ? turn.dominoes : [];
  const which = Math.min(chosen.value ?? dominoes.length, dominoes.length - 1);
  const domino = dominoes[which];
  const choose = (number: number, discs: number) => {
    chosen.value = number;
    onChange(enterDiscs(turn, number, discs));
  };
  return (
    <>
      <Discs
        legend={t("pad_first")}
        pressed={turn && "dominoes" in turn ? (dominoes[0]?.discs ?? 0) : null}
        onChoose={(discs) => choose(0, discs)}
      />
      {dominoes[0] && (
        <Discs
          legend={t("pad_second", { charge: CHARGE })}
          pressed={dominoes[1]?.discs ?? 0}
          onChoose={(discs) => choose(1, discs)}
        />
      )}
      {turn && domino && (
        <GroupKeys
          legend={t(dominoes.length < 2 ? "pad_groups" : which ? "pad_groups_second" : "pad_groups_first")}
          groups={domino.groups}
          isFull={domino.groups.length >= countMaxGroups(domino)}
          onAdd={(size) => onChange(addGroup(turn, which, size))}
          onRemove={(i) => onChange(removeGroup(turn, which, i))}
        />
      )}
    </>
  );
}

/** 0 to 6, each with what it earns. */
function Discs({
  legend,
  pressed,
  onChoose,
}: {
  legend: string;
  pressed: number | null;
  onChoose(discs: number): void;
}) {
  return (
    <fieldset class="pad-keys">
      <legend>{legend}</legend>
      {DISCS.map((discs) => (
        <button
          key={discs}
          type="button"
          aria-label={capital(t("pad_discs", { count: discs }))}
          aria-pressed={pressed === discs}
          onClick={() => onChoose(discs)}
        >
          <b data-text={discs} />
          <small data-text={discs ? formatSigned(discPoints(discs)) : "–"} />
        </button>
      ))}
    </fieldset>
  );
}
