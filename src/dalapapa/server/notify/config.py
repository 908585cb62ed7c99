"""How a host lets players be told that it is their turn while no page is open: off by default."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from ...core.errors import BadInput
from ...core.extras import require
from ...core.files import format_name
from ...core.notation import shortened

ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}",
    re.ASCII,
)
"""A mail address. There is nothing in it that could end a line or begin another header."""

MAX_ADDRESS = 254

PORTS = {"starttls": 587, "tls": 465, "none": 25}

MAX_PASSWORD = 1000


class Notify(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host offers; nothing unless it is named."""

    push: str = ""
    """Web push; its value is whom push services write to: `mailto:you@example.org` or an https
    address."""
    smtp: str = ""
    """Mail; the host, or host:port, of a mail server that sends for you."""
    security: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection to the mail server is encrypted."""
    user: str = ""
    """Who logs in at the mail server; without it, nobody does."""
    password_file: str = ""
    """A file whose first line is the password."""
    sender: str = ""
    """The address that mails come from."""
    url: str = ""
    """Where players reach this server, for the links in mails: `https://play.example.org`."""
    private: bool = False
    """Allow push services inside your own network, without encryption: for tests only."""

    @property
    def mails(self) -> bool:
        return bool(self.smtp)

    @property
    def any(self) -> bool:
        return bool(self.push or self.smtp)

    def server(self) -> tuple[str, int]:
        """The mail server and its port."""
        host, _, port = self.smtp.rpartition(":")
        if host and port.isdigit():
            return host.strip("[]"), int(port)
        return self.smtp.strip("[]"), PORTS[self.security]

    def password(self) -> str:
        """What the file says; refused if it cannot be read."""
        if not self.password_file:
            return ""
        try:
            with Path(self.password_file).open(encoding="utf-8") as file:
                return file.readline(MAX_PASSWORD).rstrip("\r\n")
        except (OSError, UnicodeError, ValueError):
            raise BadInput(
                f"{format_name(self.password_file)}: the password cannot be read.", "bad_notify"
            ) from None


def notify_from(data: dict[str, Any]) -> Notify:
    """What is offered, from plain data; each thing that is wrong is named."""
    for name in data:
        if name not in Notify.__struct_fields__:
            known = ", ".join(Notify.__struct_fields__)
            raise _wrong(f"there is no setting called {shortened(name)}; known are {known}")
    try:
        wanted = msgspec.convert(data, Notify)
    except msgspec.ValidationError as error:
        raise _wrong(str(error)) from None
    if wanted.push:
        require("notify")
        contact = urlsplit(wanted.push)
        mail = contact.scheme == "mailto" and is_address(contact.path)
        if not mail and not (contact.scheme == "https" and contact.hostname):
            raise _wrong("push is mailto:YOU@EXAMPLE.ORG or an https address")
    if wanted.smtp:
        if not is_address(wanted.sender):
            raise _wrong("mail needs sender=ADDRESS")
        place = urlsplit(wanted.url)
        if place.scheme not in ("http", "https") or not place.hostname or place.query:
            raise _wrong("mail needs url=https://..., where players reach this server")
        if wanted.user and not wanted.password_file:
            raise _wrong("user needs password_file")
        wanted.password()
        if not re.fullmatch(r"[\w.:\[\]-]{1,255}", wanted.smtp, re.ASCII):
            raise _wrong("smtp is HOST or HOST:PORT")
    return msgspec.structs.replace(wanted, url=wanted.url.rstrip("/"))


def is_address(text: str) -> bool:
    """Whether this could be a mail address."""
    return len(text) <= MAX_ADDRESS and ADDRESS.fullmatch(text) is not None


def _wrong(why: str) -> BadInput:
    return BadInput(f"What is told to players: {why}.", "bad_notify")
