/**
 * Text that screen readers announce when it appears and when it changes: by the one voice of the page, not by live
 * regions.
 */
import type { HTMLAttributes, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { announce, type Manner } from "../state/voice.ts";
import { sentences } from "../words.ts";

/** Announce a text that is not shown in these words. */
export function useAnnouncement(text: string | null, manner: Manner = "status"): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (text || before.current) announce(text ?? "", manner);
    before.current = text;
  }, [text]);
}

interface AnnouncedTextProps extends HTMLAttributes<HTMLParagraphElement> {
  as?: "p" | "section" | "span";
  own?: RefObject<HTMLParagraphElement | null>;
  manner?: Manner;
  /** The first text is read with the page, and not announced. */
  later?: boolean;
}

/** A paragraph, or another element, that is announced as it is shown. */
export function AnnouncedText({ as = "p", own, manner = "event", later = false, ...rest }: AnnouncedTextProps) {
  const As = as as "p";
  const some = useRef<HTMLParagraphElement>(null);
  const shown = own ?? some;
  const before = useRef(later ? null : "");
  useEffect(() => {
    const text = shown.current?.innerText.trim() ?? "";
    if (text && before.current !== null && before.current !== text) announce(sentences(text.split(/\s*\n\s*/)), manner);
    before.current = text;
  });
  return <As {...rest} ref={shown} />;
}
