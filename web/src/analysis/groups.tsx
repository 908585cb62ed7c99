/** The groups of a position, closed and open ones; one that is pointed at is marked on the board. */
import { key } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { Group } from "../net/api.ts";
import { onPointing } from "../shell/hooks.ts";
import type { Analysis } from "../state/analysis.ts";
import { colourName } from "../words.ts";

export function GroupList({ analysis, pointed }: { analysis: Analysis; pointed: { value: Group | null } }) {
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
