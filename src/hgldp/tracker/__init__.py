"""The server's half, step by step: reports in, bulletins and estimates out."""

from hgldp.tracker.tracker import RETAINED, Tracker

__all__ = ["RETAINED", "Tracker"]
