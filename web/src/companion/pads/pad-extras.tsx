/** The course of a game as a chart, and the game as a text and as a picture to give away. */
import { linkTo } from "../../base.ts";
import { t } from "../../i18n.ts";
import { ScoreCurve } from "../../panels/curve.tsx";
import { givePicture, ShareButton } from "../../panels/share.tsx";
import { drawPad } from "./pad-picture.ts";
import { type PadSheet, sheetAsText } from "./pad-sheet.ts";

export interface PadExtrasProps {
  sheet: PadSheet;
}

export function PadExtras({ sheet }: PadExtrasProps) {
  const { names, curves, measure, target } = sheet;
  const text = () => sheetAsText(sheet);
  const give = async () => givePicture(await drawPad(sheet), "dalapapa", text());
  return (
    <>
      <details class="more" open>
        <summary>{measure}</summary>
        <ScoreCurve names={names} curves={curves} measure={measure} {...(target !== undefined && { target })} />
      </details>
      <div class="buttons">
        <ShareButton url={() => linkTo("/companion")} title={t("companion_title")} label={t("share")} text={text} />
        <button type="button" onClick={() => void give()}>
          {t("share_picture")}
        </button>
      </div>
    </>
  );
}
