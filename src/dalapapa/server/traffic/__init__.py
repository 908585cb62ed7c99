"""Fair use: limits by address, floods, turns in the event loop, proxies and host names."""
