/**
 * Where this client is: at the root of its server, or in a folder of static files below any path (docs/static-site.md).
 *
 * Modules write the addresses of pages as on a server: `/t/ID`, `/problem?kind=frame#x`. A static web host cannot
 * answer `t/ID` with a page that has another name, so each page is a folder there, and the rest of its path is in the
 * query: `t/?/ID`, `problem/?kind=frame#x`.
 */

/** What follows the host in an address of ours. */
export interface Address {
  path: string;
  search: string;
  hash: string;
}

/** Addresses of ours, and those of the browser. */
export interface Base {
  /** The browser's address for one of ours, or for a file that we name from the root: `/icon.svg`. */
  toBrowser(address: string): string;
  /** Null: the browser's address belongs to no page of ours. */
  fromBrowser(place: Pick<URL, "pathname" | "search" | "hash">): Address | null;
}

const SERVER_BASE: Base = {
  toBrowser: (address) => address,
  fromBrowser: ({ pathname, search, hash }) => (pathname.startsWith("/api/") ? null : { path: pathname, search, hash }),
};

/** `folder` is the path of the edition: it begins and ends with `/`. */
export function makeStaticBase(folder: string): Base {
  return {
    toBrowser(address) {
      const [, page = "", rest = "", more = ""] = /^\/([^/?#]*)\/?([^?#]*)(.*)$/s.exec(address) ?? [];
      if (`${page}${rest}`.includes(".")) return folder + address.slice(1); // A file: no page and no id has a dot.
      return `${folder}${page && `${page}/`}${rest && `?/${rest}`}${more}`;
    },
    fromBrowser({ pathname, search, hash }) {
      if (!pathname.startsWith(folder)) return null;
      const [, page] = /^([\w-]*)\/?(?:index\.html)?$/.exec(pathname.slice(folder.length)) ?? [];
      if (page === undefined || page === DOCUMENTATION) return null;
      if (!search.startsWith("?/")) return { path: `/${page}`, search, hash };
      const [rest = "", ...query] = search.slice(2).split("?");
      return { path: `/${page}/${rest}`, search: query.length ? `?${query.join("?")}` : "", hash };
    },
  };
}

/** The folder of the documentation, beside those of the pages. */
const DOCUMENTATION = "docs";

/** The static edition says in its pages where it is (scripts/build_edition.py). */
const edition = globalThis.document?.getElementById?.("edition") as HTMLMetaElement | null | undefined;

/** Whether there is no server: this browser answers everything itself. */
export const isStatic = !!edition;

export const base: Base = edition ? makeStaticBase(new URL(edition.content, location.href).pathname) : SERVER_BASE;

/** What the browser shows and loads for an address of ours. */
export const hrefOf = (address: string): string => base.toBrowser(address);

/** The same with the host, to be shared. */
export const linkTo = (address: string): string => location.origin + hrefOf(address);

/** The rules of a game in the static edition, as `scripts/build_edition.py` writes them. */
export const rulesFile = (game: string, language: string): string => hrefOf(`/rules/${game}.${language}.json`);
