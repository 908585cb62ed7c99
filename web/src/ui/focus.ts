/** Moves the keyboard focus. No other module looks elements up by selectors (test/selectors.test.ts). */

/** The elements that the focus may go to, in the order of the page. */
export const focusTargets = (root: ParentNode, selector: string): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

/** Focus the first element of the page that one of the selectors finds; the first selector goes first. */
export function focusFirst(selectors: readonly string[], options?: FocusOptions): HTMLElement | null {
  return focusIn(document, selectors, options);
}

/** The same within an element. */
export function focusIn(root: ParentNode, selectors: readonly string[], options?: FocusOptions): HTMLElement | null {
  for (const selector of selectors) {
    const target = root.querySelector<HTMLElement>(selector);
    if (!target) continue;
    target.focus(options);
    return target;
  }
  return null;
}

interface List {
  /** What each key adds to the number of the line. */
  steps: Readonly<Record<string, 1 | -1>>;
  selector?: string;
  /** After the last line comes the first one. */
  isRing?: boolean;
}

export const UP_AND_DOWN = { ArrowUp: -1, ArrowDown: 1 } as const;
/** Up and down, left and right are the same. */
export const ALL_ARROWS = { ...UP_AND_DOWN, ArrowLeft: -1, ArrowRight: 1 } as const;

/** Arrow keys go from line to line in the list that hears them; they do not reach the table. */
export function walkList(event: KeyboardEvent, { steps, selector = "button", isRing = false }: List): void {
  const step = steps[event.key];
  const lines = focusTargets(event.currentTarget as Element, selector);
  const at = lines.indexOf(document.activeElement as HTMLElement);
  if (!step || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  lines[isRing ? (at + step + lines.length) % lines.length : at + step]?.focus();
}
