"""The way from outside: TLS, the proxy in front, and whether the public address answers."""

from collections.abc import Iterator
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from hgldp.cli.commands.doctor.finding import Finding, ok, problem, warning
from hgldp.collector.http.listening import is_reachable_from_outside
from hgldp.collector.problems import Problem
from hgldp.collector.settings import Settings
from hgldp.wire import api

SECONDS = 10


def check_proxy(settings: Settings, *, online: bool) -> Iterator[Finding]:
    """What the settings say, and if asked for what the network says."""
    yield _public(settings)
    yield _listening(settings)
    yield _trusted(settings)
    if online and settings.public_url:
        yield _answer(settings.public_url)


def _public(settings: Settings) -> Finding:
    if not settings.public_url:
        if not is_reachable_from_outside(settings.host) and not settings.trusted_proxies:
            return ok("public address", "none, which is enough if it is only for this machine")
        do = "put a proxy with TLS in front, and set public_url to its https:// address"
        return warning("public address", "others may come in, but public_url is not set", do)
    if not settings.public_url.startswith("https://"):
        do = "use https://: clients refuse to send reports without TLS"
        return problem("public address", f"{settings.public_url} is not protected", do)
    return ok("public address", settings.public_url)


def _listening(settings: Settings) -> Finding:
    """Nothing in the folder tells what `hgldp serve` was given, so this may be another address than it listens on."""
    if not is_reachable_from_outside(settings.host):
        says = f"{settings.host}, which only this machine reaches, unless hgldp serve gets another --host"
        return ok("listens on", says)
    do = "let a firewall or a private network admit only the proxy: this port speaks no TLS"
    return warning("listens on", f"{settings.host}, which other machines may reach", do)


def _trusted(settings: Settings) -> Finding:
    trusted = settings.trusted_proxies
    if trusted or not settings.public_url:
        return ok("proxies", ", ".join(trusted) or "none")
    do = "set trusted_proxies to the address of the proxy"
    return warning("proxies", "no proxy is trusted: all clients count as one and share one limit", do)


def _answer(url: str) -> Finding:
    check, do = "from outside", "see the proxy's configuration and its log, and the name's entry in the DNS"
    try:
        with urlopen(f"{url}{api.HEALTH}", timeout=SECONDS) as answer:  # noqa: S310 - http or https, as checked
            status = answer.status
        if not _is_known(url):
            do = f"let the proxy pass on the Host header, and compare the collector's own public_url with {url}"
            return problem(check, "the collector answers 421: it gets another Host than that of public_url", do)
    except (URLError, OSError, ValueError) as failure:
        return problem(check, f"no answer ({getattr(failure, 'reason', failure)})", do)
    return ok(check, f"it answers {status}")


def _is_known(url: str) -> bool:
    """Whether the Host header reaches the collector unchanged; /health answers under any name."""
    try:
        urlopen(f"{url}{api.OPENAPI}", timeout=SECONDS).close()  # noqa: S310 - as above
    except HTTPError as refused:
        return refused.code != Problem.MISDIRECTED.status
    return True
