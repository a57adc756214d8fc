"""Kills guardd repeatedly while it sends, and compares the received notifications with the truth.

Phones lose and regain their permission over HTTP. Notifications go to a simulated Firebase, which
records each before it answers, and can hold its answers. A round kills guardd with -9 at one of
three moments, restarts it, lets it empty the outbox, and compares everything so far. Other rounds
end every connection to the database, or crash it, without a kill.
Needs only Python's library and psql.
"""

import argparse
import base64
import collections
import datetime
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

PHONES = 24
# A notification decided before a restoration may arrive after it, by at most this time.
SLACK = 1.0
# A round that waits for longer than this has failed.
PATIENCE = 60.0
MOMENTS = ("claimed", "answered", "draining")
# The maximum time until notifications arrive again after an outage of the database.
RECOVERY = 10.0

SEED = f"""
INSERT INTO team (team_id, name, time_zone) VALUES (1, 'Killed', 'UTC');
INSERT INTO policy_version (
  team_id, version, preset, blocking, warning, fresh_for_ms, debounce_ms, ping_interval_ms,
  break_max_ms, shift_max_ms, cooldown_ms)
VALUES (1, 1, 0, 0, 0, 300000, 0, 3600000, 7200000, 57600000, 0);
INSERT INTO employee (employee_id, team_id, name)
SELECT n, 1, 'Phone ' || n FROM generate_series(1, {PHONES}) AS n;
INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
SELECT n, 1, 1, true, sha256(sha256(n::text::bytea)) FROM generate_series(1, {PHONES}) AS n;
INSERT INTO push_target (employee_id, device_no, channel, sandbox, address, registered_at)
SELECT n, 1, 1, false, 'phone-' || n, now() FROM generate_series(1, {PHONES}) AS n;
INSERT INTO shift (
  employee_id, shift_no, started_at, policy_version, fix_age_max_ms, blocking, warning, informing,
  device_no, verdict)
SELECT n, 1, now(), 1, 10800000, 0, 0, 0, 1, 0 FROM generate_series(1, {PHONES}) AS n;
INSERT INTO guard_state (
  employee_id, last_shift, open_shift, opened_at, last_device, open_device, due_at)
SELECT n, 1, 1, now(), 1, 1, now() + interval '9 hours' FROM generate_series(1, {PHONES}) AS n;
INSERT INTO device_contact (
  employee_id, device_no, last_received_at, last_fix_at, position_at, position_received_at)
SELECT n, 1, heard, heard, heard, heard
FROM generate_series(1, {PHONES}) AS n,
  (VALUES (date_trunc('milliseconds', now()))) AS sign (heard);
"""

# The topics of notifications: an incident and its end.
TOPICS = {0: "impaired", 9: "restored"}

Key = tuple[int, int]  # employee, incident


def wait(what, holds):
    """Waits until `holds()` is true; returns its value."""
    end = time.monotonic() + PATIENCE
    while not (value := holds()):
        if time.monotonic() > end:
            raise SystemExit(f"timed out waiting for {what}")
        time.sleep(0.005)
    return value


class Database:
    """One psql process for all queries."""

    def __init__(self, url):
        self.url = url
        # When each crash began, and when the database was back.
        self.crashes = []
        self.connect()

    def connect(self):
        self.psql = subprocess.Popen(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-d", self.url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, sql):
        """Rows as lists of JSON values. The columns need different names."""
        self.psql.stdin.write(f"SELECT row_to_json(q) FROM ({sql}) AS q;\n\\echo end\n")
        self.psql.stdin.flush()
        rows = []
        while (line := self.psql.stdout.readline().strip()) != "end":
            if not line:
                raise SystemExit("the database refused a query")
            rows.append(list(json.loads(line).values()))
        return rows

    def run(self, sql):
        self.psql.stdin.write(sql)
        self.ask("SELECT 1")

    def end_connections(self):
        """Ends every other connection to this database."""
        self.ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                 " WHERE datname = current_database() AND pid <> pg_backend_pid()")

    def crash(self):
        """Kills a backend, so that the server ends all backends and recovers from its log."""
        backend, begun = self.ask("SELECT pg_backend_pid()")[0][0], time.time()
        os.kill(backend, signal.SIGKILL)
        self.psql.kill()
        self.psql.wait()
        wait("the database", lambda: subprocess.run(
            ["psql", "-qX", "-d", self.url, "-c", "SELECT 1"], capture_output=True,
            check=False).returncode == 0)
        self.crashes.append((begun, time.time()))
        self.connect()

    def forgot(self, at):
        """Whether a crash may have undone what a worker committed at that time: its commits answer
        up to a second before they are on disk."""
        return any(begun - 1 <= at <= back for begun, back in self.crashes)


