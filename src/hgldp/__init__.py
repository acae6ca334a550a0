"""Private top-k in data streams with bounded memory, under local differential privacy."""

__version__ = "0.1.0"
