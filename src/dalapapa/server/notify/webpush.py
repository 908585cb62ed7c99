"""Web push: encrypted and signed messages for browsers, sent to their push services.

RFC 8291 and 8188 (encryption), 8292 (VAPID: the sender), 8030 (the request). Browsers name their
service, so it is not trusted: the server connects over HTTPS to a public address, limits the time
and the size of the answer, and follows no redirects.
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
from .push_services import PushServices, Resolver, Unreachable, is_public

if TYPE_CHECKING:
    import httpcore
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

DELIVERY_TIMEOUT_S = 10
"""Seconds for one message, from the lookup of the service to the end of its answer."""

MAX_ANSWER_BYTES = 4_096
"""Bytes of an answer that are read; only its status matters."""

MAX_RETRY_AFTER_S = 86_400

SIGNATURE_LIFETIME_S = 12 * 3600
"""Seconds for which a signature is valid; RFC 8292 allows a day."""

RECORD_BYTES = 4096
"""The size of the only record of a message; every service accepts it."""

MAX_PUSH_BYTES = 3000

MAX_ENDPOINT_LENGTH = 1000

HOST = re.compile(r"[a-z0-9.-]{1,253}", re.ASCII)


class Browser(NamedTuple):
    """The address for messages to a browser, and the keys that encrypt them."""

    endpoint: str
    key: str
    """Its public key (p256dh), in base64url."""
    secret: str
    """The secret that it shares with the page (auth), in base64url."""


class Delivery(NamedTuple):
    """The result of sending a message."""

    what: Literal["sent", "lost", "refused", "later"]
    """`lost`: the recipient does not exist any more. `refused`: this message is not accepted.
    `later`: another try may succeed."""
    pause: float = 0
    """Seconds to wait before the next try, as the service asked."""


# -- subscriptions of browsers -------------------------------------------------------------------


def check_browser(browser: Browser, private: bool = False) -> None:
    """Refuse a subscription that no browser sends."""
    from cryptography.hazmat.primitives.asymmetric import ec

    if not _is_endpoint(browser.endpoint, private):
        raise BadInput("This is not the address of a push service.", "bad_endpoint")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(browser.key))
        if len(decode_base64url(browser.secret)) != 16:
            raise ValueError
    except ValueError:
        raise BadInput("These are not the keys of a browser.", "bad_push_keys") from None


def _is_endpoint(endpoint: str, private: bool) -> bool:
    try:
        place = urlsplit(endpoint)
        host, port = place.hostname or "", place.port
    except ValueError:
        return False
    return (
        len(endpoint) <= MAX_ENDPOINT_LENGTH
        and re.fullmatch("[!-~]*", endpoint) is not None
        and (place.scheme == "https" or (private and place.scheme == "http"))
        and HOST.fullmatch(host) is not None
        and "@" not in place.netloc
        and not place.fragment
        and (private or (port in (None, 443) and _may_be_public(host)))
    )


def _may_be_public(host: str) -> bool:
    """Return whether a name may be public; its address is checked for each message."""
    try:
        return is_public(host)
    except ValueError:
        return "." in host.strip(".") and not host.endswith((".local", ".internal", ".localhost"))


def encode_base64url(data: bytes) -> str:
    """Encode without padding, as push services and browsers do."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64url(text: str) -> bytes:
    """Decode base64url without padding; raise `ValueError`."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# -- keys ----------------------------------------------------------------------------------------


def generate_key() -> str:
    """Generate a private key, in the form in which it is stored."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode_base64url(number.to_bytes(32, "big"))


def load_private_key(stored: str) -> EllipticCurvePrivateKey:
    """Load a private key that was stored."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(decode_base64url(stored), "big"), ec.SECP256R1())


def encode_public_key(key: EllipticCurvePrivateKey) -> bytes:
    """Encode the public key of a private one as 65 bytes."""
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
    """Encrypt a message for one browser; only tests pass the last two arguments."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    ours = ephemeral or ec.generate_private_key(ec.SECP256R1())
    salt = salt or secrets.token_bytes(16)
    point, theirs = encode_public_key(ours), decode_base64url(browser.key)
    shared = ours.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    )
    info = b"WebPush: info\0" + theirs + point
    material = _derive_key(shared, decode_base64url(browser.secret), info, 32)
    key = _derive_key(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(point)]) + point
    return head + AESGCM(key).encrypt(nonce, message + b"\2", None)


