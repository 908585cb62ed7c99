/** The frame round every page: header, the page itself, dialogs and the voice for screen readers. */
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { DEFAULT } from "../games/general.ts";
import { LANGUAGES, speakAt, t, unavailable, speakAlso } from "../i18n.ts";
import { isStorageFull } from "../net/device-backend.ts";
import { isOffline } from "../net/server-backend.ts";
import { full } from "../state/storage.ts";
import { useVoice } from "./announcer.ts";
import { LanguageChoice } from "./language-choice.tsx";
import { Boundary } from "./boundary.tsx";
import { useClick } from "./hooks.ts";
import { follow, pagePath, readPath } from "./router.ts";
import { loadLazily } from "./lazy.tsx";
import { loadOrRenew } from "./renew.ts";
import { dress } from "./style.ts";
import { AnnouncedText } from "./announced-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { Slot, SlotPlace } from "../ui/slot.tsx";
import { TableParts, TablePartsContext } from "../ui/table-parts.ts";

export interface PageProps {
  /** What the address says after the page's name, decoded. */
  argument: string;
}

type Page = ComponentType<PageProps>;

/** The pages by the first part of their address; each is loaded when it is wanted. */
const PAGES: Record<string, () => Promise<{ default: Page }>> = {
  "": () => import("../pages/home.tsx"),
  t: () => import("../pages/table.tsx"),
  new: () => import("../pages/new.tsx"),
  lesson: () => import("../pages/lesson.tsx"),
  replay: () => import("../pages/replay.tsx"),
  analysis: () => import("../pages/analysis.tsx"),
  solver: () => import("../pages/solver.tsx"),
  rules: () => import("../pages/rules.tsx"),
  dominoes: () => import("../pages/dominoes.tsx"),
  companion: () => import("../pages/companion.tsx"),
  print: () => import("../pages/print.tsx"),
  problems: () => import("../pages/problems.tsx"),
  problem: () => import("../pages/problem.tsx"),
  challenge: () => import("../pages/challenge.tsx"),
  samples: () => import("../pages/samples.tsx"),
};

/** Pages that want the whole screen: the header is small there. */
const WIDE_PAGES = ["t", "replay", "lesson", "analysis", "solver", "problem"];

/** No page has this name. */
const MISSING = { name: "/", argument: "" };

/** The name of a page's files, by the first part of its address: `texts-home-en`. */
export function fileName(name: string): string {
  return name === "" ? "home" : Object.hasOwn(PAGES, name) ? name : "missing";
}

/** A page with all that it needs: its texts and its looks. */
async function load(name: string): Promise<Page> {
  const loadModule = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  const module = loadModule?.() ?? import("../pages/missing.tsx");
  const [{ default: Page }] = await Promise.all([module, speakAt(fileName(name)), dress(fileName(name))]);
  return Page;
}

export const settingsOpen = signal(false);
const SettingsDialog = loadLazily<{ onClose(): void }>(() =>
  Promise.all([import("./settings-dialog.tsx"), speakAlso("settings")]).then(([{ SettingsDialog }]) => SettingsDialog),
);

/** Tools that a page adds to the header, such as the menu of a table. */
export const headerTools = new Slot();

export function App() {
  const { name, argument } = readPath(pagePath.value) ?? MISSING;
  const page = useSignal<{ name: string; Page: Page } | null>(null);
  useVoice();
  useClick(follow);
  useEffect(() => {
    let wanted = true;
    void loadOrRenew(
      () => load(name),
      () => wanted,
    ).then((Page) => {
      if (wanted) page.value = { name, Page };
    });
    return () => {
      wanted = false;
    };
  }, [name]);
  // The focus of a new page is at its beginning.
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) document.getElementById("main")?.focus();
    first.current = false;
  }, [pagePath.value]);
  const shown = page.value;
  return (
    <div class={WIDE_PAGES.includes(name) ? "app wide" : "app"}>
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {(full.value || isStorageFull.value) && <AnnouncedText class="note tinted">{t("storage_full")}</AnnouncedText>}
        {unavailable.value && (
          <AnnouncedText class="note tinted">
            {t("language_unavailable", { wanted: LANGUAGES[unavailable.value] })}
          </AnnouncedText>
        )}
        {shown?.name === name && (
          <Boundary key={`${name}/${argument}`}>
            <PageParts>
              <shown.Page argument={argument} />
            </PageParts>
          </Boundary>
        )}
      </main>
      {settingsOpen.value && <SettingsDialog onClose={() => (settingsOpen.value = false)} />}
    </div>
  );
}

/** The elements of a page with a board are its own, also while it replaces another one. */
function PageParts({ children }: { children: ComponentChildren }) {
  const parts = useMemo(() => new TableParts(), []);
  return <TablePartsContext.Provider value={parts}>{children}</TablePartsContext.Provider>;
}

/** The pages by their names; a table has the rules of its own game. */
export function PageLinks({ rules = true }: { rules?: boolean }) {
  return (
    <>
      {rules && <a href={`/rules/${DEFAULT}`}>{t("rules")}</a>}
      <a href="/problems">{t("problems")}</a>
      <a href="/analysis">{t("analysis")}</a>
      <a href="/replay">{t("result_replay")}</a>
      <a href="/solver">{t("solver")}</a>
      <a href="/print">{t("print_nav")}</a>
    </>
  );
}

/** On a phone the pages are behind a button: in German their names are wider than it. */
function Header() {
  const open = useSignal(false);
  useEffect(() => void (open.value = false), [pagePath.value]);
  return (
    <header class={open.value ? "header open" : "header"}>
      <a class="brand" href="/" aria-label="Dalapapa">
        <Logo />
        <span>Dalapapa</span>
      </a>
      <nav id="pages" aria-label={t("pages")}>
        <PageLinks />
      </nav>
      {isOffline.value && (
        <AnnouncedText as="span" class="offline" title={t("refused_offline")}>
          {t("offline")}
        </AnnouncedText>
      )}
      <SlotPlace slot={headerTools} class="header-tools" />
      <label class="language">
        <span class="hidden">{t("language")}</span>
        <LanguageChoice />
      </label>
      {!headerTools.isFilled.value && (
        <button
          type="button"
          class="tool pages-button"
          aria-label={t("pages")}
          title={t("pages")}
          aria-expanded={open.value}
          aria-controls="pages"
          onClick={() => (open.value = !open.value)}
        >
          <Icon name={open.value ? "close" : "menu"} />
        </button>
      )}
      <button
        type="button"
        class="tool"
        aria-label={t("settings")}
        title={t("settings")}
        onClick={() => (settingsOpen.value = true)}
      >
        <Icon name="settings" />
      </button>
    </header>
  );
}

/** Two half-discs that meet. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 40 40" aria-hidden="true">
      <rect class="wood" x="1" y="1" width="38" height="38" rx="9" />
      <path class="R" d="M8 20a12 12 0 0 1 24 0z" />
      <path class="Y" d="M8 20a12 12 0 0 0 24 0z" />
      <circle class="G" cx="7" cy="7" r="4" />
      <circle class="B" cx="33" cy="33" r="4" />
    </svg>
  );
}
