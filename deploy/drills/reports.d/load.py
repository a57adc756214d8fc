"""Reports of phones, while managers ask for time sheets.

load.py SOCKET PROCESS DAYS ANSWERS TOKEN...
"""

import base64
import datetime
import hashlib
import http.client
import json
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import threading
import time

path, process, days, answers, tokens = (
    sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:])
SHEETS = 20
PHONES_PER_SECOND = 50
today = datetime.datetime.now(datetime.timezone.utc).date()
year = f"from={today - datetime.timedelta(days)}&to={today}"


class Connection(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("localhost", timeout=120)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(path)


def phones(spans, is_over):
    """One report after the other, each of the next phone: how long each took, and its status."""
    connection, turn, due = Connection(), 0, time.monotonic()
    while not is_over.is_set():
        due += 1 / PHONES_PER_SECOND
        time.sleep(max(0, due - time.monotonic()))
        turn += 1
        phone = turn % 500 + 1
        secret = hashlib.sha256(str(phone).encode()).digest()
        token = base64.urlsafe_b64encode(secret).decode().rstrip("=")
        body = json.dumps({
            "authorization": "always", "accuracy": "full", "services": "on",
            "sequence": int(1000 * time.time())})
        start, status = time.monotonic(), 0
        try:
            connection.request("POST", "/v1/permission-reports", body, {
                "Authorization": f"Bearer sg_{phone}_1_{token}",
                "Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            connection = Connection()
        spans.put((time.monotonic() - start, status))
    spans.put(None)


def with_phones(work):
    """Runs `work` while phones report; returns the sorted spans in ms and the failures."""
    spans, is_over = multiprocessing.Queue(), multiprocessing.Event()
    reporter = multiprocessing.Process(target=phones, args=(spans, is_over))
    reporter.start()
    work()
    is_over.set()
    found = list(iter(spans.get, None))
    reporter.join()
    return sorted(1000 * span for span, _ in found), sum(status not in (200, 201) for _, status in found)


def ask_for_sheet(number, results):
    try:
        results.append(sheet(number))
    except (OSError, http.client.HTTPException):
        results.append((0, 0, 0, 0))


def sheet(number):
    """Asks for one year sheet as often as the service wants, and reads it as it comes."""
    form, token = ("csv", "json")[number % 2], tokens[number % len(tokens)]
    start, refusals = time.monotonic(), 0
    while True:
        connection = Connection()
        connection.request("GET", f"/v1/time-sheets?{year}&format={form}", headers={
            "Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        if answer.status != 503:
            break
        refusals += 1
        answer.read()
        connection.close()
        time.sleep(int(answer.headers["Retry-After"]))
    size = 0
    while piece := answer.read(1 << 16):
        size += len(piece)
    return answer.status, time.monotonic() - start, refusals, size


def sheets(results):
    threads = [threading.Thread(target=ask_for_sheet, args=(n, results)) for n in range(SHEETS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def memory(field):
    """In MB."""
    with open(f"/proc/{process}/status") as status:
        return int(re.search(field + r":\s+(\d+)", status.read())[1]) / 1024


def beats(latest, is_over):
    """Keeps the latest that the heartbeat ever was, in seconds."""
    name = b'shiftguard_worker_last_success_timestamp_seconds{worker="heartbeat"} '
    while not is_over.wait(0.25):
        connection = Connection()
        try:
            connection.request("GET", "/metrics")
            text = connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            latest[0] = float("inf")
            return
        latest[0] = max(latest[0], time.time() - float(text.split(name)[1].split(b"\n")[0]))
        connection.close()


def ask(sql):
    command = ["psql", "-qXAt", "-d", os.environ["SHIFTGUARD_DATABASE"], "-c", sql]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def keep(name, target):
    connection = Connection()
    connection.request("GET", target, headers={"Authorization": f"Bearer {tokens[0]}"})
    with open(os.path.join(answers, name), "wb") as file:
        file.write(connection.getresponse().read())


def main():
    time.sleep(3)
    idle, _ = with_phones(lambda: time.sleep(10))
    fresh, latest, is_over, results = memory("VmRSS"), [0.0], threading.Event(), []
    watch = threading.Thread(target=beats, args=(latest, is_over))
    watch.start()
    spans, failed = with_phones(lambda: sheets(results))
    is_over.set()
    watch.join()
    if latest[0] == float("inf"):
        sys.exit("BROKEN  guardd stopped answering: see its memory limit")
    end = time.monotonic()
    while memory("VmRSS") >= 150 and time.monotonic() - end < 30:
        time.sleep(0.5)
    after, rest = time.monotonic() - end, memory("VmRSS")
    if answers:
        for form in ("json", "csv"):
            keep(f"sheet.{form}", f"/v1/time-sheets?{year}&format={form}")
            keep(f"coverage.{form}", f"/v1/coverage?{year}&by=employee&format={form}")

    def quantile(values, share):
        return values[min(len(values) - 1, int(share * len(values)))]

    answered = [result for result in results if result[0] == 200]
    outages = int(ask("SELECT count(*) FROM outage"))
    promises = [
        ("every sheet is answered", f"{len(answered)} of {SHEETS}, the last after "
         f"{max(r[1] for r in results):.1f} s, {sum(r[2] for r in results)} times asked to wait, "
         f"{sum(r[3] for r in results) / 1e6:.0f} MB", len(answered) == SHEETS),
        ("phones' p99 is at most 50 ms", f"{quantile(spans, .5):.1f} ms p50, "
         f"{quantile(spans, .99):.1f} ms p99, {spans[-1]:.1f} ms at most of {len(spans)}; idle "
         f"{quantile(idle, .5):.1f}, {quantile(idle, .99):.1f} and {idle[-1]:.1f} ms",
         quantile(spans, .99) <= 50),
        ("every phone is answered", f"{failed} failed", failed == 0),
        ("the heartbeat is never late", f"{latest[0]:.1f} s old at most", latest[0] <= 2.5),
        ("no outage is recorded", str(outages), outages == 0),
        ("memory is at most 400 MB", f"{memory('VmHWM'):.0f} MB, fresh {fresh:.0f} MB",
         memory("VmHWM") <= 400),
        ("and under 150 MB within 30 s", f"{rest:.0f} MB after {after:.1f} s", rest < 150),
    ]
    for promise, found, is_kept in promises:
        print(f"{'kept  ' if is_kept else 'BROKEN'}  {promise}: {found}")
    sys.exit(0 if all(is_kept for _, _, is_kept in promises) else 1)


if __name__ == "__main__":
    main()
