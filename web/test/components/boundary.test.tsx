import assert from "node:assert/strict";
import { test } from "node:test";
import { Boundary } from "../../src/shell/boundary.tsx";
import { loadLazily } from "../../src/shell/lazy.tsx";
import { after, all, press, show, text } from "./page.ts";

test("a part that fails is replaced, and what is around it stays", async (context) => {
  context.mock.method(console, "error", () => undefined);
  let fails = true;
  const Part = () => {
    if (fails) throw new Error("no domino");
    return <p>All dominoes</p>;
  };
  await show(
    <>
      <h1>Table</h1>
      <Boundary part>
        <Part />
      </Boundary>
    </>,
  );
  assert.equal(all("heading", "Table").length, 1);
  assert.doesNotMatch(text(), /All dominoes|no domino/);
  fails = false;
  await press("button", "Try again");
  assert.match(text(), /All dominoes/);
});

test("a part that is loaded later shows what stands in for it until then", async () => {
  const Loaded = () => <p>Loaded</p>;
  let arrive: (part: typeof Loaded) => void = () => undefined;
  const Part = loadLazily(() => new Promise<typeof Loaded>((resolve) => (arrive = resolve)), <p>Wait</p>);
  await show(<Part />);
  assert.equal(text(), "Wait");
  await after(() => arrive(Loaded));
  assert.equal(text(), "Loaded");
});

test("a part that cannot be loaded can be tried again", async (context) => {
  context.mock.method(console, "error", () => undefined);
  let tries = 0;
  const Part = loadLazily(async () => {
    if (!tries++) throw new Error("offline");
    return () => <p>Loaded</p>;
  });
  await show(<Part />);
  await press("button", "Try again");
  assert.equal(text(), "Loaded");
});
