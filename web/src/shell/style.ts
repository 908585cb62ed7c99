/** The style sheets that not every page needs: they come with the first page that does, and stay. */
import sheets from "../style/sheets.json";

/** By page, in the order in which they stand: `play` is always before `more`, so that the same rules win whatever came first. */
const NEEDED: Readonly<Record<string, readonly string[]>> = sheets;

/** The end of the names of this build's files. */
const END = /main([-\w]*)\.js$/.exec(import.meta.url)?.[1] ?? "";

const coming = new Map<string, Promise<void>>();

/** Until the sheets of a page are there; the server has named those of the first one. */
export async function dress(page: string): Promise<void> {
  await Promise.all(
    (NEEDED[page] ?? NEEDED.other!).map((name) => {
      const href = new URL(`${name}${END}.css`, import.meta.url).href;
      if ([...document.styleSheets].some((sheet) => sheet.href === href)) return undefined;
      if (!coming.has(href))
        coming.set(
          href,
          added(href).catch((error: unknown) => {
            coming.delete(href);
            throw error;
          }),
        );
      return coming.get(href);
    }),
  );
}

function added(href: string): Promise<void> {
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
