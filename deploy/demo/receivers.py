#!/usr/bin/env python3
"""Receivers of notifications, on this machine only: push service, mailbox, webhook and an open app.

  receivers.py serve FOLDER                      the first three; FOLDER/channels.json is for guardd
  receivers.py app ADDRESS STATE PHONE           the app, open until it is stopped
  receivers.py register ADDRESS STATE PHONE KEY  sets the phone's push target; `gone…` is refused
  receivers.py latencies ADDRESS                 detection and delivery times, from /metrics

Each notification is one line: time, channel, title. STATE is the file of `guardsim replay --state`.
FOLDER/secret, written later, contains the secret that `guardctl team add-webhook` showed for the
URL in FOLDER/webhook. `serve` ends with its parent process. Needs Python and openssl, no library.
"""

import base64
import email
import email.policy
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import re
import socketserver
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse


def note(channel, title):
    now = time.time()
    clock = time.strftime("%H:%M:%S", time.localtime(now))
    # One write per line: two programs may write to one file.
    line = f"{clock}.{int(now * 1000) % 1000:03d}  {channel:<8} {title}\n"
    os.write(1, line.encode())


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, answer = self.take(body)
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


class PushService(Receiver):
    """Google's token endpoint and Firebase Cloud Messaging, as far as guardd needs them."""

    access = base64.urlsafe_b64encode(os.urandom(24)).decode()

    def take(self, body):
        if self.path == "/token":
            return 200, {"access_token": self.access, "expires_in": 3599, "token_type": "Bearer"}
        if self.headers["Authorization"] != f"Bearer {self.access}":
            return 401, {"error": {"code": 401, "status": "UNAUTHENTICATED"}}
        message = json.loads(body)["message"]
        if message["token"].startswith("gone"):
            note("push", "refused: the phone no longer exists")
            kind = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
            details = [{"@type": kind, "errorCode": "UNREGISTERED"}]
            return 404, {"error": {"code": 404, "status": "NOT_FOUND", "details": details}}
        note("push", message["notification"]["title"])
        return 200, {"name": f"projects/try/messages/{time.time_ns()}"}


class Webhook(Receiver):
    """Checks the signature by the Standard Webhooks specification."""

    folder = None

    def take(self, body):
        secret = (self.folder / "secret").read_text().strip().removeprefix("whsec_")
        stamp = self.headers["webhook-timestamp"]
        signed = f"{self.headers['webhook-id']}.{stamp}.".encode() + body
        digest = hmac.digest(base64.b64decode(secret), signed, hashlib.sha256)
        right = "v1," + base64.b64encode(digest).decode()
        given = self.headers["webhook-signature"].split(" ")
        is_right = any(hmac.compare_digest(right, one) for one in given)
        if not is_right or abs(time.time() - int(stamp)) > 300:
            note("webhook", "refused: the signature is wrong")
            return 401, {}
        note("webhook", json.loads(body)["data"]["title"])
        return 200, {}


class Mailbox(socketserver.StreamRequestHandler):
    """A mail server that accepts all but mail to `refused@…`; RFC 5321, section 4.5.1."""

    timeout = 30

    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self):
        self.say("220 localhost")
        while line := self.rfile.readline(2000):
            match line.decode(errors="replace").upper().split()[:1]:
                case ["DATA"]:
                    self.say("354 go on")
                    self.read_mail()
                    self.say("250 2.0.0 taken")
                case ["QUIT"]:
                    return self.say("221 bye")
                case ["RCPT"] if b"<refused@" in line:
                    self.say("550 5.1.1 no such mailbox")
                case ["EHLO" | "HELO" | "MAIL" | "RCPT" | "RSET" | "NOOP"]:
                    self.say("250 ok")
                case _:
                    self.say("500 what?")

    def read_mail(self):
        lines = []
        while (line := self.rfile.readline(2000)) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b"."))
        mail = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        note("e-mail", mail["subject"])


class MailServer(socketserver.ThreadingTCPServer):
    daemon_threads = True


def start(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def make_key(folder):
    """Creates a key for the webhook's certificate and the service account of the push service."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
        + ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
        check=True,
        capture_output=True,
    )


def serve(folder):
    folder = pathlib.Path(folder)
    make_key(folder)
    Webhook.folder = folder
    push = start(http.server.ThreadingHTTPServer(("127.0.0.1", 0), PushService))
    mail = start(MailServer(("127.0.0.1", 0), Mailbox))
    webhook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    # Do the handshake in the connection's own thread.
    webhook.socket = context.wrap_socket(
        webhook.socket, server_side=True, do_handshake_on_connect=False
    )
    account = {
        "project_id": "try",
        "private_key_id": "1",
        "private_key": (folder / "key.pem").read_text(),
        "client_email": "try@localhost",
    }
    (folder / "account.json").write_text(json.dumps(account))
    origin = f"http://127.0.0.1:{push}"
    channels = {
        "fcm": {
            "keyFile": f"{folder}/account.json",
            "origin": origin,
            "tokenUrl": f"{origin}/token",
        },
        "email": {
            "host": "127.0.0.1",
            "port": mail,
            "protection": "none",
            "from": "shifts@example.com",
        },
        "webhooks": {"reach": ["127.0.0.1"], "authorities": f"{folder}/certificate.pem"},
    }
    (folder / "channels.json").write_text(json.dumps(channels))
    (folder / "webhook").write_text(f"https://127.0.0.1:{start(webhook)}/\n")
    note("ready", "")
    starter = os.getppid()
    while os.getppid() == starter:
        time.sleep(1)


def connect(address):
    return http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=300)


def authorization(state, phone):
    token = json.loads(pathlib.Path(state).read_text())[phone]["token"]
    return {"Authorization": f"Bearer {token}"}


def app(address, state, phone):
    connection = connect(address)
    connection.request("GET", "/v1/me/events", headers=authorization(state, phone))
    response = connection.getresponse()
    if response.status != 200:
        sys.exit(f"the stream got status {response.status}")
    is_greeted = False
    while line := response.readline():
        # A change of state has no title.
        if line.startswith(b"data:") and "title" in (event := json.loads(line[5:])):
            note("app", event["title"])
        elif line == b"\n" and not is_greeted:
            is_greeted = True
            note("app", "open")


def register(address, state, phone, key):
    connection = connect(address)
    body = json.dumps({"channel": "fcm", "token": key})
    connection.request(
        "PUT", "/v1/me/push-target", body=body, headers=authorization(state, phone)
    )
    status = connection.getresponse().status
    if status not in (200, 204):
        sys.exit(f"the push target got status {status}")


def latencies(address):
    connection = connect(address)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    for name in ("detection", "communicated"):
        metric = f"shiftguard_{name}_seconds"
        buckets = re.findall(rf'^{metric}_bucket{{le="([0-9.]+)"}} (\d+)$', text, re.M)
        count = int(re.search(rf"^{metric}_count (\d+)$", text, re.M)[1])
        total = float(re.search(rf"^{metric}_sum (\S+)$", text, re.M)[1])
        within = next((bound for bound, below in buckets if int(below) == count), None)
        if not count or within is None or float(within) > 5:
            sys.exit(f"{name} misses its promise: {count} reports, within {within} s")
        mean = f"{total / count:.3f} s"
        print(f"{name:<13} {count} reports, mean {mean}, all within {within} s (promise: 5 s)")


commands = {"serve": serve, "app": app, "register": register, "latencies": latencies}

if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    try:
        commands[sys.argv[1]](*sys.argv[2:])
    except KeyboardInterrupt:
        pass
