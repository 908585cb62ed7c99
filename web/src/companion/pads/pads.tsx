/** The score pads of this device: the open one, or the form for a new game and the list of all. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatDate, joinList, t, tt } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { Radios } from "../../shell/radios.tsx";
import { newToken } from "../../state/storage.ts";
import { NameFields } from "./name-fields.tsx";
import { addPad, amendBook, book, deleted, openPad, undoDeletion } from "./pad-book.ts";
import { OpenPad } from "./turns/open-pad.tsx";
import { outcomeInWords } from "./turns/pad-text.ts";
import {
  beginPad,
  findStanding,
  MAX_PLAYERS,
  MAX_TARGET,
  MIN_TARGET,
  PAD_KINDS,
  type Pad,
  readSetup,
  type SetupTrouble,
} from "./turns/pad.ts";

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
          <NewGame />
          {book.value.pads.length > 0 && <List />}
        </>
      )}
    </>
  );
}

function NewGame() {
  const trouble = useSignal<SetupTrouble | null>(null);
  const { kind, names, target } = book.value;
  const begin = (event: Event) => {
    event.preventDefault();
    const setup = readSetup(names, target);
    if ("trouble" in setup) trouble.value = setup.trouble;
    else addPad(beginPad(newToken(), Date.now(), setup.names, setup.target, kind));
  };
  return (
    <section aria-labelledby="new-pad">
      <h2 id="new-pad">{t("pad_new")}</h2>
      <p class="note">
        {t("pad_classic")} <a href="/rules">{t("rules")}</a>
      </p>
      <form class="stack loose" onSubmit={begin} noValidate>
        <Radios
          legend={t("pad_kind")}
          name="pad-kind"
          of={PAD_KINDS}
          value={kind}
          word={(one) => tt(`pad_kind_${one}`)}
          onChoose={(one) => amendBook({ kind: one })}
        />
        <NameFields legend={t("pad_order")} most={MAX_PLAYERS} />
        <label class="field-row">
          <span>{t("option_target")}</span>
          <input
            inputMode="numeric"
            value={target}
            aria-invalid={trouble.value === "target"}
            onInput={(event) => amendBook({ target: event.currentTarget.value })}
          />
        </label>
        {trouble.value && (
          <AnnouncedText class="trouble" manner="urgent">
            {trouble.value === "names"
              ? t("pad_trouble_names")
              : t("pad_trouble_target", { least: MIN_TARGET, most: MAX_TARGET })}
          </AnnouncedText>
        )}
        <button type="submit" class="primary big">
          {t("pad_begin")}
        </button>
      </form>
    </section>
  );
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
                <time>{formatDate(pad.at)}</time>
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateInWords(pad: Pad): string {
  const standing = findStanding(pad);
  return `${standing.scores.join(" : ")} · ${outcomeInWords(pad, standing) ?? t("target", { points: pad.target })}`;
}
