/** The beginning: language, look, the offline shell, and the page that the address asks for. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { isStatic } from "./base.ts";
import { PALETTES, PIECES } from "./data.ts";
import { speak } from "./i18n.ts";
import { App, fileName } from "./shell/app.tsx";
import { address, readPath } from "./shell/router.ts";
import { settings } from "./state/settings.ts";
import { requireValue } from "./values.ts";

const root = document.documentElement;

effect(() => {
  const palette = PALETTES[settings.palette.value];
  for (const [colour, paint] of Object.entries(palette.paints)) root.style.setProperty(`--${colour}`, paint);
  for (const [colour, ink] of Object.entries(palette.inks)) root.style.setProperty(`--ink-${colour}`, ink);
  root.style.setProperty("--wood", PIECES[settings.pieces.value].body);
  root.dataset.pieces = settings.pieces.value;
  root.dataset.table = settings.table.value;
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => {
  const { value } = settings.theme;
  root.dataset.theme = value === "auto" ? (dark.matches ? "dark" : "light") : value;
};
effect(showTheme);
dark.addEventListener("change", showTheme);

const linked = isStatic && import("./shell/links.ts").then(({ adaptLinks }) => adaptLinks());

// The texts of the first page are there before anything is shown.
let begun = false;
effect(() => {
  const page = begun ? undefined : fileName(readPath(address.peek().path)?.name ?? "/");
  void Promise.all([speak(settings.language.value, page), linked]).then(() => {
    if (begun) return;
    begun = true;
    render(<App />, requireValue(document.getElementById("app"), "#app"));
  });
});

/** Milliseconds after which a page has all that it shows: then comes what may be wanted without a server. */
const KEEPING_DELAY_MS = 3_000;
addEventListener("load", () =>
  setTimeout(
    () =>
      void import("./shell/keeping.ts").then(
        ({ keepForLater }) => keepForLater(),
        () => undefined,
      ),
    KEEPING_DELAY_MS,
  ),
);
