/** Points to announce, by one tap, beside the sandglass. */
import { useSignal } from "@preact/signals";
import { t } from "../../../i18n.ts";
import { pointsInWords } from "../../../words.ts";
import { GlassLine } from "../../glass/running-glass.tsx";
import { readNumber } from "../../numbers.ts";
import { NumberForm } from "../group-keys.tsx";
import { MAX_ANNOUNCED } from "./round-pad.ts";

/** How many announcements have a key of their own. */
const KEYS = 12;

interface AnnounceKeysProps {
  /** Whether someone has announced something: then the sand runs. */
  isRunning: boolean;
  highest: number;
  /** Who announces; null as long as no one was tapped. */
  speaker: string | null;
  onSay(points: number): void;
}

export function AnnounceKeys({ isRunning, highest, speaker, onSay }: AnnounceKeysProps) {
  const text = useSignal("");
  const trouble = useSignal(false);
  const say = (points: number | null) => {
    trouble.value = points === null;
    if (points === null) return;
    text.value = "";
    onSay(points);
  };
  const least = highest + 1;
  return (
    <>
      {isRunning && <GlassLine />}
      <fieldset class="pad-keys groups">
        <legend>{speaker === null ? t("round_who") : t("round_says_what", { name: speaker })}</legend>
        {Array.from({ length: KEYS }, (_, i) => least + i).map((points) => (
          <button
            key={points}
            type="button"
            disabled={speaker === null}
            aria-label={pointsInWords(points)}
            onClick={() => say(points)}
          >
            <b>{points}</b>
          </button>
        ))}
      </fieldset>
      {speaker !== null && (
        <details>
          <summary>{t("round_larger")}</summary>
          <NumberForm
            label={t("round_larger")}
            button={t("pad_add")}
            text={text.value}
            trouble={trouble.value ? t("age_trouble", { least, most: MAX_ANNOUNCED }) : null}
            onInput={(typed) => (text.value = typed)}
            onSubmit={() => say(readNumber(text.value, least, MAX_ANNOUNCED))}
          />
        </details>
      )}
    </>
  );
}
