/** The game and the opponent of a game that starts with one click; the opponents have faces. */
import { LADDER } from "./ladder.ts";
import { t, withColon } from "../i18n.ts";
import { Portrait } from "../ui/portrait.tsx";
import { Radios } from "../shell/radios.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { castName, levelName } from "../state/cast.ts";
import { catalogue, gameName, guestOf } from "../state/catalogue.ts";
import { ALONE, chooseGame, chooseOpponent, opponentIn, opponentsIn } from "./opponent.ts";
import { strengthText } from "./strength.tsx";

/** Game and opponent, with what is known of the opponent's strength. */
export function Chooser({ game }: { game: string }) {
  const opponent = opponentIn(game);
  return (
    <div class="stack chooser">
      <label class="row chooser-game">
        <span>{t("which_game")}</span>
        <select class="grow" value={game} onChange={(event) => chooseGame(event.currentTarget.value)}>
          {catalogue.value.map(({ name }) => (
            <option key={name} value={name}>
              {gameName(name)}
            </option>
          ))}
        </select>
      </label>
      <Radios
        legend={t("opponent")}
        name="opponent"
        kind="pictures"
        of={opponentsIn(game)}
        value={opponent}
        picture={(one) => <Portrait of={one} />}
        word={(one) => <Member opponent={one} />}
        onChoose={(one) => chooseOpponent(game, one)}
      />
      <AnnouncedText later class="note">
        {describeOpponent(game, opponent)}
      </AnnouncedText>
    </div>
  );
}

function Member({ opponent }: { opponent: string }) {
  if (opponent === ALONE) return <b>{t("alone")}</b>;
  return (
    <>
      <b>{castName(opponent)}</b> <small>{levelName(opponent)}</small>
    </>
  );
}

/** Describe the opponent that was chosen. */
function describeOpponent(game: string, opponent: string): string {
  if (opponent === ALONE) return t("play_alone_note");
  const measured = LADDER[game];
  const known = measured?.levels[opponent] ? strengthText(measured, opponent) : guestOf(opponent)?.description;
  return known ? withColon(castName(opponent), known) : t("play_now_note", { name: castName(opponent) });
}
