/**
 * Buttons that commit something: moves, bids, announcements, leaving. What a button has meant for less than a moment
 * is not what its player meant to press: that press is refused, and announced. A key of the same action asks
 * `isSteadyKey`.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n.ts";
import { type Meaning, type Point, Steadiness } from "../state/steadiness.ts";
import { announce } from "../state/voice.ts";

/** Milliseconds that a refusal is shown. */
const SHOWN_MS = 4_000;

interface Registered extends Meaning {
  /** Show whether the last press was refused. */
  answer(isRefused: boolean): void;
}

const steadiness = new Steadiness();
const buttons = new Map<HTMLElement, Registered>();
let isLookDue = false;
let isListening = false;

/** Notice what the buttons mean and where they are: once for each frame in which one was drawn. */
function look(): void {
  if (!isLookDue) return;
  isLookDue = false;
  for (const [element, meaning] of buttons) steadiness.show(element, meaning, element.getBoundingClientRect());
}

function lookSoon(): void {
  if (!isLookDue) requestAnimationFrame(look);
  isLookDue = true;
}

function listen(): void {
  isListening = true;
  const follow = ({ clientX: x, clientY: y }: PointerEvent) => steadiness.point({ x, y });
  for (const name of ["pointermove", "pointerdown"] as const) addEventListener(name, follow, true);
  addEventListener("keydown", () => steadiness.key(), true);
}

/** Whether a press counts; otherwise the player is asked to look again. */
function isMeant(element: HTMLElement, at: Point | null): boolean {
  look();
  const isSteady = steadiness.isSteady(element, at);
  buttons.get(element)?.answer(!isSteady);
  if (!isSteady) announce(t("press_refused"), "urgent");
  return isSteady;
}

/** Whether a key counts that does the same as a button. */
export function isSteadyKey(does: string): boolean {
  const found = [...buttons].find(([, one]) => one.does === does);
  return !found || isMeant(found[0], null);
}

const isOnTheLeft = (element: HTMLElement | null): boolean => {
  const { left = 0, right = 0 } = element?.getBoundingClientRect() ?? {};
  return left + right < innerWidth;
};

interface CommitProps extends Partial<Meaning> {
  does: string;
  /** What is done; a button of a form submits it instead. */
  onCommit?(event: MouseEvent): void;
  class?: string;
  disabled?: boolean;
  title?: string;
  "aria-label"?: string;
  "data-first"?: string | boolean;
  children: ComponentChildren;
}

/** `means`: all that others can change about what a press does. */
export function Commit({ does, means = "", isChosen = false, onCommit, children, ...rest }: CommitProps) {
  const button = useRef<HTMLButtonElement>(null);
  const refusals = useSignal(0);
  const answer = (isRefused: boolean) => void (refusals.value = isRefused ? refusals.value + 1 : 0);
  useLayoutEffect(() => {
    const element = button.current;
    if (!element) return;
    if (!isListening) listen();
    buttons.set(element, { does, means, isChosen, answer });
    lookSoon();
  });
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (!element) return;
      steadiness.hide(element);
      buttons.delete(element);
    };
  }, []);
  useEffect(() => {
    if (!refusals.value) return undefined;
    const timer = setTimeout(() => (refusals.value = 0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refusals.value]);
  const press = (event: MouseEvent) => {
    const at = event.detail ? { x: event.clientX, y: event.clientY } : null;
    if (!isMeant(event.currentTarget as HTMLElement, at)) event.preventDefault();
    else onCommit?.(event);
  };
  return (
    <button {...rest} ref={button} type={onCommit ? "button" : "submit"} onClick={press}>
      {children}
      {refusals.value > 0 && (
        <small class={`press-refused ${isOnTheLeft(button.current) ? "start" : "end"}`} aria-hidden="true">
          {t("press_refused")}
        </small>
      )}
    </button>
  );
}
