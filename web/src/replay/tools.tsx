/** Links from a position of a replay to other pages, and the record as a file. */
import { isStatic, linkTo } from "../base.ts";
import { t } from "../i18n.ts";
import { study } from "../net/study.ts";
import { ShareButton } from "../panels/share.tsx";
import { momentHash, solverHash } from "../panels/study-link.ts";
import { positionLink } from "../state/prints.ts";
import type { Replay } from "../state/replay.ts";
import { tokenOf } from "../state/storage.ts";
import { wordsOpen } from "../tables/keys.ts";

export function ReplayTools({
  replay,
  id,
  record,
  at,
  base,
  onClose,
}: {
  replay: Replay;
  id: string | null;
  record: unknown;
  at: number;
  base: string;
  /** Close a record from disk. */
  onClose: (() => void) | null;
}) {
  const view = replay.view(at);
  const race = replay.raceView(at);
  const download = async () => {
    const text = JSON.stringify(id === null ? record : await study.record(id, tokenOf(id)), null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `dalapapa-${replay.document.game}-${id ?? "record"}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return (
    <div class="buttons small replay-tools">
      {id && <ShareButton url={() => linkTo(`${base}#${at}`)} label={t("replay_link")} title={t("replay_title")} />}
      {view.table !== undefined && replay.setName && (
        <a class="button" href={`/analysis${momentHash(replay, at)}`}>
          {t("replay_analysis")}
        </a>
      )}
      {!isStatic && view.table && replay.setName && (
        <a class="button" href={positionLink(view.table)}>
          {t("solver_print")}
        </a>
      )}
      {race?.frames.map((frame, seat) => {
        const pile = replay.game.race?.pile?.(race, seat);
        const hash = solverHash({ ...replay.frame(at, seat), pile, position: frame.join(" ") });
        return (
          <a key={seat} class="button" href={`/solver${hash}`}>
            {t("replay_solver", { name: replay.names[seat] ?? "" })}
          </a>
        );
      })}
      {!race && (
        <button type="button" onClick={() => (wordsOpen.value = true)}>
          {t("key_words")} <kbd>W</kbd>
        </button>
      )}
      <button type="button" onClick={() => void download()}>
        {t("replay_download")}
      </button>
      {id ? (
        <a class="button" href="/replay">
          {t("replay_others")}
        </a>
      ) : (
        onClose && (
          <button type="button" onClick={onClose}>
            {t("replay_others")}
          </button>
        )
      )}
    </div>
  );
}
