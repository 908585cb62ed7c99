/** A challenge: what is played, one way to play it, and afterwards everybody's turns side by side. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { tileSet } from "../data.ts";
import { gameOf } from "../games/general.ts";
import { t, tt, withColon } from "../i18n.ts";
import { GameIntroduction } from "../lobby/facts.tsx";
import { playerName } from "../lobby/start.ts";
import { Refused } from "../net/backend.ts";
import { isLinkedChallenge } from "../net/device-backend.ts";
import { type Challenge, challenges, type Comparison } from "../net/challenges.ts";
import { numberOr } from "../net/open.ts";
import { challengeLink } from "../panels/challenge-friends.tsx";
import { Level } from "../panels/level.tsx";
import { scoreInWords, scoreNumber } from "../panels/outcome.ts";
import { refusalText, useAsking } from "../panels/refusal.ts";
import { ShareButton } from "../panels/share.tsx";
import { SideBySide } from "../panels/side-by-side.tsx";
import type { PageProps } from "../shell/app.tsx";
import { useGame, usePolling, useTitle } from "../shell/hooks.ts";
import { go } from "../shell/router.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { castName } from "../state/cast.ts";
import { gameName } from "../state/catalogue.ts";
import { challengeToken, keepChallenge } from "../state/challenges.ts";
import { settings } from "../state/settings.ts";
import { keepToken, newToken } from "../state/storage.ts";
import { Icon } from "../ui/icon.tsx";
import { NameInput } from "../shell/name-input.tsx";

/** Seconds until it is asked again who has finished. */
const POLL_INTERVAL_S = 15;

export default function ChallengePage({ argument: id }: PageProps) {
  useTitle(t("challenge_title"));
  const found = useSignal<Challenge | null>(null);
  const compared = useSignal<Comparison | null>(null);
  const trouble = useSignal<Refused | null>(null);
  const look = async () => {
    if (document.visibilityState !== "visible") return;
    const token = challengeToken(id);
    try {
      const source = isLinkedChallenge(id)
        ? (await import("../state/device-challenges.ts")).deviceChallenges
        : challenges;
      const challenge = await source.look(id, token);
      const over = challenge.attempts.filter(({ phase }) => phase === "over").length;
      if (
        challenge.attempts.some(({ phase, yours }) => yours && phase === "over")
        && over !== compared.value?.attempts.length
      ) {
        compared.value = await source.compare(id, token ?? "");
      }
      [found.value, trouble.value] = [challenge, null];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble.value = error;
    }
  };
  usePolling(() => void look(), POLL_INTERVAL_S);
  if (!found.value) {
    return (
      <section class="page narrow">
        <h1>{t("challenge_title")}</h1>
        {trouble.value && (
          <AnnouncedText class="trouble" manner="urgent">
            {trouble.value.status === 404 || trouble.value.code === "malformed"
              ? t("challenge_missing")
              : refusalText(trouble.value.code, trouble.value.message)}
          </AnnouncedText>
        )}
        <p>
          <a class="button" href="/">
            {t("home")}
          </a>
        </p>
      </section>
    );
  }
  return <Found challenge={found.value} comparison={compared} />;
}

function Found({ challenge, comparison }: { challenge: Challenge; comparison: Signal<Comparison | null> }) {
  const { game, seats, attempts } = challenge;
  useGame(game);
  const own = attempts.find(({ yours }) => yours);
  const original = attempts.find(({ original }) => original)?.name;
  const done = comparison.value;
  const isLinked = isLinkedChallenge(challenge.id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (done) heading.current?.scrollIntoView({ block: "nearest" });
  }, [!done]);
  return (
    <section class={done ? "page challenge" : "page narrow challenge"}>
      <p class="note">
        {t("challenge_title")} · {gameName(game)}
      </p>
      <h1 ref={heading} class={original && !own ? "large" : undefined}>
        {original && !own ? t("challenge_from", { name: original }) : gameName(game)}
      </h1>
      {!done && <p>{t("challenge_same")}</p>}
      <p class="row soft">
        {t("challenge_against")}
        {seats.map(
          (program, seat) =>
            program && (
              <span key={seat}>
                <b>{castName(program)}</b> <Level program={program} />
              </span>
            ),
        )}
      </p>
      {!own && <TakeUp challenge={challenge} />}
      {own?.phase === "playing" && (
        <p>
          <a class="button primary big" href={`/t/${challenge.table}`}>
            {t("challenge_go_on")}
          </a>
        </p>
      )}
      {own?.phase === "removed" && <p class="note">{t("challenge_yours_removed")}</p>}
      {done ? (
        <Compared challenge={challenge} comparison={done} />
      ) : (
        <GameIntroduction game={game}>
          <h2>{gameName(game)}</h2>
        </GameIntroduction>
      )}
      <Others challenge={challenge} done={done !== null} />
      {done && isLinked && own?.phase === "over" && <TakeUp challenge={challenge} again />}
      <p class="buttons">
        <ShareButton
          url={() => challengeLink(challenge.shared ?? challenge.id)}
          title={withColon("Dalapapa", t("challenge_title"))}
          label={t("challenge_link")}
          kind={done ? "primary" : ""}
        />
        <a class="button" href="/">
          {t("home")}
        </a>
      </p>
      <details class="more">
        <summary>{t("challenge_bag")}</summary>
        <p>
          {t(isLinked ? "challenge_bag_linked" : "challenge_bag_text")} <code>{challenge.commitment}</code>
        </p>
        {done && (
          <p>
            {t("challenge_bag_seed")} <code>{done.seed}</code>
          </p>
        )}
      </details>
    </section>
  );
}

