"""The report as one HTML page that needs nothing else, on a desk and on a phone."""

from hgldp.experiments.report.html.page import as_html

__all__ = ["as_html"]
