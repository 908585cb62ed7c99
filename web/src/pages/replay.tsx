/**
 * A game that is over, step by step: `/replay/ID#17`; without an id an example, one's own games, or a record from disk.
 */
import { t } from "../i18n.ts";
import { useFinished } from "../panels/finished-games.tsx";
import { ReplayBegin, useFileDrop } from "../replay/begin.tsx";
import { useOpenedGame } from "../replay/use-opened-game.ts";
import { Viewer } from "../replay/viewer.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { PageProps } from "../shell/app.tsx";
import { useTitle } from "../shell/hooks.ts";
import { Room } from "../ui/room.tsx";

export default function ReplayPage({ argument: id }: PageProps) {
  useTitle(t("replay_title"));
  const { game, refusal, openFile, closeRecord } = useOpenedGame(id);
  const games = useFinished();
  const over = useFileDrop(id ? null : (file) => void openFile(file));
  const begin = (
    <ReplayBegin
      id={id}
      refusal={refusal.value}
      games={games.value}
      over={over.value}
      onFile={(file) => void openFile(file)}
    />
  );
  if (game.value) {
    const { example } = game.value;
    return (
      <Viewer
        key={`${id} ${example}`}
        game={game.value}
        id={id || null}
        begin={example && begin}
        onClose={closeRecord}
      />
    );
  }
  if (id)
    return refusal.value ? (
      <section class="page narrow">{begin}</section>
    ) : (
      <AnnouncedText manner="status" class="page narrow">
        {t("replay_loading")}
      </AnnouncedText>
    );
  return (
    <Room
      kind="study replay"
      of={{ board: { class: "cloth replay-stage" }, side: { class: "replay-side" } }}
      board={
        !refusal.value && (
          <AnnouncedText manner="status" class="toast">
            {t("replay_loading")}
          </AnnouncedText>
        )
      }
      side={begin}
    />
  );
}
