/** The elements of a page with a board that other components measure, and the slots that they fill. */
import { createContext, createRef, type RefObject } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";
import { Slot } from "./slot.tsx";

export class TableParts {
  readonly board = createRef<HTMLDivElement>();
  readonly bag = createRef<HTMLSpanElement>();
  readonly layingsList = createRef<HTMLDetailsElement>();
  readonly frameInWords = createRef<HTMLDetailsElement>();
  /** The scores of the players, by seat. */
  readonly scores = new Map<number, Element>();
  /** The faces of the dominoes in hand, as `PRYGB+`. */
  readonly faces = new Map<string, Element>();
  /** What the tray offers instead of the buttons of a turn: the way back to a result that was closed. */
  readonly resultButtons = new Slot();
}

/** `shell/app.tsx` provides new parts for each page; components that are shown alone share these. */
export const TablePartsContext = createContext(new TableParts());

export const useTableParts = (): TableParts => useContext(TablePartsContext);

/** Enter an element into a map for as long as it is shown under a key. */
export function useEntry<Key>(map: Map<Key, Element>, key: Key, ref: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    map.set(key, element);
    return () => void (map.get(key) === element && map.delete(key));
  }, [map, key]);
}
