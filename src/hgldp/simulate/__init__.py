"""Clients and server in one process, at full speed."""
