/** The print that is being chosen: its options, its address, and the pages that the server promises. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PrintName } from "../data.ts";
import { type Language, language } from "../i18n.ts";
import { ask } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { Backoff, retry, sleep } from "../net/retry.ts";
import { address } from "../shell/router.ts";
import {
  completeRequest,
  isComplete,
  type PrintedPage,
  readSearch,
  usualPaper,
  type Wishes,
  writeSearch,
} from "../state/prints.ts";
import { recall, remember } from "../state/storage.ts";

/** Milliseconds without a change until the pages are asked for. */
const CALM = 250;
/** Refusals that pass by themselves, and the first pause until it is tried again. */
const TEMPORARY = ["offline", "busy", "too_fast", "too_many", "http"];
const FIRST_PAUSE_MS = 3000;
/** Follows the page's language unless one is chosen, so it is not kept. */
const NOT_KEPT = "language";

export interface Printing {
  what: PrintName;
  /** Every option, as one would type it. */
  all: Wishes;
  /** The print as a query, for the address and for the server. */
  search: string;
  /** The pages of `shown`, a query as well: what the pictures show while others are awaited. */
  pages: readonly PrintedPage[];
  shown: string;
  shownWhat: PrintName;
  waiting: boolean;
  refusal: Refused | null;
  choose(name: string, value: string): void;
}

/** What the server said of a print. */
interface Answer {
  search: string;
  what: PrintName;
  pages: readonly PrintedPage[];
  refusal: Refused | null;
  /** The language that the page was read in. */
  spoken: Language;
}

export function usePrinting(): Printing {
  const chosen = useSignal<Wishes>(begun(address.peek().search));
  const answer = useSignal<Answer>({ search: "", what: "set", pages: [], refusal: null, spoken: language.peek() });
  const here = address.value;
  useEffect(() => {
    chosen.value = begun(here.search);
  }, [here]);

  const all = completeRequest(chosen.value, usualPaper(navigator.languages), language.value);
  const what = all.what as PrintName;
  const search = writeSearch(all);
  const empty = what === "position" && !all.position!.trim();
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(null, "", `/print${search}`), CALM);
    return () => clearTimeout(timer);
  }, [search, here]);
  useEffect(() => {
    const tell = (pages: readonly PrintedPage[], refusal: Refused | null) =>
      (answer.value = { search, what, pages, refusal, spoken: language.peek() });
    if (empty) {
      tell([], null);
      return undefined;
    }
    const control = new AbortController();
    const { signal: stop } = control;
    const load = async () => {
      if (answer.peek().search) await sleep(CALM, stop);
      const pages = await retry((signal) => ask<PrintedPage[]>(`/print/pages${search}`, { signal }), {
        stop,
        isTemporary: (error) => error instanceof Refused && TEMPORARY.includes(error.code),
        onFailure: (error) => error instanceof Refused && tell([], error),
        timeoutMs: Infinity,
        backoff: new Backoff(FIRST_PAUSE_MS),
      });
      tell(pages, null);
    };
    load().catch((error: unknown) => {
      if (!stop.aborted && !(error instanceof Refused)) throw error;
    });
    return () => control.abort();
  }, [search, empty]);

  const { refusal, search: shown, what: shownWhat } = answer.value;
  // Pictures in another language are not shown while the new ones are awaited.
  const pages = answer.value.spoken === language.value ? answer.value.pages : [];
  return {
    what,
    all,
    search,
    pages,
    shown,
    shownWhat,
    waiting: shown !== search,
    refusal: shown === search ? refusal : null,
    choose(name, value) {
      chosen.value = { ...chosen.value, [name]: value };
      if (name !== NOT_KEPT) remember("print", { ...recall<Wishes>("print", {}), [name]: value });
    },
  };
}

/** What an address asks for; where it does not say, what was chosen here before. */
function begun(search: string): Wishes {
  const told = readSearch(search);
  const { [NOT_KEPT]: spoken, ...rest } = isComplete(told) ? told : { ...readKept(), ...told };
  // In the reader's own language it goes on following that.
  return spoken && spoken !== language.peek() ? { ...rest, [NOT_KEPT]: spoken } : rest;
}

/** What was kept, perhaps by an older client. */
function readKept(): Wishes {
  return readSearch(`?${new URLSearchParams(recall<Record<string, string>>("print", {}))}`);
}
