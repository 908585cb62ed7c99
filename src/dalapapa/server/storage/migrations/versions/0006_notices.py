"""Subscriptions to notifications of turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create tables without subscriptions."""
    op.create_table(
        "subscribers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.Column(
            "table_id",
            sa.String(32),
            sa.ForeignKey("tables.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(4), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("proof", sa.String(64)),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("looked", sa.BigInteger, nullable=False),
        sa.Column("told", sa.String(32), nullable=False),
        sa.Column("news", sa.String(32)),
        sa.Column("due", sa.BigInteger),
        sa.Column("wake", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    op.create_index("subscriber_mark", "subscribers", ["mark"], unique=True)
    op.create_index("subscriber_table", "subscribers", ["table_id"])
    op.create_index("subscriber_due", "subscribers", ["due"])
    op.create_index("subscriber_wake", "subscribers", ["wake"])
    op.create_table(
        "asked_addresses",
        sa.Column("mark", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop all subscriptions."""
    op.drop_table("secrets")
    op.drop_table("asked_addresses")
    op.drop_table("subscribers")
