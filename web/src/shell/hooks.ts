/** What pages do while they are shown: listen to keys, look again, say in the window's title what they are. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { infoOf, isOurs, learnGames } from "../state/catalogue.ts";
import { loadGameTexts } from "../state/game-texts.ts";

/** What happens anywhere in the window; `first`: before the page below hears of it. */
function useWindow<Name extends "keydown" | "click">(
  name: Name,
  hear: (event: WindowEventMap[Name]) => void,
  first: boolean,
): void {
  const latest = useRef(hear);
  latest.current = hear;
  // As soon as it is seen, not after it was painted: somebody who knows the table is quick.
  useLayoutEffect(() => {
    const tell = (event: WindowEventMap[Name]) => latest.current(event);
    addEventListener(name, tell, first);
    return () => removeEventListener(name, tell, first);
  }, []);
}

/** Every key that is pressed. */
export const useKeydown = (press: (event: KeyboardEvent) => void, first = false): void =>
  useWindow("keydown", press, first);

/** Every click: a part of the page that listened itself would be called clickable, with all that is in it, by screen readers. */
export const useClick = (click: (event: MouseEvent) => void, first = false): void => useWindow("click", click, first);

/** Now, every so many seconds, and when the page is looked at again. */
export function useLooking(look: () => void, seconds: number): void {
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

/** A page about a game by somebody else asks the server what it is called, and its moves and events. */
export function useGame(name: string): void {
  useEffect(() => {
    if (!infoOf(name)) void learnGames();
    if (!isOurs(name)) void loadGameTexts(name);
  }, [name]);
}

/** What is pointed at, by a mouse or by the focus. */
export function pointing(tell: (on: boolean) => void) {
  const [begin, end] = [() => tell(true), () => tell(false)];
  return { onMouseEnter: begin, onMouseLeave: end, onFocus: begin, onBlur: end };
}
