"""Let two bots play a game, save its record, and go through it move by move."""

from dalapapa import Match, read_record

match = Match("classic", players=["strong", "medium"], seed="tuesday")
print(match.run())
match.save("game.json")

record = read_record("game.json")
for move, events, position in record:
    if move.player is not None and position is not None:
        print(f"{record.players[move.player].name}: {len(position)} dominoes, {events[0]}")
print(f"{len(record)} moves, {record.result.scores}")
