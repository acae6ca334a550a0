"""The files of deploy/several: nobody has more rights than needed, everything is bounded, and all names agree."""

import re
from copy import deepcopy
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from hgldp.cli.parser import make_parser
from hgldp.wire import api
from tests.slow.deploy.files import DEPLOY, compose, documents
from tests.slow.deploy.test_containers import hardened

SEVERAL = DEPLOY / "several"
COLLECTORS = ("collector-1", "collector-2", "collector-3")
USERS = dict.fromkeys([*COLLECTORS, "migrate"], "10001:10001") | {"pgbouncer": "70:70", "postgres": "999:999"}
WORKLOADS = ("Deployment", "StatefulSet", "Job")
FILES = ("collectors", "pgbouncer", "postgres", "migrate")
VERSIONS = {
    "ConfigMap": "v1", "ServiceAccount": "v1", "Service": "v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1",
    "Job": "batch/v1", "PodDisruptionBudget": "policy/v1", "NetworkPolicy": "networking.k8s.io/v1",
}  # fmt: skip


def services() -> dict[str, dict[str, Any]]:
    (found,) = documents("several/compose/compose.yaml")
    return dict(found["services"])


def manifests(file: str) -> dict[str, dict[str, Any]]:
    """By kind; a file has one of each."""
    found = documents(f"several/kubernetes/{file}.yaml")
    assert len({each["kind"] for each in found}) == len(found)
    return {each["kind"]: each for each in found}


def workload(file: str) -> dict[str, Any]:
    (found,) = (each for kind, each in manifests(file).items() if kind in WORKLOADS)
    return found


def weaknesses(pod: dict[str, Any]) -> list[str]:
    """What Kubernetes' own standard called restricted forbids, and what a service must not lack."""
    (container,) = pod["containers"]
    own, whole = container["securityContext"], pod["securityContext"]
    rules = {
        "not root": whole["runAsNonRoot"] is True and whole["runAsUser"] > 0,
        "seccomp": whole["seccompProfile"] == {"type": "RuntimeDefault"},
        "no escalation": own["allowPrivilegeEscalation"] is False,
        "read-only": own["readOnlyRootFilesystem"] is True,
        "no capabilities": own["capabilities"] == {"drop": ["ALL"]},
        "no token of the cluster": pod["automountServiceAccountToken"] is False,
        "bounded": {"cpu", "memory", "ephemeral-storage"} <= set(container["resources"].get("limits", {})),
        "requests": {"cpu", "memory"} <= set(container["resources"].get("requests", {})),
        "a fixed tag": re.fullmatch(r"[\w/-]+:(?!latest)[\w.-]+", container["image"]) is not None,
        "nothing of the host": not any(key.startswith("host") for key in pod),
        "bounded scratch": all("sizeLimit" in each["emptyDir"] for each in pod["volumes"] if "emptyDir" in each),
        "no secret in the environment": all(
            "value" in each and (not re.search("PASSWORD|TOKEN|STORE", each["name"]) or each["name"].endswith("_FILE"))
            for each in container.get("env", [])
        ),
        "all mounts": {each["name"] for each in container["volumeMounts"]}
        == {each["name"] for each in pod["volumes"]} | ({"data"} if container["name"] == "postgres" else set()),
    }
    return [name for name, holds in rules.items() if not holds]


@pytest.mark.parametrize("name", [*USERS, "caddy"])
def test_every_service_is_bounded_and_has_no_more_rights_than_it_needs(name: str) -> None:
    service = services()[name]
    assert hardened(service)
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert service.get("user") == USERS.get(name)
    assert re.fullmatch(r"[\w/-]+:(?!latest)[\w.-]+", service["image"])
    assert not [key for key in service.get("environment", {}) if re.search("(PASSWORD|TOKEN|STORE)$", key)]


def test_only_the_balancer_can_be_reached_and_only_collectors_reach_the_database() -> None:
    (found,) = documents("several/compose/compose.yaml")
    assert [name for name, service in found["services"].items() if "ports" in service] == ["caddy"]
    assert {name for name, network in found["networks"].items() if not network.get("internal")} == {"outside"}
    joined = {name: set(service["networks"]) for name, service in found["services"].items()}
    assert joined == {name: {"front", "database"} for name in COLLECTORS} | {
        "caddy": {"outside", "front"}, "migrate": {"database"}, "pgbouncer": {"database"}, "postgres": {"database"},
    }  # fmt: skip


