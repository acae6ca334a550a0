"""The collector under load: uploads a second, latency and memory, beside an empty handler of the same server."""
