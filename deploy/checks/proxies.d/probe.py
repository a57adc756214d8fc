#!/usr/bin/env python3
"""Checks one proxy in front of guardd, as clients outside reach it; exits with 1 on any failure.

Usage: probe.py NAME HTTPS-PORT HTTP-PORT CERTIFICATE CODE SOURCE TOKEN-FILE
       probe.py --away NAME HTTPS-PORT CERTIFICATE TOKEN-FILE

CODE enrols a phone; its token is stored in TOKEN-FILE. SOURCE is the first of two addresses of
127.0.0.0/8 from which it connects. With --away the database is stopped: the answer must be 503
with Retry-After.
"""

import datetime
import http.client
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import threading
import time

HOST = "guard.example.org"
# Nothing else requests this route: once guardd counts it, a request was smuggled.
SMUGGLED = b"GET /v1/me/shifts HTTP/1.1\r\nHost: guard.example.org\r\n\r\n"
ALWAYS = {"authorization": "always", "accuracy": "full", "services": "on"}
DENIED = {**ALWAYS, "authorization": "denied", "grantPath": "settings"}
HEARTBEAT = 15
# Of a login with a wrong password.
REFUSED = 403
failures = []


def check(name, holds, seen=""):
    print(f"{proxy:8} {'ok  ' if holds else 'FAIL'} {name}{f': {seen}' if seen != '' else ''}")
    if not holds:
        failures.append(name)


def now(ago=0):
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=ago)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Proxy:
    def __init__(self, port, certificate):
        self.port = port
        self.context = ssl.create_default_context(cafile=certificate)

    def connect(self, source="127.0.0.1"):
        plain = socket.create_connection(("127.0.0.1", self.port), 300, (source, 0))
        return self.context.wrap_socket(plain, server_hostname=HOST)

    def send(self, method, path, body=None, headers=(), token=None, source="127.0.0.1"):
        """Sends one request on a connection of its own; returns status, headers and body."""
        connection = http.client.HTTPConnection(HOST)
        connection.sock = self.connect(source)
        fields = dict(headers)
        if token:
            fields["Authorization"] = f"Bearer {token}"
        if isinstance(body, dict):
            body = json.dumps(body)
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, text

    def raw(self, request, silence=3):
        """Sends bytes as they are; returns what arrives until the end, or this many silent seconds."""
        connection = self.connect()
        connection.settimeout(silence)
        received = b""
        try:
            connection.sendall(request)
            while part := connection.recv(65536):
                received += part
        except (TimeoutError, ConnectionError, ssl.SSLError):
            pass
        connection.close()
        return received


