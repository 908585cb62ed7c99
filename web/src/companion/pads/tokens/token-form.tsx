/** One turn of the game with tokens: connections, the territories that were marked, another domino. */
import { formatSigned, t, withColon } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { MAX_CONTACTS } from "../../../state/points.ts";
import { announce } from "../../../state/voice.ts";
import { itemAt } from "../../../values.ts";
import { capital, pointsInWords } from "../../../words.ts";
import { MAX_GROUP_SIZE, sumOf } from "../../numbers.ts";
import { GroupKeys, type SizeWords } from "../group-keys.tsx";
import { savePad } from "../pad-book.ts";
import { type HeadingRef, PadHeading } from "../pad-frame.tsx";
import {
  canReplay,
  editTokenTurn,
  enterContacts,
  enterTokenTurn,
  findMarkersLeft,
  findStandingBefore,
  findTokenStanding,
  isTokenPass,
  isTurnComplete,
  markTerritory,
  REPLAY_TOKENS,
  replayTurn,
  cellsOfTurn,
  tokenChanges,
  tokensFor,
  type TokenPad,
  type TokenTurn,
  undoReplay,
  unmarkTerritory,
} from "./token-pad.ts";

const CONTACTS = Array.from({ length: MAX_CONTACTS }, (_, i) => i + 1);

const territoryWords = (): SizeWords => ({
  size: (count) => t("token_territory", { count }),
  remove: (count) => t("token_territory_remove", { count }),
  larger: t("token_larger"),
  trouble: t("token_trouble", { most: MAX_GROUP_SIZE }),
});

export function TokenForm({ pad, heading }: { pad: TokenPad; heading: HeadingRef }) {
  const { names, turns, draft } = pad;
  const { index, turn } = draft;
  const isCorrection = index < turns.length;
  const player = index % names.length;
  const values = { name: itemAt(names, player), round: Math.floor(index / names.length) + 1 };
  const before = findStandingBefore(pad);
  const last = turn?.at(-1);
  const dominoes = turn?.length ?? 0;
  const writeDown = () => {
    const entered = enterTokenTurn(pad);
    savePad(entered);
    const text = pointsInWords(itemAt(findTokenStanding(entered).scores, player));
    announce(t("said_by", { name: values.name, text }));
  };
  return (
    <section class={`stack turn-form seat-${player}`} aria-labelledby="turn-title">
      <PadHeading id="turn-title" own={heading} goal={t("token_reserve", { count: before.reserve })}>
        {isCorrection ? t("pad_correct_of", values) : t("pad_turn_of", values)}
      </PadHeading>
      <fieldset class="pad-keys">
        <legend>{dominoes > 1 ? t("token_domino", { number: dominoes }) : t("token_contacts")}</legend>
        {dominoes < 2 && (
          <Key
            contacts={0}
            change={t("token_pass")}
            isPressed={!!turn && isTokenPass(turn)}
            onPress={() => savePad(enterContacts(pad, 0))}
          />
        )}
        {CONTACTS.map((contacts) => (
          <Key
            key={contacts}
            contacts={contacts}
            change={tokensFor(contacts) ? formatSigned(tokensFor(contacts)) : "0"}
            isPressed={last?.contacts === contacts}
            onPress={() => savePad(enterContacts(pad, contacts))}
          />
        ))}
      </fieldset>
      {last && last.contacts > 0 && (
        <GroupKeys
          words={territoryWords()}
          legend={t("token_marked")}
          groups={last.marked}
          isFull={findMarkersLeft(pad) <= 0}
          onAdd={(cells) => savePad(markTerritory(pad, cells))}
          onRemove={(i) => savePad(unmarkTerritory(pad, i))}
        />
      )}
      <div class="stack turn-end">
        {turn && <TurnSum turn={turn} reserve={before.reserve} tokens={itemAt(before.tokens, player)} />}
        <div class="buttons">
          <button type="button" class="primary big grow" disabled={!isTurnComplete(turn)} onClick={writeDown}>
            {t("pad_enter")}
          </button>
          {canReplay(pad) && (
            <button type="button" class="big" onClick={() => savePad(replayTurn(pad))}>
              {t("token_replay", { count: REPLAY_TOKENS })}
            </button>
          )}
          {dominoes > 1 && (
            <button type="button" class="big" onClick={() => savePad(undoReplay(pad))}>
              {t("token_no_replay")}
            </button>
          )}
          {isCorrection && (
            <button type="button" class="big" onClick={() => savePad(editTokenTurn(pad, turns.length))}>
              {t("pad_keep_turn")}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

/** Connections, and what they cost or bring. */
function Key({
  contacts,
  change,
  isPressed,
  onPress,
}: {
  contacts: number;
  change: string;
  isPressed: boolean;
  onPress(): void;
}) {
  return (
    <button
      type="button"
      aria-label={capital(t("token_connections", { count: contacts }))}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <b data-text={contacts} />
      <small data-text={change} />
    </button>
  );
}

/** The changes of the tokens one after the other, and the cells that were marked. */
function TurnSum({ turn, reserve, tokens }: { turn: TokenTurn; reserve: number; tokens: number }) {
  const changes = tokenChanges(turn, reserve);
  const left = tokens + sumOf(changes);
  const text = changes.map((change) => formatSigned(change)).join(" ");
  return (
    <AnnouncedText as="section" later manner="chosen" class="row apart turn-sum">
      <span>{left < 0 ? text : withColon(text, t("token_tokens", { count: left }))}</span>
      <b class="large">{pointsInWords(cellsOfTurn(turn))}</b>
      {left < 0 && <strong class="trouble">{t("token_missing")}</strong>}
    </AnnouncedText>
  );
}