@pytest.mark.parametrize("folder", ["compose", "several/compose"])
def test_the_proxy_has_the_address_that_is_believed_and_nobody_else_can_get_it(folder: str) -> None:
    (found,) = documents(f"{folder}/compose.yaml")
    ((network, place),) = (
        (name, each["ipv4_address"]) for name, each in found["services"]["caddy"]["networks"].items() if each
    )
    (pool,) = found["networks"][network]["ipam"]["config"]
    assert ip_address(place) in ip_network(pool["subnet"])
    assert ip_address(place) not in ip_network(pool["ip_range"]), "others get theirs from the range"
    assert ip_network(pool["ip_range"]).subnet_of(ip_network(pool["subnet"]))  # type: ignore[arg-type]
    assert f'trusted_proxies = ["{place}"]' in (DEPLOY / folder / "hgldp.toml").read_text(encoding="utf-8")


def test_whatever_is_mounted_or_named_exists_and_each_sees_only_its_own_secrets() -> None:
    (found,) = documents("several/compose/compose.yaml")
    for name, service in found["services"].items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            known = (SEVERAL / "compose" / source).exists() if source.startswith(".") else source in found["volumes"]
            assert known, volume
        files = {value for key, value in service.get("environment", {}).items() if key.endswith("_FILE")}
        seen = {f"/run/secrets/{each}" for each in service.get("secrets", [])}
        assert files == (set() if name == "pgbouncer" else seen), name
    assert f"auth_file = /run/secrets/{found['services']['pgbouncer']['secrets'][0]}\n" in ini()
    owner = [name for name, service in found["services"].items() if "owner_store" in service.get("secrets", [])]
    assert owner == ["migrate"], "the collectors never see the owner's password"
    assert set(found["secrets"]) == {each for one in found["services"].values() for each in one.get("secrets", [])}


def ini() -> str:
    return (SEVERAL / "pgbouncer/pgbouncer.ini").read_text(encoding="utf-8")


def test_the_pools_fit_into_the_database() -> None:
    most = int(re.findall(r"^max_db_connections = (\d+)$", ini(), re.MULTILINE)[0])
    spare = 3 + 10  # for the superuser, and for the owner as roles.sql says
    (allowed,) = (each for each in services()["postgres"]["command"] if "max_connections" in each)
    assert int(allowed.partition("=")[2]) >= most + spare
    (container,) = workload("postgres")["spec"]["template"]["spec"]["containers"]
    (allowed,) = (each for each in container["args"] if "max_connections" in each)
    assert int(allowed.partition("=")[2]) >= workload("pgbouncer")["spec"]["replicas"] * most + spare
    limits = re.findall(r"CONNECTION LIMIT (\d+)", (SEVERAL / "postgres/roles.sql").read_text(encoding="utf-8"))
    assert limits == ["10", str(workload("pgbouncer")["spec"]["replicas"] * most)], "the owner's and the collectors'"


def test_the_proxy_of_several_is_that_of_one_but_for_whom_it_asks() -> None:
    one = (DEPLOY / "compose/Caddyfile").read_text(encoding="utf-8").partition("{$WATCH_HOST")[0].rstrip()
    several = (SEVERAL / "compose/Caddyfile").read_text(encoding="utf-8").rstrip()
    asked = re.sub(r"(reverse_proxy) collector-1:8080.*?fail_duration 5s", r"\1 collector:8080 {", several, flags=re.S)
    assert asked.replace("front of three collectors", "front of the collector") == one
    assert f"reverse_proxy {' '.join(f'{name}:8080' for name in COLLECTORS)} {{" in several
    assert f"health_uri {api.READY}\n" in several
    assert set(COLLECTORS) <= set(services())


