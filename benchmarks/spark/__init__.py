"""Spark on a small standalone cluster: what it counts while parts of it are killed, and how fast that is."""
