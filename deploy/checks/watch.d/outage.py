"""Runs Alertmanager with the example of a configuration, lets alerts of an outage fire, and prints
what else than one page with the cause arrives at the pager, a line each.

Usage: outage.py PROGRAMS FOLDER
PROGRAMS is the folder `usr` of the unpacked package.
"""

import http.server
import json
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time
import urllib.request

WATCH = pathlib.Path(__file__).resolve().parents[2] / "watch"
WORKERS = [f"worker {number}" for number in range(12)]
# A second instead of half a minute belongs together.
GROUP_WAIT = ("group_wait: 30s", "group_wait: 1s")


class Pager(http.server.BaseHTTPRequestHandler):
    pages = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.pages.put([alert["labels"] for alert in json.loads(body)["alerts"]])
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def severities():
    """Of every alert, by its name."""
    text = (WATCH / "alerts.yaml").read_text()
    parts = re.split(r"^ +- alert: (\S+)$", text, flags=re.M)[1:]
    return {
        name: re.search(r"severity: (\w+)", rule)[1]
        for name, rule in zip(parts[::2], parts[1::2], strict=True)}


def pages(programs, folder, pager, alerts):
    """The first page after these alerts began to fire together, and all within 3 s after it: a list
    of labels each."""
    text = (WATCH / "alertmanager.yaml").read_text()
    for old, new in [GROUP_WAIT, ("https://pager.example.org/shiftguard", pager)]:
        assert text.count(old) == 1, f"alertmanager.yaml has no single `{old}`"
        text = text.replace(old, new)
    (folder / "alertmanager.yaml").write_text(text)
    with open(folder / "alertmanager.log", "w") as log:
        alertmanager = subprocess.Popen(
            [programs / "bin/prometheus-alertmanager", f"--config.file={folder}/alertmanager.yaml",
             f"--storage.path={folder}/alertmanager", "--data.retention=1h",
             "--cluster.listen-address=", "--web.listen-address=127.0.0.1:0"],
            cwd=programs / "share/prometheus/alertmanager", stderr=log)
    try:
        address = listening(folder / "alertmanager.log")
        body = json.dumps([{"labels": labels} for labels in alerts]).encode()
        request = urllib.request.Request(
            f"http://{address}/api/v2/alerts", body, {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=300).close()
        heard = [Pager.pages.get(timeout=300)]
        end = time.monotonic() + 3
        while (left := end - time.monotonic()) > 0:
            try:
                heard.append(Pager.pages.get(timeout=left))
            except queue.Empty:
                break
        return heard
    finally:
        alertmanager.terminate()
        alertmanager.wait()


def listening(log):
    for _ in range(3_000):
        found = re.search(r'msg="?Listening on"? address=(\S+)', log.read_text())
        if found:
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"Alertmanager does not listen: {log.read_text()[-500:]}")


def main(programs, folder):
    known = severities()
    named = set(re.findall(r"ShiftGuard[A-Z]\w+", (WATCH / "alertmanager.yaml").read_text()))
    faults = [f"alertmanager.yaml names `{name}`, which is no alert" for name in named - set(known)]

    def firing(name, **labels):
        return {"alertname": name, "severity": known[name], **labels}

    stalled = [
        firing("ShiftGuardWorkerStalled", worker=worker, instance=instance)
        for worker in WORKERS for instance in ("one:9080", "two:9080")]
    everything = [firing(name, instance="one:9080") for name in known]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pager)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pager = f"http://127.0.0.1:{server.server_port}/"
    for story, alerts, expected in [
        ("every worker stalls", stalled, ["ShiftGuardWorkerStalled"] * len(stalled)),
        ("the database is away", stalled + [firing("ShiftGuardDatabaseAway")],
         ["ShiftGuardDatabaseAway"]),
        ("nothing runs", stalled + everything, ["ShiftGuardAllDown"]),
    ]:
        heard = pages(programs, folder, pager, alerts)
        names = [[labels["alertname"] for labels in page] for page in heard]
        if names != [expected]:
            faults.append(f"when {story}, the pager hears {names}, not [{expected}]")
    server.shutdown()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*(pathlib.Path(folder).resolve() for folder in sys.argv[1:])))
