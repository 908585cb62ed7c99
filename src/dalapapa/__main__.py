"""`python -m dalapapa` is `dalapapa`."""

from .cli import main

main()
