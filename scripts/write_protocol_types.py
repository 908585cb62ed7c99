"""Write web/src/net/protocol.ts: the messages of the socket as types of the browser client.

python scripts/write_protocol_types.py

They follow from the structs of `hosting/protocol.py`, so that a change there which the client does
not follow fails its build.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from dalapapa.core.geometry import Disc
from dalapapa.core.notation import Laying
from dalapapa.games.classic.rules import ClassicView
from dalapapa.games.events import Laid
from dalapapa.games.game import View
from dalapapa.games.game_texts import GameTexts
from dalapapa.games.race import RaceView
from dalapapa.hosting import protocol
from dalapapa.kernel.table import Table

PAGE = Path(__file__).parents[1] / "web" / "src" / "net" / "protocol.ts"

ALIASES = {protocol.Greeting: "Greeting", protocol.Capability: "Capability"}
"""Types that are not structs, and have a name nevertheless."""

SCALARS: dict[Any, str] = {
    Any: "unknown",
    NoneType: "null",
    bool: "boolean",
    float: "number",
    int: "number",
    str: "string",
    **ALIASES,
    # As `games/plain.py` writes them.
    Disc: "[number, number]",
    Laying: "string",
    Table: "string",
}
OPEN = {
    protocol.EventData: "GameEvent",
    protocol.MoveData: "Move",
    protocol.OptionsData: "Options",
}
"""Types that games of other packages add to; the client declares them (`net/open.ts`)."""

GENERIC = {protocol.TableMessage: "TableMessage<V extends View = View>"}
"""A page of a game knows the fields that only the views of that game have."""

MAX_LINE_LENGTH = 120
"""Biome breaks longer ones."""

HEAD = """\
/**
 * The messages of a table's socket. Written by scripts/write_protocol_types.py: change
 * src/dalapapa/hosting/protocol.py instead.
 */
import type { GameEvent, Move, Options } from "./open.ts";
"""


class Writer:
    """Collects the declarations that types need."""

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}

    def name_type(self, kind: Any) -> str:
        """A type in TypeScript."""
        if kind in OPEN:
            return OPEN[kind]
        if kind in SCALARS:
            return SCALARS[kind]
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.name_type(_plain_type(kind))
        if origin is Literal:
            return _literal(kind)
        if origin in (UnionType, Union):
            parts = [part for part in arguments if part is not UnsetType]
            return " | ".join(dict.fromkeys(map(self.name_type, parts)))
        if origin in (dict, Mapping):
            return f"Record<string, {self.name_type(arguments[1])}>"
        if origin is list or (origin is tuple and arguments[-1] is ...):
            item = self.name_type(arguments[0])
            return f"({item})[]" if " " in item else f"{item}[]"
        assert isinstance(kind, type), kind
        assert issubclass(kind, msgspec.Struct), kind
        self.declare(kind)
        return kind.__name__

    def declare(self, kind: type[msgspec.Struct], sent: bool = False) -> None:
        """The interface of a struct. A client that sends it (`sent`) may leave out defaults."""
        if kind.__name__ in self.declarations:
            return
        self.declarations[kind.__name__] = ""  # It may contain itself.
        lines = list(self._fields(kind, msgspec.structs.fields(kind), sent))
        if kind is View:
            lines += self._shared_fields()
        self.declarations[kind.__name__] = _interface(kind, "", [*_tag_line(kind), *lines])

    def declare_extended(self, kind: type[msgspec.Struct], parent: str) -> None:
        """The interface of a struct whose other fields are those of an interface."""
        known = () if parent == "GameEvent" else View.__struct_fields__
        fields = [field for field in msgspec.structs.fields(kind) if field.name not in known]
        lines = [*_tag_line(kind), *self._fields(kind, fields, False)]
        self.declarations[kind.__name__] = _interface(kind, f" extends {parent}", lines)

    def declare_union(self, name: str, union: Any, sent: bool = False) -> None:
        """A union of structs, distinguished by `type`."""
        for kind in get_args(union):
            self.declare(kind, sent)
        names = [kind.__name__ for kind in get_args(union)]
        line = f"export type {name} = {' | '.join(names)};\n"
        if len(line) > MAX_LINE_LENGTH:
            line = f"export type {name} =" + "".join(f"\n  | {one}" for one in names) + ";\n"
        self.declarations[name] = line

    def _fields(
        self, kind: type, fields: Iterable[msgspec.structs.FieldInfo], sent: bool
    ) -> Iterable[str]:
        hints = get_type_hints(kind, include_extras=True)
        omits = kind.__struct_config__.omit_defaults  # type: ignore[attr-defined]
        for field in fields:
            hint = hints[field.name]
            optional = field.default is UNSET
            if (sent or omits) and not field.required:
                optional = True
                if field.default is None:
                    hint = _without_null(hint)
            if kind is View and field.name == "options":  # Each game has its own.
                hint = protocol.OptionsData
            if kind is protocol.TableMessage and field.name == "views":
                self.declare(View)
                yield "views: Record<string, V>;"
                continue
            yield f"{field.encode_name}{'?' if optional else ''}: {self.name_type(hint)};"

    def _shared_fields(self) -> Iterable[str]:
        """What views of games with a common table have: pages use it for every game."""
        yield "// Of games in turns on a common table."
        hints = get_type_hints(ClassicView, include_extras=True)
        for name in ClassicView.__struct_fields__:
            if name not in View.__struct_fields__:
                yield f"{name}?: {self.name_type(hints[name])};"


def _literal(kind: Any) -> str:
    return " | ".join(json.dumps(value) for value in get_args(kind))


def _plain_type(kind: Any) -> Any:
    """The type that an annotation names, for a part that is encoded already; else the bare type."""
    for extra in kind.__metadata__:
        if get_origin(extra) is not None or isinstance(extra, type):
            return extra
    return kind.__origin__


def _without_null(kind: Any) -> Any:
    """The type of a field that is left out where it would be null."""
    if get_origin(kind) not in (UnionType, Union):
        return kind
    return Union[tuple(part for part in get_args(kind) if part is not NoneType)]  # noqa: UP007


def _tag_line(kind: type[msgspec.Struct]) -> list[str]:
    config = kind.__struct_config__
    if config.tag is None:
        return []
    field = config.tag_field if config.tag_field != "type" or _is_message(kind) else "event"
    return [f"{field}: {json.dumps(config.tag)};"]


def _is_message(kind: type) -> bool:
    return kind.__module__ == protocol.__name__


def _interface(kind: type, extends: str, lines: list[str]) -> str:
    first = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
    body = "".join(f"  {line}\n" for line in lines)
    name = GENERIC.get(kind, kind.__name__)
    return f"/** {first} */\nexport interface {name}{extends} {{\n{body}}}\n"


def text() -> str:
    """The file as it should be."""
    writer = Writer()
    writer.declare_union("FromClient", protocol.FromClient, sent=True)
    writer.declare_union("FromServer", protocol.FromServer)
    writer.declare_extended(RaceView, "View")
    writer.declare_extended(Laid, "GameEvent")
    writer.declare(GameTexts)
    for kind, name in ALIASES.items():
        writer.declarations[name] = f"export type {name} = {_literal(kind)};\n"
    return "\n".join([HEAD, *writer.declarations.values()])


if __name__ == "__main__":
    PAGE.write_text(text())
