/** The style sheets that not every page needs: they come with the first page that does, and stay. */
import { hrefOf } from "../base.ts";
import sheets from "../style/sheets.json";

/** The sheets of each page. Layers decide which rules win, not the order in which sheets load. */
const SHEETS_OF_PAGE: Readonly<Record<string, readonly string[]>> = sheets;

/** What the names of all files of this build end in (build.mjs). */
declare const BUILD: string;

const coming = new Map<string, Promise<void>>();

/** Load the sheets of a page; the server has named those of the first one. */
export function dress(page: string): Promise<void> {
  return loadStyles(SHEETS_OF_PAGE[page] ?? SHEETS_OF_PAGE.other ?? []);
}

/** Load sheets by their names. */
export async function loadStyles(names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) => {
      const href = new URL(hrefOf(`/assets/${name}-${BUILD}.css`), location.href).href;
      if ([...document.styleSheets].some((sheet) => sheet.href === href)) return undefined;
      if (!coming.has(href))
        coming.set(
          href,
          addStylesheet(href).catch((error: unknown) => {
            coming.delete(href);
            throw error;
          }),
        );
      return coming.get(href);
    }),
  );
}

function addStylesheet(href: string): Promise<void> {
  const link = document.createElement("link");
  return new Promise((there, failed) => {
    document.head.append(
      Object.assign(link, {
        rel: "stylesheet",
        href,
        onload: () => there(),
        onerror: () => {
          link.remove();
          failed(new Error(href));
        },
      }),
    );
  });
}
