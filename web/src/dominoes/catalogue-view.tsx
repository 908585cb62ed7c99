/** All dominoes, with front and back side by side, and filters. */
import { memo } from "../board/memo.ts";
import { useMemo } from "preact/hooks";
import { FacePicture } from "../board/domino.tsx";
import { SET_120, type Tile } from "../data.ts";
import { language, t, tt } from "../i18n.ts";
import { TileFilters } from "../panels/tile-filters.tsx";
import { faceInWords } from "../words.ts";
import { Catalogue, FIGURES, type TileOrder, ORDERS } from "./catalogue.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

export function CatalogueView() {
  const catalogue = useMemo(() => new Catalogue(), []);
  return (
    <>
      <Filters catalogue={catalogue} />
      {catalogue.front.value && (
        <AnnouncedText class="soft">
          {t("back_of", { name: catalogue.name.value, front: catalogue.front.value })}
        </AnnouncedText>
      )}
      <AnnouncedText later manner="chosen" class="note">
        {t("picker_count", { count: catalogue.shown.value.length })}
      </AnnouncedText>
      <p class="note">{t("dominoes_sides")}</p>
      <ul class="cards">
        {catalogue.shown.value.map((tile) => (
          <Card key={tile.name} tile={tile} spoken={language.value} />
        ))}
      </ul>
    </>
  );
}

function Filters({ catalogue }: { catalogue: Catalogue }) {
  const { order } = catalogue;
  return (
    <TileFilters wanted={catalogue} figures={FIGURES}>
      <label class="field-row small">
        <span>{t("pool_order")}</span>
        <select value={order.value} onChange={(event) => (order.value = event.currentTarget.value as TileOrder)}>
          {ORDERS.map((one) => (
            <option key={one} value={one}>
              {tt(`dominoes_order_${one}`)}
            </option>
          ))}
        </select>
      </label>
    </TileFilters>
  );
}

/** One domino. `spoken` is the language: the words change with it. */
const Card = memo(function Card({ tile }: { tile: Tile; spoken: string }) {
  const { name } = tile;
  const pile = tile.pile ?? 0;
  const figure = tt(`figure_${name[0]}`);
  const label = t("dominoes_one", {
    tile: name,
    figure,
    pile,
    front: faceInWords(name, "+", SET_120),
    back: faceInWords(name, "-", SET_120),
  });
  return (
    <li class="card domino-card">
      <div role="img" aria-label={label}>
        <span class="full domino-name">
          <b>{name}</b>{" "}
          <small>
            {figure} · {t("dominoes_pile", { number: pile })}
          </small>
        </span>
        <FacePicture tile={name} side="+" set={SET_120} />
        <FacePicture tile={name} side="-" set={SET_120} />
      </div>
    </li>
  );
});
