"""Phones that send pings, reports and clock actions, and record what the service acknowledged.

Each phone sends one request after another: it clocks in, reports, sends pings, takes a break, clocks
out, and begins again. Every item answered with 2xx becomes a line of the journal: kind, employee,
key, and the times of the first attempt, of the answered attempt and of the answer. present.py looks
for all of them in the database. Streams are open apps, which open their stream again when it ends.

Ends on SIGTERM with a summary. Exit status 1 after an answer that is neither 2xx nor 503, or with
--strict after any request that failed. Needs only Python's library.
"""

import argparse
import base64
import collections
import datetime
import hashlib
import http.client
import json
import signal
import sys
import threading
import time
import urllib.parse

# Between two attempts, and for one: longer than the deadline of any route.
PAUSE, PATIENCE = 0.25, 20

SEED = """
INSERT INTO team (team_id, name, time_zone) VALUES (1, 'Drill', 'UTC');
INSERT INTO policy_version (
  team_id, version, preset, blocking, warning, fresh_for_ms, debounce_ms, ping_interval_ms,
  break_max_ms, shift_max_ms)
VALUES (1, 1, 0, 0, 0, 300000, 0, 60000, 7200000, 57600000);
INSERT INTO employee (employee_id, team_id, name)
SELECT n, 1, 'Phone ' || n FROM generate_series(1, {count}) AS n;
INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
SELECT n, 1, 1, true, sha256(sha256(n::text::bytea)) FROM generate_series(1, {count}) AS n;
INSERT INTO guard_state (employee_id, last_device) SELECT n, 1 FROM generate_series(1, {count}) AS n;
"""


def token(number):
    secret = base64.urlsafe_b64encode(hashlib.sha256(str(number).encode()).digest())
    return f"sg_{number}_1_{secret.decode().rstrip('=')}"


def instant(milliseconds):
    moment = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def code(text):
    """The code of a refusal; a proxy's own has none."""
    try:
        return json.loads(text)["code"]
    except (ValueError, KeyError):
        return "of a proxy"


class Load:
    """What all phones share."""

    def __init__(self, options):
        self.options, self.stopping = options, threading.Event()
        self.lock, self.journal = threading.Lock(), open(options.journal, "a", encoding="ascii")
        self.counts, self.failures = collections.Counter(), collections.Counter()
        self.unexpected, self.first_failure = [], None

    def record(self, lines):
        with self.lock:
            for line in lines:
                self.counts[line[0]] += 1
                self.journal.write(json.dumps(line) + "\n")
            self.journal.flush()

    def fail(self, reason):
        with self.lock:
            self.failures[reason] += 1
            self.first_failure = self.first_failure or f"{instant(time.time() * 1000)} {reason}"


class Client(threading.Thread):
    """A connection to one of the addresses: the next one after each failure."""

    def __init__(self, number, load):
        super().__init__(daemon=True)
        self.number, self.load, self.address, self.connection = number, load, number, None

    def connect(self):
        if not self.connection:
            url = self.load.options.url[self.address % len(self.load.options.url)]
            self.connection = http.client.HTTPConnection(
                urllib.parse.urlsplit(url).netloc, timeout=PATIENCE)
        return self.connection

    def give_up(self, reason):
        self.load.fail(reason)
        if self.connection:
            self.connection.close()
        self.connection = None
        self.address += 1

    def headers(self):
        return {"Authorization": f"Bearer {token(self.number)}"}


