/** Addresses of the static edition: those of the client follow from those of the browser, and the other way round. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hrefOf, isStatic, linkTo, makeStaticBase } from "../src/base.ts";

const base = makeStaticBase("/a/deep/path/");

const PAGES = [
  ["/", "/a/deep/path/"],
  ["/#top", "/a/deep/path/#top"],
  ["/analysis#p=PRYGB+0@0,0&h=", "/a/deep/path/analysis/#p=PRYGB+0@0,0&h="],
  ["/problem?kind=frame&date=2026-11-19", "/a/deep/path/problem/?kind=frame&date=2026-11-19"],
  ["/problem?seed=a.b/c?d", "/a/deep/path/problem/?seed=a.b/c?d"],
  ["/rules/classic#hand", "/a/deep/path/rules/?/classic#hand"],
  ["/new/classic?public", "/a/deep/path/new/?/classic?public"],
  ["/t/device-a_B-1", "/a/deep/path/t/?/device-a_B-1"],
  ["/replay/device-1#17b", "/a/deep/path/replay/?/device-1#17b"],
] as const;

for (const [address, shown] of PAGES)
  test(`${address} is a page of the static edition`, () => {
    assert.equal(base.toBrowser(address), shown);
    const { path, search, hash } = base.fromBrowser(new URL(shown, "https://host.test"))!;
    assert.equal(path + search + hash, address);
  });

test("files keep their names below the folder of the edition", () => {
  for (const file of ["/worker.js", "/assets/main-1.css", "/rules/classic.en.json", "/docs/hosting.html"])
    assert.equal(base.toBrowser(file), `/a/deep/path${file}`);
});

test("pages are found with and without the name of their file, and other places belong to no page", () => {
  const read = (address: string) => base.fromBrowser(new URL(address, "https://host.test"))?.path;
  assert.equal(read("/a/deep/path/lesson/index.html"), "/lesson");
  assert.equal(read("/a/deep/path/lesson"), "/lesson");
  for (const other of ["/", "/a/deep/", "/a/deep/path/docs/", "/a/deep/path/docs/hosting.html", "/a/deep/path/x.pdf"])
    assert.equal(read(other), undefined);
});

test("on a server, addresses are those of the browser", () => {
  assert.equal(isStatic, false);
  assert.equal(hrefOf("/t/abc?x#1"), "/t/abc?x#1");
  assert.equal(linkTo("/t/abc"), "http://table.test/t/abc");
});
