"""The database: tables and their logs, the archive, retention, quarantine and migrations."""
