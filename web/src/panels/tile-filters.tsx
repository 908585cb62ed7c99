/** Filters for dominoes: figure, pile, name, and those that a page adds. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { t, tt } from "../i18n.ts";

export const PILES = [1, 2, 3] as const;

export interface TileFilter {
  /** The letter of a figure; "" for all. */
  figure: Signal<string>;
  /** 0 for all. */
  pile: Signal<number>;
  /** A part of a name, in capitals. */
  name: Signal<string>;
}

export function TileFilters({
  wanted,
  figures,
  children,
}: {
  wanted: TileFilter;
  figures: readonly string[];
  children: ComponentChildren;
}) {
  const { figure, pile, name } = wanted;
  return (
    <div class="row foot picker-filters">
      <label class="field-row small">
        <span>{t("picker_figure")}</span>
        <select value={figure.value} onChange={(event) => (figure.value = event.currentTarget.value)}>
          <option value="">{t("picker_all")}</option>
          {figures.map((letter) => (
            <option key={letter} value={letter}>
              {letter} · {tt(`figure_${letter}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="field-row small">
        <span>{t("picker_pile")}</span>
        <select value={pile.value} onChange={(event) => (pile.value = Number(event.currentTarget.value))}>
          <option value={0}>{t("picker_all")}</option>
          {PILES.map((number) => (
            <option key={number} value={number}>
              {number}
            </option>
          ))}
        </select>
      </label>
      <label class="field-row small">
        <span>{t("picker_name")}</span>
        <input
          type="search"
          size={7}
          maxLength={5}
          placeholder="PRYGB"
          value={name.value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => (name.value = event.currentTarget.value.trim().toUpperCase())}
        />
      </label>
      {children}
    </div>
  );
}
