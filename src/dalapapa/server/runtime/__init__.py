"""The process of a server: options, connections, rolling restarts and the data folder."""
