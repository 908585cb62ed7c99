/** What the engine answers as a server does (`edition/requests.py`). */
export const ENGINE_PATHS: readonly string[] = [
  "/best",
  "/coach",
  "/groups",
  "/legal",
  "/problem",
  "/problem/check",
  "/replay",
  "/review",
  "/solve",
];
