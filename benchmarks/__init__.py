"""Measurements: `make bench`. Each section is a file; `report.py` has what they share."""
