"""The report of a reproduction: HTML, Markdown, figures and tables of numbers."""
