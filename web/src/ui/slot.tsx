/**
 * A place in one component that another one fills: the header with the tools of a table, the tray with what follows a
 * game.
 */
import { signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { useLayoutEffect } from "preact/hooks";

export class Slot {
  readonly element = signal<Element | null>(null);
  readonly isFilled = signal(false);
}

/** Where it is shown. */
export function SlotPlace({ slot, class: className }: { slot: Slot; class: string }) {
  return <div class={className} ref={(element) => void (slot.element.value = element)} />;
}

/** What is shown there, as long as this component is on the page. */
export function Fill({ slot, children }: { slot: Slot; children: ComponentChildren }) {
  const element = slot.element.value;
  useLayoutEffect(() => {
    if (element) render(children, element);
  });
  useLayoutEffect(() => () => void (element && render(null, element)), [element]);
  useLayoutEffect(() => {
    slot.isFilled.value = true;
    return () => void (slot.isFilled.value = false);
  }, [slot]);
  return null;
}
