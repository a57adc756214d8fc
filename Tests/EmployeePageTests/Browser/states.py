"""Plays one story about a state that is rare, and prints what is wrong, a line each.

states.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

import json
import re
import time
from datetime import datetime, timedelta, timezone

from playwright.sync_api import expect

from orders import order, requests
from visitor import (
    COUNT_POSITIONS, IS_EMPTY, IS_SETTLED, QUEUE_PINGS, REGISTER_LATE, Held, Visitor, on_shift, play,
    set_visibility, wait_until)


def once(path):
    """Complains about pings that the server was sent more or less often than once."""
    times = []
    for sent in requests(path):
        pings = sent["body"].get("pings", [sent["body"]])
        times += [ping["recordedAt"] for ping in pings if "latitude" in ping]
    for repeated in sorted({at for at in times if times.count(at) > 1}):
        print(f"the ping of {repeated} was sent {times.count(repeated)} times")
    return set(times)


def override(browser):
    order("policy", "with_reason")
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("denied")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.rules")
    page.route("**/v1/clock-in", lambda route: None)
    page.locator("#clockIn").click()
    result = page.locator("#result")
    expect(result).to_contain_text("Not clocked in")
    expect(page.locator("#override")).to_have_attribute("aria-disabled", "true")
    # Which lets the request go on.
    page.unroute("**/v1/clock-in")
    expect(result).not_to_contain_text("Checking…")
    # The browser asks for a reason.
    page.locator("#override").click()
    expect(result).to_contain_text("Not clocked in")
    page.locator("#override-reason").fill("My phone has no GPS")
    visitor.picture("override")
    page.locator("#override").click()
    expect(result).to_contain_text("Clocked in")
    expect(page.locator("#shift")).to_contain_text("My phone has no GPS")
    sent = [one["body"].get("overrideReason") for one in requests("/v1/clock-in")]
    if sent != [None, "My phone has no GPS"]:
        print(f"the reasons that were sent: {sent}")


def limit(browser):
    visitor = Visitor(browser, language="en-GB")
    page = visitor.page
    visitor.permit("granted")
    visitor.enrol()
    status = page.evaluate(
        """async () => {
           const { evidence, requests, storage, tools: { instant, newId, second } } = shiftguard;
           const at = instant(Date.now() - 17 * 3600 * second);
           const body = { actionId: newId(), occurredAt: at, sentAt: instant(Date.now()),
             installation: storage.installation(),
             report: { ...evidence.newReport('clock_in'), recordedAt: at } };
           return (await requests.request('POST', '/v1/clock-in', body)).status; }""")
    if status != 201:
        print(f"a clock-in 17 hours ago was answered {status}")
    order("time")
    page.reload()
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    page.locator("#menu-myShifts").click()
    page.locator("#shift-1").click()
    end = page.locator("#end")
    expect(page.locator("main")).to_contain_text("When did your work really end?")
    visitor.picture("limit")
    chosen, second = ((datetime.now(timezone.utc) - timedelta(hours=ago)).strftime("%Y-%m-%dT%H:%M")
                      for ago in (9, 8))
    end.fill(chosen)
    # The page is drawn again, as with every answer of the server.
    page.locator("#confirm-end").focus()
    page.evaluate("shiftguard.elements.render()")
    page.wait_for_timeout(100)
    # As if the clock had been set back by an hour soon after.
    page.evaluate("""typed => {
      window.offset = Date.prototype.getTimezoneOffset;
      Date.prototype.getTimezoneOffset = function () {
        return this >= Date.parse(`${typed}Z`) + 1_800_000 ? 60 : 0; }; }""", chosen)
    page.locator("#confirm-end").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("The clock shows this time twice. Which one do you mean?")
    sheet.get_by_role("button", name="Cancel").click()
    expect(end).to_have_value(chosen)
    page.locator("#confirm-end").click()
    sheet.get_by_role("button").nth(1).click()
    expect(end).to_have_count(0)
    page.evaluate("() => { Date.prototype.getTimezoneOffset = window.offset; }")
    ended = page.evaluate(
        "async () => (await shiftguard.requests.request('GET', '/v1/me/shifts/1')).body.endedAt")
    if not ended.startswith(second):
        print(f"the shift ended at {ended} after the second {chosen} was confirmed")
    # Where the shift began at 20:30, its end is on the next day.
    begun = datetime.now(timezone.utc) - timedelta(hours=17)
    hours = (20 - begun.hour + 12) % 24 - 12
    zone = timezone(timedelta(hours=hours))
    visitor.session.send(
        "Emulation.setTimezoneOverride", {"timezoneId": f"Etc/GMT{-hours:+d}" if hours else "UTC"})
    page.reload()
    end = datetime.fromisoformat(ended.replace("Z", "+00:00")).astimezone(zone)
    expect(page.locator("main")).to_contain_text(re.compile(
        f"{end:%a},? {end:%H:%M} · You gave this end after the shift had ended automatically"))
    expect(page.locator("main li").first).to_contain_text(re.compile(r"^\d\d:\d\d · Clocked in"))
    # A time that the clock shows twice has its offset.
    visitor.session.send("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Zagreb"})
    page.reload()
    shown = page.evaluate("""async () => {
      const texts = performance.getEntriesByType('resource')
        .find(({ name }) => name.endsWith('/texts.js'));
      window.texts = await import(texts.name);
      return ['00:10', '01:05', '02:05'].map(
        (time) => window.texts.clockTime(`2026-10-25T${time}:00Z`)); }""")
    if shown != ["02:10+02:00", "02:05+01:00", "03:05"]:
        print(f"times around the end of summer time are shown as {shown}")
    meant = page.evaluate("""() => ['2026-10-25T02:50', '2026-03-29T02:30', '2026-03-29T03:00']
      .map((typed) => window.texts.typedTimes(typed))
      .map(({ times, neighbours }) => [...times, '|', ...neighbours]
        .map((time) => time === '|' ? time : new Date(time).toISOString().slice(11, 16)).join(' '))
    """)
    if meant != ["00:50 01:50 |", "| 00:59 01:00", "01:00 |"]:
        print(f"times around a change of the clock are understood as {meant}")


def policies(browser):
    order("policy", "strict")
    visitor = Visitor(browser)
    page = visitor.page
    page.add_init_script(COUNT_POSITIONS)
    visitor.permit("prompt")
    visitor.enrol()
    banner, result, spoken = (page.locator(f"#{name}") for name in ("banner", "result", "spoken"))
    # The page says so before any dialog, and asks for nothing.
    expect(banner).to_contain_text("Action needed: This page is not enough to clock in")
    expect(spoken).to_contain_text("Action needed:")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).to_contain_text("Ask your manager for the shift app")
    if page.locator("#sheet").is_visible() or page.evaluate("window.asked"):
        print("a page that cannot clock in asks for the location")
    visitor.permit("granted")
    page.reload()
    expect(banner).to_contain_text("Action needed: This page is not enough to clock in")
    page.locator("#steps").click()
    print("# strict:", page.locator("#sheet").inner_text().replace("\n", " | "))
    expect(page.locator("#sheet")).to_contain_text("app")
    visitor.picture("strict")
    page.keyboard.press("Escape")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    order("policy", "advisory")
    visitor.permit("denied")
    page.reload()
    expect(banner).to_contain_text("Location access is off")
    expect(banner).not_to_contain_text("Action needed:")
    # What is read out has the level of what is shown.
    expect(spoken).to_contain_text("Worth fixing: Location access is off")
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    expect(page.locator("#shift")).to_contain_text("On shift")
    visitor.picture("advisory")


def allowed(browser):
    """A manager allows one clock-in where the team's rules let no page clock in."""
    order("policy", "strict")
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("prompt")
    # The tap comes before the team's rules.
    page.route("**/v1/me?*", lambda route: None)
    visitor.enrol()
    result, shift, sheet = (page.locator(f"#{name}") for name in ("result", "shift", "sheet"))
    expect(page.locator("#banner")).to_contain_text("This page is not enough to clock in")
    page.locator("#clockIn").click()
    expect(page.locator("#clockIn")).to_have_attribute("aria-disabled", "true")
    # Which lets the requests go on.
    page.unroute("**/v1/me?*")
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    if (answer := order("override", "when_in_use not_determined")) != "done":
        print(f"the clock-in could not be allowed: {answer}")
    page.evaluate("shiftguard.work.everyMinute()")
    expect(result).to_contain_text("You can clock in now")
    expect(shift).to_contain_text("Allowed by test: New phone tomorrow")
    visitor.picture("allowed-by-manager")
    alerts = page.locator("#alerts")
    order("notify", "allowed 1")
    expect(alerts).to_contain_text("A clock-in is allowed")
    # What is withdrawn holds no longer; another one holds once.
    order("withdraw", "1")
    expect(alerts).not_to_contain_text("A clock-in is allowed")
    expect(shift).not_to_contain_text("Allowed by test")
    for number in ("2", "3"):
        order("override", "when_in_use not_determined")
        order("notify", f"allowed {number}")
        expect(alerts).to_contain_text("A clock-in is allowed")
        if number == "2":
            order("withdraw", number)
            expect(alerts).not_to_contain_text("A clock-in is allowed")
            expect(shift).not_to_contain_text("Allowed by test")
    expect(shift).to_contain_text("Allowed by test: New phone tomorrow")
    expect(alerts.locator("section")).to_have_count(1)
    # The page asks as usual now.
    page.locator("#clockIn").click()
    expect(sheet).to_contain_text("Location during your shift")
    visitor.permit("granted")
    sheet.locator("button.main").click()
    expect(result).to_contain_text("Clocked in")
    expect(shift).to_contain_text("On shift")


