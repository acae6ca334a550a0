"""What keeps open pages fresh: each thing is rendered once per change, within a budget, for all who watch it."""

from hgldp.collector.dashboard.live.live import Live

__all__ = ["Live"]
