"""How many have found the problem of a day; who was counted is known while the day lasts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody has been counted yet."""
    op.create_table(
        "finds",
        sa.Column("date", sa.String(10), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.create_table(
        "finders",
        sa.Column("date", sa.String(10), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("mark", sa.String(64), primary_key=True),
    )


def downgrade() -> None:
    """Forget the counts."""
    op.drop_table("finders")
    op.drop_table("finds")