class Arrival:
    """A notification as received."""

    def __init__(self, message):
        self.at = time.time()
        subject = json.loads(message["data"]["subject"])
        self.key: Key = (subject["employee"], subject["incident"])
        self.event = message["data"]["event"].removeprefix("shift.tracking_")
        self.collapse = message["android"]["collapse_key"]
        self.answered = False


class Receiver(http.server.ThreadingHTTPServer):
    """A simulated Firebase, which can hold its answers to messages or to token requests."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.arrivals: list[Arrival] = []
        self.open()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def hold(self, what):
        self.held, self.waiting, self.answers, self.released = what, [], False, threading.Event()

    def open(self):
        self.held, self.waiting = None, []

    def release(self, answers):
        """Releases the held requests, with or without an answer. Later ones are not held."""
        self.held = None
        self.answers = answers
        self.released.set()

    def pass_by(self, kind, arrival):
        """Records an arrival; holds the request if asked to. Returns whether to answer."""
        with self.lock:
            if arrival:
                self.arrivals.append(arrival)
            if self.held != kind:
                return True
            self.waiting.append(arrival)
            released = self.released
        released.wait()
        return self.answers

    def handle_error(self, request, client_address):
        """Ignores errors: the client was killed."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/token":
            arrival, kind = None, "token"
            # A short life, so that guardd soon requests a new token.
            answer = {"access_token": "t", "expires_in": 1}
        else:
            arrival, kind = Arrival(json.loads(body)["message"]), "message"
            answer = {"name": "projects/p/messages/1"}
        if not self.server.pass_by(kind, arrival):
            self.close_connection = True
            return
        text = json.dumps(answer).encode()
        self.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (len(text), text))
        if arrival:
            arrival.answered = True

    def log_message(self, *_):
        pass


class Phone(threading.Thread):
    """Loses and regains its permission; sends each report until it is answered."""

    def __init__(self, number, load):
        super().__init__(daemon=True)
        self.number, self.load = number, load
        secret = hashlib.sha256(str(number).encode()).digest()
        token = base64.urlsafe_b64encode(secret).decode().rstrip("=")
        self.token = f"sg_{number}_1_{token}"
        self.sequence = self.losses = 0
        # When the restoration of each incident was answered.
        self.restored: dict[Key, float] = {}
        self.connection = None
        self.start()

    def run(self):
        while True:
            self.load.go()
            self.losses += 1
            self.report("denied")
            self.load.done()
            # Some stay so until another instance could send what the killed one had claimed.
            time.sleep(random.uniform(0.02, 0.4) if random.random() < 0.6 else 3)
            self.load.go()
            self.report("always")
            self.restored[(self.number, self.losses)] = time.time()
            self.load.done()
            time.sleep(random.uniform(0.02, 0.4))

    def report(self, authorization):
        self.sequence += 1
        while True:
            now = datetime.datetime.now(datetime.timezone.utc)
            body = json.dumps({
                "sentAt": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "sequence": self.sequence, "authorization": authorization,
                "accuracy": "full", "services": "on"})
            try:
                if not self.connection:
                    self.connection = http.client.HTTPConnection(
                        "127.0.0.1", self.load.port, timeout=10)
                self.connection.request(
                    "POST", "/v1/permission-reports", body,
                    {"Authorization": f"Bearer {self.token}"})
                answer = self.connection.getresponse()
                text = answer.read()
                if answer.status // 100 == 2:
                    self.load.reports += 1
                    return
                if answer.status < 500:
                    self.load.faults.append(f"{answer.status} {text[:200]}")
            except (OSError, http.client.HTTPException):
                pass
            self.load.again += 1
            self.connection = None
            time.sleep(0.05)


