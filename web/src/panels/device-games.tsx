/** The games of this device: delete them, save them in a file, and add those of a file. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatDate, joinList, t } from "../i18n.ts";
import type { OwnTableEntry } from "../net/api.ts";
import { exportGames, importGames, list, readRaw, remove } from "../state/device-files.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { nameSeat } from "../state/cast.ts";
import { gameName } from "../state/catalogue.ts";
import { forgetToken } from "../state/storage.ts";
import { focusTargets } from "../ui/focus.ts";
import { useAsking } from "./refusal.ts";

export function DeviceGames({ damaged = "", onClose }: { damaged?: string | undefined; onClose(): void }) {
  const games = useSignal<OwnTableEntry[] | null>(null);
  const unreadable = useSignal<readonly string[]>(damaged ? [damaged] : []);
  const done = useSignal("");
  const { busy, trouble, ask } = useAsking();
  const field = useRef<HTMLInputElement>(null);
  const importing = useRef<HTMLButtonElement>(null);
  const rows = useRef<HTMLUListElement>(null);
  /** Where a game was deleted: the button that had the focus is gone with it. */
  const deletedAt = useSignal<{ index: number } | null>(null);
  useEffect(() => {
    if (!deletedAt.value || !rows.current) return;
    const buttons = focusTargets(rows.current, "li > button:last-child");
    (buttons[deletedAt.value.index] ?? buttons.at(-1) ?? importing.current)?.focus();
  }, [deletedAt.value]);
  const look = async () => {
    const found = (await list()) as unknown as OwnTableEntry[];
    games.value = found.sort((a, b) => (b.changed ?? 0) - (a.changed ?? 0));
  };
  useEffect(() => void ask(look), []);
  const act = (what: () => Promise<string>) =>
    ask(async () => {
      done.value = "";
      done.value = await what();
      await look();
    });
  const save = () =>
    act(async () => {
      const { text, count, damaged } = await exportGames();
      unreadable.value = damaged;
      download("dalapapa-games.json", text);
      const left = damaged.length ? ` ${t("device_left_out", { count: damaged.length })}` : "";
      return t("device_exported", { count }) + left;
    });
  const deleteGame = async (id: string, index: number) => {
    await act(async () => {
      await remove(id);
      forgetToken(id);
      return "";
    });
    deletedAt.value = { index };
  };
  const saveRaw = (id: string) =>
    act(async () => {
      download(`${id}.json`, JSON.stringify(await readRaw(id)));
      return "";
    });
  const add = (input: HTMLInputElement) =>
    act(async () => {
      const [file] = input.files ?? [];
      try {
        return file ? t("device_imported", { count: await importGames(file) }) : "";
      } finally {
        input.value = "";
      }
    });
  return (
    <Dialog title={t("device_games")} onClose={onClose}>
      <div class="stack">
        <p>{t("device_games_text")}</p>
        <div class="buttons">
          <button type="button" disabled={busy.value || !games.value?.length} onClick={() => void save()}>
            {t("device_export")}
          </button>
          <button ref={importing} type="button" disabled={busy.value} onClick={() => field.current?.click()}>
            {t("device_import")}
          </button>
          <input
            ref={field}
            type="file"
            accept=".json,application/json"
            hidden
            onChange={(event) => void add(event.currentTarget)}
          />
        </div>
        {done.value && (
          <AnnouncedText class="note" manner="status">
            {done.value}
          </AnnouncedText>
        )}
        {trouble.value && (
          <AnnouncedText class="trouble" manner="urgent">
            {trouble.value}
          </AnnouncedText>
        )}
        {games.value && !games.value.length && <p class="note">{t("device_games_none")}</p>}
        <ul ref={rows} class="stack">
          {games.value?.map((one, index) => (
            <DeviceGame
              key={one.id}
              one={one}
              isDamaged={unreadable.value.includes(one.id)}
              busy={busy}
              onSave={() => saveRaw(one.id)}
              onDelete={() => void deleteGame(one.id, index)}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

interface GameProps {
  one: OwnTableEntry;
  isDamaged: boolean;
  busy: Signal<boolean>;
  onSave(): void;
  onDelete(): void;
}

/** A game in the list; deleting it is asked twice. */
function DeviceGame({ one, isDamaged, busy, onSave, onDelete }: GameProps) {
  const asked = useSignal(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current) opener.current?.focus(); // The button that had the focus is gone.
    wasAsked.current = asked.value;
  }, [asked.value]);
  const name = one.game ? gameName(one.game) : one.id;
  const players = joinList((one.seats ?? []).map(nameSeat).map(({ name }) => name));
  return (
    <li class="row tied table-row">
      <span class="stack tight grow">
        <b>{name}</b>
        <span class="one-line">{players}</span>
        {one.changed !== undefined && (
          <small>
            <time>{formatDate(one.changed)}</time>
          </small>
        )}
        {isDamaged && <span class="notice">{t("device_damaged")}</span>}
        {asked.value && <span>{t("device_delete_sure")}</span>}
      </span>
      {isDamaged && (
        <button type="button" onClick={onSave}>
          {t("device_raw")}
        </button>
      )}
      {asked.value ? (
        <>
          <button type="button" class="danger" disabled={busy.value} onClick={onDelete}>
            {t("device_delete")}
          </button>
          <button type="button" autoFocus onClick={() => (asked.value = false)}>
            {t("device_keep")}
          </button>
        </>
      ) : (
        <button
          ref={opener}
          type="button"
          aria-label={t("device_delete_game", { game: name })}
          onClick={() => (asked.value = true)}
        >
          {t("device_delete")}&nbsp;…
        </button>
      )}
    </li>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
