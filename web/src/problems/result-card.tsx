/**
 * The result as a picture to give away: a row of half-discs for the tries, and a disc at last. It shows nothing of the
 * problem.
 */
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../i18n.ts";
import type { Problem } from "../net/problems.ts";
import { givePicture, ShareButton } from "../panels/share.tsx";
import { dayInWords, type ProblemResult } from "./days.ts";
import { addressOf, problemName, outcomeOf, resultText, rowOf } from "./in-words.ts";
import { itemAt } from "../values.ts";

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 80;
/** More tries than that are not counted by looking. */
const MAX_DRAWN_TRIES = 6;
/** The radius of a disc, and the distance to the next one. */
const RADIUS = 54;
const STEP = 122;
const COLOURS = ["--R", "--Y", "--B"];

export function ResultCard({ problem, result }: { problem: Problem; result: ProblemResult }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = resultText(problem, result);
  useEffect(() => {
    void Promise.all([400, 800].map((weight) => document.fonts.load(`${weight} 40px Outfit`))).finally(
      () => canvas.current && draw(canvas.current, problem, result),
    );
  }, [text, language.value]);
  return (
    <figure class="stack result-card">
      <canvas ref={canvas} width={WIDTH} height={HEIGHT} role="img" aria-label={text} />
      <figcaption class="buttons">
        <ShareButton
          url={() => addressOf(problem)}
          title={`Dalapapa · ${problemName(problem)}`}
          label={t("share")}
          text={() => text}
        />
        <button
          type="button"
          onClick={() =>
            void (
              canvas.current
              && givePicture(
                canvas.current,
                `dalapapa-${problem.date ?? problem.seed}`,
                `${text}\n${addressOf(problem)}`,
              )
            )
          }
        >
          {t("share_picture")}
        </button>
      </figcaption>
    </figure>
  );
}

/** Draw the card in the colours and the type of the page. */
function draw(canvas: HTMLCanvasElement, problem: Problem, result: ProblemResult): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name);
  const write = (text: string, x: number, y: number, font: string, paint = "--text") => {
    pen.font = `${font} ${style.getPropertyValue("--font")}`;
    pen.fillStyle = colour(paint);
    pen.fillText(text, x, y, WIDTH - x - MARGIN);
  };
  pen.fillStyle = colour("--ground");
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  write("Dalapapa", MARGIN, 140, "800 84px");
  const { kind, date, grade } = problem;
  const what = date
    ? kind === "turn"
      ? t("problem_of_the_day")
      : t("problem_frame_of_the_day")
    : problemName(problem);
  write([what, date && dayInWords(date)].filter(Boolean).join(" · "), MARGIN, 205, "400 42px", "--soft");
  for (let i = 0; i < 5; i++) {
    disc(pen, WIDTH - MARGIN - 18 - 48 * (4 - i), 112, 15);
    pen.strokeStyle = pen.fillStyle = colour("--accent");
    pen.lineWidth = 5;
    pen.stroke();
    if (i < grade) pen.fill();
  }
  // A domino as long as it took: a half-disc for each try in vain, and a whole disc at last.
  const missed = Math.min(MAX_DRAWN_TRIES, result.tries) - 1;
  const [x, y, end] = [MARGIN + 170 + STEP * missed, 340, MARGIN + 340 + STEP * missed];
  pen.beginPath();
  pen.roundRect(MARGIN, y - 85, end - MARGIN, 170, 20);
  pen.fillStyle = colour("--wood");
  pen.fill();
  pen.strokeStyle = colour("--rim");
  pen.lineWidth = 3;
  pen.stroke();
  const half = (x: number, turn: number, i: number) => {
    pen.beginPath();
    pen.arc(x, y, RADIUS, turn, turn + Math.PI);
    pen.fillStyle = colour(itemAt(COLOURS, i % COLOURS.length));
    pen.fill();
  };
  half(MARGIN, -Math.PI / 2, 0);
  half(end, Math.PI / 2, 1);
  for (let i = 0; i < missed; i++) half(MARGIN + 170 + STEP * i, 0, i + 2);
  disc(pen, x, y, RADIUS);
  pen.fillStyle = colour("--G");
  pen.fill();
  pen.beginPath();
  pen.moveTo(x - 24, y + 2);
  pen.lineTo(x - 6, y + 20);
  pen.lineTo(x + 26, y - 18);
  pen.strokeStyle = colour("--ink-G");
  pen.lineWidth = 12;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke();
  const outcome = outcomeOf(kind, result);
  write(outcome.charAt(0).toUpperCase() + outcome.slice(1), MARGIN, 510, "800 54px");
  write(rowOf(problem) || location.host, MARGIN, 572, "400 38px", "--soft");
}

function disc(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}
