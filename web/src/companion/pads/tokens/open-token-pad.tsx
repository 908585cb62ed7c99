/** An open score pad of the game with tokens: cells, tokens, markers left, and the premium. */
import type { ComponentChildren } from "preact";
import { formatMinus, t } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { itemAt } from "../../../values.ts";
import { savePad } from "../pad-book.ts";
import { PadCards, PadFrame, StopButton } from "../pad-frame.tsx";
import { PadHistory } from "../pad-history.tsx";
import { MarkerPicture, TokenPicture } from "./pieces.tsx";
import {
  editTokenTurn,
  findTokenStanding,
  isTokenPadSound,
  PREMIUM_POINTS,
  removeLastTokenTurn,
  type TokenPad,
  type TokenStanding,
} from "./token-pad.ts";
import { premiumRow, tokenRows, tokenSheet } from "./token-sheet.ts";
import { TokenForm } from "./token-form.tsx";

export function OpenTokenPad({ pad }: { pad: TokenPad }) {
  const standing = findTokenStanding(pad);
  const { names, turns, draft, colours } = pad;
  const { ending, scores, tokens, markersLeft, winners, counted } = standing;
  const isCorrection = draft.index < turns.length;
  const next = ending ? null : counted % names.length;
  const surplus = turns.length - counted;
  return (
    <PadFrame
      pad={pad}
      sheet={tokenSheet(pad)}
      turn={draft.index}
      isBegun={turns.length > 0}
      reason={ending && t(ending === "premium" ? "reason_markers" : "reason_no_dominoes")}
      endNote={surplus > 0 ? t("pad_surplus", { count: surplus }) : null}
      cards={
        <>
          <PadCards names={names} current={next}>
            {(player) => (
              <>
                <b class="pad-score">{formatMinus(itemAt(scores, player))}</b>
                <span class="row pad-goods">
                  <Amount count={itemAt(tokens, player)} words={t("token_tokens", { count: itemAt(tokens, player) })}>
                    <TokenPicture />
                  </Amount>
                  <Amount
                    count={itemAt(markersLeft, player)}
                    words={t("token_markers", { count: itemAt(markersLeft, player) })}
                  >
                    <MarkerPicture colour={itemAt(colours, player)} />
                  </Amount>
                </span>
                {winners.includes(player) && <small>{t("result_winner")}</small>}
              </>
            )}
          </PadCards>
          <Notices pad={pad} standing={standing} />
        </>
      }
      form={(heading) => (!ending || isCorrection) && <TokenForm pad={pad} heading={heading} />}
      actions={
        <StopButton
          pad={pad}
          isOver={ending !== null}
          label={t("token_stop", { name: itemAt(names, counted % names.length) })}
        />
      }
    >
      {turns.length > 0 && <Turns pad={pad} standing={standing} />}
    </PadFrame>
  );
}

/** A picture and a number; in words for screen readers. */
function Amount({ count, words, children }: { count: number; words: string; children: ComponentChildren }) {
  return (
    <span class={count < 0 ? "row tied trouble" : "row tied"}>
      {children}
      <span aria-hidden="true">{formatMinus(count)}</span>
      <span class="hidden">{words}</span>
    </span>
  );
}

function Notices({ pad, standing }: { pad: TokenPad; standing: TokenStanding }) {
  const { premium, lastTurns, ending } = standing;
  return (
    <>
      {premium !== null && !ending && (
        <AnnouncedText class="tinted strong" manner="urgent">
          {t("token_premium_taken", { name: itemAt(pad.names, premium), points: PREMIUM_POINTS })}{" "}
          {t("token_last", { count: lastTurns ?? 0 })}
        </AnnouncedText>
      )}
      {!isTokenPadSound(pad) && (
        <AnnouncedText class="trouble" manner="urgent">
          {t("token_unsound")}
        </AnnouncedText>
      )}
    </>
  );
}

function Turns({ pad, standing }: { pad: TokenPad; standing: TokenStanding }) {
  const { names, draft } = pad;
  const rows = tokenRows(pad).map((row, i) => ({
    label: String(i + 1),
    cells: row.map(({ index, text }, player) => ({
      index,
      text,
      label: t("pad_correct", { name: itemAt(names, player), round: i + 1, points: text }),
    })),
  }));
  const premium = premiumRow(pad, standing.premium);
  return (
    <PadHistory
      names={names}
      rows={rows}
      more={premium && { label: t("token_premium"), cells: premium }}
      totals={standing.scores}
      counted={standing.counted}
      drafted={draft.index}
      onCorrect={(index) => savePad(editTokenTurn(pad, index))}
      onRemoveLast={() => savePad(removeLastTokenTurn(pad))}
    />
  );
}
