"""A check of Containerfiles: what must not be in an image of a service that runs for years."""

import re

TAG = re.compile(r"^[\w./-]+(:(?P<tag>[\w.-]+))?(@sha256:[0-9a-f]{64})?$")


def instructions(text: str) -> list[tuple[str, str]]:
    """Each with its words, continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", text)
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def complaints(text: str) -> list[str]:
    """What is wrong, in the order of the file."""
    found, steps = [], instructions(text)
    for word, rest in steps:
        base = TAG.match(rest.split()[0]) if word == "FROM" else None
        if word == "FROM" and (base is None or base["tag"] in (None, "latest")):
            found.append(f"a base without a fixed tag: {rest}")
        if word == "ADD":
            found.append("ADD, which may fetch from the net: use COPY")
        if word in ("RUN", "CMD", "ENTRYPOINT") and not rest.startswith("["):
            found.append(f"{word} needs a shell: {rest}")
        if "pip" in rest and "install" in rest and not re.search(r"--require-hashes|--no-index", rest):
            found.append(f"packages without hashes: {rest}")
    last = steps[max(number for number, step in enumerate(steps) if step[0] == "FROM") :]
    users = [rest for word, rest in last if word == "USER"]
    if not users or not re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1]):
        found.append("USER must be numbers, and not root: Kubernetes cannot check a name")
    needed = ("HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT")
    return found + [f"{word} is missing" for word in needed if word not in {step[0] for step in last}]
