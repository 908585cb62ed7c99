/** What was taken off the list of one's tables: in its place at first, later in a list of its own. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatDate, t } from "../i18n.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { eraseForgotten, forgottenSeats } from "../state/forgotten.ts";
import { gameName } from "../state/catalogue.ts";

/** Where the table was, until the page is left: nothing moves, and the table can be put back. */
export function ForgottenCard({ game, onRestore }: { game: string; onRestore(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useAnnouncement(t("forgotten_now", { game }), "urgent");
  // The button that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <span class="stack tight grow">
        <b>{game}</b>
        <span class="soft">{t("forgotten")}</span>
      </span>
      <button ref={button} type="button" onClick={onRestore}>
        {t("undo")}
      </button>
      {/* A second click finds nothing where the first one was. */}
      <span class="tool" aria-hidden="true" />
    </>
  );
}

/** `hidden`: those that are still in their place. */
export function ForgottenTables({ hidden, onRestore }: { hidden(id: string): boolean; onRestore(id: string): void }) {
  const erased = useSignal(false);
  const seats = Object.entries(forgottenSeats()).filter(([id]) => !hidden(id));
  if (!seats.length || erased.value) return null;
  const erase = () => {
    eraseForgotten(seats.map(([id]) => id));
    erased.value = true;
  };
  return (
    <details class="more">
      <summary>{t("forgotten_tables", { count: seats.length })}</summary>
      <p class="note">{t("forgotten_note")}</p>
      <ul class="stack small">
        {seats.map(([id, { game, at }]) => (
          <li key={id} class="row tied">
            <span class="grow">
              <b>{gameName(game)}</b>{" "}
              <small>
                <time>{formatDate(at)}</time>
              </small>
            </span>
            <button type="button" onClick={() => onRestore(id)}>
              {t("restore")}
            </button>
          </li>
        ))}
      </ul>
      <p>
        <button type="button" class="link" onClick={erase}>
          {t("forgotten_erase")}
        </button>
      </p>
    </details>
  );
}
