/** The colours of players: readable, distinct for everyone, and never those of discs. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PALETTES } from "../src/data.ts";

declare const WEB: string;

const css = readFileSync(join(WEB, "src", "style", "tokens.css"), "utf8");
const SEATS = [...css.matchAll(/\.seat-(\d) \{\s*--seat: (#\w{6});\s*\}/g)].map(([, , colour]) => colour!);
const DISCS = Object.values(PALETTES.classic.paints);

/** How colours look to people who miss one kind of cone (Machado, Oliveira and Fernandes 2009), in linear light. */
const EYES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (colour: string): number[] =>
  [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });

const product = (matrix: readonly (readonly number[])[], light: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, one, i) => sum + one * light[i]!, 0));

function lab(colour: string, eye: string): number[] {
  const seen = product(EYES[eye]!, linear(colour)).map((part) => Math.min(1, Math.max(0, part)));
  const [x, y, z] = product(
    [
      [0.4339, 0.3763, 0.1899],
      [0.2126, 0.7152, 0.0722],
      [0.0178, 0.1095, 0.8727],
    ],
    seen,
  ).map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (one: string, other: string, eye = "all"): number =>
  Math.hypot(...lab(one, eye).map((part, i) => part - lab(other, eye)[i]!));

const luminance = (colour: string): number => product([[0.2126, 0.7152, 0.0722]], linear(colour))[0]!;

test("ten seats, and white letters are read on each", () => {
  assert.equal(SEATS.length, 10);
  for (const seat of SEATS) assert.ok(1.05 / (luminance(seat) + 0.05) >= 4.5, seat);
});

test("no player has the colour of a disc", () => {
  for (const seat of SEATS)
    for (const disc of DISCS) assert.ok(difference(seat, disc) > 40, `${seat} looks like ${disc}`);
});

test("the colours of players are distinct for all kinds of sight, those of four players easily", () => {
  for (const eye of Object.keys(EYES)) {
    SEATS.forEach((one, i) => {
      for (const other of SEATS.slice(0, i)) {
        const least = i < 4 ? 25 : 14;
        assert.ok(
          difference(one, other, eye) > least,
          `${one} and ${other}: ${difference(one, other, eye).toFixed(1)} with ${eye}`,
        );
      }
    });
  }
});
