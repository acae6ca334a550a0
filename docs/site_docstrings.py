"""An extension of griffe: docstrings as Markdown.

Our docstrings hold examples after `>>>`, which Markdown would read as quotations, and lines such as `Privacy: exactly
ε`, which it would run together. They name pages by their files, as a reader of the source wants it: here these are
links. What is only for doctest is left out; a private default and a long table are three dots; and a named tuple shows
its fields.
"""

import re
from typing import Any

from griffe import Attribute, Class, Extension, Function, Object, Parameter, ParameterKind, Parameters

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*(?:\n\n?(?=>>> )>>> .*(?:\n(?!\s*$).*)*)*", re.MULTILINE)
_FACT = re.compile(r"^(Privacy|Report bytes|Memory|Error): ", re.MULTILINE)
_FOR_DOCTEST = re.compile(r" *# doctest: \+.*$", re.MULTILINE)
_PAGE = re.compile(r"\(docs/([a-z-]+)\.md\)")
_LONGEST_VALUE = 300


def as_markdown(text: str) -> str:
    """Fence the examples, link the pages, and make a list of the facts that every scheme states."""
    linked = _PAGE.sub(lambda page: f"([{page[1].replace('-', ' ')}](../{page[1]}.md))", text)
    linked = _FOR_DOCTEST.sub("", linked)
    listed = _FACT.sub(r"* **\1:** ", linked)
    return _EXAMPLE.sub(lambda example: f"```python\n{example[0]}\n```", listed)


def fields(named_tuple: Class) -> Parameters:
    """The fields of a named tuple, as its constructor takes them."""
    kind = ParameterKind.positional_or_keyword
    named = [one for one in named_tuple.attributes.values() if "property" not in one.labels]
    return Parameters(*(Parameter(one.name, annotation=one.annotation, kind=kind, default=one.value) for one in named))


class Docstrings(Extension):
    """Rewrites each docstring once, when its object has been read."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called by griffe for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
        if isinstance(obj, Attribute) and (str(obj.value).startswith("_") or len(str(obj.value)) > _LONGEST_VALUE):
            obj.value = "..."
        if isinstance(obj, Class) and "NamedTuple" in map(str, obj.bases):
            obj.set_member("__init__", Function("__init__", parameters=fields(obj), parent=obj))
        for parameter in obj.parameters if isinstance(obj, Function) else ():
            if str(parameter.default).startswith("_"):
                parameter.default = "..."
