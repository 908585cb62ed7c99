"""Each table names its dominoes: two sets have been called 120."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Tables that are there already were played with the first set: they name none."""
    op.add_column("tables", sa.Column("set_name", sa.String(8)))
    op.add_column("tables", sa.Column("set_fingerprint", sa.String(64)))


def downgrade() -> None:
    """Forget the dominoes."""
    op.drop_column("tables", "set_fingerprint")
    op.drop_column("tables", "set_name")