def full(browser):
    visitor, page = on_shift(browser)
    visitor.context.set_offline(True)
    page.evaluate(
        """() => shiftguard.storage.within('queue', 'readwrite', store => {
             const { queue: { queueMax }, tools: { instant } } = shiftguard;
             const now = Date.now();
             store.clear();
             for (let index = 0; index < queueMax; index += 1) {
               store.add({ kind: 'ping', employee: shiftguard.state.employee,
                 body: { recordedAt: instant(now - index) } }); } })""")
    count = page.evaluate(QUEUE_PINGS, [1, 0])
    if count != 5000:
        print(f"{count} records are in a queue for 5000")
    expect(page.locator("#troubles")).to_contain_text("storage for offline records is full")
    visitor.picture("full")
    page.locator("#clockOut").click()
    expect(page.locator("#result")).to_contain_text("Stored on this phone")
    visitor.context.set_offline(False)
    expect(page.locator("#shift")).not_to_contain_text("Not sent yet")
    expect(page.locator("#troubles")).not_to_contain_text("full")
    if "shift" in visitor.me():
        print("the clock-out did not reach the server")


def tabs(browser):
    visitor, first = on_shift(browser)
    second = visitor.context.new_page()
    second.goto("/app")
    expect(second.locator("#shift")).to_contain_text("On shift")
    wait_until(second, IS_SETTLED)
    visitor.context.set_offline(True)
    for page in (first, second):
        # No ping of the second tab has the time of one of the first.
        page.wait_for_timeout(400)
        page.evaluate(QUEUE_PINGS, [40, 7])
    first.locator("#breakStart").click()
    expect(first.locator("#result")).to_contain_text("Stored on this phone")
    kept = len(first.evaluate("shiftguard.queue.readQueue(9999)"))
    visitor.context.set_offline(False)
    for page in (first, second):
        page.evaluate("shiftguard.sending.sendQueue()")
        expect(page.locator("#shift")).not_to_contain_text("Not sent yet")
        wait_until(page, IS_EMPTY)
    expect(first.locator("#shift")).to_contain_text("On a break")
    expect(second.locator("#shift")).to_contain_text("On a break")
    sent = once("/v1/pings")
    # Long before the second tab asks the server again.
    first.locator("#breakEnd").click()
    expect(second.locator("#shift")).to_contain_text("On shift", timeout=30_000)
    print(f"# {kept} records of two tabs, {len(sent)} pings sent")
    if len(sent) < 80:
        print(f"{len(sent)} pings of 80 were sent")
    starts = requests("/v1/break-start")
    if len(starts) != 1:
        print(f"the break was sent {len(starts)} times")


