/** The score pads of this device: the open one, or the form for a new game and the list of all. */
import { useEffect, useRef } from "preact/hooks";
import { formatDate, joinList, t, tt } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { childSheet } from "./children/child-sheet.ts";
import { OpenChildPad } from "./children/open-child-pad.tsx";
import { NewPad } from "./new-pad.tsx";
import { amendBook, book, deleted, openPad, undoDeletion } from "./pad-book.ts";
import type { Pad } from "./pad-kinds.ts";
import type { PadSheet } from "./pad-sheet.ts";
import { OpenRoundPad } from "./rounds/open-round-pad.tsx";
import { roundSheet } from "./rounds/round-sheet.ts";
import { OpenTokenPad } from "./tokens/open-token-pad.tsx";
import { tokenSheet } from "./tokens/token-sheet.ts";
import { OpenTurnPad } from "./turns/open-turn-pad.tsx";
import { turnSheet } from "./turns/turn-sheet.ts";

export function Pads() {
  const pad = openPad();
  const isFirst = useRef(true);
  // What was pressed is not there any more.
  useEffect(() => {
    if (!isFirst.current) document.getElementById("main")?.focus();
    isFirst.current = false;
  }, [pad?.id]);
  return (
    <>
      {deleted.value && (
        <AnnouncedText as="section" class="row tinted">
          {t("pad_deleted", { names: joinList(deleted.value.pad.names) })}{" "}
          <button type="button" onClick={undoDeletion}>
            {t("pad_restore")}
          </button>
        </AnnouncedText>
      )}
      {pad ? (
        <OpenPad key={pad.id} pad={pad} />
      ) : (
        <>
          <NewPad />
          {book.value.pads.length > 0 && <List />}
        </>
      )}
    </>
  );
}

function OpenPad({ pad }: { pad: Pad }) {
  switch (pad.kind) {
    case "announced":
      return <OpenRoundPad pad={pad} />;
    case "tokens":
      return <OpenTokenPad pad={pad} />;
    case "ages":
      return <OpenChildPad pad={pad} />;
    default:
      return <OpenTurnPad pad={pad} />;
  }
}

function sheetOf(pad: Pad): PadSheet {
  switch (pad.kind) {
    case "announced":
      return roundSheet(pad);
    case "tokens":
      return tokenSheet(pad);
    case "ages":
      return childSheet(pad);
    default:
      return turnSheet(pad);
  }
}

function List() {
  return (
    <section aria-labelledby="pads">
      <h2 id="pads">{t("pad_games")}</h2>
      <ul class="stack">
        {book.value.pads.map((pad) => (
          <li key={pad.id}>
            <button type="button" class="pad-link" onClick={() => amendBook({ open: pad.id })}>
              <b>{joinList(pad.names)}</b>
              <span>{stateInWords(pad)}</span>
              <small>
                {tt(`pad_kind_${pad.kind}`)} · <time>{formatDate(pad.at)}</time>
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateInWords(pad: Pad): string {
  const { totals, outcome, goal } = sheetOf(pad);
  return `${totals.join(" : ")} · ${outcome ?? goal}`;
}
