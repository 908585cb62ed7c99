"""A push service and a mail server of the tests' own, which keep what they get, or misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import email.policy
import hmac
import json
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dalapapa.server.notify.webpush import decode_base64url, encode_base64url, encode_public_key
from tests.support.waiting import wait_until

# -- a browser -----------------------------------------------------------------------------------


class PretendBrowser:
    """A browser's half of web push: its keys, and how it reads a message (RFC 8291)."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = bytes(range(16))

    def subscription(self, endpoint: str) -> dict[str, str]:
        """What a page sends us."""
        return {
            "endpoint": endpoint,
            "p256dh": encode_base64url(encode_public_key(self.key)),
            "auth": encode_base64url(self.secret),
        }

    def read(self, body: bytes) -> bytes:
        """Written from the RFC, and not from our sender."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, cipher = body[21 : 21 + length], body[21 + length :]
        assert size >= len(cipher) > 18
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), theirs)

        def digest(key: bytes, data: bytes) -> bytes:
            return hmac.new(key, data, "sha256").digest()

        info = b"WebPush: info\x00" + encode_public_key(self.key) + sender
        material = digest(digest(self.secret, shared), info + b"\x01")
        random_key = digest(salt, material)
        key = digest(random_key, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = digest(random_key, b"Content-Encoding: nonce\x00\x01")[:12]
        plain = AESGCM(key).decrypt(nonce, cipher, b"")
        text, _, padding = plain.rpartition(b"\x02")
        assert not padding.strip(b"\x00")
        return text


def check_signature(header: str, origin: str, key: str) -> dict[str, Any]:
    """The claims of VAPID, if they are signed by this key (RFC 8292)."""
    kind, _, rest = header.partition(" ")
    assert kind == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert parts["k"] == key
    text, _, signature = parts["t"].rpartition(".")
    raw = decode_base64url(signature)
    numbers = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(key))
    try:
        public.verify(numbers, text.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise AssertionError("the signature is wrong") from None
    head, claims = (json.loads(urlsafe_b64decode(part + "==")) for part in text.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    assert claims["aud"] == origin
    found: dict[str, Any] = claims
    return found


# -- a push service ------------------------------------------------------------------------------


class Pushed(NamedTuple):
    """What a push service got."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Answers as the test wants: a status, or a way to misbehave."""

    def __init__(self) -> None:
        self.got: list[Pushed] = []
        self.answers: dict[str, str] = {}
        """By path: `201`, `410`, `503`, `redirect`, `huge`, `slow`, `rude`."""
        self.url = ""

    def endpoint(self, name: str = "one", answer: str = "201") -> str:
        self.answers[f"/{name}"] = answer
        return f"{self.url}/{name}"

    async def wait(self, count: int) -> list[Pushed]:
        """Until so many messages have come."""
        await wait_until(
            lambda: len(self.got) >= count, lambda: f"{count} messages; {len(self.got)} came"
        )
        return self.got

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await self._serve(reader, writer)
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        path = head[0].split(" ")[1]
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers["content-length"]))
        self.got.append(Pushed(path, headers, body))
        match self.answers.get(path, "404"):
            case "slow":
                await reader.read()  # Until the client goes away.
            case "rude":
                writer.write(b"\x00\xff nothing that a client understands")
            case "huge":
                writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 9999999999\r\n\r\n")
                while True:
                    writer.write(bytes(65_536))
                    await writer.drain()
            case "redirect":
                place = f"location: {self.url}/elsewhere\r\n"
                writer.write(f"HTTP/1.1 307 No\r\n{place}content-length: 0\r\n\r\n".encode())
            case status:
                more = "retry-after: 120\r\n" if status == "429" else ""
                writer.write(f"HTTP/1.1 {status} X\r\n{more}content-length: 0\r\n\r\n".encode())
        await writer.drain()


@contextlib.asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """A push service on a port of this machine."""
    service = PushService()
    async with await asyncio.start_server(service.serve, "127.0.0.1", 0) as server:
        service.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield service


# -- a mail server -------------------------------------------------------------------------------


class Mailbox:
    """Takes all mails, but for those to addresses that it refuses."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.to: list[str] = []
        self.refused: dict[str, int] = {}
        self.asked = 0
        """How often a client wanted to write to a refused address."""
        self.stuck = False
        """Takes a mail, and does not say so."""
        self.place = ""

    async def wait(self, count: int) -> list[EmailMessage]:
        await wait_until(
            lambda: len(self.got) >= count, lambda: f"{count} messages; {len(self.got)} came"
        )
        return self.got

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(line: str) -> None:
            writer.write(line.encode() + b"\r\n")

        say("220 tests")
        while line := (await reader.readline()).decode().strip():
            match line.split(" ")[0].upper():
                case "EHLO" | "HELO":
                    say("250 tests")
                case "RCPT":
                    to = line.partition("<")[2].partition(">")[0]
                    code = self.refused.get(to)
                    self.asked += code is not None
                    self.to += [] if code else [to]
                    say(f"{code} no such mailbox" if code else "250 ok")
                case "DATA":
                    say("354 go on")
                    data = await reader.readuntil(b"\r\n.\r\n")
                    found = message_from_bytes(data[:-3], policy=email.policy.default)
                    assert isinstance(found, EmailMessage)
                    self.got.append(found)
                    if self.stuck:
                        await reader.read()  # Until the client goes away.
                        break
                    say("250 ok")
                case "QUIT":
                    say("221 bye")
                    break
                case _:
                    say("250 ok")
        writer.close()


@contextlib.asynccontextmanager
async def mail_server() -> AsyncIterator[Mailbox]:
    """A mail server on a port of this machine."""
    box = Mailbox()
    async with await asyncio.start_server(box.serve, "127.0.0.1", 0) as server:
        box.place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield box
