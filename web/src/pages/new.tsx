/** Setting a table up: simple at first sight, everything that can be agreed on one click further. */
import { isStatic } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GameInfo, Option } from "../data.ts";
import { DEFAULT, gameOf } from "../games/general.ts";
import { t } from "../i18n.ts";
import {
  DEFAULT_TABLE_SETTINGS,
  type TableSettings,
  TableSettingsFields,
  takesDays,
  OpenHandsSwitch,
} from "../lobby/table-settings.tsx";
import { DeviceSwitch } from "../lobby/device.tsx";
import { GameIntroduction } from "../lobby/facts.tsx";
import { OptionField, optionName, resizeList } from "../lobby/option-field.tsx";
import { isPerson, type Place, placeName, Places, seatsOf } from "../lobby/seats.tsx";
import { canPlayOnDevice, playerName, startTable } from "../lobby/start.ts";
import { LevelGuide } from "../lobby/strength.tsx";
import { targetNote } from "../lobby/target-note.ts";
import { Refused } from "../net/backend.ts";
import { NeedsServer } from "../panels/needs-server.tsx";
import { refusalOf, refusalText, useAsking } from "../panels/refusal.ts";
import type { PageProps } from "../shell/app.tsx";
import { address, go } from "../shell/router.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import Missing from "./missing.tsx";
import { catalogue, complete, gameName, infoOf, learnGames } from "../state/catalogue.ts";
import { textsOf } from "../state/game-texts.ts";
import { settings } from "../state/settings.ts";
import { Icon } from "../ui/icon.tsx";
import { NameInput } from "../shell/name-input.tsx";

/** Who comes to the second seat: no one comes by a link where there is no server. */
const OTHER = isStatic ? "guest" : "link";

