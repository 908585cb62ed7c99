"""The schema of the database: its tables, as SQLAlchemy knows them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata: MetaData = MetaData()
tables: Table = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("phase", String(8), nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    # Empty in tables of early versions, which had other dominoes: they cannot be opened any more.
    Column("set_name", String(8)),
    Column("set_fingerprint", String(64)),
    # When it last had viewers, where that is long after the last change (`retention.py`).
    Column("seen", BigInteger),
    Index("lobby", "visibility", "phase", "changed"),
)
entries: Table = Table(
    "entries",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("nonce", String(64)),
    Column("entry", Text, nullable=False),
)
archive: Table = Table(
    "archive",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("seen", BigInteger),
    Column("data", LargeBinary, nullable=False),
    Index("archive_age", "changed"),
)
"""Finished games, a row for each, with all that `tables` and `entries` had of it."""
challenges: Table = Table(
    "challenges",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Index("challenge_age", "changed"),
)
"""Games that others may play with the same bag (`tables/challenges.py`)."""
attempts: Table = Table(
    "attempts",
    metadata,
    Column(
        "challenge", String(32), ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("owner", String(64), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("at", BigInteger, nullable=False),
    # Empty when the table has gone.
    Column("name", String(30)),
    Index("attempt_table", "table_id", unique=True),
)
"""The attempts at challenges; the first one is the game from which the challenge was made."""
finds: Table = Table(
    "finds",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("count", Integer, nullable=False),
)
finders: Table = Table(
    "finders",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("mark", String(64), primary_key=True),
)
"""The browsers that were counted, by a hash, until the day is over (`solved_problems.py`)."""

subscribers: Table = Table(
    "subscribers",
    metadata,
    # A new one whenever address or browser change: keys in mails derive from it (`mail_links.py`).
    Column("id", String(32), primary_key=True),
    # A hash of its subject, so that no one is notified twice.
    Column("mark", String(64), nullable=False),
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String(64), nullable=False),
    Column("kind", String(4), nullable=False),
    Column("address", Text, nullable=False),
    # The browser's keys for push; empty for mail.
    Column("secret", Text, nullable=False),
    Column("language", String(2), nullable=False),
    Column("state", String(8), nullable=False),
    # The hash of a secret that the browser keeps: one confirmation is valid for all tables.
    Column("proof", String(64)),
    Column("created", BigInteger, nullable=False),
    # The last change of the table that was handled.
    Column("looked", BigInteger, nullable=False),
    # The last notification, the next one, and when it is due.
    Column("told", String(32), nullable=False),
    Column("news", String(32)),
    Column("due", BigInteger),
    # When a clock of the table runs out.
    Column("wake", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Index("subscriber_mark", "mark", unique=True),
    Index("subscriber_table", "table_id"),
    Index("subscriber_due", "due"),
    Index("subscriber_wake", "wake"),
)
"""Subscriptions to turn notifications (`notify/subscriptions.py`)."""
asked_addresses: Table = Table(
    "asked_addresses",
    metadata,
    Column("mark", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("times", Integer, nullable=False),
    # The id of the subscription for which the address was asked last.
    Column("asker", String(32)),
)
"""Mail addresses that were recently asked for consent, by a hash (`notify/mail_limits.py`)."""
mailed_addresses: Table = Table(
    "mailed_addresses",
    metadata,
    Column("mark", String(64), primary_key=True),
    # Each notification adds an interval; the later this is, the fewer may be sent now.
    Column("paid_until", BigInteger, nullable=False),
)
"""Mail addresses that were recently notified, by a hash (`notify/mail_limits.py`)."""
secrets: Table = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Keys that the server has generated for itself."""
