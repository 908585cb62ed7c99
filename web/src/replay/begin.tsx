/** The head of the replay page: a refusal, the player's own games, a record from disk. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n.ts";
import type { Refused } from "../net/backend.ts";
import { FinishedGames } from "../panels/finished-games.tsx";
import { refusalText } from "../panels/refusal.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { Finished } from "../state/finished.ts";

/** Refusals that say nothing about a record. */
const GENERAL_REFUSALS = ["offline", "too_fast", "too_many", "too_long", "busy", "other_set", "damaged_table"];

interface ReplayBeginProps {
  /** The table that the address names, or empty. */
  id: string;
  refusal: Refused | null;
  /** One's own games; null until they are known. */
  games: readonly Finished[] | null;
  /** A file is held over the page. */
  over: boolean;
  onFile(file: File | undefined): void;
}

export function ReplayBegin({ id, refusal, games, over, onFile }: ReplayBeginProps) {
  return (
    <>
      <h1 class="large">{t("replay_title")}</h1>
      {refusal && <Refusal refusal={refusal} id={id} />}
      <OwnGames games={games} />
      {!id && <OpenRecord over={over} onFile={onFile} />}
    </>
  );
}

/** Take a file that is dropped anywhere on the page; the result says whether one is held over it. */
export function useFileDrop(onFile: ((file: File | undefined) => void) | null): Signal<boolean> {
  const over = useSignal(false);
  useEffect(() => {
    if (!onFile) return undefined;
    const hold = (event: DragEvent) => {
      event.preventDefault();
      over.value = event.type === "dragover";
      if (event.type === "drop") onFile(event.dataTransfer?.files[0]);
    };
    const kinds = ["dragover", "dragleave", "drop"] as const;
    for (const kind of kinds) addEventListener(kind, hold);
    return () => {
      for (const kind of kinds) removeEventListener(kind, hold);
    };
  }, [!onFile]);
  return over;
}

/** Why there is nothing to see. */
function Refusal({ refusal, id }: { refusal: Refused; id: string }) {
  const known = GENERAL_REFUSALS.includes(refusal.code);
  return (
    <AnnouncedText class="trouble" manner="urgent">
      {refusal.code === "not_over"
        ? t("replay_not_over")
        : refusal.code === "unknown_table"
          ? t("no_table_title")
          : known
            ? refusalText(refusal.code, refusal.message)
            : t("replay_no_record")}
      {refusal.code === "not_over" && (
        <>
          {" "}
          <a href={`/t/${id}`}>{t("replay_to_table")}</a>
        </>
      )}
      {id && (
        <>
          {" "}
          <a href="/">{t("home")}</a>
        </>
      )}
      {/* What exactly is wrong with a record, its author wants to know in full. */}
      {!id && !known && refusal.message && (
        <>
          <br />
          <small lang="en">{refusal.message}</small>
        </>
      )}
    </AnnouncedText>
  );
}

/** One's own games, or where they will be. */
function OwnGames({ games }: { games: readonly Finished[] | null }) {
  if (!games) return null;
  if (!games.length) return <p class="soft">{t("finished_none")}</p>;
  return (
    <section class="stack" aria-labelledby="finished">
      <h2 id="finished">{t("finished_title")}</h2>
      <FinishedGames games={games} href={({ id }) => `/replay/${id}`} />
    </section>
  );
}

function OpenRecord({ over, onFile }: { over: boolean; onFile(file: File | undefined): void }) {
  return (
    <p class={over ? "row open-record over" : "row open-record"}>
      <label class="button">
        {t("replay_open")}
        <input
          class="hidden"
          type="file"
          accept=".json,application/json"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      </label>
      <small>{t("replay_open_text")}</small>
    </p>
  );
}
