/** What pages do while they are shown: listen to keys, look again, say in the window's title what they are. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { infoOf, learnGames } from "../state/catalogue.ts";

/** Every key that is pressed; `first`: before those that the page below listens to. */
export function useKeydown(press: (event: KeyboardEvent) => void, first = false): void {
  const latest = useRef(press);
  latest.current = press;
  // As soon as it is seen, not after it was painted: somebody who knows the table is quick.
  useLayoutEffect(() => {
    const tell = (event: KeyboardEvent) => latest.current(event);
    addEventListener("keydown", tell, first);
    return () => removeEventListener("keydown", tell, first);
  }, []);
}

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

/** The window's title while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} – Dalapapa` : "Dalapapa";
    return () => void (document.title = "Dalapapa");
  }, [title]);
}

/** A page about a game by somebody else asks the server what it is called. */
export function useGame(name: string): void {
  useEffect(() => {
    if (!infoOf(name)) void learnGames();
  }, [name]);
}

/** What is pointed at, by a mouse or by the focus. */
export function pointing(tell: (on: boolean) => void) {
  const [begin, end] = [() => tell(true), () => tell(false)];
  return { onMouseEnter: begin, onMouseLeave: end, onFocus: begin, onBlur: end };
}
