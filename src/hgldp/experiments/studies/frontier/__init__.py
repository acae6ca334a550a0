"""PFR, our own scheme: against its memory, the length of the stream and change; and pictures of its search."""
