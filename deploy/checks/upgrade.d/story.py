"""An employee's short day over HTTP: story.py [--gate FILE] EMPLOYEE CODE TOKEN ADDRESS...

The steps go to the addresses in turn. With --gate, FILE is created when half of the day is over, and
the rest begins when somebody has removed it. Every step must succeed; ends with status 1 at the
first that does not.
"""

import datetime
import itertools
import json
import pathlib
import sys
import time
import urllib.error
import urllib.request

arguments = sys.argv[1:]
gate = None
if arguments[0] == "--gate":
    gate = pathlib.Path(arguments[1])
    del arguments[:2]
employee, code, admin = arguments[:3]
addresses = itertools.cycle(arguments[3:])


def ask(method, path, body=None, token=None):
    """The response; any status other than 2xx ends the story."""
    address = next(addresses)
    request = urllib.request.Request(
        f"http://{address}/v1/{path}", json.dumps(body).encode() if body is not None else None,
        {"Authorization": f"Bearer {token}"} if token else {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=300) as response:
            return json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path} at {address}: {error.code} {error.read().decode()}")


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")


def ping():
    body = {"recordedAt": now(), "latitude": 45.27, "longitude": 13.71}
    answer = ask("POST", "pings", body, phone)
    if "stored" not in json.dumps(answer):
        sys.exit(f"a ping was not stored: {answer}")


def line():
    """The employee's line on the board."""
    for one in ask("GET", "board", token=admin)["employees"]:
        if one["employee"] == int(employee):
            return one
    sys.exit(f"employee {employee} is not on the board")


def report(authorization):
    ask("POST", "permission-reports", {"authorization": authorization, "services": "on"}, phone)


phone = ask("POST", "enrolments", {"code": code, "platform": "ios"})["token"]
report("always")
ask("GET", "me", token=phone)
ask("POST", "clock-in", {"actionId": "in"}, phone)
ping()
ping()
report("denied")
if gate:
    gate.touch()
    while gate.exists():
        time.sleep(0.1)
line()
ping()
report("always")
# What is restored sooner is a flicker, not the end of an interruption.
time.sleep(3)
ask("POST", "break-start", {"actionId": "break"}, phone)
ask("POST", "break-end", {"actionId": "back"}, phone)
ping()
ask("GET", "me", token=phone)
ask("GET", f"employees/{employee}/shifts/1/coverage", token=admin)
ask("POST", "clock-out", {"actionId": "out"}, phone)
line()
if not ask("GET", "me/shifts", token=phone):
    sys.exit("no shift is stored")
