#!/usr/bin/env python3
"""Fills an empty installation with an example of everything that the API returns, by `guardctl` and
requests of phones; prints the tokens of a phone, a manager and an administrator.

Usage: seed.py ADDRESS    (with guardctl in PATH, and SHIFTGUARD_DATABASE)

Employee 7 is on shift with an incident, 8 was blocked, 9 has never had contact. All are fictional.
"""

import datetime
import http.client
import json
import subprocess
import sys
import time

ALWAYS = {"authorization": "always", "accuracy": "full", "services": "on"}
DENIED = {**ALWAYS, "authorization": "denied", "grantPath": "settings"}


def instant(ago):
    """The time `ago` seconds ago, in RFC 3339."""
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=ago)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def guardctl(*arguments):
    """Returns the output of the command."""
    done = subprocess.run(["guardctl", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"guardctl {' '.join(arguments[:2])}: {done.stderr.strip()}")
    return done.stdout.strip()


class Client:
    """Sends requests with one token, and exits on an unexpected status."""

    def __init__(self, address, token=None):
        self.address, self.token = address, token

    def send(self, method, path, body, status):
        connection = http.client.HTTPConnection(self.address, timeout=300)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        connection.request(method, path, json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status != status:
            sys.exit(f"{method} {path}: {answer.status} {text.decode(errors='replace')}")
        return json.loads(text or b"{}")


def enrol(address, employee):
    code = guardctl("enrol", "--employee", str(employee))
    body = {"code": code, "platform": "ios", "osVersion": "17.5", "model": "iPhone 13"}
    return Client(address, Client(address).send("POST", "/v1/enrolments", body, 201)["token"])


def work(phone):
    """Sends a closed shift with a break, and an open one with incidents."""
    def tap(action, name, ago, status, **more):
        phone.send("POST", f"/v1/{action}", {
            "actionId": name, "sentAt": instant(0), "occurredAt": instant(ago), **more}, status)

    def say(permission, ago, sequence):
        phone.send("POST", "/v1/permission-reports", {
            "sentAt": instant(0), "recordedAt": instant(ago), "sequence": sequence, **permission},
            201)

    tap("clock-in", "first-in", 36_000, 201, report={**ALWAYS, "sequence": 1})
    tap("break-start", "first-break", 32_000, 200)
    tap("break-end", "first-work", 31_000, 200)
    tap("clock-out", "first-out", 20_000, 200)
    tap("clock-in", "second-in", 3_600, 201, report={**ALWAYS, "sequence": 2})
    phone.send("POST", "/v1/pings", {"sentAt": instant(0), "pings": [
        {"recordedAt": instant(ago), "latitude": 52.52, "longitude": 13.4, "accuracy": 8,
         "speed": 1.2, "heading": 90, "altitude": 40}
        for ago in (35_900, 35_800, 30_900, 3_500, 3_400, 3_300)]}, 200)
    say(DENIED, 3_000, 3)
    say(ALWAYS, 2_000, 4)
    say(DENIED, 5, 5)
    time.sleep(2.5)
    phone.send("POST", "/v1/acknowledgements", {"appSession": "s", "findings": ["denied"]}, 200)
    phone.send("POST", "/v1/me/shifts/1/notes", {
        "from": instant(30_000), "to": instant(29_000), "text": "In the cellar"}, 201)


def managers(admin):
    """Sends the actions of managers and administrators."""
    admin.send("POST", "/v1/teams/1/policies", {"debounce": 1}, 201)
    admin.send("POST", "/v1/employees/7/overrides", {
        "findings": ["denied"], "reason": "The phone is in repair"}, 201)
    admin.send("POST", "/v1/employees/7/shifts/1/corrections", {
        "endedAt": instant(19_000), "reason": "Forgot to clock out"}, 201)
    admin.send("POST", "/v1/employees/9/planned-shifts", {
        "start": instant(-3_600), "end": instant(-30_000)}, 201)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    address = sys.argv[1]
    guardctl("team", "add", "--name", "North", "--time-zone", "Europe/Berlin")
    guardctl("team", "add", "--name", "South", "--time-zone", "Europe/Zagreb")
    for number, name in (7, "Anna"), (8, "Ben"), (9, "Chloé"):
        guardctl("employee", "add", "--employee", str(number), "--name", name, "--team", "1")
    guardctl("privacy-notice", "set", "README.md")
    manager = guardctl(
        "token", "create", "--name", "contract", "--role", "manager", "--expires", "1h",
        "--team", "1:coverage,track", "--team", "2:coverage,track")
    admin = guardctl("token", "create", "--name", "contract", "--role", "admin", "--expires", "1h")
    phone, other = enrol(address, 7), enrol(address, 8)
    work(phone)
    other.send("POST", "/v1/permission-reports", {"sentAt": instant(0), **DENIED}, 201)
    other.send("POST", "/v1/clock-in", {"actionId": "a", "sentAt": instant(0)}, 409)
    managers(Client(address, admin))
    print(f"phone={phone.token}\nmanager={manager}\nadministrator={admin}")


if __name__ == "__main__":
    main()
