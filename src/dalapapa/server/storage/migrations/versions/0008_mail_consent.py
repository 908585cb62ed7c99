"""Mail addresses: consent by keys that only the owner can know, and limits for all mails."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Delete mail subscriptions: earlier versions could not prove who had consented."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(sa.text("PRAGMA secure_delete = ON"))  # Not even free pages keep an address.
    op.execute(sa.text("DELETE FROM subscribers WHERE kind = 'mail'"))
    op.add_column("asked_addresses", sa.Column("asker", sa.String(32)))
    op.create_table(
        "mailed_addresses",
        sa.Column("mark", sa.String(64), primary_key=True),
        sa.Column("paid_until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Delete mail subscriptions: their keys mean nothing to earlier versions."""
    op.execute(sa.text("DELETE FROM subscribers WHERE kind = 'mail'"))
    op.drop_table("mailed_addresses")
    op.drop_column("asked_addresses", "asker")
