/** All that this browser answers without a server. */
import type { LocalEngine } from "../net/local-backend.ts";
import { answer } from "./answers.ts";
import { openTable } from "./tables.ts";

export const engine: LocalEngine = { answer, open: openTable };
