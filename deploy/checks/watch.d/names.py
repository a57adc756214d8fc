"""Compares the metrics of a guardd with alerts, dashboard and documents.

Writes for promtool, into FOLDER: the metrics, and the expressions of the dashboard as rules.

Usage: names.py HOST:PORT FOLDER
"""

import json
import pathlib
import re
import sys
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
NAME = re.compile(r"\b(?:shiftguard|process)_[a-z][a-z0-9_]*[a-z0-9]\b")
# Functions of the rules in a browser.
OTHERS = {
    "shiftguard_absence", "shiftguard_compare", "shiftguard_decide", "shiftguard_distance",
    "shiftguard_margin", "shiftguard_nearness", "shiftguard_place", "shiftguard_plan",
    "shiftguard_planned"}


def read(address, path, body=None):
    try:
        with urllib.request.urlopen(f"http://{address}{path}", body, timeout=300) as response:
            return response.read().decode()
    except urllib.error.HTTPError:
        return ""


def rules(dashboard):
    """As a file of rules, which promtool can check; JSON is YAML too."""
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return {"groups": [{"name": "dashboard", "rules": [
        {"record": f"dashboard:{index}", "expr": text.replace("$__rate_interval", "1m")}
        for index, text in enumerate(expressions)]}]}


def main(address, folder):
    # Metrics of requests begin with the first one.
    read(address, "/v1/pings", b"{}")
    read(address, "/nowhere")
    metrics = read(address, "/metrics")
    (folder / "metrics").write_text(metrics)
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", metrics, re.M))
    known = set(kinds) | OTHERS
    for name, kind in kinds.items():
        if kind == "histogram":
            known |= {f"{name}_{suffix}" for suffix in ("bucket", "sum", "count")}
    faults = []
    docs = ROOT / "deploy/docs"
    pages = [page for page in docs.glob("*.md") if page.name != "CHANGELOG.md"]
    watched = [ROOT / "deploy/watch/alerts.yaml", ROOT / "deploy/watch/dashboard.json"]
    for file in watched + pages:
        for name in sorted(set(NAME.findall(file.read_text())) - known):
            faults.append(f"{file.relative_to(ROOT)}: `{name}` is not exported")
    documented = set(NAME.findall((docs / "operation.md").read_text()))
    faults += [f"operation.md does not name `{name}`" for name in sorted(set(kinds) - documented)]
    alerts = watched[0].read_text()
    names = re.findall(r"- alert: (\S+)", alerts)
    sections = re.findall(r"^### (ShiftGuard\S+)$", (docs / "runbook.md").read_text(), re.M)
    if sorted(names) != sorted(sections):
        faults.append(f"alerts without a section in the runbook, or the reverse: "
                      f"{sorted(set(names) ^ set(sections))}")
    grouped = (ROOT / "deploy/watch/alertmanager.yaml").read_text()
    for name in sorted(set(re.findall(r"ShiftGuard[A-Z]\w+", grouped)) - set(names)):
        faults.append(f"alertmanager.yaml: there is no alert {name}")
    links = re.findall(r"runbook: (\S+)", alerts)
    if links != [f"deploy/docs/runbook.md#{name.lower()}" for name in names]:
        faults.append("the links of the alerts to the runbook are not those of its sections")
    tests = re.findall(r"- name: (\S+)", (ROOT / "deploy/watch/alerts-test.yaml").read_text())
    if sorted(tests) != sorted(names):
        faults.append(f"alerts without a test: {sorted(set(names) ^ set(tests))}")
    (folder / "dashboard.yaml").write_text(json.dumps(rules(json.loads(watched[1].read_text()))))
    print(*(f"error: {fault}" for fault in faults), sep="\n", file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