class Load:
    """All phones; they can be paused between two reports."""

    def __init__(self, port):
        self.port, self.reports, self.again, self.faults = port, 0, 0, []
        self.busy, self.changed, self.runs = 0, threading.Condition(), True
        self.phones = [Phone(number, self) for number in range(1, PHONES + 1)]

    def go(self):
        with self.changed:
            self.changed.wait_for(lambda: self.runs)
            self.busy += 1

    def done(self):
        with self.changed:
            self.busy -= 1
            self.changed.notify_all()

    def rest(self):
        with self.changed:
            self.runs = False
            if not self.changed.wait_for(lambda: self.busy == 0, PATIENCE):
                raise SystemExit("phones get no response")

    def work(self):
        with self.changed:
            self.runs = True
            self.changed.notify_all()


class Guardd:
    """The service, restarted after each kill."""

    def __init__(self, arguments, folder):
        self.arguments, self.log = arguments, folder / "log"
        self.port = None

    def start(self):
        with open(self.log, "ab") as log:
            self.begin = log.tell()
            listen = f"127.0.0.1:{self.port or 0}"
            self.process = subprocess.Popen(
                [*self.arguments, "--listen", listen], stdout=log, stderr=log)
        line = wait("guardd", lambda: self.line("event=listening"))
        self.port = int(line.rsplit(":", 1)[1])

    def line(self, word):
        """The first complete log line with `word`."""
        if self.process.poll() is not None:
            raise SystemExit(f"guardd ended: {self.log.read_text()[-1000:]}")
        with open(self.log) as log:
            log.seek(self.begin)
            # The last line may be incomplete.
            return next((line for line in log if word in line and line.endswith("\n")), None)

    def freeze(self):
        """Stops all threads of guardd and waits until they have stopped."""
        os.kill(self.process.pid, signal.SIGSTOP)
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        wait("guardd to stop", lambda: all(
            (task / "stat").read_text().rsplit(")", 1)[1].split()[0] == "T"
            for task in tasks.iterdir()))

    def kill(self):
        self.process.kill()
        if self.process.wait() != -signal.SIGKILL:
            raise SystemExit("guardd had ended before it was killed")


# Notifications whose last attempt began and has no outcome: left open by the kill.
OPEN_TRIES = """
SELECT n.employee_id, n.subject FROM notification AS n
WHERE leased AND EXISTS (
  SELECT FROM delivery_attempt AS a
  WHERE a.employee_id = n.employee_id AND a.topic = n.topic AND a.subject = n.subject
    AND a.attempt_no = n.attempts AND a.outcome IS NULL)"""


def kill(moment, guardd, receiver, database):
    """Kills guardd at this moment; returns the number of notifications that were affected."""
    if moment == "claimed":
        # Without an access token nothing is sent, so the notifications held now were not sent.
        receiver.hold("token")
        wait("a claim", lambda: receiver.waiting)
        guardd.kill()
        hit = len(database.ask(OPEN_TRIES))
        receiver.release(answers=False)
        return hit
    receiver.hold("message")
    wait("a message", lambda: receiver.waiting)
    time.sleep(random.uniform(0, 0.1))
    if moment == "answered":
        guardd.freeze()
        with receiver.lock:
            held = list(receiver.waiting)
            receiver.release(answers=True)
        wait("answers", lambda: all(arrival.answered for arrival in held))
    else:
        guardd.process.terminate()
        wait("guardd to stop", lambda: guardd.line("event=stopping"))
        time.sleep(random.uniform(0, 0.3))
        held = list(receiver.waiting)
    guardd.kill()
    receiver.release(answers=False)
    left = {tuple(row) for row in database.ask(OPEN_TRIES)}
    return sum(arrival.key in left for arrival in held)


def interrupt(outage, receiver, database):
    """Ends connections, or crashes the database, under load; returns the time from when the
    database answered again until a notification arrived."""
    if outage == "crashed":
        database.crash()
    else:
        database.end_connections()
    back = time.time()
    # Notifications that were being sent at that moment do not count.
    arrived = wait("a message", lambda: next(
        (arrival for arrival in list(receiver.arrivals) if arrival.at > back + 0.2), None))
    return arrived.at - back


