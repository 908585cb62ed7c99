const LAYINGS = ["PRYGB+0@0,0", "BYRGB+0@0,-1", "DRYGB+0@1,0"];

/** A game of three turns as the server sends it for a replay. */
export const GAME = {
  game: "classic",
  options: { target: 60, first: 0, set: "120" },
  players: [{ name: "Ann" }, { name: "Bob" }],
  start: momentAt(0),
  steps: LAYINGS.map((laying, i) => momentAt(i + 1, laying)),
  turns: LAYINGS.map((laying, i) => ({
    player: i % 2,
    first: i,
    last: i,
    layings: [laying],
    points: i + 1,
    lost: 0,
    best: { layings: ["ZBGRY+0@2,2"], points: 9 },
  })),
  outcome: null,
};

function momentAt(count: number, laying?: string) {
  return {
    events: laying
      ? [{ event: "laid", player: 0, laying, earned: { contacts: 1, groups: [] }, charge: 0, scores: true }]
      : [],
    view: {
      game: "classic",
      phase: "play",
      table: LAYINGS.slice(0, count).join(" "),
      scores: [count, 0],
      turn: [],
      active: 0,
    },
    hands: [[], []],
    acting: [],
  };
}
