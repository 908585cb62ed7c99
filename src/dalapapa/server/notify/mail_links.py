"""Subscribers, and the keys in the links of their mails.

A key is valid for one purpose, one subscription and one address: it is the id of the subscription
and a signature (HMAC-SHA256) over all of these, so keys are not stored. A subscription gets a new
id whenever its address or its browser changes, so that earlier keys are worthless. Only the owner
of an address can know its keys, because they are sent to that address and nowhere else.
"""

from __future__ import annotations

import hmac
from typing import Literal, NamedTuple

import msgspec

from .webpush import encode_base64url

Kind = Literal["push", "mail"]
Purpose = Literal["confirm", "stop"]

SIGNATURE_BYTES = 24
SIGNATURE_LENGTH = 32

MAX_KEY_LENGTH = 32 + SIGNATURE_LENGTH


class Subscriber(NamedTuple):
    """A row of the database."""

    id: str
    mark: str
    table_id: str
    owner: str
    kind: Kind
    address: str
    secret: str
    language: str
    state: Literal["asked", "on", "refused"]
    proof: str | None
    created: int
    looked: int
    notified: str
    """The mark of the last notification (the column `told`)."""
    news: str | None
    due: int | None
    wake: int | None
    tries: int
    failures: int


class MailLinks:
    """Makes links and checks their keys. Without a secret, no key is valid."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.secret = ""
        """The secret of the server, the same in all processes of a database."""

    def make_link(self, purpose: Purpose, row: Subscriber) -> str:
        return f"{self.url}/api/notices/{purpose}/{self.make_key(purpose, row)}"

    def make_key(self, purpose: Purpose, row: Subscriber) -> str:
        return row.id + self._sign(purpose, row)

    def is_valid(self, key: str, purpose: Purpose, row: Subscriber) -> bool:
        """Return whether a key belongs to this purpose and to the subscription as it is now."""
        return bool(self.secret) and hmac.compare_digest(key, self.make_key(purpose, row))

    def _sign(self, purpose: Purpose, row: Subscriber) -> str:
        parts = msgspec.json.encode([purpose, row.id, row.address, row.proof])
        signature = hmac.digest(self.secret.encode(), parts, "sha256")
        return encode_base64url(signature[:SIGNATURE_BYTES])


def find_id(key: str) -> str:
    """Return the id of the subscription that a key names."""
    return key[:-SIGNATURE_LENGTH]
