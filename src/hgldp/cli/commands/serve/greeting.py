"""What `hgldp serve` says when it has started."""

from pathlib import Path

from hgldp.cli.commands.collector_options import URL, URL_VARIABLE
from hgldp.cli.place_given import variable_set
from hgldp.cli.service import TOKEN_VARIABLE
from hgldp.collector.http.listening import EVERYWHERE, is_reachable_from_outside
from hgldp.collector.settings import ADMIN_TOKEN_VARIABLE, Settings, shown_url

CREATE = r"printf '%s\n' tea coffee mate juice water | hgldp task create Drinks --epsilon 2 --words - --k 3"
OTHER_DOMAINS = "For a file of items, for numbers or for strings that nobody can list: hgldp task --help"
WARNING = """\
Warning: whoever reaches this machine reaches the collector, and nothing on the way is encrypted.
Put a proxy with TLS in front and set public_url to its https address, or listen on 127.0.0.1."""


def greeting(settings: Settings, token: str | None, tasks: int, token_file: Path | None = None) -> str:
    """What an operator needs now. It shows a new token this once; everything to copy is on a separate line."""
    facts = [("address", settings.url)]
    if settings.host in EVERYWHERE:
        facts.append(("", f"It listens on all addresses of this machine ({_socket(settings)})."))
    elif settings.public_url:
        facts.append(("", f"It listens on {_socket(settings)}."))
    place = ("store", shown_url(settings.store)) if settings.store else ("data", str(settings.data.resolve()))
    facts += [place, *_about_token(token, token_file)]
    lines = ["The collector is running. Press Ctrl-C to stop it.", ""]
    lines += [f"  {name:<13}{value}" for name, value in facts]
    if is_reachable_from_outside(settings.host) and not settings.public_url.startswith("https:"):
        lines += ["", *WARNING.splitlines()]
    lines += [
        "",
        "Dashboard:",
        f"  {settings.url}/",
        "  Sign in there with the admin token to see all tasks.",
        "",
        "List its tasks in another terminal:" if tasks else "Next, create a first task in another terminal:",
        *(f"  {line}" for line in _commands(settings, token, tasks)),
        *([] if tasks else [OTHER_DOMAINS]),
    ]
    return "\n".join([*lines, "", ""])


def _about_token(token: str | None, token_file: Path | None) -> list[tuple[str, str]]:
    if token_file is not None:
        where = f"in {token_file.resolve()}, which only its owner may read"
        return [("admin token", where), ("", "Read it, keep it elsewhere, and delete the file.")]
    if token is None:
        given = variable_set(ADMIN_TOKEN_VARIABLE)
        return [("admin token", f"the one in {given}" if given else "as shown at the first start")]
    return [("admin token", token), ("", "Keep it: it is shown only now, and only its hash is stored.")]


def _socket(settings: Settings) -> str:
    name = settings.host.strip("[]")
    return f"[{name}]:{settings.port}" if ":" in name else f"{name}:{settings.port}"


def _commands(settings: Settings, token: str | None, tasks: int) -> list[str]:
    elsewhere = [] if settings.url == URL else [f"export {URL_VARIABLE}={settings.url}"]
    shown = "…   # the admin token" if token is None else token
    return [*elsewhere, f"export {TOKEN_VARIABLE}={shown}", "hgldp task list" if tasks else CREATE]
