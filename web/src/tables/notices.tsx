/** Being told of one's turns while no page is open: in this browser or by mail, as far as this server offers it. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { language, t } from "../i18n.ts";
import { type Offered, notices, type Told } from "../net/notices.ts";
import { useAsking } from "../panels/refusal.ts";
import { mayNotify, notifies } from "../shell/calling.ts";
import type { TableProps } from "../state/session.ts";
import { newToken, recall, remember, tokenOf } from "../state/storage.ts";

/** The mail address that was given last, with a secret: what was confirmed once is confirmed for all tables of this browser. */
interface Kept {
  address: string;
  proof: string;
}

const pushes = (): boolean => notifies() && "PushManager" in globalThis && "serviceWorker" in navigator;

const registered = async (): Promise<PushManager | undefined> => (await navigator.serviceWorker?.getRegistration())?.pushManager;

/** This browser's subscription; another server, or another database of it, has another key. */
async function subscribed(key: string): Promise<PushSubscription | null> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const manager = await registered();
  try {
    return (await manager?.subscribe(options)) ?? null;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const old = error.name === "InvalidStateError" && (await manager!.getSubscription());
    if (!old || !(await old.unsubscribe())) return null; // Nobody carries messages to this browser.
    return manager!.subscribe(options).catch(() => null);
  }
}

export function Notices({ session }: TableProps) {
  const offered = useSignal<Offered | null>(null);
  const told = useSignal<Told | null>(null);
  const own = useSignal<string | null>(null);
  const problem = useSignal<"blocked" | "impossible" | null>(null);
  const { busy, trouble, ask } = useAsking();
  const part = useRef<HTMLElement>(null);
  /** One thing at a time. What was pressed may be replaced by what comes of it: keys still belong here, not to the table below. */
  const act = async (what: () => Promise<unknown>) => {
    if (busy.value) return;
    await ask(what);
    if (!part.current?.contains(document.activeElement)) part.current?.focus();
  };
  const [id, token] = [session.id, tokenOf(session.id)];
  useEffect(() => void ask(async () => {
    offered.value = await notices.offered();
    if (!token || !(offered.value.push || offered.value.mail)) return;
    told.value = await notices.told(id, token);
    own.value = (await (await registered())?.getSubscription())?.endpoint ?? null;
  }), []);
  if (!token || !offered.value || !told.value) return trouble.value ? <p class="trouble" role="alert">{trouble.value}</p> : null;

  const change = async (wanted: boolean) => {
    problem.value = null;
    if (!wanted) {
      told.value = await notices.stopPush(id, token, own.value!);
      return;
    }
    if (!(await mayNotify())) {
      problem.value = "blocked";
      return;
    }
    const { endpoint, keys } = (await subscribed(offered.value!.push!))?.toJSON() ?? {};
    if (!endpoint || !keys) {
      problem.value = "impossible";
      return;
    }
    own.value = endpoint;
    told.value = await notices.push(id, token, { endpoint, p256dh: keys.p256dh!, auth: keys.auth!, language: language.value });
  };
  const on = own.value !== null && told.value.push.includes(own.value);
  const blocked = problem.value === "blocked" || (notifies() && Notification.permission === "denied");
  return (
    <section class="notices" ref={part} tabIndex={-1} aria-label={t("notices_title")}>
      <h3>{t("notices_title")}</h3>
      {offered.value.push && (
        <>
          <label class="switch">
            <input type="checkbox" role="switch" checked={on} disabled={!pushes()}
              onChange={(event) => {
                const box = event.currentTarget;
                void act(() => change(box.checked)).then(() => (box.checked = own.value !== null && told.value!.push.includes(own.value)));
              }} />
            <span>{t("notices_push")}</span>
          </label>
          {blocked ? <p class="notice" role="alert">{t("notify_denied")}</p>
            : (problem.value || !pushes()) && <p class="note" role="status">{t("notices_impossible")}</p>}
        </>
      )}
      {offered.value.mail && <ByMail told={told.value}
        onAsk={({ address, proof }) => act(async () => (told.value = await notices.mail(id, token, { address, proof, language: language.value })))}
        onStop={() => act(async () => (told.value = await notices.stopMail(id, token)))} />}
      {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
    </section>
  );
}

interface ByMailProps {
  told: Told;
  onAsk(kept: Kept): Promise<void>;
  onStop(): Promise<void>;
}

function ByMail({ told: { mail }, onAsk, onStop }: ByMailProps) {
  const field = useId();
  const kept = recall<Kept | null>("mail", null);
  if (mail && mail.state !== "refused") {
    return (
      <div class="row">
        <p class="grow" role="status">{mail.state === "on" ? t("notices_mail_on", { address: mail.address }) : t("notices_mail_asked", { address: mail.address })}</p>
        <button type="button" onClick={() => void onStop()}>{t("notices_mail_stop")}</button>
      </div>
    );
  }
  return (
    <form class="row foot" onSubmit={(event) => {
      event.preventDefault();
      const address = (event.currentTarget.elements.namedItem("address") as HTMLInputElement).value.trim();
      const now = { address, proof: kept?.proof ?? newToken() };
      remember("mail", now);
      void onAsk(now);
    }}>
      {mail && <p class="notice" role="alert">{t("notices_mail_refused")}</p>}
      <div class="field-row grow">
        <label for={field}>{t("notices_mail")}</label>
        <input id={field} name="address" type="email" required maxLength={254} autocomplete="email" defaultValue={kept?.address ?? ""} />
      </div>
      <button type="submit">{t("notices_mail_ask")}</button>
    </form>
  );
}
