"""Dalapapa: François Haffner's tile-laying game, as a digital edition."""

__version__ = "0.1.0"
