"""A thousand kills: `make soak`. Everything that can go wrong, all at once, on both stores.

People play while servers, workers and PostgreSQL are killed and stopped, the disk is full and the
clock jumps, and while strangers lie, dawdle and flood. The judge of the tests then says whether
every promise was kept. All of it stays on this machine (127.0.0.0/8) and ends by itself.

    __main__.py   the command
    course.py     the course of a run on one store, from the first player to the last measurement
    servers.py    server processes, whose clock can be put and whose tasks are counted
    players.py    people who play honestly, and note what they were promised and sent
    strangers.py  those who lie, flood, send half of everything and read nothing
    chaos.py      faults: what is killed, stopped, filled up or put wrong
    figures.py    what came out, as a table, and whether it is in order

What it shares with the tests is in `tests/support`: processes that are killed, PostgreSQL, the line
that lies, the judge.
"""
