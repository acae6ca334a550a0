"""What a web developer pastes into a page to report to a new task."""

import json
from contextlib import suppress
from html import escape
from typing import Any
from urllib.parse import urlencode

from hgldp.cli.service import Service, Turned
from hgldp.wire import api

SMALL, WITH_LISTS, COMPLETE, PANEL = "hgldp.js", "hgldp-hints.js", "hgldp-all.js", "panel.js"
USE = '<!-- wherever something happens: window.hot?.report("an item") -->'
APOSTROPHE = r"\u0027"


def with_snippet(made: dict[str, Any], service: Service, url: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """The new task with its `snippet`, the `panel` and the address of an `example` page; as it was, if there is none.

    The values stand in the fragment of the address, which no browser sends to a server.
    """
    host, tags = url.rstrip("/"), dict[str, tuple[str, str]]()
    with suppress(Turned, KeyError, TypeError, ValueError):  # an older collector, or something that is none
        for each in service.get(api.SDK)["files"]:
            path = each["path"][each["path"].index(api.SDK) :]
            tags[each["file"]] = f"{host}{path}", each["integrity"]
    of_pfr = WITH_LISTS if "hints" in wanted else SMALL
    name = of_pfr if wanted.get("scheme", "pfr") == "pfr" else COMPLETE
    if not {name, PANEL} <= set(tags):
        return made
    values = {"url": host, "task": made["id"], "key": made["write_key"], "maxEpsilon": _plain(wanted["epsilon"])}
    fragment = urlencode({each: value for each, value in values.items() if each != "url"})
    return made | {
        "snippet": f"{script(*tags[name], starting(values))}\n{USE}",
        "panel": f"{script(*tags[PANEL])}\n<hgldp-privacy-panel></hgldp-privacy-panel>",
        "example": f"{host}{api.SDK_EXAMPLE}#{fragment}",
    }


def script(address: str, integrity: str, onload: str = "") -> str:
    """The element that loads a script, which the browser checks. The page does not wait for it."""
    then = f"\n  onload='{escape(onload, quote=False)}'" if onload else ""
    return f'<script async src="{address}" integrity="{integrity}" crossorigin="anonymous"{then}></script>'


def starting(values: dict[str, object]) -> str:
    """What starts the reporter once its script is there.

    >>> print(starting({"task": "4f1c", "maxEpsilon": 2}))
    hot = new hgldp.Reporter({
        task: "4f1c",
        maxEpsilon: 2,
      })
    """
    lines = (f"    {name}: {json.dumps(value).replace(chr(39), APOSTROPHE)},\n" for name, value in values.items())
    return f"hot = new hgldp.Reporter({{\n{''.join(lines)}  }})"


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
