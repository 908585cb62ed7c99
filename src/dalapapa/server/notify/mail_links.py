"""Keys in the links of mails: each is valid for one purpose, one subscription and one address.

A key is the id of a subscription and a signature (HMAC-SHA256) over all that it is valid for.
Keys are therefore not stored. A subscription gets a new id whenever its address or its browser
changes, so that keys of the time before are worthless. Only the owner of an address can know its
keys, because they are sent to that address and nowhere else.
"""

from __future__ import annotations

import hmac
from typing import Literal, Protocol

import msgspec

from .webpush import encode_base64url

Purpose = Literal["confirm", "stop"]

SIGNATURE_BYTES = 24
SIGNATURE_LENGTH = 32
"""The length of a signature in base64url."""

MAX_KEY_LENGTH = 32 + SIGNATURE_LENGTH


class KeySubject(Protocol):
    """The subscription that a key is valid for."""

    @property
    def id(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def proof(self) -> str | None: ...


class MailLinks:
    """Makes links and checks their keys. Without a secret, no key is valid."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.secret = ""
        """The secret of the server, the same in all processes of a database."""

    def make_link(self, purpose: Purpose, row: KeySubject) -> str:
        """Make a link for a mail to the address of a subscription."""
        return f"{self.url}/api/notices/{purpose}/{self.make_key(purpose, row)}"

    def make_key(self, purpose: Purpose, row: KeySubject) -> str:
        """Make the key of such a link."""
        return row.id + self._sign(purpose, row)

    def is_valid(self, key: str, purpose: Purpose, row: KeySubject) -> bool:
        """Return whether a key belongs to this purpose and to the subscription as it is now."""
        return bool(self.secret) and hmac.compare_digest(key, self.make_key(purpose, row))

    def _sign(self, purpose: Purpose, row: KeySubject) -> str:
        parts = msgspec.json.encode([purpose, row.id, row.address, row.proof])
        signature = hmac.digest(self.secret.encode(), parts, "sha256")
        return encode_base64url(signature[:SIGNATURE_BYTES])


def find_id(key: str) -> str:
    """Return the id of the subscription that a key names."""
    return key[:-SIGNATURE_LENGTH]
