"""The manifest: every field that keeps the collector single, small and locked in."""

from copy import deepcopy
from typing import Any

import pytest

from hgldp.cli.parser import make_parser
from hgldp.wire import api
from tests.slow.deploy.files import documents, manifests

VERSIONS = {
    "ConfigMap": "v1", "ServiceAccount": "v1", "Service": "v1", "StatefulSet": "apps/v1",
    "NetworkPolicy": "networking.k8s.io/v1",
}  # fmt: skip


def weaknesses(stateful: dict[str, Any]) -> list[str]:
    """What Kubernetes' own standard called restricted forbids, and what this service must not lack."""
    pod = stateful["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    own, whole = container["securityContext"], pod["securityContext"]
    rules = {
        "one replica": stateful["spec"]["replicas"] == 1,
        "not root": whole["runAsNonRoot"] is True and whole["runAsUser"] > 0,
        "seccomp": whole["seccompProfile"] == {"type": "RuntimeDefault"},
        "no escalation": own["allowPrivilegeEscalation"] is False,
        "read-only": own["readOnlyRootFilesystem"] is True,
        "no capabilities": own["capabilities"] == {"drop": ["ALL"]},
        "no token of the cluster": pod["automountServiceAccountToken"] is False,
        "bounded": {"cpu", "memory"} <= set(container["resources"].get("limits", {})),
        "requests": {"cpu", "memory"} <= set(container["resources"].get("requests", {})),
        "a fixed tag": ":" in container["image"] and not container["image"].endswith(":latest"),
        "nothing of the host": not any(key.startswith("host") for key in pod),
    }
    return [name for name, holds in rules.items() if not holds]


def test_every_object_has_the_version_of_its_kind() -> None:
    assert {kind: each["apiVersion"] for kind, each in manifests().items()} == VERSIONS


def test_the_pod_is_locked_in() -> None:
    assert weaknesses(manifests()["StatefulSet"]) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("spec", "replicas"), 2),
        (("spec", "template", "spec", "securityContext", "runAsUser"), 0),
        (("spec", "template", "spec", "containers", 0, "securityContext", "readOnlyRootFilesystem"), False),
        (("spec", "template", "spec", "containers", 0, "resources", "limits"), {}),
        (("spec", "template", "spec", "containers", 0, "image"), "hgldp-collector:latest"),
        (("spec", "template", "spec", "hostNetwork"), True),
    ],
)
def test_an_open_door_would_be_noticed(path: tuple[Any, ...], value: object) -> None:
    stateful = deepcopy(manifests()["StatefulSet"])
    place: Any = stateful
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert len(weaknesses(stateful)) == 1


def test_names_that_refer_to_each_other_agree() -> None:
    found = manifests()
    stateful, labels = found["StatefulSet"]["spec"], {"app.kubernetes.io/name": "hgldp"}
    pod = stateful["template"]["spec"]
    (container,) = pod["containers"]
    assert stateful["serviceName"] == found["Service"]["metadata"]["name"]
    assert stateful["selector"]["matchLabels"] == stateful["template"]["metadata"]["labels"] == labels
    assert (
        found["Service"]["spec"]["selector"] == found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels
    )
    assert pod["serviceAccountName"] == found["ServiceAccount"]["metadata"]["name"]
    volumes = {each["name"] for each in [*pod["volumes"], *(c["metadata"] for c in stateful["volumeClaimTemplates"])]}
    assert {each["name"] for each in container["volumeMounts"]} == volumes
    (port,) = container["ports"]
    assert f"port = {port['containerPort']}\n" in found["ConfigMap"]["data"]["hgldp.toml"]


def test_probes_ask_paths_that_there_are_and_the_command_is_one() -> None:
    (container,) = manifests()["StatefulSet"]["spec"]["template"]["spec"]["containers"]
    paths = {name: container[name]["httpGet"]["path"] for name in container if name.endswith("Probe")}
    assert paths == {"startupProbe": api.HEALTH, "livenessProbe": api.HEALTH, "readinessProbe": api.READY}
    assert make_parser().parse_args(container["args"]).command == "serve"


def test_the_collector_calls_nobody() -> None:
    policy = manifests()["NetworkPolicy"]["spec"]
    assert policy["egress"] == []
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert all("from" in rule and "ports" in rule for rule in policy["ingress"])


def test_the_pod_for_maintenance_has_the_volume_of_the_collector_and_is_locked_in_as_well() -> None:
    (pod,) = documents("kubernetes/maintenance.yaml")
    stateful = deepcopy(manifests()["StatefulSet"])
    whole = stateful["spec"]["template"]["spec"]
    assert pod["spec"]["securityContext"] == whole["securityContext"]
    assert pod["spec"]["containers"][0]["image"] == whole["containers"][0]["image"]
    stateful["spec"]["template"]["spec"] = pod["spec"]
    assert weaknesses(stateful) == []
    (claim,) = stateful["spec"]["volumeClaimTemplates"]
    (name,) = (
        each["persistentVolumeClaim"]["claimName"] for each in pod["spec"]["volumes"] if "persistentVolumeClaim" in each
    )
    assert name == f"{claim['metadata']['name']}-{stateful['metadata']['name']}-0"
    assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"], "the two never run at the same time"
