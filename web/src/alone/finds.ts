/**
 * Problems of a day that were found without a server: they are counted once it is back, however often that is tried.
 */
import { isTemporary } from "../net/retry.ts";
import { Refused } from "../net/backend.ts";
import { type FoundProblem, problems } from "../net/problems.ts";
import { recall, remember } from "../state/storage.ts";

const MOST = 20;

/** What waits; a browser that keeps nothing has it as long as the page is open. */
let waiting: FoundProblem[] = recall<FoundProblem[]>("finds", []);

const name = ({ kind, date }: FoundProblem) => `${kind} ${date}`;

function put(all: FoundProblem[]): void {
  waiting = all.slice(-MOST);
  remember("finds", waiting.length ? waiting : null);
}

/** One for each problem: the first, with its mark. */
export function wait(found: FoundProblem): void {
  if (!waiting.some((one) => name(one) === name(found))) put([...waiting, found]);
}

/** Send them to the server. What it refuses for good, as the problem of another day, is not sent again. */
export async function sendFinds(): Promise<void> {
  // Another tab may have added to them, or sent some.
  const others = recall<FoundProblem[]>("finds", []);
  waiting = [...waiting, ...others.filter((one) => !waiting.some((own) => name(own) === name(one)))];
  for (const found of [...waiting]) {
    try {
      await problems.countMe(found);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (isTemporary(error)) return;
    }
    put(waiting.filter((one) => name(one) !== name(found)));
  }
}
