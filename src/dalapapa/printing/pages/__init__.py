"""The kinds of pages: each module turns options into sheets, without files or other I/O."""
