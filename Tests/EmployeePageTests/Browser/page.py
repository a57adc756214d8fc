"""Plays one story on the employee's page, and prints what is wrong, a line each.

page.py ADDRESS STORY FOLDER: `POST /test/code` makes a new enrolment code. Screenshots go to FOLDER
unless it is empty. Lines with measurements begin with `#`.
"""

import re
import time

from playwright.sync_api import expect

from orders import PLACE, address, order
from soundness import check, check_large
from visitor import (
    COUNT_POSITIONS, IS_DENIED, IS_EMPTY, Held, Visitor, on_shift, play, set_visibility, wait_until)


def denied(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.context.set_geolocation(PLACE)
    visitor.permit("denied")
    visitor.enrol()
    banner = page.locator("#banner")
    expect(banner).to_contain_text("Action needed: Location access is off")
    expect(banner).to_contain_text("Last checked:")
    page.reload()
    opened = time.monotonic()
    banner.wait_for()
    print(f"# banner {1000 * (time.monotonic() - opened):.0f} ms after loading")
    page.locator("#steps").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("Set Location to Allow.")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.locator("#clockIn").click()
    result = page.locator("#result")
    expect(result).to_contain_text("Not clocked in")
    expect(result).to_contain_text("Choose the icon left of the address")
    expect(result).not_to_contain_text("Checking…")
    visitor.picture("blocked")
    if "shift" in visitor.me():
        print("a shift is open in spite of the block")
    visitor.permit("granted")
    expect(banner).to_contain_text("Worth fixing:")
    page.locator("#clockIn").click()
    expect(page.locator("#shift")).to_contain_text("On shift")
    expect(result).to_contain_text("Clocked in")
    visitor.picture("on-shift")
    me = visitor.me()
    if me.get("shift", {}).get("device") != me["device"]["number"]:
        print(f"the shift is {me.get('shift')}")
    expect(page.locator("#shift")).to_contain_text("Tracked")
    visitor.permit("denied")
    expect(banner).to_contain_text("Location access is off")
    visitor.await_incident("denied")
    page.locator("#breakStart").click()
    expect(page.locator("#shift")).to_contain_text("On a break")
    page.locator("#breakEnd").click()
    expect(page.locator("#shift")).to_contain_text("On shift")
    page.locator("#clockOut").click()
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    page.locator("#menu-myShifts").click()
    page.locator("#shift-1").click()
    expect(page.locator("main")).to_contain_text("What happened")
    visitor.picture("shift")


def explained(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.context.set_geolocation(PLACE)
    visitor.permit("prompt")
    visitor.enrol()
    banner = page.locator("#banner")
    expect(banner).to_contain_text("Please allow location for your shift")
    page.locator("#clockIn").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("Location during your shift")
    visitor.picture("explanation")
    sheet.get_by_role("button", name="Not now").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#clockIn")).to_be_enabled()
    expect(banner).to_contain_text("Please allow location for your shift")
    expect(page.locator("#clockIn")).to_be_focused()
    if page.url != f"{address}/app" and page.url != f"{address}/app#/":
        print(f"dismissing the explanation led to {page.url}")
    if "shift" in visitor.me():
        print("a shift is open although the explanation was dismissed")


def unasked(browser):
    """Clocks in where location is optional, without allowing it, and opens the page again."""
    order("policy", "advisory")
    visitor = Visitor(browser)
    page = visitor.page
    page.add_init_script(COUNT_POSITIONS)
    visitor.permit("prompt")
    visitor.enrol()
    page.locator("#clockIn").click()
    # Instead of a position, a sign of life is sent.
    with page.expect_request("**/v1/pings"):
        page.locator("#sheet").get_by_role("button", name="Not now").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    first = page.evaluate("window.asked")
    with page.expect_request("**/v1/pings"):
        page.reload()
    second = page.evaluate("window.asked")
    if (first, second) != (0, 0):
        print(f"the browser was asked for a position {first} times after the clock-in, and "
              f"{second} times after opening the page again")


def offline(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.context.set_geolocation(PLACE)
    visitor.permit("granted")
    visitor.enrol()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_until(page,
        "async () => (await caches.match('/app/texts/en.json')) !== undefined")
    visitor.context.set_offline(True)
    page.reload()
    expect(page.locator("#troubles")).to_contain_text("You are offline")
    expect(page.locator("#banner")).to_contain_text("Location works only while this page is open")
    tapped = time.time()
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Stored on this phone")
    expect(page.locator("#shift")).to_contain_text("On shift")
    page.reload()
    expect(page.locator("#shift")).to_contain_text("On shift")
    visitor.picture("offline")
    visitor.context.set_offline(False)
    expect(page.locator("#shift")).not_to_contain_text("Not sent yet")
    me = visitor.me()
    if "shift" not in me:
        print(f"the offline clock-in opened no shift: {me['trackingState']}")
    else:
        started = page.evaluate("text => Date.parse(text)", me["shift"]["startedAt"]) / 1000
        print(f"# the shift began {started - tapped:.1f} s after the tap")
        if not -1 < started - tapped < 12:
            print(f"the shift began {started - tapped:.1f} s after the tap")


def kept(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.context.set_geolocation(PLACE)
    visitor.permit("denied")
    visitor.enrol()
    expect(page.locator("#banner")).to_contain_text("Location access is off")
    visitor.context.set_offline(True)
    page.locator("#clockIn").click()
    result = page.locator("#result")
    expect(result).to_contain_text("Not clocked in")
    expect(result).to_contain_text("Your attempt is stored")
    # As if it had happened five minutes ago.
    page.evaluate(
        """() => new Promise(done => { indexedDB.open('shiftguard').onsuccess = opened => {
             const store = opened.target.result.transaction('queue', 'readwrite')
               .objectStore('queue');
             store.getAll().onsuccess = ({ target }) => {
               const earlier = text => new Date(Date.parse(text) - 300000).toISOString();
               for (const item of target.result.filter(item => item.kind === 'clock')) {
                 item.body.occurredAt = earlier(item.body.occurredAt);
                 item.body.report.recordedAt = earlier(item.body.report.recordedAt);
                 store.put(item); }
               store.transaction.oncomplete = done; } } })""")
    visitor.context.set_offline(False)
    expect(result).to_contain_text("Your manager has to review this")
    expect(result).to_contain_text("Your team’s rules did not allow it at that time.")
    visitor.picture("kept")
    visitor.permit("granted")
    expect(page.locator("#banner")).to_contain_text("Worth fixing:")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Clocked in")
    expect(page.locator("#shift")).to_contain_text("On shift")
    set_aside(visitor)


def set_aside(visitor):
    """A clock-out of which too many wait stands in nobody's way, and is sent again after a day."""
    page = visitor.page
    problem = '{"status":429,"code":"too_many_waiting","title":"Too Many Requests"}'
    visitor.context.route(
        "**/v1/clock-out",
        lambda route: route.fulfill(
            status=429, content_type="application/problem+json", body=problem))
    page.locator("#clockOut").click()
    expect(page.locator("#result")).to_contain_text("sends it again every day")
    visitor.picture("set-aside")
    visitor.context.unroute("**/v1/clock-out")
    again = """async days => {
        const { stored } = shiftguard.storage;
        stored.set("kept", stored.get("kept").map(one =>
          one.triedAt ? { ...one, triedAt: one.triedAt - days * 24 * 3600 * 1000 } : one));
        await shiftguard.review.askAboutReview();
        // A position may wait beside it.
        const queue = await shiftguard.queue.readQueue(9);
        return [queue.filter(one => one.kind === "clock").length, stored.get("kept").filter(one => one.triedAt).length]; }"""
    for days, wanted in ((0, [0, 1]), (1, [0, 0])):
        found = page.evaluate(again, days)
        if found != wanted:
            print(f"after {days} days, in the queue and set aside are {found}")
    if "shift" in visitor.me():
        print("the clock-out that was set aside was not sent")


def twice(browser):
    first, second = Visitor(browser), Visitor(browser)
    for visitor in (first, second):
        visitor.context.set_geolocation(PLACE)
        visitor.permit("granted")
    code = first.enrol()
    expect(first.page.locator("main")).to_contain_text("once more within 10 minutes")
    first.page.locator("#clockIn").click()
    expect(first.page.locator("#result")).to_contain_text("Clocked in")
    # The whole link, pasted where the code belongs.
    second.page.goto("/app")
    second.page.locator("#code").fill(f"{address}/app#{code}")
    second.page.locator("#connect").click()
    expect(second.page.locator("main")).to_contain_text("is disconnected now")
    expect(second.page.locator("main .code")).to_have_text(code)
    # It is the same phone, so the shift goes on here.
    expect(second.page.locator("#shift")).to_contain_text("Tracked")
    expect(second.page.locator("#takeOver")).to_have_count(0)
    first.page.reload()
    expect(first.page.locator("main")).to_contain_text("no longer connected")
    third = Visitor(browser)
    third.page.goto("/app")
    third.page.locator("#code").fill(code)
    third.page.locator("#connect").click()
    expect(third.page.locator("#code-error")).to_contain_text("already used")


def standalone(browser):
    """A window without an address names another way, with the network and without."""
    visitor = Visitor(browser)
    page = visitor.page
    # Chromium emulates no display mode.
    page.add_init_script("""(() => { const real = matchMedia.bind(window);
      window.matchMedia = (query) => query.includes("display-mode: standalone")
        ? { matches: true } : real(query); })()""")
    visitor.permit("denied")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.device")
    if "(installed)" not in visitor.me()["device"]["model"]:
        print(f"the server knows the page as {visitor.me()['device']['model']}")
    for is_offline in (False, True):
        visitor.context.set_offline(is_offline)
        page.evaluate("shiftguard.remedies.checkNow()" if is_offline else
                      "shiftguard.status.refreshStatus()")
        page.locator("#steps").click()
        expect(page.locator("#sheet")).to_contain_text("This page has no address here")
        expect(page.locator("#sheet")).not_to_contain_text("next to its address")
        page.keyboard.press("Escape")


def elsewhere(browser):
    first, second = Visitor(browser), Visitor(browser)
    for visitor in (first, second):
        visitor.context.set_geolocation(PLACE)
        visitor.permit("granted")
        visitor.enrol()
    # The second page has asked all that it asks at its start, and will not hear of the shift.
    second.page.wait_for_function("() => shiftguard.state.me?.device")
    wait_until(second.page, IS_EMPTY)
    second.page.evaluate("shiftguard.alerts.stopAlerts()")
    first.page.locator("#clockIn").click()
    expect(first.page.locator("#result")).to_contain_text("Clocked in")
    second.page.locator("#clockIn").click()
    result = second.page.locator("#result")
    expect(result).to_contain_text("Your shift is open on another phone")
    expect(second.page.locator("#shift")).to_contain_text("Another phone tracks this shift")
    result.get_by_role("button", name="Use this phone").click()
    expect(result).to_contain_text("This phone tracks your shift now")
    expect(second.page.locator("#shift")).to_contain_text("Tracked")
    second.page.evaluate("shiftguard.alerts.restartAlerts()")
    expect(first.page.locator("#shift")).to_contain_text(
        "Another phone tracks this shift", timeout=30_000)
    # What is wrong with one phone cannot be put right on the other.
    second.permit("denied")
    wait_until(second.page, IS_DENIED)
    expect(first.page.locator("#shift")).to_contain_text("Location access is off")
    order("notify")
    for page, words in ((first.page, "Another phone tracks this shift"), (second.page, "Allow")):
        expect(page.locator("#alerts section")).to_contain_text("Location access is off")
        expect(page.locator("#alerts section")).to_contain_text(words)
    expect(first.page.locator("#alerts ol")).to_have_count(0)
    second.permit("granted")
    expect(first.page.locator("#alerts section")).to_have_count(0)
    second.page.locator("#breakStart").click()
    expect(result).to_contain_text("Break started")
    expect(first.page.locator("#shift")).to_contain_text("On a break", timeout=30_000)
    wait_until(second.page, IS_EMPTY)
    # It tracks on after the break that was ended elsewhere; its next position is due.
    second.page.evaluate("shiftguard.storage.stored.set('pingedAt', Date.now() - 60_000)")
    with second.page.expect_request("**/v1/pings"):
        first.page.locator("#breakEnd").click()
    expect(second.page.locator("#shift")).to_contain_text("On shift")
    expect(result).to_have_count(0)
    # What it shows of the open shift goes on.
    second.page.locator("#menu-myShifts").click()
    second.page.locator("#shift-1").click()
    expect(second.page.locator("main")).to_contain_text("Clocked in")
    first.page.locator("#clockOut").click()
    expect(first.page.locator("#shift")).to_contain_text("Not on shift")
    second.page.evaluate("shiftguard.work.everyMinute()")
    expect(second.page.locator("main")).to_contain_text("Clocked out")
    second.page.locator("#menu-work").click()
    expect(second.page.locator("#shift")).to_contain_text("Not on shift", timeout=30_000)
    for visitor, words in ((first, "Another phone took over"), (second, "This phone took over")):
        visitor.page.locator("#menu-myShifts").click()
        visitor.page.locator("#shift-1").click()
        expect(visitor.page.locator("main")).to_contain_text(words)


def shift(browser):
    visitor = Visitor(browser)
    page = visitor.page
    # A position that is kilometres off.
    visitor.context.set_geolocation({**PLACE, "accuracy": 3000})
    visitor.permit("granted")
    visitor.enrol()
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    expect(page.locator("main")).to_contain_text("only while it is open and on the screen")
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    expect(page.locator("#banner")).to_contain_text("Location is only approximate")
    page.locator("#acknowledge").click()
    expect(page.locator("#banner")).not_to_contain_text("You can work as usual")
    alert = page.locator("#alerts section")
    visitor.permit("denied")
    wait_until(page, IS_DENIED)
    order("notify")
    expect(alert).to_contain_text("Location access is off")
    visitor.picture("alert")
    expect(alert).not_to_contain_text("Open the page where you clock in")
    # An alert stays only while it is true, and its end for a minute.
    visitor.permit("granted")
    expect(alert).to_have_count(0)
    order("notify", "restored")
    expect(alert).to_contain_text("Tracking resumed")
    expect(alert).to_contain_text("Your shift is tracked again. A page can track your shift only")
    wait_until(page, IS_EMPTY)
    page.evaluate("""() => { for (const alert of shiftguard.state.alerts) alert.shownAt -= 60_000;
        shiftguard.status.refreshStatus(); }""")
    expect(alert).to_have_count(0)
    with page.expect_request(lambda request: '"hidden":true' in (request.post_data or "")):
        set_visibility(page, "hidden")
    with page.expect_request("**/v1/permission-reports"):
        set_visibility(page, "visible")
    # A time without tracking, to which a note is added.
    visitor.permit("denied")
    expect(page.locator("#shift")).to_contain_text("Not tracked")
    wait_until(page, IS_DENIED)
    wait_until(page, IS_EMPTY)
    page.wait_for_timeout(1_000)
    order("notify", "2")
    alert.get_by_role("button", name="Dismiss").click()
    expect(alert).to_have_count(0)
    order("notify", "3")
    expect(alert).to_contain_text("Location access is off")
    page.locator("#clockOut").click()
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    expect(alert).to_have_count(0)
    page.locator("#menu-myShifts").click()
    page.locator("#shift-1").click()
    page.get_by_role("button", name="Add note").last.click()
    page.locator("#words").fill("Took a call")
    page.locator("#sheet").get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("Took a call")
    visitor.picture("shift-in-full")
    page.locator("#object-to-times").click()
    page.locator("#words").fill("I worked until five")
    page.locator("#sheet").get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("“I worked until five”. Your manager has not")
    expect(page.locator("#confirm-times")).to_have_count(0)
    order("correct")
    order("notify", "corrected")
    corrected = re.compile(r"Times corrected by test · .*\d.* – .* → .* – .* · Came earlier")
    expect(alert).to_contain_text(corrected)
    expect(alert.get_by_role("link", name="Open the shift")).to_have_attribute("href", "#/shifts/1")
    page.reload()
    expect(page.locator("main")).to_contain_text(corrected)
    # A shift that a manager added is confirmed.
    order("add")
    page.locator("#menu-myShifts").click()
    expect(page.locator("#shift-2")).to_contain_text("Please confirm this shift")
    expect(page.locator("#shift-1")).not_to_contain_text("Please confirm")
    page.locator("#shift-2").click()
    main = page.locator("main")
    expect(main).to_contain_text("Added by test: Phone in repair")
    expect(main).to_contain_text("Your manager added this shift. It is paid once you confirm it")
    expect(page.locator("#object-to-times")).to_be_visible()
    visitor.picture("added-shift")
    page.locator("#confirm-times").click()
    expect(main).to_contain_text("You confirmed these times")


def overtaken(browser):
    """An answer of the server is older than what the page knows already."""
    visitor, page = on_shift(browser)
    status = Held(page, "**/v1/me?*")
    page.evaluate("() => { shiftguard.status.refreshStatus(); }")
    status.wait()
    page.locator("#clockOut").click()
    expect(page.locator("#result")).to_contain_text("Clocked out")
    wait_until(page, "() => !shiftguard.state.busy")
    # The page asks again.
    with page.expect_request("**/v1/me?*"):
        status.release()
    if page.evaluate("shiftguard.state.me.shift"):
        print("an answer from before the clock-out shows the shift as open")
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    # What the page has decided itself is newer than a status without its report.
    banner = page.locator("#banner")
    order("refuse", "99 503 0 /v1/permission-reports")
    visitor.permit("denied")
    expect(banner).to_contain_text("Action needed: Location access is off")
    wait_until(page, "() => shiftguard.state.waitingCount > 0")
    page.evaluate("shiftguard.status.refreshStatus()")
    if "Action needed: Location access is off" not in banner.inner_text():
        print(f"a status without the page's own report shows {banner.inner_text()}")
    order("refuse", "0 503 0 /v1/permission-reports")
    wait_until(page, IS_EMPTY)
    expect(banner).to_contain_text("Action needed: Location access is off")


def privacy(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.context.set_geolocation(PLACE)
    visitor.permit("granted")
    visitor.context.request.post("/test/notice")
    code = visitor.context.request.post("/test/code").text()
    page.goto(f"/app#{code}")
    page.locator("#connect").click()
    expect(page.locator("main")).to_contain_text("Positions are stored for 60 days.")
    # Whether it is read was asked before the confirmation, and is heard after it.
    unread = Held(page, "**/v1/me/privacy-notice")
    page.evaluate("() => { shiftguard.work.showUnreadNotice(); }")
    unread.wait()
    page.locator("#confirm-read").click()
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    unread.release()
    page.locator("#check").click()
    expect(page.locator("#banner")).to_contain_text("nothing has changed")
    expect(page.locator("#shift")).to_contain_text("Not on shift")
    page.locator("#menu-privacy").click()
    expect(page.locator("main")).to_contain_text("You confirmed that you read it:")
    expect(page.locator("main")).to_contain_text("Nobody has looked at it.")
    page.locator("#menu-work").click()
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    if visitor.context.request.post("/test/look").status != 200:
        print("nobody can look at the track")
    page.locator("#menu-privacy").click()
    expect(page.locator("main")).to_contain_text("Lost keys")
    page.locator("#language").select_option("pl")
    expect(page.locator("main")).to_contain_text("Kto oglądał moją lokalizację")
    expect(page.locator("#banner")).to_contain_text("Warto poprawić:")
    page.reload()
    expect(page.locator("main")).to_contain_text("Kto oglądał moją lokalizację")
    if page.evaluate("document.documentElement.lang") != "pl":
        print("the page does not name its language")


def sound(browser):
    for language, scheme in [("en", "light"), ("de", "dark"), ("fr", "light"), ("pl", "dark")]:
        visitor = Visitor(browser, language, scheme, width=320)
        page = visitor.page
        visitor.context.set_geolocation(PLACE)
        visitor.permit("denied")
        page.goto("/app")
        page.locator("#code").wait_for()
        check(visitor, f"enrolment-{language}")
        visitor.enrol()
        page.locator("#banner").wait_for()
        check(visitor, f"work-{language}")
        check_large(visitor, f"work-{language}")
        page.locator("#steps").click()
        check(visitor, f"steps-{language}")
        page.keyboard.press("Escape")
        page.locator("#menu-myShifts").click()
        check(visitor, f"shifts-{language}")
        page.locator("#menu-privacy").click()
        check(visitor, f"privacy-{language}")
        visitor.context.close()


play({"denied": denied, "explained": explained, "unasked": unasked, "offline": offline,
      "kept": kept, "twice": twice, "standalone": standalone, "elsewhere": elsewhere, "shift": shift,
      "overtaken": overtaken, "privacy": privacy, "sound": sound})
