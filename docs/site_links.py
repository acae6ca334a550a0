"""A hook of MkDocs: the pages link as a code host wants it, and the site follows them where it can.

Three files of the repository's root are pages of the site too. A link into `src` becomes a link into the API
reference, if its package has a page there. Any other link out of `docs` (tests, test vectors) becomes plain text: the
site does not hold these files.
"""

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

DOCS = Path(__file__).parent
ROOT_PAGES = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: "MkDocsConfig", **_: Any) -> Files:
    """Add the pages whose source is in the root."""
    for source, page in ROOT_PAGES.items():
        text = (DOCS.parent / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: "Page", **_: Any) -> str:
    """Rewrite the links of one page, outside of its code blocks."""
    sources = {page: source for source, page in ROOT_PAGES.items()}
    place = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    parts = _FENCE.split(markdown)
    parts[::2] = [_LINK.sub(lambda link: site_link(link[1], link[2], place), part) for part in parts[::2]]
    return "".join(parts)


def site_link(text: str, target: str, place: str) -> str:
    """The link as the site needs it, when a file at `place` in the repository links to `target`.

    >>> site_link("weights", "../src/hgldp/model/weights.py", "docs/privacy.md")
    '[weights][hgldp.model.weights]'
    >>> site_link("security", "../SECURITY.md#poisoning", "docs/estimates.md")
    '[security](security.md#poisoning)'
    >>> site_link("vectors", "../testvectors/v1", "docs/wire-format.md")
    'vectors'
    """
    path, mark, anchor = target.partition("#")
    if not path or "://" in path:
        return f"[{text}]({target})"
    found = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
    if found.startswith("src/hgldp/"):
        module = found.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return f"[{text}][{module}]" if (DOCS / "reference" / f"{module.split('.')[1]}.md").exists() else text
    page = ROOT_PAGES.get(found) or (found.removeprefix("docs/") if found.startswith("docs/") else None)
    if page is None:
        return text
    here = posixpath.dirname(ROOT_PAGES.get(place, place.removeprefix("docs/")))
    return f"[{text}]({posixpath.relpath(page, here or '.')}{mark}{anchor})"
