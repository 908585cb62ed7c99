"""The tables where a browser has a seat, by one request."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ....hosting.encoder import OwnTableSummary
from ....hosting.requests import Body
from ...listings.own_tables import MAX_OWN_TABLES, OwnTable
from ..context import ApiCall
from ..routing import Routes

routes: Routes = Routes("/api")


class OwnTablesRequest(Body, frozen=True, kw_only=True):
    """Tables to summarise."""

    tables: Annotated[tuple[OwnTable, ...], Meta(max_length=MAX_OWN_TABLES)]


@routes.add("POST", "/own-tables")
async def own_tables(call: ApiCall, body: OwnTablesRequest) -> list[OwnTableSummary]:
    """Many tables at once, each with the token of a seat: their state, and whose turn it is."""
    return await call.services.own_tables.summarise(body.tables, call.address)
