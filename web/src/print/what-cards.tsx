/** What can be printed, as cards with the first page of each for a picture; of the box there are several. */
import type { PrintName } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { PRINTS } from "../state/prints.ts";

/** For the picture, and for those who have no position at hand. */
export const EXAMPLE = [
  "BGBRY+0@0,0 ARGYB+2@1,-1 ZBGRY+2@1,-2 PBRGY-0@-1,-3 ZBYGR+0@-2,-2 ARGBY-3@2,-2 ZRBGY+1@2,-1",
  "ZBRYG+2@4,-1 DRGBY-3@1,-3 ZYBGR-2@-2,-3 ZYBGR+2@-1,-1 PYBRG+0@-1,-4 ZYGBR+2@4,-3 ZBGRY-1@-3,-2",
  "BRGYB-1@-4,-2 AYRBG-0@-1,1 CYRBG-2@-1,0 BRYGB-0@1,1 DRYGB+1@-2,-5 DRBGY+1@0,2 DBRGY+1@1,2",
].join(" ");

/** Of the whole box: the cover, a sheet of dominoes, the board. */
const BOX = [1, 3, 9];

export function WhatCards({ what, onChoose }: { what: PrintName; onChoose(what: PrintName): void }) {
  return (
    <fieldset class="print-cards">
      <legend>{t("print_what")}</legend>
      {PRINTS.map((name) => (
        <label key={name} class="print-card">
          <input class="hidden" type="radio" name="print-what" checked={name === what} onChange={() => onChoose(name)}
            aria-labelledby={`what-${name}`} aria-describedby={`about-${name}`} />
          <span class={`print-card-picture ${name}`}>
            {(name === "box" ? BOX : [1]).map((page) => <img key={page} src={picture(name, page)} alt="" loading="lazy" />)}
          </span>
          <span class="print-card-words">
            <b id={`what-${name}`}>{tt(`print_what_${name}`)}</b>
            <small id={`about-${name}`}>{tt(`print_about_${name}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function picture(name: PrintName, page: number): string {
  const told = new URLSearchParams({ what: name, page: String(page), ...(name === "position" && { position: EXAMPLE }) });
  return `/api/print/page.svg?${told}`;
}
