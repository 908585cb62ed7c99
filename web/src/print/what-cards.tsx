/** All prints as cards with a picture of the first page; the box has several pictures. */
import type { PrintName } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { PRINTS } from "../state/prints.ts";

/** For the picture, and for those who have no position at hand. */
export const EXAMPLE = [
  "PGBYR+0@0,0 ZBGYR-2@-1,0 PBYRG-3@-1,2 DYGBR-2@0,-1 DBRYG+2@2,-1 BGBYR-3@3,-1 AYGBR-0@-1,-2",
  "PRBYG-3@-2,-1 BGYRB+3@-3,-1 PYBRG-1@-2,1 DYRBG+0@-4,0 PGYRB-2@3,0 PBGRY+0@0,1 DYRGB+0@-3,-3",
  "DBGYR-3@0,3 AGYBR-2@2,-2 DRYBG-1@1,-4 ZBRYG+3@1,3 DBGRY+3@0,-3 PYGBR+1@-4,-3 DYBRG-3@-4,2",
].join(" ");

/** The pictures of the box: its cover, then those of other cards. */
const BOX: readonly Shown[] = [{ what: "set", cover: "true" }, { what: "set" }, { what: "board" }];

/** Prints in landscape. */
const LANDSCAPE_PRINTS: readonly PrintName[] = ["board"];

interface WhatCardsProps {
  prints?: readonly PrintName[];
  what: PrintName;
  onChoose(what: PrintName): void;
  /** The address of the picture of a first page. */
  picture?(shown: Shown): string;
}

export function WhatCards({ prints = PRINTS, what, onChoose, picture = drawPicture }: WhatCardsProps) {
  return (
    <fieldset class="pictures" style={{ "--card": "min(45%, 170px)" }}>
      <legend>{t("print_what")}</legend>
      {prints.map((name) => (
        <label key={name} class="print-card">
          <input
            class="hidden"
            type="radio"
            name="print-what"
            checked={name === what}
            onChange={() => onChoose(name)}
            aria-labelledby={`what-${name}`}
            aria-describedby={`about-${name}`}
          />
          <span class={`cloth print-card-picture ${name}`}>
            {(name === "box" ? BOX : [{ what: name }]).map((first, i) => (
              <img
                key={i}
                class={LANDSCAPE_PRINTS.includes(first.what) ? "across" : undefined}
                src={picture(first)}
                alt=""
                loading="lazy"
              />
            ))}
          </span>
          <span>
            <b id={`what-${name}`}>{tt(`print_what_${name}`)}</b>
            <small id={`about-${name}`}>{tt(`print_about_${name}`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export interface Shown {
  what: PrintName;
  cover?: string;
}

function drawPicture({ what, ...more }: Shown): string {
  const query = new URLSearchParams({ what, ...more, ...(what === "position" && { position: EXAMPLE }) });
  return `/api/print/page.svg?${query}`;
}
