"""Headers of every answer that has none of its own."""

from __future__ import annotations

SECURITY_HEADERS = {
    b"content-security-policy": b"default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    b" font-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
}
