"""A text in a cell of a CSV file: nothing that a spreadsheet would run, and the text can be had back."""

from unicodedata import category, normalize

SIGNS = frozenset("=+-@\N{MINUS SIGN}")
UNSEEN_CATEGORIES = ("Z", "C", "Mn", "Me")
UNSEEN_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
AT_THE_START = ("\t", "\r", "\n", "'")


def safe_cell(value: object) -> object:
    r"""A text that a spreadsheet might run as a formula gets an apostrophe before it; all other texts stay verbatim.

    Signs count in every width, and so do those after blanks, controls and letters that nobody sees: some programs
    leave these out before they look. Truth is written as in JSON.

    >>> [safe_cell(each) for each in ("tea", "=1+1", " =1+1", "\u200b\uff1d1", "'", -5, True)]
    ['tea', "'=1+1", "' =1+1", "'\u200b\uff1d1", "''", -5, 'true']
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}" if isinstance(value, str) and _may_run(value) else value


def _may_run(text: str) -> bool:
    first = next((letter for letter in text if not _is_unseen(letter)), "")
    return text.startswith(AT_THE_START) or not SIGNS.isdisjoint(normalize("NFKC", first))


def _is_unseen(letter: str) -> bool:
    return letter in UNSEEN_LETTERS or category(letter).startswith(UNSEEN_CATEGORIES)
