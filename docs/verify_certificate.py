"""Check a certificate with the standard library alone: python verify_certificate.py CERTIFICATE DOCUMENT.

It is written from docs/certificate.md, which says what each check is for, and shares no code with the package.
"""

import json
import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

BOTH = [["hot list, quiet", "hot", "cold"], ["hot list, nominating", "hot", "cold"]]
LISTS = {"bgr": [["hot list", "any"]], "cnr": [["hot list", "hot", "cold"]], "dsr": BOTH, "bdr": BOTH}


def need(holds, rule):
    """Refuse what breaks a rule."""
    if not holds:
        raise ValueError(rule)


def verify(certificate, document):
    """Raise an error unless the certificate belongs to the task's document and proves the ε of one report."""
    task, laws = json.loads(document), certificate["laws"]
    need(type(certificate["certificate"]) is int and certificate["certificate"] == 1, "the version must be 1")
    need(certificate["task"] == sha256(b"hgldp task 1" + document).hexdigest(), "the document must hash to the task")
    epsilon = Fraction(Fraction(task["epsilon"]), 1 if task.get("division") == "population" else task["events"])
    need(certificate["epsilon_per_report"] == str(epsilon), "epsilon_per_report must follow from the document")
    kinds = {**LISTS, **dict.fromkeys(("pfr", "pfr-hints"), [["frontier", "cell"]] * len(laws))}[task["scheme"]]
    need([[law["bulletin"], *law["items"]] for law in laws] == kinds, "each kind of bulletin and item must be there")
    if task["scheme"] not in LISTS:
        before = task["cells"] - 1 if task["domain"][0] == "strings" else 7
        for law in laws:
            need(all(type(n) is int for n in [task["cells"], *law["cells"]]), "numbers of cells must be whole")
            need(before + 1 == law["cells"][0] <= law["cells"][1], "each number of cells must have one law")
            before = law["cells"][1]
        need(before == task["cells"], "the laws must end at the cells of the document")
    power = term = Fraction(1)
    for step in range(1, 100):
        term *= epsilon / step
        power += term  # a partial sum of e^ε, so never more than e^ε
    for law in laws:
        check_law(law["total"], list(law["items"].values()), power)


def check_law(total, rows, power):
    """Each row sums to the total, and no two weights of a kind of symbol are further apart than e^ε."""
    for row in rows:
        pairs = [pair for kind in row for pair in row[kind]]
        need(all(type(n) is int and n > 0 for pair in [[total], *pairs] for n in pair), "numbers must be above 0")
        need(sum(weight * times for weight, times in pairs) == total, "each row must sum to the total")
        need(width_of(row) == width_of(rows[0]), "each row must have a weight for each symbol")
    for kind in rows[0]:
        weights = [weight for row in rows for weight, _ in row[kind]]
        need(Fraction(max(weights), min(weights)) <= power, "the weights of a symbol must be within e^ε")


def width_of(row):
    """How many symbols of each kind a row has."""
    return {kind: sum(times for _, times in row[kind]) for kind in row}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python verify_certificate.py CERTIFICATE DOCUMENT")
    try:
        verify(json.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2]).read_bytes())
    except (OSError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as wrong:
        sys.exit(f"REFUSED: {wrong if type(wrong) is ValueError or isinstance(wrong, OSError) else 'no certificate'}")
    sys.stdout.write("holds\n")
