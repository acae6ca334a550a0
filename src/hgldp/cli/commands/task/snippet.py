"""What a web developer pastes into a page to report to a new task."""

import json
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from hgldp.cli.service import Service, Turned
from hgldp.wire import api

SMALL, COMPLETE, PANEL = "hgldp.js", "hgldp-all.js", "panel.js"


def with_snippet(made: dict[str, Any], service: Service, url: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """The new task with its `snippet`, the `panel` and the address of an `example` page; as it was, if there is none.

    The values stand in the fragment of the address, which no browser sends to a server.
    """
    host, tags = url.rstrip("/"), dict[str, str]()
    with suppress(Turned, KeyError, TypeError, ValueError):  # an older collector, or something that is none
        for each in service.get(api.SDK)["files"]:
            path = each["path"][each["path"].index(api.SDK) :]
            tags[each["file"]] = script(f"{host}{path}", each["integrity"])
    name = SMALL if wanted.get("scheme", "pfr") == "pfr" else COMPLETE
    if not {name, PANEL} <= set(tags):
        return made
    values = {"url": host, "task": made["id"], "key": made["write_key"], "maxEpsilon": _plain(wanted["epsilon"])}
    fragment = urlencode({each: value for each, value in values.items() if each != "url"})
    return made | {
        "snippet": snippet(tags[name], values),
        "panel": f"{tags[PANEL]}\n<hgldp-privacy-panel></hgldp-privacy-panel>",
        "example": f"{host}{api.SDK_EXAMPLE}#{fragment}",
    }


def script(address: str, integrity: str) -> str:
    """The element that loads a script, which the browser checks."""
    return f'<script src="{address}" integrity="{integrity}" crossorigin="anonymous"></script>'


def snippet(tag: str, values: dict[str, object]) -> str:
    """Two elements: the script and the first report.

    >>> print(snippet('<script src="https://x.example/sdk/1/hgldp.js"></script>', {"task": "4f1c", "maxEpsilon": 2}))
    <script src="https://x.example/sdk/1/hgldp.js"></script>
    <script>
      const hot = new hgldp.Reporter({
        task: "4f1c",
        maxEpsilon: 2,
      });
      // and wherever something happens: hot.report("an item");
    </script>
    """
    lines = (f"    {name}: {json.dumps(value)},\n" for name, value in values.items())
    return (
        f"{tag}\n<script>\n  const hot = new hgldp.Reporter({{\n{''.join(lines)}  }});\n"
        '  // and wherever something happens: hot.report("an item");\n</script>'
    )


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
