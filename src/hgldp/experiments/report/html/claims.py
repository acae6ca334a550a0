"""The claims of the paper by what they are about: what holds at a glance, the numbers where one asks for them."""

from html import escape

from hgldp.experiments.report.content import Content, Group, JudgedClaim
from hgldp.experiments.report.headlines import VIEWS
from hgldp.experiments.report.html.text import together

CLASSES = {True: "holds", False: "fails", None: "open"}
WORDS = ("held", "did not hold", "not judged")
IMPLEMENTATIONS = tuple(VIEWS)


def glance(content: Content) -> str:
    """How many claims of each group held."""
    rows = "".join(
        f'<tr><th scope=row><a href="#{anchor(group)}">{escape(group.topic)}</a></th>{_cells(group)}</tr>'
        for group in content.groups
    )
    heads = "".join(f"<th scope=col>{escape(who)}</th>" for who in IMPLEMENTATIONS)
    key = "".join(f"<span class={name}><i></i> {word}</span> " for name, word in zip(_SHADES, WORDS, strict=True))
    return (
        f"<p class=key>{key}</p><table class=glance><thead><tr><th scope=col>what the claims are about</th>{heads}"
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )


_SHADES = tuple(CLASSES.values())


def _cells(group: Group) -> str:
    return "".join(f"<td>{_bar(group.counts(who))}</td>" for who in IMPLEMENTATIONS)


def _bar(counts: tuple[int, int, int]) -> str:
    parts = zip(_SHADES, WORDS, counts, strict=True)
    drawn = "".join(
        f'<b class={shade} style="flex-grow:{count}" title="{count} {word}">{count}</b>'
        for shade, word, count in parts
        if count
    )
    return f'<span class=bar role=img aria-label="{said(counts)}">{drawn}</span>' if drawn else "–"


def said(counts: tuple[int, int, int]) -> str:
    """
    >>> said((5, 2, 0))
    '5 held, 2 did not hold, 0 not judged'
    """
    return ", ".join(f"{count} {word}" for count, word in zip(counts, WORDS, strict=True))


def anchor(group: Group) -> str:
    """Where the group is on the page."""
    return f"claims-{group.topic.name.lower()}"


def claims(content: Content) -> str:
    """Every group with its counts, every claim with its verdicts."""
    return "".join(_group(group) for group in content.groups)


def _group(group: Group) -> str:
    counts = "; ".join(f"{who}: {said(group.counts(who))}" for who in IMPLEMENTATIONS if any(group.counts(who)))
    body = "".join(_claim(claim) for claim in group.claims)
    head = f"<h3>{escape(group.topic)}</h3><p class=count>{escape(counts)}</p>"
    return f'<section id="{anchor(group)}">{head}{body}</section>'


def _claim(claim: JudgedClaim) -> str:
    verdicts = "".join(
        f"<span class=verdict>{escape(who)}: <b class={CLASSES[holds]}>{escape(word)}</b></span>"
        for who, holds, word, _, _ in claim.verdicts
    )
    numbers = "".join(
        f"<dt>{escape(who)}</dt><dd>{f'<p>{together(number)}</p>' if number else ''}<p class=why>{escape(why)}</p></dd>"
        for who, _, _, number, why in claim.verdicts
    )
    return (
        f'<article class=claim id="claim-{claim.id}"><p class=text>{escape(claim.text)} '
        f"<span class=where>{escape(claim.section)}</span></p><div class=verdicts>{verdicts}"
        f"<details><summary>numbers</summary><dl>{numbers}</dl></details></div></article>"
    )
