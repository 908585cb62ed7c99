"""What the engine for browsers leaves out of the package and of Python's standard library."""

from __future__ import annotations

from fnmatch import fnmatchcase

PACKAGE_LEFT_OUT = (
    "__main__.py", "adapters/*", "bots/ladder.py", "cli/*",
    "client.py", "games/*/observer.py", "games/observers.py",
    "kernel/episode*", "kernel/group_marks.*", "kernel/painter.*", "kernel/planes.py",
    "printing/*", "rulebook/*", "server/*", "web/*",
)  # fmt: skip
"""Modules for processes, sockets, printing and learning programs."""

ENCODINGS = ("aliases", "ascii", "cp437", "latin_1", "utf_8", "utf_8_sig")
"""The encodings that are kept: those of the engine, and of the zip files that it is in."""

LIBRARY_LEFT_OUT = (
    "__hello__.py", "__phello__/*", "_aix_support.py", "_android_support.py", "_apple_support.py",
    "_ios_support.py", "_markupbase.py", "_osx_support.py", "_py_abc.py", "_pydatetime.py",
    "_pydecimal.py", "_pyio.py", "_pyrepl/*", "_ssl.py", "_sysconfigdata_*", "antigravity.py",
    "argparse.py", "asyncio/__main__.py", "asyncio/proactor_events.py", "asyncio/tools.py",
    "asyncio/windows_*", "bdb.py", "cmd.py", "colorsys.py", "compileall.py",
    "concurrent/futures/process.py", "configparser.py", "cProfile.py", "ctypes/*", "curses/*",
    "doctest.py", "email/mime/*", "ensurepip/*", "filecmp.py", "fileinput.py",
    "ftplib.py", "getopt.py", "getpass.py", "gettext.py", "html/parser.py", "http/*", "idlelib/*",
    "imaplib.py", "importlib/_bootstrap*", "ipaddress.py", "json/__main__.py", "json/tool.py",
    "lib2to3/*", "logging/config.py", "logging/handlers.py", "mailbox.py", "mimetypes.py",
    "modulefinder.py", "multiprocessing/*", "netrc.py", "nturl2path.py", "optparse.py", "pdb.py",
    "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pty.py",
    "py_compile.py", "pyclbr.py", "pydoc.py", "pydoc_data/*", "rlcompleter.py", "sched.py",
    "shelve.py", "site-packages/*", "smtplib.py", "socketserver.py", "sqlite3/*", "sre_*.py",
    "ssl.py", "stringprep.py", "symtable.py", "sysconfig/*", "tabnanny.py", "tarfile.py", "this.py",
    "timeit.py", "tkinter/*", "tomllib/*", "trace.py", "tty.py", "turtle.py", "unittest/*",
    "urllib/request.py", "urllib/robotparser.py", "venv/*", "wave.py", "webbrowser.py", "wsgiref/*",
    "xml/*", "xmlrpc/*", "zipapp.py", "zoneinfo/*",
)  # fmt: skip
"""Modules for development, other protocols and other systems."""


def is_in_package(name: str) -> bool:
    """Whether the engine has this file of the package, named from the folder of the package."""
    return not any(fnmatchcase(name, pattern) for pattern in PACKAGE_LEFT_OUT)


def is_in_library(name: str) -> bool:
    """Whether the engine has this module of the standard library."""
    folder, _, module = name.partition("/")
    if folder == "encodings":
        return module.removesuffix(".py") in ("__init__", *ENCODINGS)
    return not any(fnmatchcase(name, pattern) for pattern in LIBRARY_LEFT_OUT)
