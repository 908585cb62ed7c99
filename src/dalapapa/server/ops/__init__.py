"""What operators do: administration, integrity checks, export, import and backups."""
