/** A score pad as a picture to give away: the totals, and the points of each round. */
import { formatMinus, t } from "../../i18n.ts";
import type { PadSheet } from "./pad-sheet.ts";

const WIDTH = 900;
const MARGIN = 60;
const LINE_HEIGHT = 52;
const HEAD_HEIGHT = 230;

/** Draw the pad in the colours and the type of the page. */
export async function drawPad({ goal, outcome, names, rows, totals }: PadSheet): Promise<HTMLCanvasElement> {
  await Promise.all([400, 800].map((weight) => document.fonts.load(`${weight} 40px Outfit`))).catch(() => undefined);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD_HEIGHT + LINE_HEIGHT * (rows.length + 2) + MARGIN;
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  const style = getComputedStyle(document.documentElement);
  const column = (WIDTH - 2 * MARGIN) / (names.length + 1);
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
  write(outcome ?? goal, MARGIN, 160, "400 38px", WIDTH - 2 * MARGIN, "--soft");
  line([t("column_round"), ...names], 0, "800 30px");
  for (const [i, { label, cells }] of rows.entries()) line([label, ...cells], i + 1, "400 32px");
  line([t("pad_total"), ...totals.map(formatMinus)], rows.length + 1, "800 36px", "--accent");
  return canvas;
}
