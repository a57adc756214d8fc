"""Opens the page in Debian's WebKitGTK, the relative of Safari, by WebDriver, and prints what is
wrong, a line each. Nobody can answer its dialog here, so a position cannot be allowed.

webkit.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

import base64
import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from orders import address, first_report, folder, order

PROGRAM = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"

# What the driver says of an element that the page is just drawing or moving.
DRAWING = {
    "no such element", "stale element reference", "element not interactable",
    "element click intercepted"}


class WebKit:
    """A WebKitGTK in a screen of its own."""

    def __init__(self, home, port):
        screen, written = os.pipe()
        self.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(written), "-screen", "0", "420x900x24"],
            pass_fds=[written], stderr=subprocess.DEVNULL)
        os.close(written)
        with os.fdopen(screen) as numbers:
            number = numbers.readline().strip()
        self.driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": f":{number}", "HOME": home, "LIBGL_ALWAYS_SOFTWARE": "1"})
        self.base = f"http://127.0.0.1:{port}"
        options = {"binary": PROGRAM, "args": ["--automation"]}
        for _ in range(3_000):
            try:
                answer = self.send("POST", "/session", {"capabilities": {"alwaysMatch": {
                    "webkitgtk:browserOptions": options}}})
                break
            except urllib.error.URLError:
                time.sleep(0.1)
        else:
            raise RuntimeError("WebKitWebDriver did not start")
        self.base += f"/session/{answer['sessionId']}"

    def send(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path, method=method, data=body and json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=600) as response:
            return json.load(response)["value"]

    def run(self, expression):
        return self.send("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def await_text(self, selector, *words):
        """Complains unless the element has these words within five minutes."""
        for _ in range(3_000):
            text = self.run(f"document.querySelector('{selector}')?.innerText ?? ''")
            if all(word in text for word in words):
                return
            time.sleep(0.1)
        shown = " ".join(text.split())[:300]
        print(f"the element {selector} has no `{' … '.join(words)}` but: {shown}")

    def tap(self, selector):
        """Taps the element, or says what the driver has against it after five minutes: the page may
        just be drawing it."""
        by = {"using": "css selector", "value": selector}
        for _ in range(3_000):
            try:
                element = self.send("POST", "/element", by)
                return self.send(
                    "POST", f"/element/{next(iter(element.values()))}/click", {"id": "tap"})
            except urllib.error.HTTPError as error:
                refusal = json.load(error)["value"]["error"]
            if refusal not in DRAWING:
                break
            time.sleep(0.1)
        raise RuntimeError(f"the element {selector} cannot be tapped: {refusal}")

    def picture(self, name):
        if folder:
            data = base64.b64decode(self.send("GET", "/screenshot"))
            (Path(folder) / f"app-webkit-{name}.png").write_bytes(data)

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.kill()
            self.screen.kill()


def smoke(webkit):
    webkit.send("POST", "/url", {"url": f"{address}/app#{order('code')}"})
    webkit.await_text("#main", "Connect this phone")
    webkit.tap("#connect")
    webkit.await_text("#banner", "Please allow location for your shift", "Last checked:")
    is_webkit = webkit.run("shiftguard.browser.isWebKit")
    permission = webkit.run("shiftguard.evidence.permission")
    if not is_webkit or permission != "prompt":
        print(f"WebKit says {permission} and calls itself {webkit.run('navigator.userAgent')}")
    report = first_report()
    if report["authorization"] != "unknown":
        print(f"before a tap the page reports {report}")
    if webkit.run("shiftguard.rules.rules === null"):
        print("the rules do not run")
    webkit.tap("#clockIn")
    webkit.await_text("#sheet", "Location during your shift")
    webkit.picture("explanation")
    webkit.tap("#sheet button:not(.main)")
    webkit.await_text("#main", "Not on shift")
    webkit.await_text("#banner", "Please allow location for your shift")
    webkit.await_text("#clockIn:focus", "Clock in")
    webkit.tap("#menu-privacy")
    webkit.await_text("#main", "Who looked at my location")
    wide = webkit.run("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        print(f"the page is {wide} px wider than the window")
    webkit.send("POST", "/url", {"url": f"{address}/app?again"})
    webkit.await_text("#shift", "Not on shift")


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
    # No port that the system gives to others.
    webkit = WebKit(home, 20_000 + os.getpid() % 12_000)
    try:
        smoke(webkit)
    finally:
        webkit.close()
