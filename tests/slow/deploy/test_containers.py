"""The image and the services around it, by rules of our own: no container engine runs in the tests."""

import json
import re
from fnmatch import fnmatch
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from hgldp.cli.parser import make_parser
from tests.documents import ROOT
from tests.slow.deploy.containerfile import complaints, instructions
from tests.slow.deploy.files import DEPLOY, compose, configurations, documents

CONTAINERFILE = (DEPLOY / "container/Containerfile").read_text(encoding="utf-8")
PIN = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def test_the_image_is_built_as_it_should_be() -> None:
    assert complaints(CONTAINERFILE) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("FROM python:3.12-slim-bookworm\n", "FROM python:latest\n"),
        ("FROM python:3.12-slim-bookworm\n", "FROM python\n"),
        ("USER 10001:10001", "USER root"),
        ("USER 10001:10001", "USER 0:0"),
        ("USER 10001:10001\n", ""),
        ("COPY src", "ADD src"),
        ('"--require-hashes", ', ""),
        ('ENTRYPOINT ["hgldp"]', "ENTRYPOINT hgldp"),
        ("STOPSIGNAL SIGTERM\n", ""),
    ],
)
def test_a_careless_image_would_be_noticed(before: str, after: str) -> None:
    assert before in CONTAINERFILE
    assert complaints(CONTAINERFILE.replace(before, after))


def test_the_image_copies_only_what_is_there_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = [line[1:] for line in ignored if line.startswith("!")]
    assert "*" in ignored
    for word, rest in instructions(CONTAINERFILE):
        if word == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert any(fnmatch(source, pattern) or source.startswith(f"{pattern}/") for pattern in let_in), source


def test_the_image_starts_what_there_is() -> None:
    words = {word: rest for word, rest in instructions(CONTAINERFILE) if word in ("ENTRYPOINT", "CMD")}
    assert json.loads(words["ENTRYPOINT"]) == ["hgldp"]
    assert make_parser().parse_args(json.loads(words["CMD"])).command == "serve"


@pytest.mark.parametrize("lock", ["collector", "build"])
def test_the_locks_of_the_image_pin_what_was_tested(lock: str) -> None:
    tested = dict(PIN.findall((ROOT / "requirements/dev.lock").read_text(encoding="utf-8")))
    text = (ROOT / f"requirements/{lock}.lock").read_text(encoding="utf-8")
    pinned = dict(PIN.findall(text))
    assert pinned
    assert pinned.items() <= tested.items()
    assert text.count("--hash=sha256:") >= len(pinned)
    assert "://" not in text


def hardened(service: dict[str, Any]) -> bool:
    return (
        service["read_only"] is True
        and service["cap_drop"] == ["ALL"]
        and service["security_opt"] == ["no-new-privileges:true"]
        and {"mem_limit", "cpus", "pids_limit", "restart", "logging"} <= set(service)
        and "privileged" not in service
    )


@pytest.mark.parametrize("name", ["collector", "caddy", "prometheus", "grafana"])
def test_every_service_is_bounded_and_has_no_more_rights_than_it_needs(name: str) -> None:
    service = compose()["services"][name]
    assert hardened(service)
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert re.fullmatch(r"[\w/-]+:(?!latest)[\w.-]+", service["image"])


@pytest.mark.parametrize("lost", ["read_only", "mem_limit"])
def test_a_service_without_a_bound_would_be_noticed(lost: str) -> None:
    service = {**compose()["services"]["collector"], lost: None}
    assert not hardened({key: value for key, value in service.items() if value is not None} | {"read_only": lost})


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    found = compose()
    assert [name for name, service in found["services"].items() if "ports" in service] == ["caddy"]
    inner = {name for name, network in found["networks"].items() if network.get("internal")}
    for name, service in found["services"].items():
        assert set(service["networks"]) <= inner or name == "caddy"


def test_the_collector_believes_the_address_that_the_proxy_has() -> None:
    found = compose()
    (subnet,) = found["networks"]["inside"]["ipam"]["config"]
    address = found["services"]["caddy"]["networks"]["inside"]["ipv4_address"]
    assert ip_address(address) in ip_network(subnet["subnet"])
    assert f'trusted_proxies = ["{address}"]' in configurations()["compose/hgldp.toml"]


def test_whatever_is_mounted_or_named_exists() -> None:
    found = compose()
    for service in found["services"].values():
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            known = (DEPLOY / "compose" / source).exists() if source.startswith(".") else source in found["volumes"]
            assert known, volume
        assert set(service.get("secrets", [])) <= set(found["secrets"])
        assert set(service["networks"]) <= set(found["networks"])
    (boards,) = documents("grafana/dashboards.yml")
    mounts = " ".join(found["services"]["grafana"]["volumes"])
    assert f":{boards['providers'][0]['options']['path']}/collector.json:" in mounts
