/** After a game against programs: a link with which friends play the very same game. */
import { linkTo } from "../base.ts";
import { useSignal } from "@preact/signals";
import { t, withColon } from "../i18n.ts";
import { challenges } from "../net/challenges.ts";
import type { Session } from "../state/session.ts";
import { challengeOf, keepChallenge } from "../state/challenges.ts";
import { tokenOf } from "../state/storage.ts";
import { Icon } from "../ui/icon.tsx";
import { useAsking } from "./refusal.ts";
import { ShareButton } from "./share.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { tableOf } from "./known-table.ts";

export const challengeLink = (id: string): string => linkTo(`/challenge/${id}`);

export function ChallengeFriends({ session }: { session: Session }) {
  const id = useSignal(challengeOf(session.id));
  const fresh = useSignal(false);
  const { busy, trouble, ask } = useAsking();
  const [table, token] = [tableOf(session), tokenOf(session.id)];
  const people = table.seats.filter(({ program }) => !program).length;
  const possible =
    token
    && session.yours.value.length === 1
    && people === 1
    && table.seats.length > 1
    && table.visibility === "private"
    && (session.can("verify") || session.can("linked_challenge"))
    && !session.game.value.race;
  if (!possible) return null;
  const make = () =>
    ask(async () => {
      const made = await challenges.make(session.id, token);
      keepChallenge(made.id, { token, table: session.id });
      [id.value, fresh.value] = [made.id, true];
    });
  const { value: challenge } = id;
  if (challenge === null) {
    return (
      <>
        <button type="button" disabled={busy.value} onClick={() => void make()}>
          <Icon name="link" /> {t("challenge_friends")}
        </button>
        {trouble.value && (
          <AnnouncedText class="notice full" manner="urgent">
            {trouble.value}
          </AnnouncedText>
        )}
      </>
    );
  }
  return (
    <>
      <a class="button" href={`/challenge/${challenge}`}>
        {t("challenge_compare")}
      </a>
      {fresh.value && (
        <>
          <ShareButton
            url={() => challengeLink(challenge)}
            title={withColon("Dalapapa", t("challenge_title"))}
            label={t("challenge_link")}
            kind="primary"
          />
          <AnnouncedText class="note full">{t("challenge_ready")}</AnnouncedText>
        </>
      )}
    </>
  );
}
