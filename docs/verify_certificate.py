"""Check a certificate with the standard library alone: python verify_certificate.py CERTIFICATE DOCUMENT.

It is written from docs/certificate.md, which says what each check is for, and shares no code with the package.
"""

import json
import sys
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

BOTH = ["hot list, quiet", "hot list, nominating"]
LISTS = {"bgr": ["hot list"], "cnr": ["hot list"], "dsr": BOTH, "bdr": BOTH}


def need(holds, rule):
    """Refuse what breaks a rule."""
    if not holds:
        raise ValueError(rule)


def verify(certificate, document):
    """Raise an error unless the certificate belongs to the task's document and proves the ε of one report."""
    task, laws = json.loads(document), certificate["laws"]
    need(certificate["certificate"] == 1, "the version must be 1")
    need(certificate["task"] == sha256(b"hgldp task 1" + document).hexdigest(), "the document must hash to the task")
    for name in ("scheme", "epsilon", "level", "events", "period", "division"):
        need(certificate.get(name) == task.get(name), f"{name} must be that of the task")
    epsilon = Fraction(task["epsilon"]) / (1 if task.get("division") == "population" else task["events"])
    need(certificate["epsilon_per_report"] == str(epsilon), "epsilon_per_report must follow from the task")
    power = term = Fraction(1)
    for step in range(1, 100):
        term *= epsilon / step
        power += term  # a partial sum of e^ε, so never more than e^ε
    for law in laws:
        check_table(law, power)
    if task["scheme"] == "pfr":
        strings = task["domain"][0] == "strings"
        cells = task["cells"] - 1 if strings else 7
        for law in laws:
            need(law["bulletin"] == ("strings" if strings else "frontier"), "each law must be of the task's frontier")
            need(cells + 1 == law["cells"][0] <= law["cells"][1] <= law["modulus"], "cells must have one law each")
            cells = law["cells"][1]
            check_set(law)
        need(cells == task["cells"], "the laws must end at the cells of the task")
    else:
        need([law["bulletin"] for law in laws] == LISTS[task["scheme"]], "each kind of hot list must have its law")
        listed = task["domain"][2] if task["domain"][0] == "range" else len(task["domain"][1])
        most = listed + task.get("other", False) + task.get("nothing", False)
        need(all(listed <= items_of(law) <= most for law in laws), "each item of the domain must have a row")


def items_of(law):
    """How many items a law has."""
    return sum(kind["count"] for kind in law["items"])


def times_of(pairs):
    """[[weight, times], …] as a dictionary."""
    need(pairs and all(type(each) is int and each > 0 for pair in pairs for each in pair), "numbers must be positive")
    need(len(dict(pairs)) == len(pairs), "a weight must stand once")
    return dict(pairs)


def check_table(law, power):
    """Rows sum to the total, columns hold what the rows hold, and the weights of a column are within e^ε."""
    symbols, in_rows, in_columns = {each["kind"]: each for each in law["symbols"]}, Counter(), Counter()
    for kind in law["items"]:
        row = {at: times_of(part) for at, part in kind["weights"].items()}
        width = {at: sum(part.values()) for at, part in row.items()}
        need(width == {at: each["count"] for at, each in symbols.items()}, "a row must have a weight for each symbol")
        need(
            sum(w * times for part in row.values() for w, times in part.items()) == law["total"],
            "each row must sum to the total",
        )
        in_rows.update({(at, w): times * kind["count"] for at, part in row.items() for w, times in part.items()})
    for at, symbol in symbols.items():
        column = times_of(symbol["weights"])
        need(sum(column.values()) == items_of(law), "a column must have a weight for each item")
        need(Fraction(max(column), min(column)) <= power, "the weights of a column must be within e^ε")
        in_columns.update({(at, w): times * symbol["count"] for w, times in column.items()})
    need(in_rows == in_columns, "columns must hold what rows hold")


def check_set(law):
    """Residues of the larger weight form a difference set: two of its translates always share `overlap` residues."""
    modulus, members, (symbol,) = law["modulus"], law["set"], law["symbols"]
    need(symbol["count"] == items_of(law) == modulus < 10_000, "there must be a row and a symbol for each residue")
    need(members == "squares" or sum(members) == law["sum"], "the set must have its sum")
    need(members != [0] or modulus == law["cells"][1], "the set {0} must have as many residues as cells")
    members = sorted({root**2 % modulus for root in range(1, modulus)}) if members == "squares" else members
    need(all(low < high for low, high in zip([-1, *members], [*members, modulus], strict=True)), "it must ascend")
    (larger, times), *others = symbol["weights"]
    need(len(members) == times and all(larger > weight for weight, _ in others), "it must have the larger weight")
    bits = sum(1 << each for each in members)
    for turn in range(1, modulus):
        turned = bits >> turn | bits << (modulus - turn) & ((1 << modulus) - 1)
        need((bits & turned).bit_count() == law["overlap"], "translates must overlap evenly")


if __name__ == "__main__":
    try:
        verify(json.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2]).read_bytes())
    except (LookupError, TypeError, ValueError, ArithmeticError) as wrong:
        sys.exit(f"REFUSED: {wrong}")
    sys.stdout.write("holds\n")
