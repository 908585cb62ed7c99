"""HTTP requests: routing, context, compression, static files and middleware."""
