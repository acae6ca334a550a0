"""The report of a reproduction: what it says, as HTML and as Markdown."""

from hgldp.experiments.report.content import Content, gather, summary
from hgldp.experiments.report.html import as_html
from hgldp.experiments.report.markdown import as_markdown

__all__ = ["Content", "as_html", "as_markdown", "gather", "summary"]
