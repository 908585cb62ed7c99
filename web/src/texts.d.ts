/** One language of all texts; made by texts.mjs. */
declare module "texts:*" {
  const texts: any;
  export default texts;
}
