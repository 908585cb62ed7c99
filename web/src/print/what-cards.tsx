/** What can be printed, as cards with the first page of each for a picture. */
import type { PrintName } from "../data.ts";
import { t, tt } from "../i18n.ts";
import pictures from "../lobby/pictures.json";
import { PRINTS } from "../state/prints.ts";

/** For the picture, and for those who have no position at hand. */
export const EXAMPLE = pictures.hero.position;

export function WhatCards({ what, onChoose }: { what: PrintName; onChoose(what: PrintName): void }) {
  return (
    <fieldset class="print-cards">
      <legend>{t("print_what")}</legend>
      {PRINTS.map((name) => (
        <label key={name} class="print-card">
          <input class="hidden" type="radio" name="print-what" checked={name === what} onChange={() => onChoose(name)}
            aria-labelledby={`what-${name}`} aria-describedby={`about-${name}`} />
          <span class={`print-card-picture ${name}`}><img src={picture(name)} alt="" loading="lazy" /></span>
          <span class="print-card-words">
            <b id={`what-${name}`}>{tt(`print_what_${name}`)}</b>
            <small id={`about-${name}`}>{tt(`print_about_${name}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function picture(name: PrintName): string {
  const told = new URLSearchParams({ what: name, ...(name === "position" && { position: EXAMPLE }) });
  return `/api/print/page.svg?${told}`;
}
