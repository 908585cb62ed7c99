"""Tokens of seats: only their hashes are stored."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256


def hash_token(token: str) -> str:
    """The hash under which a token is stored."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def find_seats(owners: Iterable[str | None], token_hash: str) -> tuple[int, ...]:
    """The seats whose owner has the token with this hash, compared in constant time."""
    return tuple(
        seat
        for seat, owner in enumerate(owners)
        if owner is not None and hmac.compare_digest(owner, token_hash)
    )
