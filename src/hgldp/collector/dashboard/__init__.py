"""What people see of the collector: pages that the server renders, and streams that keep them fresh."""

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.pages import no_page
from hgldp.collector.dashboard.routes import routes

__all__ = ["Live", "no_page", "routes"]
