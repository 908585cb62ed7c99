"""Web push: a message for one browser, encrypted, signed, and handed to the browser's push service.

RFC 8291 and 8188 (encryption), 8292 (VAPID: who sends), 8030 (the request). The service is named by
the browser, so nothing about it is believed: it is reached over HTTPS at a public address, it has
little time and few bytes for its answer, and it sends us nowhere else.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from ...core.errors import BadInput
from .push_addresses import Resolver, Unreachable, is_public
from .push_services import PushServices

if TYPE_CHECKING:
    import httpcore
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

SECONDS = 10
"""For one message, from looking up the service's name to the end of its answer."""

MAX_ANSWER = 4_096
"""Bytes of an answer that are read: its status says all."""

MAX_PAUSE = 86_400
"""Seconds that a service may ask us to wait."""

SIGNED = 12 * 3600
"""Seconds for which a signature is good; RFC 8292 allows a day."""

RECORD = 4096
"""Bytes of the one record that a message is; every service takes as many."""

MAX_MESSAGE = 3000
"""Bytes of a message."""

MAX_ENDPOINT = 1000

HOST = re.compile(r"[a-z0-9.-]{1,253}", re.ASCII)


class Browser(NamedTuple):
    """Where a browser's messages go, and what they are encrypted with."""

    endpoint: str
    key: str
    """Its public key (p256dh), in base64url."""
    secret: str
    """What it shares with the page (auth), in base64url."""


class Outcome(NamedTuple):
    """What came of a message."""

    what: Literal["sent", "lost", "refused", "later"]
    """`lost`: nobody will ever get it there. `refused`: this message will not be taken. `later`:
    another try may help."""
    pause: float = 0
    """Seconds that we were asked to wait."""


# -- what a browser gives us ---------------------------------------------------------------------


def check_browser(browser: Browser, private: bool = False) -> None:
    """Refuse what no browser would give us."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        place = urlsplit(browser.endpoint)
        port = place.port
    except ValueError:
        raise _no_endpoint() from None
    plain = private and place.scheme == "http"
    usual = private or port in (None, 443)
    named = HOST.fullmatch(place.hostname or "") is not None
    if place.scheme != "https" and not plain:
        raise _no_endpoint()
    if not named or not usual or "@" in place.netloc or place.fragment:
        raise _no_endpoint()
    if not browser.endpoint.isascii() or not browser.endpoint.isprintable():
        raise _no_endpoint()
    if " " in browser.endpoint or len(browser.endpoint) > MAX_ENDPOINT:
        raise _no_endpoint()
    if not private and not _maybe_public(place.hostname or ""):
        raise _no_endpoint()
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(browser.key))
        if len(decoded(browser.secret)) != 16:
            raise ValueError
    except ValueError:
        raise BadInput("These are not the keys of a browser.", "bad_push_keys") from None


def _no_endpoint() -> BadInput:
    return BadInput("This is not the address of a push service.", "bad_endpoint")


def _maybe_public(host: str) -> bool:
    """Whether a name might be public; where it leads is looked up when something is sent."""
    try:
        return is_public(host)
    except ValueError:
        return "." in host.strip(".") and not host.endswith((".local", ".internal", ".localhost"))


def encoded(data: bytes) -> str:
    """Base64url without padding, as push services and browsers write it."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """The inverse; raises `ValueError`."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("no base64url")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# -- keys ----------------------------------------------------------------------------------------


def new_key() -> str:
    """A private key of ours, as it is kept."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encoded(number.to_bytes(32, "big"))


def private_key(kept: str) -> EllipticCurvePrivateKey:
    """The key that was kept."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(decoded(kept), "big"), ec.SECP256R1())


def public_point(key: EllipticCurvePrivateKey) -> bytes:
    """The public half of a key, as 65 bytes."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# -- encryption (RFC 8291) -----------------------------------------------------------------------


def _derive_key(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Derive a key of `length` bytes (HKDF with SHA-256, RFC 5869)."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, info).derive(secret)


def encrypt(
    message: bytes,
    browser: Browser,
    ephemeral: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """A message that only this browser can read; the last two are given only by tests."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    ours = ephemeral or ec.generate_private_key(ec.SECP256R1())
    salt = salt or secrets.token_bytes(16)
    point, theirs = public_point(ours), decoded(browser.key)
    shared = ours.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    )
    info = b"WebPush: info\0" + theirs + point
    material = _derive_key(shared, decoded(browser.secret), info, 32)
    key = _derive_key(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(point)]) + point
    return head + AESGCM(key).encrypt(nonce, message + b"\2", None)


# -- who sends (RFC 8292) ------------------------------------------------------------------------


