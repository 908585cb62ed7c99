/** The link to a table: to copy, to share, and as a QR code for phones at the same place. */
import { linkTo } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n.ts";
import type { TableSummary } from "../net/protocol.ts";
import { announce } from "../state/voice.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { gameName } from "../state/catalogue.ts";
import { Icon } from "../ui/icon.tsx";

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

const QrCode = loadLazily(
  () => import("./qr-code.tsx").then(({ QrCode }) => QrCode),
  <svg class="qr" viewBox="0 0 1 1" />,
);

export const linkToTable = (id: string): string => linkTo(`/t/${id}`);

/** The link that invites to a table. */
export function Invite({ table, text }: { table: TableSummary; text: string }) {
  return (
    <LinkBox
      link={linkToTable(table.id)}
      text={text}
      qr={t("qr_code")}
      share={t("share_text", { game: gameName(table.game) })}
    />
  );
}

/** Any link in these ways; `share` is the sentence that goes with it. */
export function LinkBox({ link, text, qr, share }: { link: string; text: string; qr: string; share?: string }) {
  const field = useRef<HTMLInputElement>(null);
  const copied = useSignal(false);
  useEffect(() => {
    if (!copied.value) return undefined;
    const timer = setTimeout(() => (copied.value = false), 2500);
    return () => clearTimeout(timer);
  }, [copied.value]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      // Without HTTPS a page may not touch the clipboard: what is selected can still be copied.
      field.current?.select();
      document.execCommand("copy");
    }
    copied.value = true;
    announce(t("copied"));
  };
  const send = () => {
    // Who closes the list of ways to share has just changed his mind.
    void navigator.share({ title: "Dalapapa", text: share, url: link }).catch(() => undefined);
  };
  return (
    <div class="row invite">
      <div class="grow invite-words">
        <p>{text}</p>
        <div class="buttons invite-link">
          <input
            class="grow"
            ref={field}
            readOnly
            aria-label={t("link")}
            value={link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button type="button" class="primary" onClick={() => void copy()}>
            {copied.value && <Icon name="done" />} {copied.value ? t("copied") : t("copy")}
          </button>
          {share !== undefined && "share" in navigator && (
            <button type="button" onClick={send}>
              {t("share")}
            </button>
          )}
        </div>
        {LOCAL.includes(location.hostname) && <p class="note">{t("only_here")}</p>}
      </div>
      <QrCode text={link} label={qr} />
    </div>
  );
}
