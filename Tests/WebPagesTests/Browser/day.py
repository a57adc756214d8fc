"""Uses a real guardd as a manager would, and prints what is wrong.

day.py ADDRESS TOKEN EMAIL PASSWORD: employee 1's phone, which has this TOKEN, clocks in, sends
positions and denies location while a manager has the board open. The board must update by itself;
the shift page shows the reason and the delivery; the track can be downloaded as a file that a GPX
reader understands, and is drawn on a map of tiles from https://tiles.example.
"""

import base64
import datetime
import http.client
import json
import sys
import threading
import time

import gpxpy
from playwright.sync_api import sync_playwright

import chromium

address, token, email, password = sys.argv[1:]
host = address.removeprefix("http://")
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mO48ewCAAUoAo+43h4pAAAAAElFTkSuQmCC")
bearer = {"Authorization": f"Bearer {token}"}


def now():
    stamp = datetime.datetime.now(datetime.timezone.utc)
    return stamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def post(path, **body):
    connection = http.client.HTTPConnection(host, timeout=600)
    connection.request("POST", path, json.dumps({"sentAt": now(), **body}), bearer)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status // 100 != 2:
        sys.exit(f"{path}: {answer.status} {text}")


def report(sequence, authorization):
    return {"sequence": sequence, "authorization": authorization, "accuracy": "full",
            "services": "on"}


def open_app(told):
    """Opens the phone's app, which gets notifications by its stream."""
    connection = http.client.HTTPConnection(host, timeout=600)
    connection.request("GET", "/v1/me/events", headers=bearer)
    answer = connection.getresponse()
    for line in answer:
        if line.startswith(b"data:") and b"Location access is off" in line:
            told.set()


told = threading.Event()
threading.Thread(target=open_app, args=(told,), daemon=True).start()
post("/v1/clock-in", actionId="a", report=report(1, "always"))
for minute in range(5):
    post("/v1/pings", pings=[{
        "recordedAt": now(), "latitude": 45.2700 + minute / 1000, "longitude": 13.71,
        "accuracy": 8}])

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=address, accept_downloads=True)
    context.route("https://tiles.example/**", lambda route: route.fulfill(
        content_type="image/png", body=DOT))
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and print(message.text))
    page.goto("/")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_selector("#e1.t")
    page.evaluate("window.loadedOnce = true")
    # The stream sends `resync` once it is open.
    page.wait_for_timeout(1500)
    post("/v1/permission-reports", **report(2, "denied"))
    committed = time.monotonic()
    page.wait_for_selector("#e1.i")
    print(f"# the row turned {1000 * (time.monotonic() - committed):.0f} ms after the response")
    if not page.evaluate("window.loadedOnce === true"):
        print("the board was loaded again")
    if not told.wait(300):
        print("the open app got no notification")
    page.locator("#e1", has_text="in the open app").wait_for(timeout=20_000)
    page.locator("#e1 a").click()
    purpose = page.get_by_label("Purpose (visible to the employee)")
    purpose.wait_for()
    happened = page.locator("main").inner_text()
    for words in ("Location access denied", "Delivered in the open app"):
        if words not in happened:
            print(f"the shift page does not show {words}: {happened}")
    purpose.fill("To see that it can be read")
    with page.expect_download() as download:
        page.get_by_role("button", name="GPX").click()
    with open(download.value.path(), encoding="utf-8") as file:
        track = gpxpy.parse(file)
    points = [point for segment in track.tracks[0].segments for point in segment.points]
    if len(points) != 5 or abs(points[0].latitude - 45.27) > 1e-6:
        print(f"the file has {points}")
    page.get_by_role("button", name="Show the track").click()
    page.locator("img.leaflet-tile-loaded").first.wait_for(timeout=20_000)
    page.wait_for_selector("svg.track", state="hidden")
    browser.close()

connection = http.client.HTTPConnection(host, timeout=600)
connection.request("GET", "/v1/me/audit", headers=bearer)
if b"To see that it can be read" not in connection.getresponse().read():
    print("the employee cannot read who viewed the track, and why")
