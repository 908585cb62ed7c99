/** A server for tests of pages: it answers by the path of a request. */

class Refusal {
  constructor(
    readonly code: string,
    readonly message: string,
    readonly values: Record<string, number | string>,
  ) {}
}

/** An answer that refuses a request. */
export const refuse = (code: string, message = "", values: Refusal["values"] = {}): Refusal =>
  new Refusal(code, message, values);

/** Answer requests from now on; other paths are unknown. The result lists the paths that were asked. */
export function serve(answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  globalThis.fetch = (async (address: string) => {
    const { pathname } = new URL(address, location.href);
    asked.push(pathname);
    const answer = answers[pathname] ?? refuse("unknown_table", pathname);
    const isRefused = answer instanceof Refusal;
    return {
      ok: !isRefused,
      status: isRefused ? 422 : 200,
      headers: new Headers(),
      json: async () => (isRefused ? { ...answer } : answer),
    };
  }) as unknown as typeof fetch;
  return asked;
}
