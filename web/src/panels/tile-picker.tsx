/** All dominoes of a set to choose from: by figure, by colours, by pile, by name. */
import { useSignal } from "@preact/signals";
import { memo } from "../board/memo.ts";
import { FacePicture } from "../board/domino.tsx";
import { place } from "../board/paths.ts";
import { COLOURS, SYMBOLS, type Colour, type Tile, type TileSet } from "../data.ts";
import { t } from "../i18n.ts";
import { TileFilters } from "./tile-filters.tsx";
import { colourName, faceInWords } from "../words.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

export interface TilePickerProps {
  set: TileSet;
  /** A choice from the set; by default, all of it. */
  tiles?: readonly Tile[];
  chosen: readonly string[];
  /** Lies on the table: cannot be chosen. */
  laid: ReadonlySet<string>;
  onToggle(tile: string): void;
}

export function TilePicker({ set, tiles = set.tiles, chosen, laid, onToggle }: TilePickerProps) {
  const figure = useSignal("");
  const pile = useSignal(0);
  const colours = useSignal<Colour[]>([]);
  const name = useSignal("");
  const figures = [...new Set(tiles.map((tile) => tile.name.charAt(0)))];
  const front = set.frontOf(name.value);
  const wanted = front ?? name.value;
  const fits = (tile: Tile) =>
    (!figure.value || tile.name[0] === figure.value)
    && (!pile.value || tile.pile === pile.value)
    && tile.name.includes(wanted)
    && [tile.recto, tile.verso].some((face) => colours.value.every((colour) => face.includes(colour)));
  const shown = tiles.filter(fits);
  const toggle = (colour: Colour) => {
    const { value } = colours;
    colours.value = value.includes(colour) ? value.filter((one) => one !== colour) : [...value, colour];
  };
  return (
    <div class="stack">
      <TileFilters wanted={{ figure, pile, name }} figures={figures}>
        <div class="row tied tight" role="group" aria-label={t("picker_colours")} title={t("picker_colours")}>
          {COLOURS.map((colour) => (
            <button
              key={colour}
              type="button"
              class="round"
              aria-pressed={colours.value.includes(colour)}
              aria-label={colourName(colour)}
              title={colourName(colour)}
              onClick={() => toggle(colour)}
            >
              <svg width={28} viewBox="-16 -16 32 32" aria-hidden="true">
                <circle class={colour} r={15} />
                <path class={`ink-${colour}`} d={place(SYMBOLS[colour], 0, 0)} />
              </svg>
            </button>
          ))}
        </div>
      </TileFilters>
      {front && <AnnouncedText class="soft">{t("back_of", { name: name.value, front })}</AnnouncedText>}
      <AnnouncedText later manner="chosen" class="note">
        {t("picker_count", { count: shown.length })}
      </AnnouncedText>
      <Tiles set={set} tiles={shown} chosen={chosen} laid={laid} onToggle={onToggle} />
    </div>
  );
}

/** Dominoes to choose from, each with both of its faces; its name is for those who look for it. */
export function Tiles({
  set,
  tiles,
  chosen,
  laid,
  onToggle,
}: Omit<TilePickerProps, "tiles" | "laid"> & { tiles: readonly Tile[]; laid?: ReadonlySet<string> }) {
  return (
    <ul class="cards tight picker-tiles" style={{ "--card": "84px" }}>
      {tiles.map((tile) => (
        <PickerTile
          key={tile.name}
          tile={tile}
          set={set}
          chosen={chosen.includes(tile.name)}
          laid={laid?.has(tile.name) ?? false}
          onToggle={onToggle}
        />
      ))}
    </ul>
  );
}

const PickerTile = memo(
  function PickerTile({
    tile,
    set,
    chosen,
    laid,
    onToggle,
  }: {
    tile: Tile;
    set: TileSet;
    chosen: boolean;
    laid: boolean;
    onToggle(tile: string): void;
  }) {
    return (
      <li>
        <button
          type="button"
          title={tile.name}
          aria-pressed={chosen}
          disabled={laid}
          onClick={() => onToggle(tile.name)}
          aria-label={`${tile.name}. ${faceInWords(tile.name, "+", set)}. ${faceInWords(tile.name, "-", set)}`}
        >
          <FacePicture tile={tile.name} side="+" set={set} />
          <FacePicture tile={tile.name} side="-" set={set} />
        </button>
      </li>
    );
  },
  (a, b) => a.tile === b.tile && a.chosen === b.chosen && a.laid === b.laid,
);
