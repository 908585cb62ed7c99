/** Count a group: its discs are tapped as they lie on the table. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Disc, key } from "../../geometry.ts";
import { formatNumber, t } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { itemAt } from "../../values.ts";
import { countGroups, FIELD_SIZE, isPlaceOfDisc, keepMarks, type CountMark, marks, tapPlace } from "./count.ts";

const MIDDLE = (FIELD_SIZE - 1) / 2;

const ROWS: readonly (readonly Disc[])[] = Array.from({ length: FIELD_SIZE }, (_, y) =>
  Array.from({ length: FIELD_SIZE }, (_, x): Disc => [x, y]).filter(([x]) => isPlaceOfDisc(x, y)),
);

/** Arrows go to the next disc in a row, and to the nearest one of the row above or below. */
const ARROWS: Readonly<Record<string, (place: Disc) => Disc>> = {
  ArrowLeft: ([x, y]) => [x - 2, y],
  ArrowRight: ([x, y]) => [x + 2, y],
  ArrowUp: ([x, y]) => [x + (y % 2 ? -1 : 1), y - 1],
  ArrowDown: ([x, y]) => [x + (y % 2 ? -1 : 1), y + 1],
};

const isInField = ([x, y]: Disc): boolean => Math.min(x, y) >= 0 && Math.max(x, y) < FIELD_SIZE;

export function Counting() {
  const groups = countGroups(marks.value);
  const field = useRef<HTMLDivElement>(null);
  const places = useRef(new Map<string, HTMLButtonElement>());
  /** The one place that Tab reaches. */
  const current = useSignal<Disc>([MIDDLE, MIDDLE]);
  useEffect(() => {
    const shown = field.current;
    if (!shown) return;
    shown.scrollLeft = (shown.scrollWidth - shown.clientWidth) / 2;
    shown.scrollTop = (shown.scrollHeight - shown.clientHeight) / 2;
  }, []);
  const move = (event: KeyboardEvent, place: Disc) => {
    const next = ARROWS[event.key]?.(place);
    if (!next) return;
    event.preventDefault();
    if (!isInField(next)) return;
    current.value = next;
    places.current.get(key(next))?.focus();
  };
  return (
    <section class="stack" aria-labelledby="count-title">
      <h2 id="count-title" class="hidden">
        {t("companion_count")}
      </h2>
      <p class="note">{t("count_intro")}</p>
      <div class="count-field" ref={field} role="group" aria-label={t("count_field")}>
        <div class="count-places">
          {ROWS.flat().map((place) => {
            const mark = marks.value[key(place)];
            return (
              <button
                key={key(place)}
                ref={(button) => void (button && places.current.set(key(place), button))}
                type="button"
                class={mark ? `count-place ${mark}` : "count-place"}
                style={{ gridArea: `${place[1] + 1} / ${place[0] + 1} / span 2 / span 2` }}
                aria-label={placeInWords(place, mark)}
                tabIndex={key(place) === key(current.value) ? 0 : -1}
                onKeyDown={(event) => move(event, place)}
                onClick={() => {
                  current.value = place;
                  keepMarks(tapPlace(marks.value, place));
                }}
              />
            );
          })}
        </div>
      </div>
      <div class="stack turn-end">
        <AnnouncedText as="section" later manner="chosen" class="tinted stack count-sum">
          {!groups.length && <p>{t("count_empty")}</p>}
          {groups.map(({ size, isClosed }, i) => (
            <p key={i} class="row tied">
              <b class="number">{formatNumber(size)}</b> {t(isClosed ? "count_closed" : "count_open", { count: size })}
            </p>
          ))}
        </AnnouncedText>
        <button type="button" class="big" disabled={!groups.length} onClick={() => keepMarks({})}>
          {t("count_again")}
        </button>
      </div>
      <p class="note">{t("count_note")}</p>
    </section>
  );
}

function placeInWords([x, y]: Disc, mark: CountMark | undefined): string {
  const place = itemAt(ROWS, y).findIndex(([column]) => column === x) + 1;
  const what = t(mark === "disc" ? "count_disc" : mark === "half" ? "count_half" : "count_none");
  return t("count_place", { row: y + 1, place, what });
}
