/** A page about a game by somebody else asks the server what it is called. */
import { useEffect } from "preact/hooks";
import { infoOf, learnGames } from "../state/catalogue.ts";

export function useGame(name: string): void {
  useEffect(() => {
    if (!infoOf(name)) void learnGames();
  }, [name]);
}
