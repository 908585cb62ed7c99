"""The configuration of notifications for players without an open page; off by default."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from ...core.errors import BadInput
from ...core.extras import require
from ...core.files import format_name
from ...core.notation import shorten

ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9-]{2,63}",
    re.ASCII,
)
"""A mail address. There is nothing in it that could end a line or begin another header."""

MAX_ADDRESS_LENGTH = 254

DEFAULT_PORTS = {"starttls": 587, "tls": 465, "none": 25}

MAX_PASSWORD_LENGTH = 1000


class NotifyConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ways in which a host notifies players; none by default."""

    push: str = ""
    """Web push; the value is the contact for push services: `mailto:you@example.org` or an https
    address."""
    smtp: str = ""
    """Mail; the host, or host:port, of a mail server that sends for you."""
    security: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection to the mail server is encrypted."""
    user: str = ""
    """The user name for the mail server; without it, the server does not log in."""
    password_file: str = ""
    """A file whose first line is the password."""
    sender: str = ""
    """The address of the sender of mails."""
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
        """Return the mail server and its port."""
        host, _, port = self.smtp.rpartition(":")
        if host and port.isdigit():
            return host.strip("[]"), int(port)
        return self.smtp.strip("[]"), DEFAULT_PORTS[self.security]

    def password(self) -> str:
        """Return the password; refuse a file that cannot be read."""
        if not self.password_file:
            return ""
        try:
            with Path(self.password_file).open(encoding="utf-8") as file:
                return file.readline(MAX_PASSWORD_LENGTH).rstrip("\r\n")
        except (OSError, UnicodeError, ValueError):
            raise BadInput(
                f"{format_name(self.password_file)}: cannot read the password.", "bad_notify"
            ) from None


def read_notify_config(data: dict[str, Any]) -> NotifyConfig:
    """Read the configuration from plain data; refuse what is wrong."""
    for name in data:
        if name not in NotifyConfig.__struct_fields__:
            known = ", ".join(NotifyConfig.__struct_fields__)
            raise _refuse(f"there is no setting called {shorten(name)}: choose one of {known}")
    try:
        config = msgspec.convert(data, NotifyConfig)
    except msgspec.ValidationError as error:
        raise _refuse(str(error)) from None
    if config.push:
        require("notify")
        contact = urlsplit(config.push)
        mail = contact.scheme == "mailto" and is_address(contact.path)
        if not mail and not (contact.scheme == "https" and contact.hostname):
            raise _refuse("push must be mailto:YOU@EXAMPLE.ORG or an https address")
    if config.smtp:
        if not is_address(config.sender):
            raise _refuse("mail needs sender=ADDRESS")
        place = urlsplit(config.url)
        if place.scheme not in ("http", "https") or not place.hostname or place.query:
            raise _refuse("mail needs url=https://..., the address of this server for players")
        if config.user and not config.password_file:
            raise _refuse("user needs password_file")
        config.password()
        if not re.fullmatch(r"[\w.:\[\]-]{1,255}", config.smtp, re.ASCII):
            raise _refuse("smtp must be HOST or HOST:PORT")
    return msgspec.structs.replace(config, url=config.url.rstrip("/"))


def is_address(text: str) -> bool:
    """Return whether this could be a mail address."""
    return len(text) <= MAX_ADDRESS_LENGTH and ADDRESS.fullmatch(text) is not None


def _refuse(why: str) -> BadInput:
    return BadInput(f"Notifications: {why}.", "bad_notify")
