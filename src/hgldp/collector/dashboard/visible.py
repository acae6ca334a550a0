"""Text that anybody may have chosen, made such that it cannot hide, reorder or break what stands around it."""

from unicodedata import category

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
JOINERS = {"\u200c", "\u200d"}


def visible(text: str) -> str:
    """Control characters, direction overrides and other invisible ones as their code; letters and emoji as they are.

    >>> visible("tea"), visible("a\\u202eb"), visible("two\\nlines")
    ('tea', 'a⟨202E⟩b', 'two⟨000A⟩lines')
    """
    if text.isprintable():
        return text
    return "".join(letter if _is_seen(letter) else f"⟨{ord(letter):04X}⟩" for letter in text)


def _is_seen(letter: str) -> bool:
    return letter in JOINERS or category(letter) not in HIDDEN