def meaning(arrival, tries):
    """The topic of a notification, by the attempt that sent it: the last that had begun.

    The end of an incident arrives as `impaired` while another problem is left.
    """
    begun = [topic for topic, at in tries if at <= arrival.at]
    return begun[-1] if begun else "never tried"


class Findings:
    """Compares the database and the phones with the received notifications."""

    def __init__(self, database, receiver, load):
        restored = {}
        for phone in load.phones:
            restored |= phone.restored
        incidents = {
            (employee, number): is_open for employee, number, is_open in database.ask(
                "SELECT employee_id, incident_no, closed_at IS NULL FROM incident")}
        endings = {
            (TOPICS[topic], (employee, number)): ending
            for employee, topic, number, ending in database.ask(
                "SELECT employee_id, topic, subject, outcome FROM notification_history"
                " WHERE topic IN (0, 9)")}
        tries = collections.defaultdict(list)
        for employee, topic, number, begun in database.ask(
                "SELECT employee_id, topic, subject, extract(epoch FROM started_at)::float8"
                " FROM delivery_attempt WHERE topic IN (0, 9) AND step = 1 ORDER BY started_at"):
            tries[(employee, number)].append((TOPICS[topic], begun))
        heard = [
            (meaning(arrival, tries[arrival.key]), arrival) for arrival in list(receiver.arrivals)]
        # What an attempt that is not stored any more was about cannot be told.
        certain = [(topic, arrival) for topic, arrival in heard if not database.forgot(arrival.at)]
        sent = collections.defaultdict(list)
        for topic, arrival in heard:
            if arrival.answered:
                sent[(topic, arrival.key)].append(arrival)

        self.incidents, self.notifications = len(incidents), len(sent)
        self.duplicates = sum(len(arrivals) - 1 for arrivals in sent.values())
        self.broken = []
        losses = sum(phone.losses for phone in load.phones)
        if len(incidents) != losses:
            self.broken.append(f"{losses} downgrades, {len(incidents)} incidents")
        self.broken += [f"the load: {fault}" for fault in load.faults]

        def is_known(key):
            """Whether nothing was tried, because the phone was told of an earlier incident whose
            end it was not told: the same is not sent again."""
            employee, number = key
            tried = any(topic == "impaired" for topic, _ in tries.get(key, []))
            return not tried and any(
                ("impaired", (employee, earlier)) in sent for earlier in range(1, number))

        for key, is_open in incidents.items():
            ending = endings.get(("impaired", key))
            # An incident that is over need not be notified: 1 is `restored`, none is cancelled.
            if ("impaired", key) not in sent and (
                    is_open or ending not in (1, None)) and not is_known(key):
                self.broken.append(f"{key} was never notified: open {is_open}, ending {ending}")
            if is_open != (key not in restored):
                self.broken.append(f"{key} is open {is_open}, unlike on its phone")
        for message, ending in endings.items():
            if ending == 0 and message not in sent and not (
                    message[0] == "impaired" and is_known(message[1])):
                self.broken.append(f"{message} is recorded as delivered, but never arrived")
            if ending in (7, 8):
                self.broken.append(f"{message} is a dead letter")
        for topic, arrival in certain:
            if topic == "never tried" or arrival.event == "restored" != topic:
                self.broken.append(f"{arrival.key} arrived as {arrival.event}: {topic}")
        keys = collections.defaultdict(set)
        for (_, key), arrivals in sent.items():
            keys[key] |= {arrival.collapse for arrival in arrivals}
        self.broken += [f"{key} has keys {names}" for key, names in keys.items() if len(names) > 1]
        if len(set().union(*keys.values())) != len(keys):
            self.broken.append("two incidents share a collapse key")
        never = float("inf")
        self.broken += [
            f"{key} was decided on after its restoration" for key, begun_tries in tries.items()
            if any(topic == "impaired" and begun > restored.get(key, never)
                   for topic, begun in begun_tries)]
        self.latest = max((
            arrival.at - restored.get(arrival.key, never) for topic, arrival in certain
            if topic == "impaired"), default=-never)
        if self.latest > SLACK:
            self.broken.append(f"a notification came {self.latest:.3f} s after the restoration")


