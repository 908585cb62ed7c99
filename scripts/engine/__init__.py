"""Parts of the build of the engine for browsers (scripts/build_engine.py)."""