def signed(endpoint: str, contact: str, key: EllipticCurvePrivateKey, now: float) -> str:
    """The header by which a push service knows us, and whom to write to if we misbehave."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    place = urlsplit(endpoint)
    claims = {
        "aud": f"{place.scheme}://{place.netloc}", "exp": int(now) + SIGNED, "sub": contact,
    }  # fmt: skip
    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    text = ".".join(encoded(msgspec.json.encode(part)) for part in parts)
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={text}.{signature}, k={encoded(public_point(key))}"


def encode_message(message: dict[str, str]) -> bytes:
    """A message as JSON of at most `MAX_MESSAGE` bytes: its `body` is shortened if need be."""
    data, body = msgspec.json.encode(message), message["body"]
    while len(data) > MAX_MESSAGE and body:
        letters = max(1, (len(data) - MAX_MESSAGE) // 6)  # Bytes of the longest letter in JSON.
        body = body[:-letters]
        data = msgspec.json.encode({**message, "body": f"{body}…"})
    return data


# -- sending -------------------------------------------------------------------------------------


class Sender:
    """Hands messages to push services. `private`: also to those inside the network, for tests."""

    def __init__(self, contact: str, key: EllipticCurvePrivateKey, private: bool = False) -> None:
        import httpcore

        self.contact = contact
        self.key = key
        self.seconds: float = SECONDS
        self.private = private
        self.services = PushServices()
        self.resolver = Resolver(private=private)
        self._http = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            max_connections=50,
            max_keepalive_connections=10,
            keepalive_expiry=30,
            network_backend=_checking_backend(self.resolver, self.services),
        )

    async def close(self) -> None:
        """Disconnect."""
        await self._http.aclose()

    async def send(
        self, browser: Browser, message: bytes, topic: str, seconds: int, now: float
    ) -> Outcome:
        """Hand a message over. A newer one of the same topic takes its place; after so many
        seconds nobody needs it any more."""
        outcome = await self._try_to_send(browser, message, topic, seconds, now)
        self.services.note_outcome(browser.endpoint, outcome.what)
        return outcome

    async def _try_to_send(
        self, browser: Browser, message: bytes, topic: str, seconds: int, now: float
    ) -> Outcome:
        try:
            async with asyncio.timeout(self.seconds):
                return await self._send(browser, message, topic, seconds, now)
        except Unreachable:
            return Outcome("lost")
        except TimeoutError:
            return Outcome("later")
        except Exception as error:  # Whatever a stranger's server does to the connection.
            if isinstance(error, ValueError):
                return Outcome("refused")
            return Outcome("later")

    async def _send(
        self, browser: Browser, message: bytes, topic: str, seconds: int, now: float
    ) -> Outcome:
        headers = {
            "Host": urlsplit(browser.endpoint).netloc,
            "Authorization": signed(browser.endpoint, self.contact, self.key, now),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(seconds),
            "Topic": topic,
            "Urgency": "normal",
        }
        body = encrypt(message, browser)
        headers["Content-Length"] = str(len(body))
        request = self._http.stream(
            "POST", browser.endpoint, headers=[*headers.items()], content=body
        )
        async with request as answer:
            read = 0
            async for piece in answer.aiter_stream():
                read += len(piece)
                if read > MAX_ANSWER:
                    break
            return _outcome(answer.status, answer.headers)


def _outcome(status: int, headers: Iterable[tuple[bytes, bytes]]) -> Outcome:
    if 200 <= status < 300:
        return Outcome("sent")
    if status in (404, 410):
        return Outcome("lost")
    if status in (408, 425, 429) or status >= 500:
        asked = next((value for name, value in headers if name.lower() == b"retry-after"), b"")
        return Outcome(
            "later", min(MAX_PAUSE, int(asked)) if re.fullmatch(rb"\d{1,9}", asked) else 0
        )
    return Outcome("refused")  # Also of those that would send us elsewhere.


def _checking_backend(resolver: Resolver, services: PushServices) -> httpcore.AsyncNetworkBackend:
    """Connects to addresses that the resolver has checked; no name is looked up a second time."""
    import httpcore

    class Backend(httpcore.AsyncNetworkBackend):
        def __init__(self) -> None:
            self.plain = httpcore.AnyIOBackend()

        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> httpcore.AsyncNetworkStream:
            address = await resolver.find_address(host, port, services.is_known(host))
            return await self.plain.connect_tcp(
                address, port, timeout, local_address, socket_options
            )

        async def sleep(self, seconds: float) -> None:
            await asyncio.sleep(seconds)

    return Backend()


def topic_of(text: str) -> str:
    """A topic: 32 letters that tell nobody what it is about."""
    return encoded(sha256(f"topic of {text}".encode()).digest())[:32]
