/** Setting a table up: simple at first sight, everything that can be agreed on one click further. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GameInfo } from "../data.ts";
import { DEFAULT, gameOf } from "../games/general.ts";
import { t } from "../i18n.ts";
import { COMPANY, type Company, CompanyFields, OpenHandsSwitch } from "../lobby/company.tsx";
import { canPlayOnDevice, DeviceSwitch } from "../lobby/device.tsx";
import { GameWords } from "../lobby/facts.tsx";
import { OptionField, optionName } from "../lobby/option-field.tsx";
import { isPerson, type Place, placeName, Places, seatsOf } from "../lobby/seats.tsx";
import { playerName, setUp } from "../lobby/start.ts";
import { LevelGuide } from "../lobby/strength.tsx";
import { targetNote } from "../lobby/target-note.ts";
import { Refused } from "../net/backend.ts";
import { refusalOf, refusalText, useAsking } from "../panels/refusal.ts";
import type { PageProps } from "../shell/app.tsx";
import { go } from "../shell/router.ts";
import { Told } from "../shell/told.tsx";
import Missing from "./missing.tsx";
import { catalogue, complete, gameName, infoOf, learnGames } from "../state/catalogue.ts";
import { settings } from "../state/settings.ts";
import { Icon } from "../ui/icon.tsx";

export default function NewTablePage({ argument }: PageProps) {
  useEffect(() => void learnGames(), []);
  // One by somebody else is known when the server has told of it.
  if (argument && !infoOf(argument) && !complete.value)
    return (
      <Told manner="status" class="page narrow">
        {t("connecting")}
      </Told>
    );
  const info = infoOf(argument || DEFAULT);
  if (!info) return <Missing />;
  return <NewTableForm key={info.name} info={info} />;
}

function NewTableForm({ info }: { info: GameInfo }) {
  const { name: game, programs } = info;
  const [least, most] = info.players;
  const places = useSignal<Place[]>([
    { sitter: "you", name: "" },
    { sitter: "link", name: "" },
  ]);
  const options = useSignal<Record<string, unknown>>({});
  const company = useSignal<Company>({ ...COMPANY, visibility: location.search === "?public" ? "public" : "private" });
  const { busy, trouble, ask } = useAsking((error) => refusalOfTable(error, info));
  const alert = useRef<HTMLParagraphElement>(null);
  const wantsDevice = useSignal(false);
  const sitters = places.value.map(({ sitter }) => sitter);
  const [linked, guests] = [sitters.includes("link"), sitters.includes("guest")];
  const secrets = !gameOf(game).atOnce;
  // Nobody comes by link to a table that is on this device alone.
  const offersDevice = !linked && canPlayOnDevice(game);

  const resize = (count: number) => {
    const last = places.value.at(-1)!.sitter;
    const more = Array.from(
      { length: Math.max(0, count - places.value.length) },
      (): Place => ({ sitter: last === "you" ? "link" : last, name: "" }),
    );
    places.value = [...places.value, ...more].slice(0, count);
    // What was said for each seat, or of a seat that is gone, holds no longer.
    const holds = ([name, value]: [string, unknown]) =>
      !Array.isArray(value) && !(["first", "dealer"].includes(name) && Number(value) >= count);
    options.value = Object.fromEntries(Object.entries(options.value).filter(holds));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const { clock, hands, ...others } = company.value;
    // Where a turn may take days, nobody is absent: the clock sees to it.
    if (secrets && clock.seconds! >= 86_400) others.absence = 0;
    const table = {
      game,
      ...seatsOf(places.value, playerName()),
      options: chosen(options.value),
      ...others,
      hands: secrets ? hands : ("own" as const),
      clock: secrets ? clock : { kind: "none" as const },
    };
    void ask(() => setUp(table, wantsDevice.value && offersDevice));
  };
  useEffect(() => {
    if (trouble.value) alert.current?.scrollIntoView({ block: "nearest" });
  }, [trouble.value]);

  return (
    <form class="page narrow new-table" onSubmit={submit}>
      <h1>{t("new_table")}</h1>
      <GameWords game={game}>
        <label class="field-row">
          <span>{t("which_game")}</span>
          <select
            value={game}
            onChange={(event) => go(`/new/${event.currentTarget.value}${location.search}`, { replace: true })}
          >
            {catalogue.value.map(({ name }) => (
              <option key={name} value={name}>
                {gameName(name)}
              </option>
            ))}
          </select>
        </label>
      </GameWords>
      {sitters[0] === "you" && (
        <label class="field-row">
          <span>{t("your_name")}</span>
          <input
            maxLength={30}
            autocomplete="nickname"
            placeholder={t("guest_default", { number: 1 })}
            value={settings.name.value}
            onInput={(event) => (settings.name.value = event.currentTarget.value)}
          />
        </label>
      )}
      <fieldset class="stack">
        <legend>{t("players")}</legend>
        <div class="row">
          <button
            type="button"
            class="tool"
            aria-label={t("one_player_less")}
            disabled={places.value.length <= least}
            onClick={() => resize(places.value.length - 1)}
          >
            <Icon name="minus" />
          </button>
          <Told as="span" later manner="chosen" class="number">
            {places.value.length}
          </Told>
          <button
            type="button"
            class="tool"
            aria-label={t("one_player_more")}
            disabled={places.value.length >= most}
            onClick={() => resize(places.value.length + 1)}
          >
            <Icon name="plus" />
          </button>
        </div>
        <Places info={info} places={places} />
        {guests && secrets && <OpenHandsSwitch company={company} />}
        <Told later class="note">
          {guests && (secrets && company.value.hands === "own" ? t("hot_seat_note") : t("hot_seat_open"))}{" "}
          {linked && t("link_note")} {!sitters.some(isPerson) && t("only_watch")}{" "}
          {linked && company.value.visibility === "public" && t("listed_publicly")}
        </Told>
        <LevelGuide game={game} programs={programs} />
      </fieldset>
      <details class="more">
        <summary>{t("more_options")}</summary>
        <h2>{t("rules_agreed")}</h2>
        {info.options.map((option) => (
          <OptionField
            key={option.name}
            option={option}
            value={options.value[option.name]}
            note={option.name === "target" ? targetNote(info, options.value, places.value.length) : null}
            seats={places.value.map((place, seat) => placeName(place, seat, playerName()))}
            onChange={(value) => (options.value = { ...options.value, [option.name]: value })}
          />
        ))}
        <h2>{t("company")}</h2>
        <CompanyFields
          company={company}
          turns={secrets}
          race={gameOf(game).race !== null}
          linked={linked}
          guests={guests}
        />
      </details>
      {offersDevice && <DeviceSwitch wanted={wantsDevice} />}
      {trouble.value && (
        <Told class="trouble" manner="urgent" own={alert}>
          {trouble.value}
        </Told>
      )}
      <button type="submit" class="primary big wide-field" disabled={busy.value}>
        {linked ? t("start_and_invite") : t("start")}
      </button>
    </form>
  );
}

/** Without what was left as it is. */
function chosen(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The server names the option that it refuses; the few that need an explanation have their own text. */
function refusalOfTable(error: unknown, info: GameInfo): string {
  const option =
    error instanceof Refused
    && !refusalText(error.code, "")
    && info.options.find(({ name }) => error.code === `bad_${name}`);
  return option ? t("option_wrong", { option: optionName(option) }) : refusalOf(error);
}