@pytest.mark.parametrize("file", FILES)
def test_every_pod_is_locked_in(file: str) -> None:
    assert weaknesses(workload(file)["spec"]["template"]["spec"]) == []
    assert {kind: each["apiVersion"] for kind, each in manifests(file).items()}.items() <= VERSIONS.items()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("securityContext", "runAsUser"), 0),
        (("containers", 0, "securityContext", "readOnlyRootFilesystem"), False),
        (("containers", 0, "resources", "limits"), {}),
        (("containers", 0, "image"), "hgldp-collector:latest"),
        (("containers", 0, "env"), [{"name": "HGLDP_STORE", "value": "postgresql://a:b@c/d"}]),
        (("hostNetwork",), True),
    ],
)
def test_an_open_door_would_be_noticed(path: tuple[Any, ...], value: object) -> None:
    pod = deepcopy(workload("collectors")["spec"]["template"]["spec"])
    place: Any = pod
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert len(weaknesses(pod)) == 1


def test_collectors_need_no_volume_and_are_replaced_one_after_the_other() -> None:
    spec = workload("collectors")["spec"]
    assert spec["replicas"] == 3
    assert spec["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert {key for each in spec["template"]["spec"]["volumes"] for key in each} == {
        "name", "configMap", "secret", "emptyDir",
    }  # fmt: skip
    (container,) = spec["template"]["spec"]["containers"]
    paths = {name: container[name]["httpGet"]["path"] for name in container if name.endswith("Probe")}
    assert paths == {"startupProbe": api.HEALTH, "livenessProbe": api.HEALTH, "readinessProbe": api.READY}
    assert make_parser().parse_args(container["args"]).command == "serve"
    for each in (services()[name]["tmpfs"] for name in COLLECTORS):
        assert each[0].startswith("/data:"), "or Docker makes a volume for what the image declares"


def test_names_that_refer_to_each_other_agree() -> None:
    for file in FILES:
        found, labels = manifests(file), workload(file)["spec"]["template"]["metadata"]["labels"]
        assert all(each["metadata"]["labels"] == labels for each in found.values())
        if "Service" in found:
            assert found["Service"]["spec"]["selector"] == workload(file)["spec"]["selector"]["matchLabels"] == labels
            assert found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels
        if "PodDisruptionBudget" in found:
            assert found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
        (container,) = workload(file)["spec"]["template"]["spec"]["containers"]
        for each in container.get("env", []):
            if each["name"].endswith("_FILE"):
                assert [mount for mount in container["volumeMounts"] if each["value"].startswith(mount["mountPath"])]
    image = {workload(file)["spec"]["template"]["spec"]["containers"][0]["image"] for file in ("collectors", "migrate")}
    (other,) = documents("kubernetes/maintenance.yaml")
    assert image == {other["spec"]["containers"][0]["image"]}
    assert (
        services()["pgbouncer"]["image"] == workload("pgbouncer")["spec"]["template"]["spec"]["containers"][0]["image"]
    )
    assert services()["caddy"]["image"] == compose()["services"]["caddy"]["image"]


def test_the_pooler_of_kubernetes_is_the_same_with_other_names() -> None:
    renamed = ini().replace("host=postgres", "host=hgldp-postgres")
    renamed = renamed.replace("/run/secrets/pgbouncer_users", "/run/pgbouncer/users")
    assert manifests("pgbouncer")["ConfigMap"]["data"]["pgbouncer.ini"] == renamed
    assert "pool_mode = transaction\n" in renamed
    assert manifests("postgres")["Service"]["metadata"]["name"] == "hgldp-postgres"


def test_who_may_call_whom() -> None:
    def callers(file: str) -> set[str]:
        (rule,) = manifests(file)["NetworkPolicy"]["spec"]["ingress"]
        return {name for each in rule["from"] for one in each.values() for name in one["matchLabels"].values()}

    assert callers("postgres") == {"hgldp-pgbouncer", "hgldp-migrate"}
    assert callers("pgbouncer") == {"hgldp"}
    assert callers("collectors") == {"ingress-nginx", "monitoring"}
    for file in ("collectors", "pgbouncer", "postgres"):
        policy = manifests(file)["NetworkPolicy"]["spec"]
        assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
        assert all("to" in rule and "ports" in rule for rule in policy["egress"])
    assert manifests("postgres")["NetworkPolicy"]["spec"]["egress"] == []
