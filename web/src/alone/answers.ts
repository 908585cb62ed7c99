/**
 * What this browser answers itself while no server can be reached: a few questions of docs/protocol.md, with the same
 * answers. `ask` comes here when the server is away, and for the tables that only this browser has.
 */
import type { NewTable } from "../net/api.ts";
import type { RequestOptions } from "../net/backend.ts";
import type { ProblemRequest } from "../net/problems.ts";
import type { FrameQuestion } from "../net/study.ts";
import { fill } from "./fill.ts";
import { legal } from "./legal.ts";
import { answerOf, listOwn, setUp } from "./tables.ts";
import { verdict } from "./verdict.ts";
import { problemOf, solutionOf, withoutSolution } from "./week.ts";

/** Undefined: only a server knows. */
export async function answer(path: string, { body }: RequestOptions): Promise<unknown> {
  const [name, search] = path.split("?", 2);
  switch (name) {
    case "/legal":
      return legal(body as Parameters<typeof legal>[0]);
    case "/solve": {
      const known = solutionOf(body as FrameQuestion);
      return known ? { solutions: [known], complete: true, nodes: 0 } : (fill(body as FrameQuestion) ?? undefined);
    }
    case "/problem":
      return problem(Object.fromEntries(new URLSearchParams(search)));
    case "/problem/check": {
      const { layings, ...request } = body as ProblemRequest & { layings: string[] };
      const known = problemOf(request);
      return known ? verdict(known, layings) : undefined;
    }
    case "/own-tables":
      return listOwn((body as { tables: { id: string }[] }).tables.map(({ id }) => id));
    case "/tables":
      return body ? setUp(body as NewTable) : undefined;
    default:
      return answerOf(name!);
  }
}

function problem({ kind, date, seed, grade, solution }: Record<string, string | undefined>): unknown {
  const known = problemOf({
    kind: kind === "frame" ? "frame" : "turn",
    date,
    seed,
    grade: grade ? Number(grade) : undefined,
  });
  return known ? (solution ? known : withoutSolution(known)) : undefined;
}
