/** The form for a new game: its kind, who plays, and what is agreed on. */
import { useSignal } from "@preact/signals";
import { t, tt } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { Radios } from "../../shell/radios.tsx";
import { newToken } from "../../state/storage.ts";
import { AgeFields } from "./age-fields.tsx";
import { ColourFields } from "./colour-fields.tsx";
import { NameFields } from "./name-fields.tsx";
import { NumberField } from "./number-field.tsx";
import { addPad, amendBook, book } from "./pad-book.ts";
import { MAX_PLAYERS, PAD_KINDS } from "./pad-kinds.ts";
import { beginPad, hasTarget, type SetupTrouble } from "./pad-setup.ts";
import { ROUND_ENDS } from "./rounds/round-pad.ts";

export function NewPad() {
  const trouble = useSignal<SetupTrouble | null>(null);
  const setup = book.value;
  const { kind } = setup;
  const begin = (event: Event) => {
    event.preventDefault();
    const begun = beginPad(setup, newToken(), Date.now());
    if ("trouble" in begun) trouble.value = begun.trouble;
    else addPad(begun.pad);
  };
  const field = trouble.value?.field;
  return (
    <section aria-labelledby="new-pad">
      <h2 id="new-pad">{t("pad_new")}</h2>
      <form class="stack loose" onSubmit={begin} noValidate>
        <Radios
          legend={t("pad_kind")}
          name="pad-kind"
          of={PAD_KINDS}
          value={kind}
          word={(one) => tt(`pad_kind_${one}`)}
          onChoose={(one) => {
            trouble.value = null;
            amendBook({ kind: one });
          }}
        />
        <NameFields legend={t("pad_order")} most={MAX_PLAYERS[kind]} />
        {kind === "tokens" && <ColourFields />}
        {kind === "ages" && <AgeFields isWrong={field === "ages"} isAgreedWrong={field === "agreed"} />}
        {kind === "announced" && (
          <Radios
            legend={t("round_end")}
            name="round-end"
            of={ROUND_ENDS}
            value={setup.end}
            word={(one) => tt(`round_end_${one}`)}
            onChoose={(end) => amendBook({ end })}
          />
        )}
        {hasTarget(setup) && (
          <NumberField
            label={t("option_target")}
            value={setup.target}
            isWrong={field === "target"}
            onInput={(target) => amendBook({ target })}
          />
        )}
        {kind === "announced" && setup.end === "rounds" && (
          <NumberField
            label={t("round_rounds")}
            value={setup.rounds}
            isWrong={field === "rounds"}
            onInput={(rounds) => amendBook({ rounds })}
          />
        )}
        {kind === "announced" && (
          <NumberField
            label={t("round_seconds")}
            value={setup.seconds}
            isWrong={field === "seconds"}
            onInput={(seconds) => amendBook({ seconds })}
          />
        )}
        {trouble.value && (
          <AnnouncedText class="trouble" manner="urgent">
            {troubleInWords(trouble.value)}
          </AnnouncedText>
        )}
        <button type="submit" class="primary big">
          {t("pad_begin")}
        </button>
      </form>
      <p class="note">
        {["plain", "auctions", "marks"].includes(kind) && t("pad_classic")} <a href="/rules">{t("rules")}</a>
      </p>
    </section>
  );
}

function troubleInWords({ field, least, most }: SetupTrouble): string {
  if (field === "names") return t("pad_trouble_names", { least, most });
  if (field === "target") return t("pad_trouble_target", { least, most });
  if (field === "seconds") return t("sand_trouble", { least, most });
  return t(field === "ages" ? "pad_trouble_ages" : "age_trouble", { least, most });
}
