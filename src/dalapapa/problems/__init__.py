"""Problems: positions with one clearly best turn, and frames with exactly one solution.

A problem follows from its kind, its grade and its seed alone; the seed of a day is its date. It is
the same on every machine and for ever: random numbers are SHA-256, tables are played by the exact
best turn, and the solver answers exact questions (the number of solutions). So bots and the solver
may be tuned without changing a problem. A change of the problems needs a new `VERSION`
(`docs/problems.md`).
"""

from .frames import FrameProblem as FrameProblem
from .frames import make_frame_problem as make_frame_problem
from .picture import draw_problem as draw_problem
from .request import GRADES as GRADES
from .request import MAX_SEED as MAX_SEED
from .request import Problem as Problem
from .request import ProblemForm as ProblemForm
from .request import ProblemRequest as ProblemRequest
from .request import describe_problem as describe_problem
from .request import make_problem as make_problem
from .request import make_request as make_request
from .request import parse_date as parse_date
from .request import problem_to_json as problem_to_json
from .turns import TurnProblem as TurnProblem
from .turns import make_turn_problem as make_turn_problem