def revoked(browser):
    visitor, page = on_shift(browser)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [5, 5])
    page.locator("#breakStart").click()
    expect(page.locator("#result")).to_contain_text("Stored on this phone")
    count = len(page.evaluate("shiftguard.queue.readQueue(99)"))
    order("revoke", str(visitor.page.evaluate("shiftguard.state.me.device.number")))
    visitor.context.set_offline(False)
    main = page.locator("main")
    expect(main).to_contain_text("no longer connected")
    expect(page.locator("#unsent")).to_contain_text("Records not sent yet")
    shown = page.locator("#unsent").inner_text()
    if not shown.endswith(f" {count}"):
        print(f"{count} records wait, and the page says: {shown}")
    visitor.picture("revoked")
    before = len(requests("/v1/break-start"))
    visitor.enrol()
    wait_until(page, IS_EMPTY)
    sent = len(requests("/v1/break-start"))
    if (before, sent) != (0, 1):
        print(f"the break was sent {before} times before the new connection, and {sent} in all")
    # Somebody else takes the phone.
    wait_until(page, IS_SETTLED)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [3, 5])
    page.evaluate("clearTimeout(shiftguard.sending.retryTimer)")
    order("revoke", str(visitor.page.evaluate("shiftguard.state.me.device.number")))
    order("refuse", "9 503 60 /v1/pings")
    visitor.context.set_offline(False)
    page.evaluate("shiftguard.status.refreshStatus()")
    expect(main).to_contain_text("no longer connected")
    visitor.enrol(order("code", "8"))
    expect(main).to_contain_text("Unsent records of the previous employee, deleted from this phone:")


