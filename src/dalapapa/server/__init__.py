"""Tables over HTTP and sockets, kept in a database; and what a browser meets."""

from .run import serve

__all__ = ["serve"]
