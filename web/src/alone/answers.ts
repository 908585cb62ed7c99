/**
 * What this browser answers while no server can be reached: what the lesson and the problems of this week need, without
 * the engine, and everything else by the engine if this browser keeps it.
 */
import { Refused, type RequestOptions } from "../net/backend.ts";
import { ENGINE_PATHS } from "../net/engine-paths.ts";
import type { ProblemRequest } from "../net/problems.ts";
import type { FrameQuestion } from "../net/study.ts";
import { fill } from "./fill.ts";
import { legal } from "./legal.ts";
import { verdict } from "./verdict.ts";
import { problemOf, solutionOf, withoutSolution } from "./week.ts";

export async function answerAlone(path: string, options: RequestOptions): Promise<unknown> {
  const [name = "", query = ""] = path.split("?", 2);
  const own = answerWithoutEngine(name, query, options.body);
  if (own !== undefined) return own;
  const { isEngineStored } = await import("../state/engine-ahead.ts");
  if (!ENGINE_PATHS.includes(name) || !(await isEngineStored()))
    throw new Refused("offline", "The server cannot be reached.");
  return (await import("../net/engine-questions.ts")).askEngine(name, query, options);
}

/** Undefined: this browser does not know. */
function answerWithoutEngine(name: string, query: string, body: unknown): unknown {
  switch (name) {
    case "/legal":
      return legal(body as Parameters<typeof legal>[0]);
    case "/solve": {
      const known = solutionOf(body as FrameQuestion);
      return known ? { solutions: [known], complete: true, nodes: 0 } : (fill(body as FrameQuestion) ?? undefined);
    }
    case "/problem":
      return findProblem(Object.fromEntries(new URLSearchParams(query)));
    case "/problem/check": {
      const { layings, ...request } = body as ProblemRequest & { layings: string[] };
      const known = problemOf(request);
      return known ? verdict(known, layings) : undefined;
    }
    default:
      return undefined;
  }
}

function findProblem({ kind, date, seed, grade, solution }: Record<string, string | undefined>): unknown {
  const known = problemOf({
    kind: kind === "frame" ? "frame" : "turn",
    date,
    seed,
    grade: grade ? Number(grade) : undefined,
  });
  if (!known) return undefined;
  return solution ? known : withoutSolution(known);
}
