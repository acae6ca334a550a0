"""What lies in deploy/, as data."""

import json
import re
from typing import Any

import yaml

from tests.documents import ROOT

DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\b(?:hgldp|process)_[a-z_]+\b")


def documents(path: str) -> list[dict[str, Any]]:
    """The documents of a YAML file."""
    return [each for each in yaml.safe_load_all((DEPLOY / path).read_text(encoding="utf-8")) if each]


def compose() -> dict[str, Any]:
    (found,) = documents("compose/compose.yaml")
    return found


def manifests() -> dict[str, dict[str, Any]]:
    """By kind; there is one of each."""
    found = documents("kubernetes/collector.yaml")
    by_kind = {each["kind"]: each for each in found}
    assert len(by_kind) == len(found)
    return by_kind


def configurations() -> dict[str, str]:
    """Every configuration file of a collector."""
    found = {str(path.relative_to(DEPLOY)): path.read_text(encoding="utf-8") for path in DEPLOY.rglob("*.toml")}
    several = documents("several/kubernetes/collectors.yaml")[0]["data"]["hgldp.toml"]
    single = manifests()["ConfigMap"]["data"]["hgldp.toml"]
    return found | {"kubernetes/collector.yaml": single, "several/kubernetes/collectors.yaml": several}


def expressions() -> dict[str, str]:
    """Every question that the dashboard and the alerts ask Prometheus, by its title."""
    board = json.loads((DEPLOY / "grafana/collector.json").read_text(encoding="utf-8"))
    asked = {
        f"{panel['title']} {each['refId']}": each["expr"] for panel in board["panels"] for each in panel["targets"]
    }
    (alerts,) = documents("prometheus/alerts.yml")
    return asked | {rule["alert"]: rule["expr"] for group in alerts["groups"] for rule in group["rules"]}


def metrics_of(expression: str) -> set[str]:
    """The names of our metrics in a question, without what a histogram adds to its name."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in METRIC.findall(expression)}


def unit(name: str) -> list[tuple[str, str]]:
    """The lines of a systemd unit, as pairs."""
    lines = (DEPLOY / "systemd" / name).read_text(encoding="utf-8").splitlines()
    return [(key, value) for key, mark, value in (line.partition("=") for line in lines) if mark and key[0] != "#"]
