"""The texts of mails, in the language of the subscription."""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

from ...rulebook import describe_game
from ...texts import say
from ..tables.live import LiveTable
from .mail import Mail
from .mail_links import MailLinks
from .subscriptions import News, Subscriber

MAX_NAME_LENGTH = 30

LINK_CHARACTERS = re.compile(r"[:/\\@<>]+")
"""Characters that make mail clients show a name as a link."""

DOTS = re.compile(r"[.\u3002]+(?=\S)")
"""Dots inside a word, which do the same; also the ideographic full stop."""


def format_mail_name(name: str) -> str:
    """Return a name for mails: one short line that no mail client shows as a link."""
    one_line = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFKC", name))
    separate = DOTS.sub(". ", LINK_CHARACTERS.sub(" ", one_line))
    return " ".join(separate.split())[:MAX_NAME_LENGTH].strip() or "-"


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
