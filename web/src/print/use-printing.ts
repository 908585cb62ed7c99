/** The print that is being chosen, as its address says it, and the pages that the server promises. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PrintName } from "../data.ts";
import { type Language, language } from "../i18n.ts";
import { ask } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { Backoff, retry, sleep } from "../net/retry.ts";
import { address, amend } from "../shell/router.ts";
import {
  completeRequest,
  isComplete,
  optionsOf,
  type PrintedPage,
  readSearch,
  usualPaper,
  type PrintChoices,
  writeSearch,
} from "../state/prints.ts";
import { recall, remember } from "../state/storage.ts";

/** Milliseconds without a change until the pages are asked for. */
const QUIET_MS = 250;
/** Refusals that pass by themselves, and the first pause until it is tried again. */
const TEMPORARY = ["offline", "busy", "too_fast", "too_many", "http"];
const FIRST_PAUSE_MS = 3000;
/** Follows the page's language unless one is chosen, so it is not kept. */
const LANGUAGE_OPTION = "language";

export interface Printing {
  what: PrintName;
  /** Every option, as one would type it. */
  all: PrintChoices;
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

/** The answer of the server to a print. */
interface Answer {
  search: string;
  what: PrintName;
  pages: readonly PrintedPage[];
  refusal: Refused | null;
  /** The language that the page was read in. */
  spoken: Language;
}

export function usePrinting(): Printing {
  const answer = useSignal<Answer>({ search: "", what: "set", pages: [], refusal: null, spoken: language.peek() });
  // The language of an address that was written in another language of the page is one that was chosen.
  const writtenIn = useRef(language.peek());
  const readOptions = () => readChosen(address.value.search, writtenIn.current);
  const complete = (chosen: PrintChoices) => completeRequest(chosen, usualPaper(navigator.languages), language.value);

  const all = complete(readOptions());
  const what = all.what as PrintName;
  const search = writeSearch(all);
  const empty = what === "position" && !all.position?.trim();
  // An address that leaves something open, as `/print` does, gets what is shown, unless it has changed since then.
  const asked = address.value.search;
  useEffect(() => {
    if (address.peek().search === asked) amend(`/print${search}`);
    writtenIn.current = language.value;
  }, [search, asked]);
  useEffect(() => {
    const publish = (pages: readonly PrintedPage[], refusal: Refused | null) =>
      (answer.value = { search, what, pages, refusal, spoken: language.peek() });
    if (empty) {
      publish([], null);
      return undefined;
    }
    const control = new AbortController();
    const { signal: stop } = control;
    const load = async () => {
      if (answer.peek().search) await sleep(QUIET_MS, stop);
      const pages = await retry((signal) => ask<PrintedPage[]>(`/print/pages${search}`, { signal }), {
        stop,
        isTemporary: (error) => error instanceof Refused && TEMPORARY.includes(error.code),
        onFailure: (error) => error instanceof Refused && publish([], error),
        timeoutMs: Infinity,
        backoff: new Backoff(FIRST_PAUSE_MS),
      });
      publish(pages, null);
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
      const others = name === "what" ? recallOthers(what) : {};
      amend(`/print${writeSearch(complete({ ...others, ...readOptions(), [name]: value }))}`);
      if (name !== LANGUAGE_OPTION) remember("print", { ...recall<PrintChoices>("print", {}), [name]: value });
    },
  };
}

/** What an address asks for; where it does not say, what was chosen in this browser before. */
function readChosen(search: string, pageLanguage: Language): PrintChoices {
  const asked = readSearch(search);
  const { [LANGUAGE_OPTION]: spoken, ...rest } = isComplete(asked) ? asked : { ...recallChoices(), ...asked };
  // In the reader's own language it goes on following that.
  return spoken && spoken !== pageLanguage ? { ...rest, [LANGUAGE_OPTION]: spoken } : rest;
}

/** The choices that this browser remembers, perhaps by an older client. */
function recallChoices(): PrintChoices {
  return readSearch(`?${new URLSearchParams(recall<Record<string, string>>("print", {}))}`);
}

/** The remembered options that do not matter for a print, so that its address does not say them. */
function recallOthers(what: PrintName): PrintChoices {
  const said = ["what", ...optionsOf(what).map(({ name }) => name)];
  return Object.fromEntries(Object.entries(recallChoices()).filter(([name]) => !said.includes(name)));
}
