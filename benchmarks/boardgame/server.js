// boardgame.io with one of its stores, for a game whose state is of the size of our table.
//
//     node server.js memory | files FOLDER | postgres URL
//
// The rules are as little as can be: whose turn it is. It prints its port.
const { Server, FlatFile, Origins } = require('boardgame.io/server');

const game = {
  name: 'dominoes',
  setup: (_, setupData) => {
    const bag = setupData.bag.slice(4);
    const hands = { 0: setupData.bag.slice(0, 2), 1: setupData.bag.slice(2, 4) };
    const options = { target: 240, first: 0, set: '120' };
    return { options, table: [], bag, hands, scores: [0, 0], turn: [] };
  },
  // The other hand and the bag are hidden, as in ours.
  playerView: ({ G, playerID }) => ({
    ...G,
    bag: G.bag.length,
    hands: { [playerID]: G.hands[playerID] },
    handCounts: [G.hands[0].length, G.hands[1].length],
  }),
  moves: {
    lay: ({ G, playerID }, laying) => {
      G.table.push(laying);
      G.turn.push({ player: playerID, laying, earned: { contacts: 2, groups: [] } });
      G.scores[playerID] += 2;
      G.hands[playerID].pop();
    },
    end: ({ G, playerID, events }) => {
      G.turn = [];
      if (G.bag.length) G.hands[playerID].push(G.bag.shift());
      events.endTurn();
    },
  },
};

function store(kind, place) {
  if (kind === 'files') return new FlatFile({ dir: place });
  if (kind === 'postgres') {
    const { PostgresStore } = require('bgio-postgres');
    return new PostgresStore(place, { logging: false });
  }
  return undefined; // In memory.
}

const [kind, place] = process.argv.slice(2);
const db = store(kind, place);
const server = Server({ games: [game], origins: [Origins.LOCALHOST], ...(db && { db }) });
server.run(0).then(({ appServer }) => console.log(`port ${appServer.address().port}`));
