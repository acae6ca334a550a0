"""What reporting costs a page: reports a second, bytes on the wire, and how long it keeps the main thread busy."""
