"""Games that are over go to an archive, one row each; tables know when they were last watched."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """An empty archive: retention fills it while the server runs."""
    op.add_column("tables", sa.Column("seen", sa.BigInteger))
    op.create_table(
        "archive",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_index("archive_age", "archive", ["changed"])
    if op.get_bind().dialect.name == "postgresql":
        # It is compressed already: PostgreSQL need not try.
        op.execute("ALTER TABLE archive ALTER COLUMN data SET STORAGE EXTERNAL")


def downgrade() -> None:
    """Only an empty archive can be taken away: what is in it is nowhere else."""
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT 1 FROM archive)")):
        raise RuntimeError("The archive is not empty: export its tables first.")
    op.drop_table("archive")
    op.drop_column("tables", "seen")