def updated(browser):
    order("version", "old")
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    page.add_init_script(REGISTER_LATE)
    visitor.enrol()
    # A language is chosen, and the worker takes control before its texts have come.
    texts = Held(page, "**/app/texts/de.json")
    page.locator("#language").select_option("de")
    texts.wait()
    page.evaluate("register()")
    wait_until(page, """async () => (await Promise.all(
      ['de', 'en'].map((code) => caches.match(`/app/texts/${code}.json`)))).some(Boolean)""")
    texts.release()
    wait_until(page, "() => document.documentElement.lang === 'de'")
    wait_until(page,
        "async () => (await caches.match('/app/texts/de.json')) !== undefined")
    old = page.evaluate("shiftguard.tools.version")
    if page.evaluate("shiftguard.rules.rules") is not None:
        print("the old version has rules")
    visitor.context.set_offline(True)
    page.evaluate("shiftguard.storage.stored.set('updated', true)")
    page.evaluate(QUEUE_PINGS, [3, 5])
    visitor.context.set_offline(False)
    order("version", "new")
    set_visibility(page, "hidden")
    set_visibility(page, "visible")
    page.wait_for_function("() => shiftguard.offline.isOutdated")
    with page.expect_navigation():
        set_visibility(page, "visible")
    expect(page.locator("#shift")).to_be_visible()
    new = page.evaluate("shiftguard.tools.version")
    if new == old:
        print("the page is the old one after the update")
    page.wait_for_function("() => shiftguard.rules.rules !== null")
    names = page.evaluate("caches.keys()")
    if names != [f"shiftguard-{new}"]:
        print(f"the caches after the update: {names}")
    wait_until(page, IS_EMPTY)
    once("/v1/pings")
    visitor.context.set_offline(True)
    page.reload()
    expect(page.locator("#troubles")).to_contain_text("offline")
    shown = page.evaluate("[shiftguard.tools.version, document.documentElement.lang]")
    if shown != [new, "de"]:
        print("offline, the page is not the new one in German")


