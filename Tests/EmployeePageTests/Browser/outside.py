"""Plays one story about what surrounds the page: the browser's process, its settings and push
messages, other pages, and the network. Prints what is wrong, a line each.

outside.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from orders import address, first_report, order, requests, story
from visitor import IS_EMPTY, PATIENCE, PROGRAM, REGISTER_LATE, Visitor, play, wait_until

WORDS = ["JavaScript. Switch it on", "Schalten Sie es ein", "Activez-le", "Włącz go"]


def noscript(browser):
    page = browser.new_context(java_script_enabled=False, viewport={
        "width": 320, "height": 700}).new_page()
    page.goto(f"{address}/app")
    text = " ".join(page.locator("main").inner_text().split())
    for words in WORDS:
        if words not in text:
            print(f"without JavaScript the page does not say `{words}`: {text}")
    for way in ("employer's app", "ask your manager"):
        if way not in text:
            print(f"without JavaScript the page does not name `{way}`")


def framed(browser):
    class Hostile(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<h1>Win</h1><iframe src="{address}/app"></iframe>'.encode())

        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    refusals = []
    page.on("console", lambda message: refusals.append(message.text))
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    for _ in range(6_000):
        if any("frame-ancestors" in text for text in refusals):
            break
        page.wait_for_timeout(50)
    shown = page.frames[1].evaluate("document.body.innerText")
    if "ShiftGuard" in shown or not any("frame-ancestors" in text for text in refusals):
        print(f"another page frames it: {shown[:200]} {refusals}")
    server.shutdown()


def all_sent(page):
    """How many bytes of files were sent, once a second passes without more."""
    sent, before = int(order("sent")), None
    while sent != before:
        page.wait_for_timeout(1_000)
        sent, before = int(order("sent")), sent
    return sent


def transferred(browser):
    visitor = Visitor(browser, language="pl")
    page = visitor.page
    visitor.permit("granted")
    before = int(order("sent"))
    visitor.enrol()
    wait_until(page,
        "async () => (await caches.match('/app/texts/pl.json')) !== undefined")
    sent = all_sent(page) - before
    print(f"# the first visit took {sent} bytes of files")
    if not 10_000 < sent <= 80_000:
        print(f"the first visit took {sent} bytes of files")
    page.reload()
    expect(page.locator("#clockIn")).to_be_visible()
    again = all_sent(page) - before - sent
    print(f"# the second visit took {again} bytes of files")
    if again > 2_000:
        print(f"the second visit took {again} bytes of files")


@contextmanager
def chromium(home):
    """A browser with a profile on the disk: its process, and its first context."""
    with open(os.devnull, "w") as nowhere, subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--remote-debugging-port=0",
             f"--user-data-dir={home}", "about:blank"], stdout=nowhere, stderr=nowhere) as process:
        try:
            port = Path(home) / "DevToolsActivePort"
            for _ in range(3_000):
                if port.exists() and len(port.read_text().split()) == 2:
                    break
                time.sleep(0.1)
            with sync_playwright() as playwright:
                browser = playwright.chromium.connect_over_cdp(
                    f"http://127.0.0.1:{port.read_text().split()[0]}")
                yield process, browser.contexts[0]
        finally:
            process.kill()
            port.unlink(missing_ok=True)


def killed():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        with chromium(home) as (process, context):
            visitor = Visitor(None, context=context)
            page = visitor.page
            visitor.permit("granted")
            visitor.enrol()
            page.locator("#clockIn").click()
            expect(page.locator("#result")).to_contain_text("Clocked in")
            # All pings are of this shift.
            page.wait_for_timeout(500)
            context.set_offline(True)
            recorded = page.evaluate(
                """async () => { const times = [];
                  for (let index = 0; index < 250; index += 1) {
                    const time = Date.now() - 300 + index;
                    const recordedAt = shiftguard.tools.instant(time);
                    times.push(time);
                    await shiftguard.queue.addToQueue({ kind: 'ping', body: { recordedAt,
                      latitude: 43.5, longitude: 16.4, accuracy: 5 } }); }
                  return times; }""")
            page.locator("#breakStart").click()
            page.wait_for_function("() => shiftguard.state.waiting.length > 0")
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
            (Path(home) / name).unlink(missing_ok=True)
        with chromium(home) as (process, context):
            visitor = Visitor(None, context=context)
            page = visitor.page
            visitor.permit("granted")
            page.goto(f"{address}/app")
            expect(page.locator("#shift")).to_contain_text("On a break")
            wait_until(page, IS_EMPTY)
            refused = page.evaluate("shiftguard.state.waitingCount")
    # An upload whose answer was lost is sent again, and the server stores each ping once.
    stored = json.loads(order("positions"))
    counts = [stored.count(at) for at in recorded]
    sent = sum(len(one["body"].get("pings", [])) for one in requests("/v1/pings"))
    print(f"# {len(recorded)} pings before the kill, {sent} sent, {refused} wait")
    if set(counts) != {1}:
        print(f"pings are stored {min(counts)} to {max(counts)} times")
    if len(requests("/v1/break-start")) != 1:
        print(f"the break arrived {len(requests('/v1/break-start'))} times")
    numbers = [report["sequence"] for one in requests("/v1/permission-reports")
               for report in one["body"]["reports"]]
    if numbers != sorted(set(numbers)):
        print(f"the numbers of the reports do not rise: {numbers}")


def installed():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        with chromium(home) as (_, context):
            visitor = Visitor(None, context=context)
            page = visitor.page
            visitor.permit("granted")
            visitor.enrol()
            page.wait_for_function("() => navigator.serviceWorker.controller")
            errors = visitor.session.send("Page.getInstallabilityErrors")["installabilityErrors"]
            manifest = visitor.session.send("Page.getAppManifest")
            if errors or manifest["errors"]:
                print(f"the page cannot be installed: {errors} {manifest['errors']}")
            if json.loads(manifest["data"])["start_url"] != "/app":
                print(f"the manifest: {manifest['data']}")
            wait_until(page,
                "async () => (await caches.match('/app/texts/en.json')) !== undefined")
            page.close()
        # A start from the Home Screen without a network, in a new process.
        with chromium(home) as (_, context):
            context.set_offline(True)
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            begin = time.monotonic()
            page.goto(f"{address}/app")
            expect(page.locator("#banner")).to_be_visible()
            print(f"# offline start to banner {1000 * (time.monotonic() - begin):.0f} ms")
            expect(page.locator("#troubles")).to_contain_text("offline")
            expect(page.locator("#clockIn")).to_be_visible()


# What a push service would give to a browser, and a dialog that waits for the employee.
SUBSCRIPTION = """(() => {
  Notification.requestPermission = () => new Promise(done => { window.allow = done; });
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = options;
    return { toJSON: () => ({ endpoint: 'https://push.example/1', keys: { auth:
      'tBHItJI5svbpez7KI4CCXg', p256dh: document.documentElement.dataset.pushKey } }) }; };
})()"""


def push(browser):
    visitor = Visitor(browser)
    page, context = visitor.page, visitor.context
    page.add_init_script(SUBSCRIPTION)
    page.add_init_script(REGISTER_LATE)
    visitor.permit("granted")
    visitor.permit("prompt", "notifications")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.report")
    wait_until(page, IS_EMPTY)
    # The worker is there after everything else.
    page.evaluate("register()")
    ask = page.locator("#notify")
    expect(ask).to_be_visible()
    visitor.picture("push")
    if order("targets") != "0":
        print("the server knows a subscription before the employee allowed one")
    ask.click()
    page.wait_for_function("() => window.allow")
    visitor.permit("granted", "notifications")
    with page.expect_response("**/v1/me/push-target") as answer:
        page.evaluate("allow('granted')")
    if answer.value.status != 204:
        print(f"the subscription was answered {answer.value.status}: {answer.value.text()}")
    expect(ask).to_have_count(0)
    options = page.evaluate("[subscribedWith.userVisibleOnly, subscribedWith.applicationServerKey]")
    if options != [True, page.evaluate("document.documentElement.dataset.pushKey")]:
        print(f"subscribed with {options}")
    if order("targets") != "1":
        print("the server does not know the subscription")
    deliver(visitor, {
        "title": "Location access is off", "body": "Tracking stopped at 10:15.", "tag": "e7-denied",
        "language": "en", "steps": [], "action": "open_settings", "event": "incident",
        "subject": {"incident": 1}})
    shown = page.evaluate(
        """async () => { const registration = await navigator.serviceWorker.ready;
          for (let turn = 0; turn < 3000; turn += 1) {
            const all = await registration.getNotifications();
            if (all.length) return all.map(({ title, body, tag, lang }) => [title, body, tag, lang]);
            await new Promise(done => setTimeout(done, 100)); }
          return []; }""")
    if shown != [["Location access is off", "Tracking stopped at 10:15.", "e7-denied", "en"]]:
        print(f"the push message was shown as {shown}")
    # Only a finger can click, and only a click may focus: the worker says what it would do.
    focused = context.service_workers[0].evaluate(
        """async () => { let focused = null;
          WindowClient.prototype.focus = async function () { focused = this.url; };
          const [notification] = await self.registration.getNotifications();
          const event = new NotificationEvent('notificationclick', { notification });
          self.dispatchEvent(event);
          let left = 1;
          for (let turn = 0; turn < 6000 && (left || !focused); turn += 1) {
            await new Promise(done => setTimeout(done, 50));
            left = (await self.registration.getNotifications()).length; }
          return [focused, left]; }""")
    if not (focused[0] or "").startswith(f"{address}/app") or focused[1] != 0:
        print(f"a tap on the notification led to {focused}")


def deliver(visitor, message):
    """Hands a push message to the service worker, as the browser does once it has decrypted it. It
    is lost for one that is not active yet."""
    registrations, versions = [], []
    visitor.session.on("ServiceWorker.workerRegistrationUpdated",
                       lambda event: registrations.extend(event["registrations"]))
    visitor.session.on("ServiceWorker.workerVersionUpdated",
                       lambda event: versions.extend(event["versions"]))
    visitor.session.send("ServiceWorker.enable")
    for _ in range(6_000):
        if registrations and any(version["status"] == "activated" for version in versions):
            break
        visitor.page.wait_for_timeout(50)
    visitor.session.send("ServiceWorker.deliverPushMessage", {
        "origin": address, "registrationId": registrations[0]["registrationId"],
        "data": json.dumps(message)})


# Safari says `prompt` whatever was chosen, never tells of a change, and fails with code 1 whatever
# the cause is.
SAFARI = """(() => {
  window.asked = 0;
  window.allows = false;
  const status = { state: 'prompt', addEventListener() {} };
  navigator.permissions.query = async () => status;
  navigator.geolocation.getCurrentPosition = (done, fail) => {
    window.asked += 1;
    setTimeout(() => window.allows
      ? done({ coords: { latitude: 43.5, longitude: 16.4, accuracy: 10 }, timestamp: Date.now() })
      : fail({ code: 1 }), 50); };
})()"""
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 "
          "(KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1")


def on_iphone(browser):
    """Somebody who has just connected in Safari."""
    context = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 740}, user_agent=IPHONE)
    visitor = Visitor(browser, context=context)
    visitor.page.add_init_script(SAFARI)
    visitor.enrol()
    return visitor


def safari(browser):
    visitor = on_iphone(browser)
    page = visitor.page
    banner, sheet, result = (page.locator(name) for name in ("#banner", "#sheet", "#result"))
    expect(banner).to_contain_text("Please allow location for your shift")
    first = first_report()
    if first["authorization"] != "unknown" or not first["osVersion"].startswith("iPhone"):
        print(f"before a position request the page reports {first}")
    if page.evaluate("asked") != 0:
        print("the page asked for a position without a tap")
    # The tap explains first, and asks then.
    page.locator("#clockIn").click()
    expect(sheet).to_contain_text("Location during your shift")
    sheet.get_by_role("button").first.click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    expect(banner).to_contain_text("Location access is off")
    page.locator("#steps").click()
    words = sheet.inner_text()
    print("# steps in Safari:", " | ".join(words.split("\n")))
    # Of the device, of the browser and of the page.
    for switch in ("Location Services", "Safari Websites", "Website Settings"):
        if switch.lower() not in words.lower():
            print(f"the steps do not name {switch}: {words}")
    visitor.picture("safari")
    page.keyboard.press("Escape")
    # Allowed in the settings, without an event.
    page.evaluate("() => { allows = true; }")
    page.locator("#clockIn").click()
    sheet.get_by_role("button").first.click()
    expect(result).to_contain_text("Clocked in")
    expect(page.locator("#shift")).to_contain_text("Tracked")
    page.locator("#breakStart").click()
    expect(page.locator("#shift")).to_contain_text("On a break")
    page.locator("#breakEnd").click()
    expect(page.locator("#shift")).to_contain_text("On shift")
    # What the employee went through, in the page's own words.
    for _ in range(3_000):
        told = [(event["kind"], event.get("authorization"))
                for one in requests("/v1/me/app-events") for event in one["body"]["events"]]
        if ("restored", "when_in_use") in told:
            break
        page.wait_for_timeout(100)
    wanted = [("explanation_shown", None), ("dialog_answered", "denied"),
              ("settings_opened", None), ("explanation_shown", None),
              ("dialog_answered", "when_in_use"), ("restored", "when_in_use")]
    if [event for event in told if event in wanted] != wanted:
        print(f"the page reported {told}")
    # Revoked in the settings in mid-shift: the next ping shows it.
    page.evaluate("() => { allows = false; shiftguard.pings.locateAndPing(); }")
    expect(banner).to_contain_text("Location access is off")
    visitor.await_incident("denied")


def reloaded(browser):
    """After a reload Safari does not say what was chosen: it is as reported before."""
    visitor = on_iphone(browser)
    page = visitor.page
    banner, result = page.locator("#banner"), page.locator("#result")
    page.locator("#clockIn").click()
    page.locator("#sheet").get_by_role("button").first.click()
    expect(banner).to_contain_text("Location access is off")
    expect(result).not_to_contain_text("Checking…")
    with page.expect_response("**/v1/permission-reports"):
        page.reload()
    # What helps is the next request for a position.
    expect(banner).to_contain_text("Please allow location for your shift")
    local = page.evaluate("""() => { const { evidence: { evidence }, rules, tools } = shiftguard;
      return rules.decide({ ...evidence(), recordedAt: tools.instant(Date.now()) }).findings; }""")
    server = visitor.me()["decision"]["findings"]
    for side, findings in [("page", local), ("server", server)]:
        if [one["code"] for one in findings if one["severity"] == "block"] != ["denied"]:
            print(f"after the reload the {side} has {findings}")
    # A browser that cannot ask clocks in with a report that says nothing.
    page.evaluate(
        """() => { Object.defineProperty(navigator, 'geolocation',
             { value: null, configurable: true }); }""")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    sent = requests("/v1/clock-in")[-1]["body"]
    told = (sent["report"]["authorization"], sent["localDecision"]["findings"][0]["code"])
    if told != ("unknown", "denied"):
        print(f"the page clocked in with {told}")
    page.evaluate("() => { delete navigator.geolocation; allows = true; }")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Clocked in")


if story in ("killed", "installed"):
    try:
        {"killed": killed, "installed": installed}[story]()
    except AssertionError as error:
        print(f"{story}: {' '.join(str(error).split())[:600]}")
else:
    play({"noscript": noscript, "framed": framed, "transferred": transferred, "push": push,
          "safari": safari, "reloaded": reloaded})
