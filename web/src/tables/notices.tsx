/** Notifications of one's turns while no page is open: in this browser or by mail, as far as this server offers it. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { language, t } from "../i18n.ts";
import { type Offered, notices, type Subscriptions } from "../net/notices.ts";
import { useAsking } from "../panels/refusal.ts";
import { mayNotify, canNotify } from "../shell/calling.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { TableProps } from "../state/session.ts";
import { newToken, recall, remember, tokenOf } from "../state/storage.ts";

/**
 * The mail address that was given last, with a secret: what was confirmed once is confirmed for all tables of this
 * browser.
 */
interface Kept {
  address: string;
  proof: string;
}

const canPush = (): boolean => canNotify() && "PushManager" in globalThis && "serviceWorker" in navigator;

const findPushManager = async (): Promise<PushManager | undefined> =>
  (await navigator.serviceWorker?.getRegistration())?.pushManager;

/** This browser's subscription; another server, or another database of it, has another key. */
async function subscribe(key: string): Promise<PushSubscription | null> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const manager = await findPushManager();
  if (!manager) return null;
  try {
    return await manager.subscribe(options);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const old = error.name === "InvalidStateError" && (await manager.getSubscription());
    if (!old || !(await old.unsubscribe())) return null; // No push service reaches this browser.
    return manager.subscribe(options).catch(() => null);
  }
}

export function Notices({ session }: TableProps) {
  const offered = useSignal<Offered | null>(null);
  const subscriptions = useSignal<Subscriptions | null>(null);
  const own = useSignal<string | null>(null);
  const problem = useSignal<"blocked" | "impossible" | null>(null);
  const { trouble, ask } = useAsking();
  const part = useRef<HTMLElement>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const queued = useRef(new Set<"push" | "mail">());
  /**
   * Run one action after the other, so that a click during a slow answer is not lost; a double click is one action.
   * The button that was pressed may be replaced: keys then belong to this part, not to the table below.
   */
  const act = (kind: "push" | "mail", action: () => Promise<unknown>): Promise<unknown> => {
    if (queued.current.has(kind)) return queue.current;
    queued.current.add(kind);
    queue.current = queue.current
      .catch(() => undefined)
      .then(() => ask(action))
      .finally(() => {
        queued.current.delete(kind);
        if (!part.current?.contains(document.activeElement)) part.current?.focus();
      });
    return queue.current;
  };
  const [id, token] = [session.id, tokenOf(session.id)];
  useEffect(
    () =>
      void ask(async () => {
        offered.value = await notices.offer();
        if (!token || !(offered.value.push || offered.value.mail)) return;
        subscriptions.value = await notices.list(id, token);
        own.value = (await (await findPushManager())?.getSubscription())?.endpoint ?? null;
      }),
    [],
  );
  if (!token || !offered.value || !subscriptions.value)
    return trouble.value ? (
      <AnnouncedText class="trouble" manner="urgent">
        {trouble.value}
      </AnnouncedText>
    ) : null;

  const change = async (wanted: boolean) => {
    problem.value = null;
    if (!wanted) {
      subscriptions.value = await notices.stopPush(id, token, own.value!);
      return;
    }
    if (!(await mayNotify())) {
      problem.value = "blocked";
      return;
    }
    const { endpoint, keys } = (await subscribe(offered.value!.push!))?.toJSON() ?? {};
    if (!endpoint || !keys) {
      problem.value = "impossible";
      return;
    }
    own.value = endpoint;
    subscriptions.value = await notices.push(id, token, {
      endpoint,
      p256dh: keys.p256dh!,
      auth: keys.auth!,
      language: language.value,
    });
  };
  const on = own.value !== null && subscriptions.value.push.includes(own.value);
  const blocked = problem.value === "blocked" || (canNotify() && Notification.permission === "denied");
  return (
    <section class="notices" ref={part} tabIndex={-1} aria-label={t("notices_title")}>
      <h3>{t("notices_title")}</h3>
      {offered.value.push && (
        <>
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              checked={on}
              disabled={!canPush()}
              onChange={(event) => {
                const box = event.currentTarget;
                const wanted = box.checked; // Now: until the action runs, an answer may render the box again.
                void act("push", () => change(wanted)).finally(
                  () => (box.checked = own.value !== null && subscriptions.value!.push.includes(own.value)),
                );
              }}
            />
            <span>{t("notices_push")}</span>
          </label>
          {blocked ? (
            <AnnouncedText class="notice" manner="urgent">
              {t("notify_denied")}
            </AnnouncedText>
          ) : (
            (problem.value || !canPush()) && <AnnouncedText class="note">{t("notices_impossible")}</AnnouncedText>
          )}
        </>
      )}
      {offered.value.mail && (
        <ByMail
          subscriptions={subscriptions.value}
          onAsk={({ address, proof }) =>
            act(
              "mail",
              async () =>
                (subscriptions.value = await notices.mail(id, token, { address, proof, language: language.value })),
            )
          }
          onStop={() => act("mail", async () => (subscriptions.value = await notices.stopMail(id, token)))}
        />
      )}
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </section>
  );
}

interface ByMailProps {
  subscriptions: Subscriptions;
  onAsk(kept: Kept): Promise<unknown>;
  onStop(): Promise<unknown>;
}

function ByMail({ subscriptions: { mail }, onAsk, onStop }: ByMailProps) {
  const field = useId();
  const kept = recall<Kept | null>("mail", null);
  if (mail && mail.state !== "refused") {
    return (
      <div class="row">
        <AnnouncedText class="grow">
          {mail.state === "on"
            ? t("notices_mail_on", { address: mail.address })
            : t("notices_mail_asked", { address: mail.address })}
        </AnnouncedText>
        <button type="button" onClick={() => void onStop()}>
          {t("notices_mail_stop")}
        </button>
      </div>
    );
  }
  return (
    <form
      class="row foot"
      onSubmit={(event) => {
        event.preventDefault();
        const address = (event.currentTarget.elements.namedItem("address") as HTMLInputElement).value.trim();
        const now = { address, proof: kept?.proof ?? newToken() };
        remember("mail", now);
        void onAsk(now);
      }}
    >
      {mail && (
        <AnnouncedText class="notice" manner="urgent">
          {t("notices_mail_refused")}
        </AnnouncedText>
      )}
      <div class="field-row grow">
        <label for={field}>{t("notices_mail")}</label>
        <input
          id={field}
          name="address"
          type="email"
          required
          maxLength={254}
          autocomplete="email"
          defaultValue={kept?.address ?? ""}
        />
      </div>
      <button type="submit">{t("notices_mail_ask")}</button>
    </form>
  );
}