def days(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    page.clock.install()
    visitor.enrol()
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    banner, troubles = page.locator("#banner"), page.locator("#troubles")
    set_visibility(page, "hidden")
    page.clock.fast_forward(3 * 24 * 3600 * 1000)
    before = len(requests("/v1/permission-reports"))
    with page.expect_response("**/v1/permission-reports"):
        set_visibility(page, "visible")
    expect(troubles).to_contain_text("clock")
    visitor.picture("days")
    if len(requests("/v1/permission-reports")) <= before:
        print("after three days nothing was reported")
    expect(banner).to_contain_text("Last checked:")
    # The owner corrects the clock.
    page.clock.set_system_time(time.time())
    set_visibility(page, "hidden")
    set_visibility(page, "visible")
    expect(troubles).not_to_contain_text("clock")
    expect(page.locator("#shift")).to_contain_text("Tracked")


def unstored(browser):
    visitor = Visitor(browser)
    page = visitor.page
    page.add_init_script("indexedDB.open = () => { throw new Error('no storage'); }")
    visitor.permit("granted")
    visitor.enrol()
    expect(page.locator("#troubles")).to_contain_text("does not let the page store anything")
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    expect(page.locator("#shift")).to_contain_text("On shift")
    page.locator("#clockOut").click()
    expect(page.locator("#shift")).to_contain_text("Not on shift")


def pressed(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.device && shiftguard.offline.worker")
    page.wait_for_timeout(500)
    page.locator("#clockIn").hover()
    page.mouse.down()
    # An answer arrives while the finger is down.
    page.evaluate(
        "() => new Promise(done => { shiftguard.elements.render(); setTimeout(done, 200); })")
    page.mouse.up()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    # A second tap begins before the page is drawn after the first.
    page.wait_for_timeout(500)
    page.locator("#clockOut").hover()
    box = page.locator("#clockOut").bounding_box()
    page.mouse.click(1, 1)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(300)
    page.mouse.up()
    expect(page.locator("#shift")).to_contain_text("Not on shift")


def decisions(browser):
    visitor = Visitor(browser)
    page = visitor.page
    page.goto("/app")
    page.locator("#code").wait_for()
    answer = page.evaluate(
        """async () => {
          const table = await (await fetch('/test/decisions', { method: 'POST' })).json();
          const { rules: { decide, loadRules }, state, tools: { instant } } = shiftguard;
          await loadRules();
          Date.now = () => table.now;
          const faults = [];
          let count = 0;
          const begin = performance.now();
          for (const [report, age, skew, answers] of table.cases) {
            table.tables.forEach((policy, index) => {
              state.me = { rules: policy, clock: skew === null ? undefined : { skewMs: skew } };
              const decision = decide({ ...report, recordedAt: instant(table.now - age) });
              const words = [decision?.verdict, ...(decision?.findings || [])
                .map(({ code, severity }) => `${code} ${severity}`)].join();
              count += 1;
              if (words !== table.decisions[answers[index]] && faults.length < 5) {
                faults.push([report, age, skew, policy, words, table.decisions[answers[index]]]); }
            }); }
          return { faults, count, kinds: table.decisions.length,
            milliseconds: (performance.now() - begin) / count }; }""")
    print(f"# {answer['count']} decisions, {answer['kinds']} different ones, "
          f"{answer['milliseconds']:.4f} ms each")
    for fault in answer["faults"]:
        print(f"the page decides otherwise: {json.dumps(fault)}")
    if answer["milliseconds"] > 1:
        print(f"a decision takes {answer['milliseconds']} ms")


def late(browser):
    """The first two positions after a grant were found before it, as a phone's are now and then."""
    visitor, page = on_shift(browser)
    visitor.permit("denied")
    expect(page.locator("#shift")).to_contain_text("Not tracked")
    page.evaluate("""() => { const { geolocation } = navigator;
      const locate = geolocation.getCurrentPosition.bind(geolocation);
      window.found = 0;
      geolocation.getCurrentPosition = (answer, ...others) => locate(({ coords }) => {
        window.found += 1;
        const timestamp = Date.now() - (window.found < 3 ? 5000 : 0);
        answer({ coords, timestamp }); }, ...others); }""")
    visitor.permit("granted")
    # Much earlier than the next position would be due.
    expect(page.locator("#shift")).to_contain_text("Tracked")
    if page.evaluate("window.found") < 3:
        print("a position from before the grant counts after it")


play({"override": override, "limit": limit, "policies": policies, "allowed": allowed, "full": full,
      "tabs": tabs, "revoked": revoked, "updated": updated, "days": days, "unstored": unstored,
      "pressed": pressed, "decisions": decisions, "late": late})
