"""An extension of griffe: docstrings as Markdown.

Our docstrings hold examples after `>>>`, which Markdown would read as quotations, and lines such as `Privacy: exactly
ε`, which it would run together.
"""

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*(?:\n\n?(?=>>> )>>> .*(?:\n(?!\s*$).*)*)*", re.MULTILINE)
_FACT = re.compile(r"^(Privacy|Report bytes|Memory|Error): ", re.MULTILINE)


def as_markdown(text: str) -> str:
    """Fence the examples, and make a list of the facts that every scheme states."""
    listed = _FACT.sub(r"* **\1:** ", text)
    return _EXAMPLE.sub(lambda example: f"```python\n{example[0]}\n```", listed)


class Docstrings(Extension):
    """Rewrites each docstring once, when its object has been read."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called by griffe for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
