"""Mails in the language of a subscription, sent through the host's own mail server.

Every mail says how to unsubscribe, in its text and in the header for mail clients (RFC 8058).
"""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from email import policy
from email.message import EmailMessage
from email.utils import formatdate
from hashlib import sha256

import msgspec

from ...core.names import make_line, shorten_name
from ...rulebook import describe_game
from ...texts import say
from ..monitoring.logging_setup import logger
from ..tables.live import LiveTable
from .config import NotifyConfig
from .mail_links import MailLinks, Subscriber
from .subscriptions import News
from .webpush import Delivery

SMTP_TIMEOUT_S = 20
"""Seconds for each answer of the mail server."""

UNFOLDED = policy.SMTP.clone(max_line_length=998)
"""Links in headers are not folded, because some mail clients do not join them."""

MAX_THREADS = 2

MAX_NAME_LENGTH = 30

LINK_CHARACTERS = re.compile(r"[:/\\@<>]+")
"""Characters that make mail clients show a name as a link."""

DOTS = re.compile(r"[.\u3002]+(?=\S)")
"""Dots inside a word, which do the same; also the ideographic full stop."""


class Mail(msgspec.Struct, frozen=True):
    """A mail to one person."""

    to: str
    subject: str
    text: str
    id: str
    """The same for the same news, so that a repeated mail is shown once."""
    stop: str
    language: str
    once: bool = False
    """Whether a second copy is worse than none: if the mail server took the text and did not
    answer, the mail counts as sent."""


def format_mail_name(name: str) -> str:
    """Return a name for mails: one short line that no mail client shows as a link."""
    one_line = make_line(unicodedata.normalize("NFKC", name))
    separate = DOTS.sub(". ", LINK_CHARACTERS.sub(" ", one_line))
    return shorten_name(" ".join(separate.split()), MAX_NAME_LENGTH).strip() or "-"


def write_question(row: Subscriber, links: MailLinks) -> Mail:
    """Write the mail that asks for consent. It contains no text of players."""
    subject = say("notices", "ask", row.language)
    link, stop = links.make_link("confirm", row), links.make_link("stop", row)
    text = say("notices", "mail_ask", row.language, url=links.url, link=link) + "\n"
    id = _message_id(row, "confirm")
    return Mail(row.address, subject, text, id, stop, row.language, once=True)


def write_notice(
    row: Subscriber, links: MailLinks, live: LiveTable, seats: tuple[int, ...], news: News
) -> Mail:
    """Write the notice for the owner of some seats, who has confirmed the address."""
    game = describe_game(live.state.settings.game, row.language)[0]
    names = [format_mail_name(name) for name in live.state.names()]
    others = [name for seat, name in enumerate(names) if seat not in seats]
    subject = f"{say('notices', news.what, row.language)}: {game}"
    text = say(
        "notices", f"mail_{news.what}", row.language, name=names[seats[0]], game=game,
        others=", ".join(others) or "-", link=f"{links.url}/t/{live.id}",
    )  # fmt: skip
    stop = links.make_link("stop", row)
    text += "\n\n" + say("notices", "mail_stop", row.language, link=stop) + "\n"
    return Mail(row.address, subject, text, _message_id(row, news.mark), stop, row.language)


def _message_id(row: Subscriber, mark: str) -> str:
    """Return the same id for the same mail, so that mail clients show a repeated one once."""
    return sha256(f"{row.id} {mark} {row.address}".encode()).hexdigest()[:32]


def format_mail(mail: Mail, sender: str) -> EmailMessage:
    """Format a mail. `EmailMessage` refuses values that would start another header."""
    message = EmailMessage()
    message["From"] = f"Dalapapa <{sender}>"
    message["To"] = mail.to
    message["Subject"] = " ".join(mail.subject.split())
    message["Date"] = formatdate()
    message["Message-ID"] = f"<{mail.id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message["Content-Language"] = mail.language
    message["List-Unsubscribe"] = f"<{mail.stop}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(mail.text, cte="quoted-printable")
    return message


class Mailer:
    """Sends mails in threads, because mail servers are slow."""

    def __init__(self, config: NotifyConfig) -> None:
        self.config = config
        self.timeout_s: float = SMTP_TIMEOUT_S
        self._threads = ThreadPoolExecutor(MAX_THREADS, "mail")

    async def send(self, mail: Mail) -> Delivery:
        """Send a mail; `refused` if the mail server does not know the address."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._send, mail)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _send(self, mail: Mail) -> Delivery:
        config = self.config
        host, port = config.server()
        is_accepted = False
        try:
            message = format_mail(mail, config.sender)
            with self._connect(host, port) as server:
                if config.security == "starttls":
                    server.starttls(context=ssl.create_default_context())
                if config.user:
                    server.login(config.user, config.password())
                _begin_mail(server, config.sender, mail.to)
                is_accepted = True
                code, reply = server.data(message.as_bytes(policy=UNFOLDED))
                if code != 250:
                    raise smtplib.SMTPDataError(code, reply)
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            return Delivery("refused" if codes and min(codes) >= 500 else "later")
        except smtplib.SMTPDataError as error:
            logger.warning("the mail server refused a mail: %s", error.smtp_code)
            return Delivery("later")
        except ValueError:  # A header that no mail can have.
            return Delivery("refused")
        except Exception as error:  # Without its text: some servers repeat addresses in it.
            logger.warning("could not send a mail: %s", type(error).__name__)
            return Delivery("sent" if is_accepted and mail.once else "later")
        return Delivery("sent")

    def _connect(self, host: str, port: int) -> smtplib.SMTP:
        if self.config.security == "tls":
            return smtplib.SMTP_SSL(
                host, port, timeout=self.timeout_s, context=ssl.create_default_context()
            )
        return smtplib.SMTP(host, port, timeout=self.timeout_s)


def _begin_mail(server: smtplib.SMTP, sender: str, to: str) -> None:
    """Name sender and recipient; the mail server can still refuse without taking the mail."""
    server.ehlo_or_helo_if_needed()
    code, reply = server.mail(sender)
    if code != 250:
        raise smtplib.SMTPSenderRefused(code, reply, sender)
    code, reply = server.rcpt(to)
    if code not in (250, 251):
        raise smtplib.SMTPRecipientsRefused({to: (code, reply)})
