"""What operators watch: metrics, log lines and the lag of the event loop."""
