"""A hook of MkDocs: the pages are written as a code host wants them, and here they become a site.

Three files of the repository's root are pages of the site too. A link into `src` becomes a link into the API
reference, if its package has a page there. Any other link out of `docs` (tests, test vectors) becomes plain text: the
site does not hold these files. Each page is described to search engines by its first paragraph, a page of the API by
its package's docstring. The sections of the front page stand side by side.
"""

import ast
import html
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
_PLAIN = re.compile(r"[*`]|(?<!\w)_|_(?!\w)")
_LONGEST_DESCRIPTION = 300


def on_files(files: Files, config: "MkDocsConfig", **_: Any) -> Files:
    """Add the pages whose source is in the root."""
    for source, page in ROOT_PAGES.items():
        text = (DOCS.parent / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: "Page", **_: Any) -> str:
    """Rewrite the links of one page, outside of its code blocks, and describe it."""
    if about := description(markdown, page.file.src_uri):
        page.meta.setdefault("description", html.escape(about))  # the theme does not
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    sources = {page: source for source, page in ROOT_PAGES.items()}
    place = sources.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    parts = _FENCE.split(markdown)
    parts[::2] = [_LINK.sub(lambda link: site_link(link[1], link[2], place), part) for part in parts[::2]]
    return "".join(parts)


def on_page_content(html: str, page: "Page", **_: Any) -> str:  # MkDocs passes html by name
    """Put the sections of the front page side by side, below what comes before them."""
    if page.file.src_uri != "index.md":
        return html
    top, *paths = re.split(r"(?=<h2)", html)
    sections = "".join(f"<section>{path}</section>" for path in paths)
    return f'<div class="front">{top}</div><div class="paths">{sections}</div>'


def description(markdown: str, place: str) -> str | None:
    """The first paragraph of whole sentences on a page, as plain text; the first sentences of it, if it is long.

    >>> page = "# Install\\n\\nYou need [Python](https://python.org) 3.11 or newer, the command `make`, and a checkout."
    >>> description(page, "install.md")
    'You need Python 3.11 or newer, the command make, and a checkout.'
    """
    if place.startswith("reference/") and place != "reference/index.md":
        source = DOCS.parent / "src/hgldp" / posixpath.basename(place).removesuffix(".md")
        source = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
        markdown = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    blocks = (block.strip() for block in _FENCE.sub("", markdown).split("\n\n"))
    sentences = re.compile(r"[\w`].{48,}\.", re.DOTALL)
    first = next((block for block in blocks if sentences.fullmatch(block) and not block[0].isdigit()), None)
    if first is None:
        return None
    text = " ".join(_PLAIN.sub("", _LINK.sub(r"\1", first)).split())
    if len(text) <= _LONGEST_DESCRIPTION:
        return text
    return text[:_LONGEST_DESCRIPTION].rpartition(". ")[0] + "."


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
