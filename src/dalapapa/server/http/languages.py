"""The language of an answer for a reader."""

from __future__ import annotations

from collections.abc import Collection

from ...texts import LANGUAGES


def negotiate_language(accepted: str, languages: Collection[str] = LANGUAGES) -> str:
    """The first language of an `Accept-Language` header that is available, else English."""
    wanted = (part.strip()[:2].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in languages), "en")