export default function NewTablePage({ argument }: PageProps) {
  useEffect(() => void learnGames(), []);
  // The server says which games other packages add.
  if (argument && !infoOf(argument) && !complete.value)
    return (
      <AnnouncedText manner="status" class="page narrow">
        {t("connecting")}
      </AnnouncedText>
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
    { sitter: OTHER, name: "" },
  ]);
  const options = useSignal<Record<string, unknown>>({});
  const tableSettings = useSignal<TableSettings>({
    ...DEFAULT_TABLE_SETTINGS,
    visibility: address.value.search === "?public" ? "public" : "private",
  });
  const drawsFirst = useSignal(false);
  const { busy, trouble, ask } = useAsking((error) => refusalOfTable(error, info));
  const alert = useRef<HTMLParagraphElement>(null);
  const wantsDevice = useSignal(settings.where.peek() === "device");
  const sitters = places.value.map(({ sitter }) => sitter);
  const [linked, guests] = [sitters.includes("link"), sitters.includes("guest")];
  const secrets = !gameOf(game).atOnce;
  const texts = textsOf(game).options ?? {};
  const isAsked = ({ name }: Option) => gameOf(game).asked.includes(name);
  // No player can come by link to a table that is on this device alone.
  const offersDevice = !linked && canPlayOnDevice(game);

  const resize = (count: number) => {
    const last = places.value.at(-1)?.sitter ?? OTHER;
    const more = Array.from(
      { length: Math.max(0, count - places.value.length) },
      (): Place => ({ sitter: last === "you" ? OTHER : last, name: "" }),
    );
    places.value = [...places.value, ...more].slice(0, count);
    // Options with a value for each seat lose it, unless they are asked with the players; so do those of a lost seat.
    const resized = ([name, value]: [string, unknown]): [string, unknown] => {
      const option = info.options.find((one) => one.name === name);
      if (Array.isArray(value) && name !== "set")
        return [name, option && isAsked(option) ? resizeList(option, value, count) : undefined];
      return [name, ["first", "dealer"].includes(name) && Number(value) >= count ? undefined : value];
    };
    options.value = omitUnset(Object.fromEntries(Object.entries(options.value).map(resized)));
  };
  const field = (option: Option) => (
    <OptionField
      key={option.name}
      option={option}
      texts={texts[option.name]}
      value={options.value[option.name]}
      note={option.name === "target" ? targetNote(info, options.value, places.value.length) : null}
      seats={places.value.map((place, seat) => placeName(place, seat, playerName()))}
      isAsked={isAsked(option)}
      onChange={(value) => (options.value = { ...options.value, [option.name]: value })}
    />
  );
  const hasFirst = info.options.some(({ name }) => name === "first");
  const submit = (event: Event) => {
    event.preventDefault();
    const first = drawsFirst.value && hasFirst ? { first: Math.floor(Math.random() * places.value.length) } : {};
    const { clock, hands, ...others } = tableSettings.value;
    // Where a turn may take days, the clock alone decides who is absent.
    if (secrets && takesDays(clock)) others.absence = 0;
    const table = {
      game,
      ...seatsOf(places.value, playerName()),
      options: { ...omitUnset(options.value), ...first },
      ...others,
      hands: secrets ? hands : ("own" as const),
      clock: secrets ? clock : { kind: "none" as const },
    };
    void ask(() => startTable(table, wantsDevice.value && offersDevice));
  };
  useEffect(() => {
    if (trouble.value) alert.current?.scrollIntoView({ block: "nearest" });
  }, [trouble.value]);

  return (
    <form class="page narrow new-table" onSubmit={submit}>
      <h1>{t("new_table")}</h1>
      <GameIntroduction game={game}>
        <label class="field-row">
          <span>{t("which_game")}</span>
          <select
            value={game}
            onChange={(event) => go(`/new/${event.currentTarget.value}${address.value.search}`, { replace: true })}
          >
            {catalogue.value.map(({ name }) => (
              <option key={name} value={name}>
                {gameName(name)}
              </option>
            ))}
          </select>
        </label>
      </GameIntroduction>
      {sitters[0] === "you" && (
        <label class="field-row">
          <span>{t("your_name")}</span>
          <NameInput
            autocomplete="nickname"
            placeholder={t("guest_default", { number: 1 })}
            value={settings.name.value}
            onName={(name) => (settings.name.value = name)}
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
          <AnnouncedText as="span" later manner="chosen" class="number">
            {places.value.length}
          </AnnouncedText>
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
        {info.options.filter(isAsked).map(field)}
        {hasFirst && places.value.length > 1 && (
          <label class="switch">
            <input
              type="checkbox"
              checked={drawsFirst.value}
              onChange={(event) => (drawsFirst.value = event.currentTarget.checked)}
            />{" "}
            {t("draws_first")}
          </label>
        )}
        {guests && secrets && <OpenHandsSwitch settings={tableSettings} />}
        <AnnouncedText later class="note">
          {guests && (secrets && tableSettings.value.hands === "own" ? t("hot_seat_note") : t("hot_seat_open"))}{" "}
          {linked && t("link_note")} {!sitters.some(isPerson) && t("only_watch")}{" "}
          {linked && tableSettings.value.visibility === "public" && t("listed_publicly")}
        </AnnouncedText>
        <LevelGuide game={game} programs={programs} />
      </fieldset>
      <details class="more">
        <summary>{t("more_options")}</summary>
        <h2>{t("rules_agreed")}</h2>
        {info.options.filter((option) => !isAsked(option)).map(field)}
        <h2>{t("company")}</h2>
        <TableSettingsFields
          settings={tableSettings}
          turns={secrets}
          race={gameOf(game).race !== null}
          linked={linked}
          guests={guests}
        />
      </details>
      {isStatic ? <NeedsServer /> : offersDevice && <DeviceSwitch wanted={wantsDevice} />}
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent" own={alert}>
          {trouble.value}
        </AnnouncedText>
      )}
      <button type="submit" class="primary big wide-field" disabled={busy.value}>
        {linked ? t("start_and_invite") : t("start")}
      </button>
    </form>
  );
}

/** Leave out the options that have no value. */
function omitUnset(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** The server names the option that it refuses; the few that need an explanation have their own text. */
function refusalOfTable(error: unknown, info: GameInfo): string {
  const option =
    error instanceof Refused
    && !refusalText(error.code, "")
    && info.options.find(({ name }) => error.code === `bad_${name}`);
  return option
    ? t("option_wrong", { option: optionName(option, textsOf(info.name).options?.[option.name]) })
    : refusalOf(error);
}
