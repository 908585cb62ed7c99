"""How many browsers have solved the problem of each day, and marks of those already counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create empty tables for the counts."""
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
