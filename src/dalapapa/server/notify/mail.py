"""Mails: plain text, one at a time, by the host's own mail server.

Every mail says how to stop it, in words and in the header that mail programs know (RFC 8058).
"""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email import policy
from email.message import EmailMessage
from email.utils import formatdate

import msgspec

from .config import Notify
from .webpush import Outcome

logger = logging.getLogger("dalapapa")

SECONDS = 20
"""For each word of the mail server."""

WHOLE_LINES = policy.SMTP.clone(max_line_length=998)
"""Links in headers are not broken, because not every reader joins them again."""

AT_ONCE = 2
"""Mails that are sent at the same time."""


class Mail(msgspec.Struct, frozen=True):
    """A mail to one person."""

    to: str
    subject: str
    text: str
    id: str
    """The same for the same news: who gets it twice sees it once."""
    stop: str
    """The link that stops it."""
    language: str
    once: bool = False
    """Whether a second copy is worse than none: if the mail server took the text and did not
    answer, the mail counts as sent."""


def written(mail: Mail, sender: str) -> EmailMessage:
    """A mail as it is sent. Whatever would begin another header is refused by `EmailMessage`."""
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
    """Sends mails in threads, because a mail server takes its time."""

    def __init__(self, notify: Notify) -> None:
        self.notify = notify
        self.seconds: float = SECONDS
        self._threads = ThreadPoolExecutor(AT_ONCE, "mail")

    async def send(self, mail: Mail) -> Outcome:
        """Send one; `refused` if the mail server says that there is nobody of this address."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._send, mail)

    def close(self) -> None:
        """Send no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _send(self, mail: Mail) -> Outcome:
        notify = self.notify
        host, port = notify.server()
        handed_over = False
        try:
            message = written(mail, notify.sender)
            with self._connected(host, port) as server:
                if notify.security == "starttls":
                    server.starttls(context=ssl.create_default_context())
                if notify.user:
                    server.login(notify.user, notify.password())
                _begin_mail(server, notify.sender, mail.to)
                handed_over = True
                code, reply = server.data(message.as_bytes(policy=WHOLE_LINES))
                if code != 250:
                    raise smtplib.SMTPDataError(code, reply)
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            return Outcome("refused" if codes and min(codes) >= 500 else "later")
        except smtplib.SMTPDataError as error:
            logger.warning("the mail server does not take a mail: %s", error.smtp_code)
            return Outcome("later")
        except ValueError:  # No mail could have such a header.
            return Outcome("refused")
        except Exception as error:  # Without its text: some servers repeat addresses in it.
            logger.warning("a mail is not sent: %s", type(error).__name__)
            return Outcome("sent" if handed_over and mail.once else "later")
        return Outcome("sent")

    def _connected(self, host: str, port: int) -> smtplib.SMTP:
        if self.notify.security == "tls":
            return smtplib.SMTP_SSL(
                host, port, timeout=self.seconds, context=ssl.create_default_context()
            )
        return smtplib.SMTP(host, port, timeout=self.seconds)


def _begin_mail(server: smtplib.SMTP, sender: str, to: str) -> None:
    """Name sender and recipient; the mail server can still refuse without taking the mail."""
    server.ehlo_or_helo_if_needed()
    code, reply = server.mail(sender)
    if code != 250:
        raise smtplib.SMTPSenderRefused(code, reply, sender)
    code, reply = server.rcpt(to)
    if code not in (250, 251):
        raise smtplib.SMTPRecipientsRefused({to: (code, reply)})
