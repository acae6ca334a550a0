"""What a web developer pastes into a page to report to a new task."""

import json
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from hgldp.cli.service import Service, Turned
from hgldp.wire import api

SMALL, COMPLETE = "hgldp.js", "hgldp-all.js"


def with_snippet(made: dict[str, Any], service: Service, url: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """The new task with its `snippet` and the address of an `example` page; as it was, if a collector serves neither.

    The values stand in the fragment of the address, which no browser sends to a server.
    """
    offered: list[dict[str, Any]] = []
    with suppress(Turned):
        offered = service.get(api.SDK)["files"]
    name = SMALL if wanted.get("scheme", "pfr") == "pfr" else COMPLETE
    script = next((each for each in offered if each["file"] == name), None)
    if script is None:
        return made
    host = url.rstrip("/")
    values = {"url": host, "task": made["id"], "key": made["write_key"], "maxEpsilon": _plain(wanted["epsilon"])}
    address = f"{host}{script['path'][script['path'].index(api.SDK) :]}"
    fragment = urlencode({each: value for each, value in values.items() if each != "url"})
    return made | {
        "snippet": snippet(address, script["integrity"], values),
        "example": f"{host}{api.SDK_EXAMPLE}#{fragment}",
    }


def snippet(address: str, integrity: str, values: dict[str, object]) -> str:
    """Two elements: the script, which the browser checks, and the first report.

    >>> print(snippet("https://x.example/sdk/1/hgldp.js", "sha384-AA", {"task": "4f1c", "maxEpsilon": 2}))
    <script src="https://x.example/sdk/1/hgldp.js" integrity="sha384-AA" crossorigin="anonymous"></script>
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
        f'<script src="{address}" integrity="{integrity}" crossorigin="anonymous"></script>\n'
        f"<script>\n  const hot = new hgldp.Reporter({{\n{''.join(lines)}  }});\n"
        '  // and wherever something happens: hot.report("an item");\n</script>'
    )


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
