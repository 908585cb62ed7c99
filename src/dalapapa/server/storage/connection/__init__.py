"""The connection to SQLite or PostgreSQL: its transactions, time limits and failures."""
