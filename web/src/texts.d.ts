/** How the texts of a page are loaded; made by texts.mjs. */
declare module "texts:load" {
  export default function load(page: string, language: string): Promise<unknown>;
}
