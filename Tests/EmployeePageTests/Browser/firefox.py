"""Plays a first day in Debian's Firefox by WebDriver BiDi, and prints what is wrong, a line each.

firefox.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

import base64
import itertools
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from websockets.sync.client import connect

from orders import PLACE, address, folder, order


class Firefox:
    """A Firefox without windows, and one tab."""

    def __init__(self, home):
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port", "0",
             "--profile", home], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            env={**os.environ, "HOME": home, "MOZ_DISABLE_AUTO_SAFE_MODE": "1"},
            start_new_session=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise RuntimeError("Firefox did not start")
        self.stack = ExitStack()
        self.socket = self.stack.enter_context(connect(f"{found[1]}/session", max_size=None))
        self.numbers = itertools.count(1)
        self.send("session.new", capabilities={})
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=600))
            if answer.get("id") != number:
                continue
            if answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
            return answer["result"]

    def permit(self, state):
        self.send("permissions.setPermission", descriptor={"name": "geolocation"}, state=state,
                  origin=address)

    def go(self, path):
        self.send("browsingContext.navigate", context=self.tab, url=address + path,
                  wait="complete")

    def run(self, expression):
        """The value of an expression, as JSON can hold it; a promise is waited for."""
        result = self.send("script.evaluate", awaitPromise=True, target={"context": self.tab},
                           expression=f"Promise.resolve({expression}).then(JSON.stringify)")
        if result["type"] != "success":
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['text']}")
        value = result["result"].get("value")
        return None if value is None else json.loads(value)

    def text(self, selector):
        return self.run(f"document.querySelector('{selector}')?.innerText ?? ''")

    def await_text(self, selector, *words, seconds=300):
        """Complains unless the element has these words in time."""
        for _ in range(seconds * 10):
            text = self.text(selector)
            if all(word in text for word in words):
                return
            time.sleep(0.1)
        shown = " ".join(text.split())[:300]
        print(f"the element {selector} has no `{' … '.join(words)}` but: {shown}")

    def tap(self, selector):
        """Taps an element as a finger does, once it is there, and again if the page moved it away
        from under the finger."""
        for _ in range(3_000):
            box = self.run(
                "(e => { if (!e) return null; e.scrollIntoView({block: 'center'}); tapped = false;"
                f" addEventListener('click', c => {{ tapped = c.target.closest('{selector}') }},"
                " {capture: true, once: true}); const b = e.getBoundingClientRect();"
                " return [b.x + b.width / 2, b.y + b.height / 2]; })"
                f"(document.querySelector('{selector}'))")
            if box and self.press(*box):
                return
            time.sleep(0.1)
        print(f"the element {selector} is not there to be tapped")

    def press(self, x, y):
        """Taps a place; whether what `tap` looks for was there."""
        self.send("input.performActions", context=self.tab, actions=[
            {"type": "pointer", "id": "finger", "actions": [
                {"type": "pointerMove", "x": round(x), "y": round(y)},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])
        for _ in range(100):
            if self.run("tapped !== false"):
                break
            time.sleep(0.1)
        return self.run("Boolean(tapped)")

    def picture(self, name):
        if folder:
            data = self.send("browsingContext.captureScreenshot", context=self.tab)["data"]
            (Path(folder) / f"app-firefox-{name}.png").write_bytes(base64.b64decode(data))

    def close(self):
        self.stack.close()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def first_day(firefox):
    # Navigation to our origin first: a permission belongs to an origin.
    firefox.permit("denied")
    firefox.go("/app#" + order("code"))
    firefox.tap("#connect")
    firefox.await_text("#banner", "Action needed:", "Location access is off")
    firefox.tap("#steps")
    firefox.await_text("#sheet", "Location access is off")
    print("# steps in Firefox:", " | ".join(firefox.text("#sheet").split("\n")))
    firefox.picture("denied")
    firefox.run("document.getElementById('sheet').close()")
    firefox.tap("#clockIn")
    firefox.await_text("#result", "Not clocked in")
    # Until the server has answered, this is what the rules in the page say.
    firefox.await_text("#close-result", "Close")
    firefox.permit("granted")
    firefox.go("/app")
    firefox.send("emulation.setGeolocationOverride", contexts=[firefox.tab], coordinates=PLACE)
    firefox.await_text("#banner", "Worth fixing:")
    if firefox.run("shiftguard.rules.rules === null"):
        print("the rules do not run")
    firefox.tap("#clockIn")
    firefox.await_text("#result", "Clocked in")
    firefox.await_text("#shift", "On shift", "Tracked")
    firefox.picture("on-shift")
    model = firefox.run(
        "shiftguard.state.me.device?.model ?? shiftguard.browser.describeBrowser().model")
    if not model.startswith("Firefox "):
        print(f"Firefox calls itself {model}")
    firefox.permit("denied")
    firefox.run("shiftguard.remedies.checkNow()")
    firefox.await_text("#banner", "Location access is off")
    for _ in range(1_200):
        me = firefox.run("shiftguard.requests.request('GET', '/v1/me')")["body"]
        if "denied" in [incident["kind"] for incident in me["incidents"]]:
            break
        time.sleep(0.25)
    else:
        print(f"after the denial in the shift, the server has {me['incidents']}")
    # The second visit comes from the service worker's cache.
    firefox.run("navigator.serviceWorker.ready.then(() => true)")
    before = int(order("sent"))
    firefox.go("/app?again")
    firefox.await_text("#shift", "On shift")
    time.sleep(1)
    print(f"# the second visit took {int(order('sent')) - before} bytes of files")
    firefox.tap("#clockOut")
    firefox.await_text("#shift", "Not on shift")


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
    firefox = Firefox(home)
    try:
        first_day(firefox)
    finally:
        firefox.close()
