"""The command line in this process, as its entry point runs it."""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple
from unittest.mock import patch

from click.testing import CliRunner

from dalapapa import cli


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        assert self.err == ""
        return json.loads(self.out)

    @property
    def refusal(self) -> str:
        """The one line of a refusal."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("Error (")
        assert self.err.count("\n") == 1
        assert self.err.endswith("\n")
        assert "Traceback" not in self.err
        return self.err


def run(*words: str, stdin: bytes = b"") -> Answer:
    """What `dalapapa` answers to some words."""
    with (
        CliRunner().isolation(input=stdin) as (out, err, _),
        patch.object(sys, "argv", ["dalapapa", *words]),
    ):
        code = 0
        try:
            cli.main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        return Answer(code, out.getvalue().decode(), err.getvalue().decode())