def settings(folder, receiver):
    """Writes the files for `--channels` with the address of the receiver."""
    origin = f"http://127.0.0.1:{receiver.server_port}"
    pem = subprocess.run(
        ["openssl", "genpkey", "-quiet", "-algorithm", "RSA"], check=True, capture_output=True,
        text=True).stdout
    account = {
        "project_id": "p", "client_email": "a@p.example", "private_key_id": "k", "private_key": pem}
    (folder / "account.json").write_text(json.dumps(account))
    fcm = {
        "keyFile": str(folder / "account.json"), "origin": origin, "tokenUrl": f"{origin}/token"}
    (folder / "channels.json").write_text(json.dumps({"fcm": fcm}))
    return str(folder / "channels.json")


def play(options, folder):
    database, receiver = Database(options.database), Receiver()
    database.run(SEED)
    guardd = Guardd(
        [options.guardd, "--database", options.database, "--channels", settings(folder, receiver),
         "--notification-lease", str(options.lease)], folder)
    guardd.start()
    load = Load(guardd.port)
    hits, pauses, started = collections.Counter(), {}, time.monotonic()
    moments = [MOMENTS[number % len(MOMENTS)] for number in range(options.rounds)]
    moments += ["cut off"] * options.cuts + ["crashed"] * options.crashes
    print(f"lease {options.lease} s, {PHONES} phones")
    print("round  moment    caught  incidents  notifications  duplicates  latest s  broken")
    try:
        for number, moment in enumerate(moments):
            load.work()
            time.sleep(random.uniform(0.1, 0.4))
            if moment in MOMENTS:
                hit = kill(moment, guardd, receiver, database)
                guardd.start()
            else:
                pause = interrupt(moment, receiver, database)
                pauses[moment] = max(pauses.get(moment, 0), pause)
                hit = pause < RECOVERY
            hits[moment] += hit > 0
            time.sleep(0.3)
            load.rest()
            wait("an empty outbox",
                 lambda: database.ask("SELECT count(*) FROM notification") == [[0]])
            found = Findings(database, receiver, load)
            print(f"{number + 1:5}  {moment:8}  {hit:6}  {found.incidents:9}  "
                  f"{found.notifications:13}  {found.duplicates:10}  {found.latest:8.3f}  {len(found.broken)}", flush=True)
            if not hit and moment in MOMENTS:
                found.broken.append("the kill missed its moment")
            elif not hit:
                found.broken.append(f"the next notification arrived after {pauses[moment]:.1f} s")
            if found.broken:
                print("\n".join(found.broken[:20]), file=sys.stderr)
                return 1
    finally:
        guardd.process.kill()
        guardd.process.wait()
    for outage, pause in pauses.items():
        print(f"{outage}: the next notification arrived after at most {pause:.1f} s")
    print(f"{len(moments)} rounds in {time.monotonic() - started:.0f} s, {dict(hits)}; "
          f"{load.reports} reports, {load.again} retried; every promise kept")
    return 0


# On SIGTERM, guardd must end with this script.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
parser = argparse.ArgumentParser()
parser.add_argument("--guardd", required=True)
parser.add_argument("--database", required=True)
parser.add_argument("--rounds", type=int, default=100)
parser.add_argument("--cuts", type=int, default=0)
parser.add_argument("--crashes", type=int, default=0)
parser.add_argument("--lease", type=int, default=2)
# For tests on a busy machine:
parser.add_argument("--slack", type=float, default=SLACK)
parser.add_argument("--patience", type=float, default=PATIENCE)
parser.add_argument("--recovery", type=float, default=RECOVERY)
options = parser.parse_args()
SLACK, PATIENCE, RECOVERY = options.slack, options.patience, options.recovery
with tempfile.TemporaryDirectory(prefix="shiftguard-crash.") as name:
    sys.exit(play(options, pathlib.Path(name)))
