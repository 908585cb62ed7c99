/** The colour of each player's markers, by one tap: who has it takes the other one. */
import { t, tt } from "../../i18n.ts";
import { Radios } from "../../shell/radios.tsx";
import { amendBook, book } from "./pad-book.ts";
import { swapColour } from "./pad-setup.ts";
import { MarkerPicture } from "./tokens/pieces.tsx";
import { MARKER_COLOURS } from "./tokens/token-pad.ts";

export function ColourFields() {
  const { names, colours } = book.value;
  return (
    <>
      {names
        .slice(0, colours.length)
        .map(
          (name, i) =>
            name.trim() && (
              <Radios
                key={i}
                kind="pictures markers"
                legend={t("token_colour_of", { name })}
                name={`marker-${i}`}
                of={MARKER_COLOURS}
                value={colours[i]}
                picture={(colour) => <MarkerPicture colour={colour} />}
                word={(colour) => tt(`token_colour_${colour}`)}
                onChoose={(colour) => amendBook({ colours: swapColour(colours, i, colour) })}
              />
            ),
        )}
    </>
  );
}