/** A name, and the one way to begin. On a device, others play `again`. */
function TakeUp({ challenge: { id, game }, again = false }: { challenge: Challenge; again?: boolean }) {
  const { busy, trouble, ask } = useAsking();
  const begin = () =>
    ask(async () => {
      // Kept before it is used: a request that is repeated because its answer was lost gets the same table.
      const token = (again ? null : challengeToken(id)) ?? newToken();
      keepChallenge(id, { token });
      const { table, seat } = await challenges.begin(id, token, playerName());
      keepChallenge(id, { token, table });
      keepToken(table, token, game, [seat]);
      go(`/t/${table}`);
    });
  return (
    <form
      class="row foot sit-form"
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <label class="field-row">
        <span>{t("your_name")}</span>
        <NameInput
          autocomplete="nickname"
          value={settings.name.value}
          onName={(name) => (settings.name.value = name)}
        />
      </label>
      <button type="submit" class="primary big" disabled={busy.value}>
        {t("challenge_play")}
      </button>
      <p class="note">{t(again ? "challenge_again" : "challenge_once")}</p>
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </form>
  );
}

/** The players of a challenge; for a player who is done, only those who still play: the comparison has the others. */
function Others({ challenge: { attempts }, done }: { challenge: Challenge; done: boolean }) {
  const shown = attempts.filter(({ phase }) => phase === "playing" || (phase === "over" && !done));
  const removed = attempts.filter(({ phase, yours }) => phase === "removed" && !yours).length;
  if (!shown.length && !removed) return null;
  return (
    <>
      <h2>{t("challenge_who")}</h2>
      <ul class="stack tight">
        {shown.map(({ name, phase, original, yours }, i) => (
          <li key={i}>
            <b>{name}</b>
            {yours && <small> {t("you")}</small>}{" "}
            <span>{original ? t("challenge_original") : tt(`challenge_${phase}`)}</span>
          </li>
        ))}
      </ul>
      {removed > 0 && <p class="note">{t("challenge_removed", { count: removed })}</p>}
    </>
  );
}

/** The ranking, and all turns. */
function Compared({
  challenge: { id, game, options, table: mine },
  comparison: { attempts },
}: {
  challenge: Challenge;
  comparison: Comparison;
}) {
  const { measure, set } = gameOf(game);
  return (
    <>
      <ol class="people ranking">
        {attempts.map(({ table, original, played: { name, score, won, own } }, place) => (
          <li key={table ?? ""} class={`seat-${place % 10}${won && own ? " winner" : ""}`}>
            <span class="token" aria-hidden="true">
              {own ? place + 1 : "–"}
            </span>
            <span class="name grow">
              {table ? <a href={`/replay/${table}`}>{name}</a> : name}
              {table !== null && table === mine && <small> {t("you")}</small>}
              {original && <small> · {t("challenge_original")}</small>}
              {!own && <small> · {t("challenge_helped")}</small>}
            </span>
            {won && own && (
              <span class="large good" role="img" aria-label={t("result_winner")}>
                <Icon name="star" />
              </span>
            )}
            <b class="score" role="img" aria-label={scoreInWords(score, measure)}>
              {scoreNumber(score, measure)}
            </b>
            <small class="score-unit" aria-hidden="true">
              {tt(`unit_${measure}`, { count: Math.abs(score) })}
            </small>
          </li>
        ))}
      </ol>
      {isLinkedChallenge(id) ? (
        <p class="note">{t("challenge_linked")}</p>
      ) : (
        attempts.length < 2 && <p class="note">{t("challenge_alone")}</p>
      )}
      <h2>{t("challenge_turns")}</h2>
      <SideBySide
        sides={attempts
          .filter(({ table }) => table)
          .map(({ played: { name, turns, rest } }) => ({ name, turns, rest }))}
        set={tileSet(options.set ?? set)}
        label={t("challenge_turns")}
        target={numberOr(options.target)}
      />
    </>
  );
}
