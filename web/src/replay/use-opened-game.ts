/** Which game the replay page shows: one of the server, a record from disk, or the example. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Refused } from "../net/backend.ts";
import { isOffline } from "../net/server-backend.ts";
import { study } from "../net/study.ts";
import { address, go } from "../shell/router.ts";
import EXAMPLE from "../state/example-game.json";
import { Replay } from "../state/replay.ts";
import { recallHere, rememberHere, tokenOf } from "../state/storage.ts";

/** The record that was opened last, so that a reload shows it again: it is too long for an address. */
const RECORD_KEY = "record";

export interface OpenedGame {
  replay: Replay;
  /** The document of a game that the server does not have. */
  record: unknown;
  example: boolean;
}

export interface Opening {
  game: Signal<OpenedGame | null>;
  refusal: Signal<Refused | null>;
  /** Show a record from disk. */
  openFile(file: File | undefined): Promise<void>;
  /** Show the example again instead of a record. */
  closeRecord(): void;
}

/** `id` is that of a table of the server, or empty. */
export function useOpenedGame(id: string): Opening {
  const game = useSignal<OpenedGame | null>(null);
  const refusal = useSignal<Refused | null>(null);

  const openText = async (text: string) => {
    refusal.value = null;
    try {
      const record: unknown = JSON.parse(text);
      game.value = { record, replay: new Replay(await study.verify(record)), example: false };
      rememberHere(RECORD_KEY, text);
    } catch (error) {
      refusal.value = error instanceof Refused ? error : new Refused("no_record", "");
    }
  };
  const openFile = async (file: File | undefined) => {
    if (!file) return;
    go("/replay", { replace: true }); // What is opened is seen from its beginning.
    await openText(await file.text());
  };
  const showExample = () =>
    study.verify(EXAMPLE).then(
      (document) => (game.value ??= { record: EXAMPLE, replay: new Replay(document), example: true }),
      (error: Refused) => (refusal.value ??= error),
    );
  const closeRecord = () => {
    rememberHere(RECORD_KEY, null);
    go("/replay", { replace: true });
    game.value = null;
    void showExample();
  };

  useEffect(() => {
    if (id) {
      study.replay(id, tokenOf(id)).then(
        (document) => (game.value = { replay: new Replay(document), record: null, example: false }),
        (error: Refused) => (refusal.value = error),
      );
      return;
    }
    const kept = recallHere(RECORD_KEY);
    if (kept && address.value.hash) void openText(kept);
    else void showExample();
  }, [id, refusal.value?.code === "offline" && !isOffline.value]); // Again, when the server is back.

  return { game, refusal, openFile, closeRecord };
}
