"""Firefox, and WebKit for Safari, each driven in its own way, with the same journeys.

Chromium has all other tests of this folder.
"""
