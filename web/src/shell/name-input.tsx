/** The name of a person, with a note where it can become no longer. */
import type { RefObject } from "preact";
import { t } from "../i18n.ts";
import { useAnnouncement } from "./announced-text.tsx";

/** As on the server (`MAX_NAME_LENGTH`), which counts no more characters than browsers do. */
const MAX_LENGTH = 30;

interface NameInputProps {
  value: string;
  class?: string;
  placeholder?: string;
  autocomplete?: "nickname";
  "aria-label"?: string;
  own?: RefObject<HTMLInputElement | null>;
  onName(name: string): void;
}

export function NameInput({ value, own, onName, ...rest }: NameInputProps) {
  const note = value.length >= MAX_LENGTH ? t("name_limit", { count: MAX_LENGTH }) : null;
  useAnnouncement(note);
  return (
    <>
      <input
        {...rest}
        ref={own}
        maxLength={MAX_LENGTH}
        aria-description={note ?? undefined}
        value={value}
        onInput={(event) => onName(event.currentTarget.value)}
      />
      {/* In a label, it would become a part of the field's name. */}
      {note && (
        <small class="note" aria-hidden="true">
          {note}
        </small>
      )}
    </>
  );
}
