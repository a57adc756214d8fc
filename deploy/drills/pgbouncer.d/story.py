"""One shift through every part of the service: story.py URL ENROLMENT_CODE API_TOKEN.

Enrols a phone, clocks in, sends pings, loses and regains the permission while the app is open, clocks
out, and reads board and coverage. Exit status 1 at the first answer that is not as it should be.
"""

import datetime
import http.client
import json
import sys
import time
import urllib.parse

url, code, api_token = sys.argv[1:]
place = urllib.parse.urlsplit(url).netloc


def instant(milliseconds):
    moment = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ask(method, path, token=None, body=None):
    connection = http.client.HTTPConnection(place, timeout=20)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        body = json.dumps({"sentAt": instant(time.time() * 1000), **body})
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    check(answer.status // 100 == 2, f"{method} {path}: {answer.status} {text[:300]}")
    return json.loads(text)


def check(holds, what):
    if not holds:
        sys.exit(f"wrong: {what}")


def state(authorization):
    return {"authorization": authorization, "accuracy": "full", "services": "on"}


def notified(stream, topic):
    """Reads the stream until it has a notification with this topic; how long that took."""
    begin = time.time()
    while line := stream.readline().decode():
        if line.startswith("data:") and json.loads(line[5:]).get("topic") == topic:
            return time.time() - begin
        check(time.time() - begin < 30, f"no notification with the topic {topic} within 30 s")
    sys.exit(f"wrong: the stream ended without the topic {topic}")


phone = ask("POST", "/v1/enrolments", body={"code": code, "platform": "ios"})["token"]
print("enrolled")
ask("POST", "/v1/permission-reports", phone, {"sequence": 1, **state("always")})
shift = ask("POST", "/v1/clock-in", phone, {"actionId": "in"})
print("clocked in")
now = int(time.time() * 1000)
pings = [{"recordedAt": instant(now + n), "latitude": 45.27, "longitude": 13.71} for n in range(50)]
results = ask("POST", "/v1/pings", phone, {"pings": pings})["results"]
check(all(result["status"] == "stored" for result in results), f"pings: {results}")
print(f"{len(pings)} pings stored")

app = http.client.HTTPConnection(place, timeout=20)
app.request("GET", "/v1/me/events", headers={"Authorization": f"Bearer {phone}"})
stream = app.getresponse()
check(stream.status == 200, f"stream: {stream.status}")
ask("POST", "/v1/permission-reports", phone, {"sequence": 2, **state("denied")})
print(f"permission lost: the open app was notified after {notified(stream, 'incident'):.2f} s")
ask("POST", "/v1/permission-reports", phone, {"sequence": 3, **state("always")})
print(f"permission restored: notified after {notified(stream, 'restored'):.2f} s")

board = ask("GET", "/v1/board", api_token)
check("Story" in json.dumps(board), f"board: {board}")
ask("POST", "/v1/clock-out", phone, {"actionId": "out"})
shifts = ask("GET", "/v1/me/shifts", phone)
check(len(shifts.get("shifts", [])) == 1, f"shifts: {shifts}")
incidents = ask("GET", "/v1/incidents", api_token)
check(any(i.get("closedAt") for i in incidents.get("incidents", [])), f"incidents: {incidents}")
print("clocked out; board, shift and incident are as they should be")
