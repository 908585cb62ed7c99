"""What a browser meets: for now one page that shows the set and a table."""

from .app import serve

__all__ = ["serve"]
