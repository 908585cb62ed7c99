"""The handlers of the HTTP API, one module for each part. No other package imports them."""
