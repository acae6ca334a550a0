"""What the schemes cost: memory of the server, bytes sent and fetched, time."""
