"""The database: tables and their logs, the archive, retention, quarantine and migrations.

`connection/` connects to SQLite or PostgreSQL and handles their failures. The other modules read
and write rows.
"""
