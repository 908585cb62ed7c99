"""Dalapapa 72: tokens, and markers on territories (rules 8)."""
