"""Jobs about whole games: records, histories, replays and reviews.

Pure functions, which run in worker processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ... import coach
from ... import record as records
from ...coach.encode import encode_review
from ...hosting.entries import Entry, Written, read_entry
from ...hosting.replays import LoggedGame, review_logged_game
from ...texts import LANGUAGES
from ..storage.archive import Line
from ..storage.quarantine import reading

_decoder = msgspec.json.Decoder(Written)


class TableLog(msgspec.Struct, frozen=True):
    """The log of a table on its way to a worker, which decodes its rows."""

    table: str
    packed: bytes

    def entries(self) -> Iterator[tuple[int, int, Entry]]:
        """Number, time and entry of each row; raises `DamagedTable` if a row cannot be read."""
        with reading(self.table):
            lines = msgspec.msgpack.decode(self.packed, type=list[Line])
        for line in lines:
            with reading(self.table, line.number):
                entry = read_entry(_decoder.decode(line.entry))
            yield line.number, line.at, entry


def pack_log(table: str, lines: Sequence[Line]) -> TableLog:
    """The log of a table for a worker."""
    return TableLog(table, msgspec.msgpack.encode(lines))


def review_table(game: LoggedGame) -> dict[str, bytes]:
    """The coach's review of a table's game, in every language."""
    return _translate(review_logged_game(game))


def review_record(data: bytes) -> dict[str, bytes]:
    """The coach's review of a record, which is verified, in every language."""
    return _translate(coach.review_record(records.replay(records.load(data))))


def _translate(review: coach.Review) -> dict[str, bytes]:
    """A review as JSON by language: sentences take little time, compared with the review."""
    return {
        language: msgspec.json.encode(encode_review(review, language)) for language in LANGUAGES
    }