# -- the sender (RFC 8292) -----------------------------------------------------------------------


def sign_request(endpoint: str, contact: str, key: EllipticCurvePrivateKey, now: float) -> str:
    """Return the header that identifies this server and its contact to a push service."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    place = urlsplit(endpoint)
    claims = {
        "aud": f"{place.scheme}://{place.netloc}",
        "exp": int(now) + SIGNATURE_LIFETIME_S,
        "sub": contact,
    }
    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    text = ".".join(encode_base64url(msgspec.json.encode(part)) for part in parts)
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encode_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={text}.{signature}, k={encode_base64url(encode_public_key(key))}"


def encode_push_message(message: dict[str, str]) -> bytes:
    """Encode a message as JSON of at most `MAX_PUSH_BYTES`; a long `body` is shortened."""
    data, body = msgspec.json.encode(message), message["body"]
    while len(data) > MAX_PUSH_BYTES and body:
        # A character takes at most six bytes in JSON.
        letters = max(1, (len(data) - MAX_PUSH_BYTES) // 6)
        body = body[:-letters]
        data = msgspec.json.encode({**message, "body": f"{body}…"})
    return data


# -- sending -------------------------------------------------------------------------------------


class Sender:
    """Sends messages to push services. `private`: also inside the network, for tests."""

    def __init__(self, contact: str, key: EllipticCurvePrivateKey, private: bool = False) -> None:
        import httpcore

        self.contact = contact
        self.key = key
        self.timeout_s: float = DELIVERY_TIMEOUT_S
        self.private = private
        self.services: PushServices = PushServices()
        self.resolver: Resolver = Resolver(private=private)
        self._http = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            max_connections=50,
            max_keepalive_connections=10,
            keepalive_expiry=30,
            network_backend=_checking_backend(self.resolver, self.services),
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def send(
        self, browser: Browser, message: bytes, topic: str, seconds: int, now: float
    ) -> Delivery:
        """Send a message, which expires after `seconds`; a newer one of its topic replaces it."""
        try:
            async with asyncio.timeout(self.timeout_s):
                delivery = await self._send(browser, message, topic, seconds, now)
        except Unreachable:
            delivery = Delivery("lost")
        except ValueError:
            delivery = Delivery("refused")
        except Exception:  # Any behaviour of an untrusted server.
            delivery = Delivery("later")
        self.services.note_outcome(browser.endpoint, delivery.what)
        return delivery

    async def _send(
        self, browser: Browser, message: bytes, topic: str, seconds: int, now: float
    ) -> Delivery:
        body = encrypt(message, browser)
        headers = {
            "Host": urlsplit(browser.endpoint).netloc,
            "Authorization": sign_request(browser.endpoint, self.contact, self.key, now),
            "Content-Encoding": "aes128gcm",
            "Content-Length": str(len(body)),
            "Content-Type": "application/octet-stream",
            "TTL": str(seconds),
            "Topic": topic,
            "Urgency": "normal",
        }
        fields = [*headers.items()]
        request = self._http.stream("POST", browser.endpoint, headers=fields, content=body)
        async with request as answer:
            read = 0
            async for piece in answer.aiter_stream():
                read += len(piece)
                if read > MAX_ANSWER_BYTES:
                    break
            return _read_status(answer.status, answer.headers)


def _read_status(status: int, headers: Iterable[tuple[bytes, bytes]]) -> Delivery:
    if 200 <= status < 300:
        return Delivery("sent")
    if status in (404, 410):
        return Delivery("lost")
    if status in (408, 425, 429) or status >= 500:
        asked = next((value for name, value in headers if name.lower() == b"retry-after"), b"")
        pause = int(asked) if re.fullmatch(rb"\d{1,9}", asked) else 0
        return Delivery("later", min(MAX_RETRY_AFTER_S, pause))
    return Delivery("refused")  # Redirects as well.


def _checking_backend(resolver: Resolver, services: PushServices) -> httpcore.AsyncNetworkBackend:
    """Connect to addresses that the resolver has checked; no name is looked up twice."""
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


def make_topic(text: str) -> str:
    """Return a topic of 32 characters that reveals nothing."""
    return encode_base64url(sha256(f"topic of {text}".encode()).digest())[:32]
