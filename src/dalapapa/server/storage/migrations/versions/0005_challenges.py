"""Challenges: the same bag for others, and who has played it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """There are none yet."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
    )
    op.create_index("challenge_age", "challenges", ["changed"])
    op.create_table(
        "attempts",
        sa.Column(
            "challenge",
            sa.String(32),
            sa.ForeignKey("challenges.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(30)),
    )
    op.create_index("attempt_table", "attempts", ["table_id"], unique=True)


def downgrade() -> None:
    """Only the games stay."""
    op.drop_table("attempts")
    op.drop_table("challenges")
