"""The three engines that browsers are made of, each driven in its own way, with the same journeys.

Firefox is itself, Chromium stands for Chrome and Edge, and WebKit's own small browser for Safari.
"""
