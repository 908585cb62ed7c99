"""Tokens of seats leave the database: mails no longer have the link of a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Players stay subscribed; only the token of each one is deleted."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(sa.text("PRAGMA secure_delete = ON"))  # Not even free pages keep it.
    op.execute(sa.text("UPDATE subscribers SET secret = '' WHERE kind = 'mail'"))


def downgrade() -> None:
    """No token can be brought back: players ask again for mails that have a link."""
    op.execute(sa.text("DELETE FROM subscribers WHERE kind = 'mail'"))
