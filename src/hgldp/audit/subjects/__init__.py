"""Clients under audit: our own in this process, any behind a command, any that talks to a collector."""
