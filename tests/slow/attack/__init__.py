"""Attacks on a real collector, with the figures of an honest client before, during and after: `make test-attack`."""
