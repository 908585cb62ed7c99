"""Monitoring for operators: metrics, logs, and the lag of the event loop."""
