"""Tables over HTTP and sockets, kept in a database; and what a browser meets (extra `server`).

Nothing is imported here: worker processes need the rules, but no web framework.
"""

from ..core.extras import require

require("server")
