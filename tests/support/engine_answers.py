"""Answer a list of questions with the engine, in the Python of browsers (`engine.ask_in_node`).

engine_answers.py QUESTIONS ANSWERS
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dalapapa.edition.engine import answer

if __name__ == "__main__":
    asked, answered = map(Path, sys.argv[1:])
    answers = [answer(question, lambda _: None) for question in json.loads(asked.read_text())]
    answered.write_text(json.dumps(answers))