class Phone(Client):
    """Sends what a phone sends during shifts, each item until it is acknowledged."""

    def __init__(self, number, load):
        super().__init__(number, load)
        self.sequence = self.actions = 0
        self.last_ping = 0

    def run(self):
        while not self.load.stopping.is_set():
            self.action("clock-in", report=self.state("always"))
            for authorization in ("always", "denied", "always"):
                self.report(authorization)
                for size in (1, 1, 4):
                    self.pings(size)
            self.action("break-start")
            self.action("break-end")
            self.pings(1)
            self.action("clock-out")

    def state(self, authorization):
        self.sequence += 1
        return {"sequence": self.sequence, "authorization": authorization, "accuracy": "full",
                "services": "on"}

    def action(self, name, **body):
        self.actions += 1
        key = f"{name}-{self.actions}"
        items = [("action", key)]
        if "report" in body:
            items.append(("report", body["report"]["sequence"]))
        self.send(f"/v1/{name}", {"actionId": key, **body}, items)

    def report(self, authorization):
        body = self.state(authorization)
        self.send("/v1/permission-reports", body, [("report", body["sequence"])])

    def pings(self, size):
        now = int(time.time() * 1000)
        self.last_ping = max(self.last_ping + 1, now - size + 1)
        times = range(self.last_ping, self.last_ping + size)
        self.last_ping += size - 1
        pings = [{"recordedAt": instant(at), "latitude": 45.27, "longitude": 13.71, "accuracy": 8}
                 for at in times]
        self.send("/v1/pings", {"pings": pings}, [("ping", at) for at in times])

    def send(self, path, body, items):
        """Sends a request until it is answered; records its items."""
        began = time.time()
        while not self.load.stopping.is_set():
            sent = time.time()
            answer = self.attempt(path, {**body, "sentAt": instant(sent * 1000)})
            if answer is not None:
                taken = zip(items, answer.get("results") or [{}] * len(items), strict=False)
                self.load.record([
                    (kind, self.number, key, began, sent, time.time()) for (kind, key), result in taken
                    if result.get("status") != "refused" or self.load.fail(
                        f"ping refused: {result.get('reason')}")])
                time.sleep(self.load.options.pause)
                return
            time.sleep(PAUSE)

    def attempt(self, path, body):
        """The answer; `None`: try again."""
        try:
            connection = self.connect()
            connection.request("POST", path, json.dumps(body), self.headers())
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.give_up(f"{type(error).__name__} on {path}")
            return None
        if answer.status // 100 == 2:
            return json.loads(text)
        if answer.status != 503:
            self.load.unexpected.append(f"{path}: {answer.status} {text[:300]}")
            self.load.stopping.set()
        self.give_up(f"{answer.status} {code(text)} on {path}")
        return None


class App(Client):
    """An open app: it opens its stream of events again whenever that ends."""

    def __init__(self, number, load):
        super().__init__(number, load)
        self.opened, self.pauses, self.ended = 0, [], None

    def run(self):
        while not self.load.stopping.is_set():
            try:
                self.listen(self.connect())
                self.connection.close()
                self.connection = None
            except (OSError, http.client.HTTPException) as error:
                if not self.load.stopping.is_set():
                    self.give_up(f"{type(error).__name__} on a stream")
            self.ended = time.time()

    def listen(self, connection):
        connection.request("GET", "/v1/me/events", headers=self.headers())
        answer = connection.getresponse()
        if answer.status != 200:
            self.load.fail(f"{answer.status} on a stream")
            time.sleep(PAUSE)
            return
        self.opened += 1
        if self.ended:
            self.pauses.append(time.time() - self.ended)
        connection.sock.settimeout(60)
        while answer.readline():
            pass


def play(options):
    load = Load(options)
    signal.signal(signal.SIGTERM, lambda *_: load.stopping.set())
    phones = [Phone(number, load) for number in range(1, options.phones + 1)]
    apps = [App(number, load) for number in range(1, options.streams + 1)]
    for client in phones + apps:
        client.start()
    while not load.stopping.wait(1):
        # A phone that has ended by itself has failed, and said why.
        if not all(client.is_alive() for client in phones + apps):
            load.unexpected.append("a simulated phone failed")
            break
    load.stopping.set()
    for phone in phones:
        phone.join(PATIENCE + 1)
    counts = load.counts
    print(f"acknowledged: {counts['ping']} pings, {counts['report']} reports, {counts['action']} "
          f"clock actions of {options.phones} phones")
    if apps:
        longest = max([pause for app in apps for pause in app.pauses], default=0)
        print(f"streams: {len(apps)} apps opened theirs {sum(app.opened for app in apps)} times, "
              f"again after at most {longest:.1f} s")
    print(f"failed requests: {sum(load.failures.values())}")
    for reason, count in load.failures.most_common(10):
        print(f"  {count:6}  {reason}")
    if load.first_failure:
        print(f"  first: {load.first_failure}")
    for answer in load.unexpected[:5]:
        print(f"unexpected: {answer}")
    return bool(load.unexpected or options.strict and load.failures)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--journal", help="file to which the acknowledged items are appended")
    parser.add_argument("--url", action="append", default=[])
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--streams", type=int, default=0)
    parser.add_argument("--pause", type=float, default=0.1, help="seconds between two requests")
    parser.add_argument("--strict", action="store_true", help="no request may fail")
    parser.add_argument("--seed", action="store_true", help="print the SQL that adds the phones")
    arguments = parser.parse_args()
    if arguments.seed:
        print(SEED.format(count=arguments.phones))
    else:
        sys.exit(play(arguments))
