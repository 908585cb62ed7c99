/** Hooks of pages: listen to keys and clicks, ask again, set the window's title. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { infoOf, isOurs, learnGames } from "../state/catalogue.ts";
import { loadGameTexts } from "../state/game-texts.ts";

/** Listen to an event anywhere in the window; `first`: before the page below. */
function useWindow<Name extends "keydown" | "click">(
  name: Name,
  handle: (event: WindowEventMap[Name]) => void,
  first: boolean,
): void {
  const latest = useRef(handle);
  latest.current = handle;
  // As soon as it is in the page, not after it was painted: experienced players are quick.
  useLayoutEffect(() => {
    const listener = (event: WindowEventMap[Name]) => latest.current(event);
    addEventListener(name, listener, first);
    return () => removeEventListener(name, listener, first);
  }, []);
}

/** Every key that is pressed. */
export const useKeydown = (press: (event: KeyboardEvent) => void, first = false): void =>
  useWindow("keydown", press, first);

/**
 * Every click: a part of the page that listened itself would be called clickable, with all that is in it, by screen
 * readers.
 */
export const useClick = (click: (event: MouseEvent) => void, first = false): void => useWindow("click", click, first);

/** Now, every so many seconds, and when the page is looked at again. */
export function usePolling(look: () => void, seconds: number): void {
  useEffect(() => {
    look();
    const timer = setInterval(look, 1000 * seconds);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
}

/** Call `act` only while this part is shown: a late answer must not close a dialog that was opened again. */
export function useWhileShown(act: () => void): () => void {
  const shown = useRef(true);
  useEffect(() => () => void (shown.current = false), []);
  return () => {
    if (shown.current) act();
  };
}

/** The window's title while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} – Dalapapa` : "Dalapapa";
    return () => void (document.title = "Dalapapa");
  }, [title]);
}

/** Ask the server for the name and the texts of a game from another package. */
export function useGame(name: string): void {
  useEffect(() => {
    if (!infoOf(name)) void learnGames();
    if (!isOurs(name)) void loadGameTexts(name);
  }, [name]);
}

/** Handlers for an element that is pointed at, by a mouse or by the focus. */
export function onPointing(change: (on: boolean) => void) {
  const [begin, end] = [() => change(true), () => change(false)];
  return { onMouseEnter: begin, onMouseLeave: end, onFocus: begin, onBlur: end };
}
