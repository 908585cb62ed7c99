"""WebSockets: the protocol on the wire, and the session of one viewer."""