class Stream(threading.Thread):
    """Reads an event stream, and notes when which line arrived."""

    def __init__(self, outside, token):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection(HOST)
        self.connection.sock = outside.connect()
        self.token, self.lines, self.status, self.is_open = token, [], None, True

    def run(self):
        self.connection.request(
            "GET", "/v1/me/events", headers={"Authorization": f"Bearer {self.token}"})
        answer = self.connection.getresponse()
        self.status = answer.status
        while line := answer.readline():
            self.lines.append((time.monotonic(), line.strip()))
        self.is_open = False

    def when(self, start, since=0.0, patience=300.0):
        """How long after `since` a line that begins so arrived; `None` if it did not."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for at, line in self.lines:
                if at >= since and line.startswith(start):
                    return at - since
            time.sleep(0.02)
        return None


def malformed(token):
    """Requests that programs may read differently, each with what is wrong with it."""
    def post(*fields, body=b""):
        lines = [b"POST /v1/guard/check HTTP/1.1", b"Host: guard.example.org",
                 b"Authorization: Bearer " + token.encode(), *fields]
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    chunked = b"Transfer-Encoding: chunked"
    hidden = b"%x\r\n%s\r\n0\r\n\r\n" % (len(SMUGGLED), SMUGGLED)
    first = b"%d" % len(hidden.split(b"\r\n")[0] + b"\r\n")
    empty = b"0\r\n\r\n" + SMUGGLED
    length = b"Content-Length: %d" % len(empty)
    return {
        "lines that end in LF alone": b"GET /login HTTP/1.1\nHost: guard.example.org\n\n",
        "a folded header": b"GET /login HTTP/1.1\r\nHost: guard.example.org\r\nX-A: a\r\n b\r\n\r\n",
        "NUL in a header": b"GET /login HTTP/1.1\r\nHost: guard.example.org\r\nX-A: a\0b\r\n\r\n",
        "two hosts": b"GET /login HTTP/1.1\r\nHost: guard.example.org\r\nHost: b.example\r\n\r\n",
        "no host": b"GET /login HTTP/1.1\r\n\r\n",
        "two lengths": post(b"Content-Length: 0", length, body=empty[5:]),
        "a length with a sign": post(b"Content-Length: +0", body=SMUGGLED),
        "a length and chunks": post(b"Content-Length: " + first, chunked, body=hidden),
        "an unknown coding": post(length, b"Transfer-Encoding: xchunked", body=empty),
        "two codings": post(length, b"Transfer-Encoding: chunked, identity", body=empty),
        "a blank before the colon": post(length, b"Transfer-Encoding : chunked", body=empty),
        "a chunk of a huge size": post(chunked, body=b"ffffffffffffffff1\r\n" + SMUGGLED),
        "a chunk of a negative size": post(chunked, body=b"-1\r\n" + SMUGGLED),
    }


def check_malformed(outside, token):
    for name, request in malformed(token).items():
        received = outside.raw(request)
        answers = received.count(b"HTTP/1.1 ") + received.count(b"HTTP/1.0 ")
        status = received[9:12].decode(errors="replace") or "none"
        by = "guardd" if b"application/problem+json" in received else proxy
        if not received:
            seen = "connection closed without a response"
        elif status in ("400", "501", "502"):
            # Caddy answers 502 to faulty chunks.
            seen = f"refused with {status} by {by}"
        else:
            # The proxy writes a new request to guardd, so guardd sees nothing unusual.
            seen = f"one request, rewritten by {proxy}: {status}"
        check(name, answers <= 1 and status in ("none", "200", "400", "501", "502"), seen)


def check_machine_routes(outside):
    paths = ["/metrics", "/healthz", "/readyz", "/metrics/", "//metrics", "/metrics?a", "/%6Detrics",
             "/./metrics", "/a/../metrics", "/METRICS", "/metrics;a", f"https://{HOST}/metrics",
             "/%2e/metrics", "/metrics%00", "/metrics#a", "/readyz?a", "/%72eadyz"]
    found = []
    for path in paths:
        received = outside.raw(
            f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode(), 300)
        if received[9:12] not in (b"404", b"400", b"301", b"308") or b"shiftguard_" in received:
            found.append(f"{path} {received[9:12].decode()}")
    check(f"/metrics, /healthz and /readyz are hidden, in {len(paths)} spellings", not found,
          ", ".join(found))


def check_logins(outside, source):
    """An address may try 20 times; then it must wait, whatever it claims to be."""
    base, last = source.rsplit(".", 1)
    other = f"{base}.{int(last) + 1}"

    def try_once(number, address):
        form = f"email=guess{number}%40{proxy}.example&password=wrong-password"
        return outside.send("POST", "/login", form, {
            "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
            "Origin": f"https://{HOST}", "X-Forwarded-For": f"203.0.113.{number}"},
            source=address)[0]

    # Every 10 s one more is allowed, so a slow machine needs a few more.
    statuses = []
    while len(statuses) < 400 and (not statuses or statuses[-1] != 429):
        statuses.append(try_once(len(statuses), source))
    counted = len([status for status in statuses if status == REFUSED])
    check("logins are limited by the client's address, a forged one does not count",
          set(statuses[:20]) == {REFUSED} and statuses[-1] == 429, f"429 after {counted} attempts")
    status = try_once(99, other)
    check("another address may still log in", status == REFUSED, status)


def check_uploads(outside, token):
    pings = [{"recordedAt": now(0.1 * n), "latitude": 52.5, "longitude": 13.4, "accuracy": 8}
             for n in range(1000)]
    begun = time.monotonic()
    status, _, text = outside.send("POST", "/v1/pings", {"sentAt": now(), "pings": pings}, token=token)
    took = time.monotonic() - begun
    stored = text.count(b'"stored"')
    check("1,000 pings in one upload are stored", (status, stored) == (200, 1000),
          f"{status}, {stored} stored after {took:.2f} s")
    for megabytes in 2, 17:
        try:
            status, _, _ = outside.send("POST", "/v1/pings", "x" * (megabytes << 20), token=token)
        except (ConnectionError, ssl.SSLError):
            status = "connection closed"
        check(f"an upload of {megabytes} MiB is refused", status in (413, "connection closed"), status)


def check_protocols(outside, http_port, certificate):
    def curl(*arguments):
        return subprocess.run(
            ["curl", "--silent", "--output", "/dev/null", "--cacert", certificate, "--max-time", "300",
             "--resolve", f"{HOST}:{outside.port}:127.0.0.1", *arguments],
            capture_output=True, text=True, check=False).stdout
    seen = curl("--http2", "--write-out", "%{http_version} %{http_code}",
                f"https://{HOST}:{outside.port}/login")
    check("HTTP/2 to the client", seen == "2 200", seen)
    plain = http.client.HTTPConnection("127.0.0.1", http_port, timeout=300)
    plain.request("GET", "/login?a=b", headers={"Host": HOST})
    answer = plain.getresponse()
    where = answer.headers.get("Location", "")
    check("plain HTTP only redirects to HTTPS", answer.status in (301, 308) and
          where.startswith(f"https://{HOST}") and where.endswith("/login?a=b"),
          f"{answer.status} {where}")
    with socket.create_connection(("127.0.0.1", outside.port), 300) as raw:
        raw.settimeout(3)
        raw.sendall(f"GET /login HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        try:
            received = raw.recv(4096)
        except (TimeoutError, ConnectionError):
            received = b""
    check("the TLS port answers no plain HTTP", b" 200 " not in received,
          received[:12].decode(errors="replace"))


def main():
    port, certificate = int(sys.argv[2]), sys.argv[4]
    outside = Proxy(port, certificate)
    code, source, token_file = sys.argv[5:]
    status, _, text = outside.send("POST", "/v1/enrolments", {
        "code": code, "platform": "ios", "osVersion": "17.5", "model": "iPhone 13"})
    check("a phone is enrolled", status == 201, status)
    token = json.loads(text)["token"]
    pathlib.Path(token_file).write_text(token)
    status, _, _ = outside.send("POST", "/v1/clock-in", {
        "actionId": "in", "sentAt": now(), "occurredAt": now(600),
        "report": {**ALWAYS, "sequence": 1}}, token=token)
    check("clock-in", status == 201, status)

    opened = time.monotonic()
    stream = Stream(outside, token)
    stream.start()
    first = stream.when(b"", opened)
    # A proxy that kept it would pass it on with heartbeats, if at all.
    check("an event stream begins at once",
          first is not None and first < HEARTBEAT and stream.status == 200,
          first and f"{first:.2f} s")
    reported = time.monotonic()
    outside.send("POST", "/v1/permission-reports", {
        "sentAt": now(), "recordedAt": now(), "sequence": 2, **DENIED}, token=token)
    event = stream.when(b"data:", reported)
    # The policy's debounce is 2 s.
    check("a notification arrives while the stream is open",
          event is not None and event < HEARTBEAT,
          event and f"{event:.2f} s after the report")

    check_protocols(outside, int(sys.argv[3]), certificate)
    check_machine_routes(outside)
    check_uploads(outside, token)
    check_malformed(outside, token)
    check_logins(outside, source)

    beat = stream.when(b":", opened + HEARTBEAT / 2)
    check("the stream stays open, with heartbeats", beat is not None and stream.is_open,
          f"{time.monotonic() - opened:.0f} s so far")


def away():
    port, certificate, token_file = int(sys.argv[3]), sys.argv[4], sys.argv[5]
    token = pathlib.Path(token_file).read_text()
    status, headers, _ = Proxy(port, certificate).send("POST", "/v1/pings", {
        "recordedAt": now(), "latitude": 52.5, "longitude": 13.4}, token=token)
    check("503 with Retry-After passes while the database is away",
          status == 503 and "Retry-After" in headers,
          f"{status}, Retry-After: {headers.get('Retry-After')}")


if __name__ == "__main__":
    if len(sys.argv) == 6 and sys.argv[1] == "--away":
        proxy = sys.argv[2]
        away()
    elif len(sys.argv) == 8:
        proxy = sys.argv[1]
        main()
    else:
        sys.exit(__doc__)
    sys.exit(bool(failures))
