"""Paste what `hgldp task create --json` prints into page.html; the result is index.html."""

import json
import sys
from pathlib import Path

folder, made = Path(__file__).parent, json.load(sys.stdin)
page = (folder / "page.html").read_text(encoding="utf-8")
for name in ("snippet", "panel"):
    page = page.replace(f"<!-- {name} -->", made[name])
(folder / "index.html").write_text(page, encoding="utf-8")
