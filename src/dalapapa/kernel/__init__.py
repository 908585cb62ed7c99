"""The compiled kernel: the table, its best turns, and the solver of frames.

Each file is ordinary Python; the `.pxd` file beside it gives the same names C types, and the build
compiles both with Cython. C types are not annotations, so that the `.py` files stay readable for
people and for mypy. Without a compiler the files run as they are, with a warning: a whole game
takes about 20 times as long. Tests run both and compare them.

* `dalapapa.Table` is the class of `table.py`: views, states and users share it, because a wrapper
  would cost a call for each question. Names that only the kernel uses begin with an underscore.
* `lookup.py` precomputes what depends only on the set: for example which new discs are connected
  on a domino, by the pattern of its face and its contacts.
* `best_turn.py` lays each candidate for the first domino and then asks what the second can earn.
  Only next to the first domino is everything computed again. If both are legal alone, the order
  decides only which of them the discs between them count for, so each pair is tried once. Ties are
  broken by the text of the turn, so that commands, bots and machines agree.
* `search.py` is the interface for bots that search: layings as numbers, points as integers.
* `outlook.py` estimates what a turn leaves, with dealt hands; `ending.py` solves the end of a
  classic game of two, once the bag is empty.
* `planes.py` and `painter.py` write what learning programs see into arrays. `episode.py` plays
  games by numbers for them, because states, views and objects cost a hundred times what a game
  costs; its subclasses `episode_points.py`, `episode_gone.py` and `episode_72.py` have the rules of
  the five games with turns, and `group_marks.py` knows the marks on groups. `games/NAME/rules.py`
  is their specification, and tests compare every array.
* `solver.py` fills frames: one layout, all of them, or the proof that there are none; and hints.
"""

from . import best_turn as best_turn  # Registers the search for best turns with the table.
