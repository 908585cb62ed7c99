"""The coach over HTTP: advice for a position, and reviews of finished games."""

from __future__ import annotations

from hashlib import sha256

from ....coach.encode import CoachAdvice, CoachReview
from ....hosting import questions
from ...schemas import LanguageQuery
from ...workers import jobs, replays
from ...workers.packages import read_record_game
from ..context import ApiCall, TablePath, find_watchable, load_finished_game
from ..in_play import check_not_in_play
from ..routing import RecordBody, Routes

routes: Routes = Routes("/api")


@routes.add("POST", "/coach", answer=CoachAdvice, refuses=[403, 409])
async def advise(call: ApiCall, body: questions.CoachQuestion) -> bytes:
    """The best turns of a classic position: points in parts, what each leaves, and why."""
    check_not_in_play(call.services.sockets, call.address, body.position)
    return await call.ask_slow(jobs.answer_by(questions.advise_on_position), body)


@routes.add("POST", "/review", answer=CoachReview)
async def review_record(call: ApiCall, body: RecordBody, query: LanguageQuery) -> bytes:
    """Verify a record, and review its game: what turns lost, the chances, and missed turns."""
    digest = sha256(body.data).hexdigest()
    adapt_job = call.tables.packages.adapt_job
    job = await adapt_job(read_record_game(body.data), replays.review_record)
    review = call.services.reviews.get(f"record {digest}", 0, job, body.data, address=call.address)
    return (await call.wait(review))[query.language]


@routes.add("GET", "/tables/{id}/review", answer=CoachReview, token=True)
async def review_table(call: ApiCall, path: TablePath, query: LanguageQuery) -> bytes:
    """The same for the finished game of a table."""
    live = await find_watchable(call, path.id)
    # The version changes when an operator forgets a name: then another review is made.
    version = live.state.version
    game = await load_finished_game(call, live)
    job = await call.tables.packages.adapt_job(game.game, replays.review_table)
    review = call.services.reviews.get(f"table {path.id}", version, job, game, address=call.address)
    return (await call.wait(review))[query.language]
