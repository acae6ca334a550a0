"""What can be typed after `hgldp schemes`."""

from argparse import ArgumentParser

SUMMARY = "what every scheme and mechanism promises, and its numbers"
DESCRIPTION = """\
Every scheme and mechanism: what it guarantees, and its numbers for your ε, k, cells and domain.

variance   how much a report about another item adds to the variance of an item's count
leverage   how many honest reports one forged report counts for
worth      how many it adds at most to a published count, apart from chance
report     bytes of the symbol; an upload of one report is 64 bytes
state      bytes that the server keeps between two reports"""

EXAMPLES = """\
examples:
  hgldp schemes
  hgldp schemes --epsilon 2 --k 20 --cells 40 --domain 41270 --json"""


def add_arguments(parser: ArgumentParser) -> None:
    """The setting for which the numbers hold."""
    parser.add_argument("--epsilon", default="1", metavar="E", help="privacy budget (1)")
    parser.add_argument("--k", type=int, default=20, metavar="K", help="how many items to find (20)")
    parser.add_argument("--cells", type=int, metavar="M", help="items that the server tracks, at least k (2k)")
    parser.add_argument("--domain", type=int, default=1000, metavar="D", help="how many items are possible (1000)")
    parser.add_argument("--json", action="store_true", help="a list of objects")
