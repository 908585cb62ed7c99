/** A score pad as a picture to give away: the totals, and the points of each round. */
import { formatMinus, t } from "../../i18n.ts";
import { itemAt } from "../../values.ts";
import { countedRows, marksRow, outcomeInWords } from "./turns/pad-text.ts";
import type { Pad, PadStanding } from "./turns/pad.ts";

const WIDTH = 900;
const MARGIN = 60;
const LINE_HEIGHT = 52;
const HEAD_HEIGHT = 230;

/** Draw the pad in the colours and the type of the page. */
export async function drawPad(pad: Pad, standing: PadStanding): Promise<HTMLCanvasElement> {
  await Promise.all([400, 800].map((weight) => document.fonts.load(`${weight} 40px Outfit`))).catch(() => undefined);
  const rows = countedRows(pad, standing).map((row, i) => [String(i + 1), ...row.map(({ text }) => text)]);
  const marks = marksRow(pad, standing);
  if (marks) rows.push([t("pad_marks"), ...marks]);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD_HEIGHT + LINE_HEIGHT * (rows.length + 2) + MARGIN;
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  const style = getComputedStyle(document.documentElement);
  const column = (WIDTH - 2 * MARGIN) / (pad.names.length + 1);
  const write = (text: string, x: number, y: number, font: string, width: number, paint = "--text") => {
    pen.font = `${font} ${style.getPropertyValue("--font")}`;
    pen.fillStyle = style.getPropertyValue(paint);
    pen.fillText(text, x, y, width);
  };
  const line = (cells: readonly string[], number: number, font: string, paint?: string) => {
    for (const [i, cell] of cells.entries())
      write(cell, MARGIN + i * column, HEAD_HEIGHT + number * LINE_HEIGHT, font, column - 12, paint);
  };
  pen.fillStyle = style.getPropertyValue("--ground");
  pen.fillRect(0, 0, WIDTH, canvas.height);
  write("Dalapapa", MARGIN, 100, "800 64px", WIDTH - 2 * MARGIN);
  const said = outcomeInWords(pad, standing) ?? t("target", { points: pad.target });
  write(said, MARGIN, 160, "400 38px", WIDTH - 2 * MARGIN, "--soft");
  line([t("column_round"), ...pad.names], 0, "800 30px");
  for (const [i, row] of rows.entries()) line(row, i + 1, "400 32px");
  const totals = standing.scores.map((_, i) => formatMinus(itemAt(standing.scores, i)));
  line([t("pad_total"), ...totals], rows.length + 1, "800 36px", "--accent");
  return canvas;
}
