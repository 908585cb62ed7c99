"""Study a position: what may be laid, what it earns, and which turn is best."""

from dalapapa import Table, draw

table = Table("PRYGB+0@0,0 BBGYR-0@0,-1")
print(table.text())
for laying, earned in table.scored("BRYGB")[:3]:
    print(f"{laying}: {earned}")
turn = table.best(["BRYGB", "CRYGB"])
print(f"Best: {turn}")
if turn is not None:
    for laying in turn.layings:
        table.lay(laying)
draw(table, "position.svg", last=2, groups="closed")
