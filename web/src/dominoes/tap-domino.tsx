/** A domino tapped in by its colours, clockwise from the left end. */
import { useSignal } from "@preact/signals";
import { COLOURS } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { keepOwnText, ownSet, ownText } from "../state/own-set.ts";
import { FACE_LENGTH } from "../state/set-file.ts";
import { Icon } from "../ui/icon.tsx";
import { itemAt } from "../values.ts";
import { capital, colourName } from "../words.ts";
import { addDomino, deriveBack, facesOf, isWholeDomino, isWholeFace, type TappedColours } from "./tapped-domino.ts";

/** Where the discs of a face lie, in the order of its letters, on a picture of 200 by 100. */
const PLACES = [
  { at: [100, 50], name: "centre" },
  { at: [0, 50], name: "w" },
  { at: [50, 0], name: "nw" },
  { at: [150, 0], name: "ne" },
  { at: [200, 50], name: "e" },
  { at: [150, 100], name: "se" },
  { at: [50, 100], name: "sw" },
] as const;

export function TapDomino() {
  const colours = useSignal<TappedColours>("");
  const canAdd = ownSet.value !== null || !ownText.value.trim();
  const tap = (more: string) => {
    const tapped = colours.value + more;
    colours.value = isWholeDomino(tapped) ? "" : tapped;
    if (isWholeDomino(tapped)) keepOwnText(addDomino(ownText.value, tapped));
  };
  const [front, back] = facesOf(colours.value);
  const usual = isWholeFace(colours.value) ? deriveBack(front) : null;
  const isBack = front.length === FACE_LENGTH;
  const place = itemAt(PLACES, colours.value.length % FACE_LENGTH).name;
  const where = place === "centre" ? t("own_centre") : tt(`edge_${place}`);
  return (
    <details>
      <summary>{t("own_tap")}</summary>
      <div class="stack own-tap">
        <div class="row tied">
          <TappedFace colours={front} isOpen={!isBack} />
          <TappedFace colours={back} isOpen={isBack} />
        </div>
        <fieldset class="fit-colours" disabled={!canAdd}>
          <legend>
            <AnnouncedText as="span" later manner="chosen">
              {t(isBack ? "own_tap_back" : "own_tap_front", { place: where })}
            </AnnouncedText>
          </legend>
          {COLOURS.map((colour) => (
            <button key={colour} type="button" onClick={() => tap(colour)}>
              <svg viewBox="-50 -50 100 100" aria-hidden="true">
                <circle class={colour} r={40} />
              </svg>
              {capital(colourName(colour))}
            </button>
          ))}
        </fieldset>
        <div class="buttons">
          {usual && (
            <button type="button" class="primary" onClick={() => tap(usual)}>
              {t("own_usual_back")}
            </button>
          )}
          <button type="button" disabled={!colours.value} onClick={() => (colours.value = colours.value.slice(0, -1))}>
            <Icon name="turnBack" /> {t("own_back_step")}
          </button>
        </div>
      </div>
    </details>
  );
}

/** The place that comes next has a ring. */
function TappedFace({ colours, isOpen }: { colours: string; isOpen: boolean }) {
  return (
    <svg class="tapped-face" viewBox="-2 -2 204 104" aria-hidden="true">
      <rect class="wood" width={200} height={100} rx={7} />
      {/* A picture in the picture: half-discs end where the domino does. */}
      <svg width={200} height={100}>
        {PLACES.map(({ at: [x, y], name }, i) => (
          <circle
            key={name}
            class={colours[i] ?? (isOpen && i === colours.length ? "next-place" : "no-place")}
            cx={x}
            cy={y}
            r={33}
          />
        ))}
      </svg>
    </svg>
  );
}
