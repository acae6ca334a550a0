"""What people see of the collector: pages that the server renders, and streams that keep them fresh."""

from hgldp.collector.dashboard.routes import routes

__all__ = ["routes"]
