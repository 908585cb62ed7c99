/** The course of a game as a chart, and the game as a text and as a picture to give away. */
import { linkTo } from "../../base.ts";
import { t } from "../../i18n.ts";
import { ScoreCurve } from "../../panels/curve.tsx";
import { givePicture, ShareButton } from "../../panels/share.tsx";
import { drawPad } from "./pad-picture.ts";
import { padAsText } from "./turns/pad-text.ts";
import type { Pad, PadStanding } from "./turns/pad.ts";

export interface PadExtrasProps {
  pad: Pad;
  standing: PadStanding;
}

export function PadExtras({ pad, standing }: PadExtrasProps) {
  const text = () => padAsText(pad, standing);
  const give = async () => givePicture(await drawPad(pad, standing), "dalapapa", text());
  return (
    <>
      <details class="more" open>
        <summary>{t("measure_points")}</summary>
        <ScoreCurve names={pad.names} curves={standing.curves} measure={t("measure_points")} target={pad.target} />
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
