"""The files of `deploy/` for several servers: Docker Compose and Kubernetes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from dalapapa import __version__, cli
from dalapapa.server.bus.choose import check_bus
from dalapapa.server.monitoring import metrics
from dalapapa.server.runtime.run import add_driver
from dalapapa.server.storage.store import Store
from tests.support.missing import Missing
from tests.support.paths import ROOT

DEPLOY = ROOT / "deploy"
FLEET = yaml.safe_load((DEPLOY / "compose.fleet.yaml").read_text(encoding="utf-8"))
MANIFESTS: list[dict[str, Any]] = list(
    yaml.safe_load_all((DEPLOY / "kubernetes" / "dalapapa.yaml").read_text(encoding="utf-8"))
)


def fill_in(word: str) -> str:
    """A word of a compose file with the defaults of its variables."""
    return re.sub(r"\$\{\w+:-([^}]+)\}", r"\1", word)


def parse_options(words: list[str]) -> dict[str, Any]:
    """The options of `dalapapa play`, as the command line reads them."""
    command, *rest = map(fill_in, words)
    assert command == "play"
    return cli.commands.commands["play"].make_context("play", rest).params


def find_manifest(kind: str) -> dict[str, Any]:
    (found,) = [one for one in MANIFESTS if one["kind"] == kind]
    return found


def find_container() -> dict[str, Any]:
    container: dict[str, Any] = find_manifest("Deployment")["spec"]["template"]["spec"][
        "containers"
    ][0]
    return container


# -- Docker Compose --------------------------------------------------------------------------------


def test_all_containers_are_closed() -> None:
    for name, service in FLEET["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "build" in service or not service["image"].endswith(":latest"), name
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:"), f"{name} is open to other machines"


def test_mounted_files_exist() -> None:
    for service in FLEET["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in FLEET["volumes"] or (DEPLOY / source).is_file(), source


def test_servers_of_compose_have_options_that_exist() -> None:
    services = FLEET["services"]
    options = parse_options(services["server"]["command"])
    assert check_bus(options["broker"]) == "nats://broker:4222"
    assert {"broker", "primary", "standby"} <= services.keys()
    (pool,) = FLEET["networks"]["default"]["ipam"]["config"]
    assert options["proxies"] == (fill_in(pool["subnet"]),)
    store = Store(add_driver(options["database"]))
    hosts = store.engine.url.query["host"]
    assert hosts == ("primary:5432", "standby:5432")
    assert store.engine.url.query["target_session_attrs"] == "primary"


def test_prometheus_and_grafana_find_what_they_need() -> None:
    config = yaml.safe_load((DEPLOY / "fleet/prometheus.yml").read_text(encoding="utf-8"))
    (job,) = config["scrape_configs"]
    (lookup,) = job["dns_sd_configs"]
    assert set(lookup["names"]) <= FLEET["services"].keys()
    assert re.fullmatch("dalapapa.*", job["job_name"]), "as in the alerts and on the dashboard"
    mounted = [volume.split(":")[1] for volume in FLEET["services"]["prometheus"]["volumes"]]
    assert f"/etc/prometheus/{config['rule_files'][0]}" in mounted
    (source,) = yaml.safe_load((DEPLOY / "fleet/grafana-sources.yml").read_text())["datasources"]
    assert source["url"] == "http://prometheus:9090"


@pytest.mark.parametrize("name", ["allow-replication.sh", "start-standby.sh"])
def test_scripts_can_be_read(name: str) -> None:
    subprocess.run(["sh", "-n", str(DEPLOY / "fleet" / name)], check=True)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["haproxy.cfg", "compose-haproxy.cfg"])
def test_haproxy_accepts_its_configurations(name: str, tmp_path: Path) -> None:
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
    if program is None:
        raise Missing("haproxy", "Get it with `apt-get install haproxy`.")
    text = (DEPLOY / "fleet" / name).read_text(encoding="utf-8")
    text = text.replace(" ssl crt /etc/ssl/dalapapa.pem", "")
    (tmp_path / "haproxy.cfg").write_text(text)
    words = [program, "-c", "-f", str(tmp_path / "haproxy.cfg")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# -- Kubernetes ------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda one: one["kind"])
def test_manifests_fit_the_schemas_of_kubernetes(manifest: dict[str, Any]) -> None:
    try:
        import kubernetes_validate
    except ImportError:
        remedy = "Get it with `.venv/bin/pip install kubernetes-validate`."
        raise Missing("the schemas of Kubernetes", remedy) from None
    kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def test_pods_have_options_that_exist() -> None:
    container = find_container()
    options = parse_options(container["args"])
    settings = find_manifest("ConfigMap")["data"]
    assert check_bus(settings["DALAPAPA_BUS"])
    names = {
        name
        for option in cli.commands.commands["play"].params
        for name in ([option.envvar] if isinstance(option.envvar, str) else option.envvar or ())
    }
    assert settings.keys() <= names
    spec = find_manifest("Deployment")["spec"]["template"]["spec"]
    assert spec["terminationGracePeriodSeconds"] > options["drain"]
    assert container["image"] == f"dalapapa:{__version__}"


def test_a_pod_that_drains_gets_no_new_players_and_is_not_killed() -> None:
    container = find_container()
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert container["livenessProbe"]["httpGet"]["path"] != "/ready"
    options = parse_options(container["args"])
    probe = container["readinessProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] < options["drain"] / 2


def test_kubernetes_scales_by_a_figure_that_exists() -> None:
    figures = {reading.name for reading in metrics.READINGS}
    metric = find_manifest("HorizontalPodAutoscaler")["spec"]["metrics"][1]
    assert metric["pods"]["metric"]["name"] in figures


def test_selectors_select_the_pods() -> None:
    labels = find_manifest("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert find_manifest("Service")["spec"]["selector"] == labels
    for kind, field in (
        ("Deployment", "selector"),
        ("PodDisruptionBudget", "selector"),
        ("NetworkPolicy", "podSelector"),
    ):
        assert find_manifest(kind)["spec"][field] == {"matchLabels": labels}, kind
