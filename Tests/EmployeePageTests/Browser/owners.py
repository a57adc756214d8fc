"""Plays one story about a phone that changes hands, or that loses what it had stored, and prints
what is wrong, a line each.

owners.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

import json

from playwright.sync_api import expect

from orders import awaited, order, requests
from visitor import (
    FIND_LATE, IS_EMPTY, IS_SETTLED, QUEUE_PINGS, Held, Visitor, on_shift, play, set_visibility,
    wait_until)

# As browsers do with a page that was in the background. Later the page may open it again, or not.
LOSE = """mayOpen => {
    window.openedBefore ??= indexedDB.open.bind(indexedDB);
    indexedDB.open = mayOpen ? window.openedBefore : () => { throw new Error('lost'); };
    shiftguard.storage.database.close(); }"""

# As the page did before it knew when an employee was added: records and settings name a number.
AS_BEFORE = """() => {
    const { stored } = shiftguard.storage;
    shiftguard.state.employee = 7;
    stored.set('employee', 7);
    stored.remove('owner'); }"""
ASIDE = '{"status":429,"code":"too_many_waiting","title":"Too Many Requests"}'
# Whatever is kept, after so many days: how many clock actions and positions.
KEPT_AFTER = """async days => {
    const { review, storage: { stored, within } } = shiftguard;
    stored.set('kept', (stored.get('kept') || []).map(one =>
      one.triedAt ? { ...one, triedAt: one.triedAt - days * 24 * 3600 * 1000 } : one));
    await review.askAboutReview();
    const pings = await within('kept', 'readonly', (all) => all.count());
    return [stored.get('kept').length, pings]; }"""

# A position is refused and kept just before the page forgets its clock-in.
KEEP_LATE = """() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (name, value) {
      if (name === 'shiftguard.kept' && value === '[]') {
        Storage.prototype.setItem = setItem;
        const { review, state: { employee }, tools: { instant } } = shiftguard;
        const body = { recordedAt: instant(Date.now()), latitude: 43.5, longitude: 16.4 };
        review.keepForReview(
          [{ kind: 'ping', employee, body }], [{ reason: 'no_shift' }], review.keptClockIns()); }
      setItem.call(this, name, value); }; }"""


def positions():
    """The positions that the server was sent so far and did not turn away, one for each time."""
    return [ping for sent in requests("/v1/pings") if not sent["isRefused"]
            for ping in sent["body"].get("pings", [sent["body"]]) if "latitude" in ping]


def lost(browser):
    visitor, page = on_shift(browser)
    result, troubles = page.locator("#result"), page.locator("#troubles")
    page.evaluate(LOSE, True)
    page.locator("#breakStart").click()
    expect(result).to_contain_text("Break started")
    expect(troubles).not_to_contain_text("store anything")
    # It cannot be opened again: what is done now lasts as long as the page, which says so.
    page.evaluate(LOSE, False)
    visitor.context.set_offline(True)
    page.locator("#breakEnd").click()
    expect(result).to_contain_text("Keep this page open")
    expect(result).not_to_contain_text("Stored on this phone")
    visitor.picture("unstored")
    page.evaluate(QUEUE_PINGS, [3, 5])
    before = len(positions())
    visitor.context.set_offline(False)
    expect(result).to_contain_text("Break ended")
    wait_until(page, IS_EMPTY)
    if len(positions()) < before + 3:
        print(f"{len(positions()) - before} of 3 positions arrived without a database")
    # It opens again: what was not stored is stored before what comes next.
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [2, 5])
    page.evaluate(LOSE, True)
    page.evaluate(QUEUE_PINGS, [1, 5])
    expect(troubles).not_to_contain_text("store anything")
    stored = page.evaluate("shiftguard.storage.within('queue', 'readonly', all => all.count())")
    if stored < 3:
        print(f"{stored} of 3 records are in the database that was opened again")


def handed_over(browser):
    visitor, first = on_shift(browser)
    page = visitor.context.new_page()
    # The database fails while Ivo connects the phone.
    visitor.context.set_offline(True)
    first.evaluate(QUEUE_PINGS, [3, 5])
    order("refuse", "9 503 60 /v1/pings")
    visitor.context.set_offline(False)
    page.goto(f"/app#{order('code', '8')}")
    page.locator("#sheet[open]").wait_for()
    page.evaluate(LOSE, False)
    before = len(positions())
    page.locator("#sheet").get_by_role("button").first.click()
    expect(page.locator("#name")).to_have_text("Ivo Babić")
    # The tab of Ana is his, too.
    expect(first.locator("#name")).to_have_text("Ivo Babić")
    expect(first.locator("#troubles")).to_contain_text("employee")
    order("refuse", "0 503 0 /v1/pings")
    page.reload()
    expect(page.locator("#name")).to_have_text("Ivo Babić")
    wait_until(page, IS_EMPTY)
    if len(positions()) > before:
        print(f"{len(positions()) - before} positions of Ana were sent as those of Ivo")
    if "shift" in visitor.me():
        print("Ivo is on shift without a clock-in")


def reused_number(browser, prepare=None):
    visitor, page = on_shift(browser)
    if prepare:
        page.evaluate(prepare)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [3, 5])
    code = order("replace")
    visitor.context.set_offline(False)
    expect(page.locator("main")).to_contain_text("no longer connected")
    # What was sent with the token of Ana, in vain.
    before = len(positions())
    visitor.enrol(code)
    expect(page.locator("#name")).to_have_text("Bea Perić")
    wait_until(page, IS_EMPTY)
    if len(positions()) > before:
        print(f"{len(positions()) - before} positions of Ana were sent as those of Bea")
    expect(page.locator("main")).to_contain_text("deleted")


def reused_number_before(browser):
    reused_number(browser, AS_BEFORE)


def disconnect(visitor):
    """Revokes the phone while it has positions that are not sent."""
    page = visitor.page
    wait_until(page, IS_SETTLED)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [3, 5])
    order("revoke", str(page.evaluate("shiftguard.state.me.device.number")))
    visitor.context.set_offline(False)
    expect(page.locator("main")).to_contain_text("no longer connected")


def connected_before(browser):
    """The same employee connects again, and the page did not know when she was added."""
    visitor, page = on_shift(browser)
    page.evaluate(AS_BEFORE)
    for time in ("first", "second"):
        disconnect(visitor)
        if time == "second":
            # From the first time the page knows it, and needs no report as evidence.
            page.evaluate("shiftguard.state.me = null")
        before = len(positions())
        visitor.enrol()
        wait_until(page, IS_EMPTY)
        if len(positions()) < before + 3:
            print(f"the {time} time {len(positions()) - before} of 3 positions were sent")
        expect(page.locator("main")).not_to_contain_text("deleted")


def connected_aside(browser):
    """What the server never had stays with the employee who connects again."""
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.report")
    order("refuse", f"9 429 0 /v1/clock-in {ASIDE}")
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("sends it again every day")
    # The page's own position, after which nothing is under way.
    awaited("/v1/pings", page)
    page.evaluate(QUEUE_PINGS, [3, 5])
    page.evaluate("shiftguard.sending.sendQueue()")
    wait_until(page, IS_EMPTY)
    clock_action, pings = page.evaluate(KEPT_AFTER, 0)
    if clock_action != 1 or pings < 3:
        print(f"{clock_action} clock actions and {pings} positions were set aside")
    order("revoke", str(page.evaluate("shiftguard.state.me.device.number")))
    page.evaluate("shiftguard.status.refreshStatus()")
    expect(page.locator("main")).to_contain_text("no longer connected")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.report")
    found = page.evaluate(KEPT_AFTER, 0)
    if found[0] != 1 or found[1] < pings:
        print(f"of 1 clock action and {pings} positions, a new connection left {found}")
    # The clock-in is accepted before the page hears that a position was refused without it.
    wait_until(page, IS_EMPTY)
    refusal = Held(page, "**/v1/pings", "POST")
    page.evaluate(QUEUE_PINGS, [1, 5])
    page.evaluate("() => { shiftguard.sending.sendQueue(); }")
    refusal.wait()
    page.evaluate(KEEP_LATE)
    order("refuse", "0 503 0 /v1/clock-in")
    found = page.evaluate(KEPT_AFTER, 1)
    if found != [0, 0] or "shift" not in visitor.me():
        print(f"after a day {found} are set aside, and the shift is {visitor.me().get('shift')}")
    refusal.release()
    page.evaluate("shiftguard.sending.sendQueue()")
    wait_until(page, IS_EMPTY)
    stored = len(json.loads(order("positions")))
    if stored < 5:
        print(f"{stored} of 5 positions are stored")


def handed_over_aside(browser):
    visitor, page = on_shift(browser)
    order("refuse", f"9 429 0 /v1/clock-out {ASIDE}")
    page.locator("#clockOut").click()
    expect(page.locator("#result")).to_contain_text("sends it again every day")
    before = len(requests("/v1/clock-out"))
    kept = page.evaluate("shiftguard.storage.stored.get('kept')")
    page.goto(f"/app#{order('code', '8')}")
    page.locator("#sheet").get_by_role("button").first.click()
    expect(page.locator("#name")).to_have_text("Ivo Babić")
    expect(page.locator("main")).to_contain_text("deleted from this phone: 1")
    # As if the browser had been killed before it was deleted.
    page.evaluate("kept => shiftguard.storage.stored.set('kept', kept)", kept)
    page.evaluate(KEPT_AFTER, 1)
    if len(requests("/v1/clock-out")) > before:
        print("the clock-out of Ana was sent as that of Ivo")


def is_last_hidden():
    sent = requests("/v1/pings")[-1]["body"]
    return sent.get("pings", [sent])[-1].get("hidden")


def away(browser):
    visitor, page = on_shift(browser)
    # The next position is found after the page went out of view.
    page.evaluate(FIND_LATE)
    page.evaluate("() => { shiftguard.pings.locateAndPing(); }")
    page.wait_for_function("() => window.find")
    set_visibility(page, "hidden")
    for _ in range(3_000):
        if is_last_hidden():
            break
        page.wait_for_timeout(100)
    page.evaluate("window.find()")
    page.wait_for_timeout(1_500)
    sent = requests("/v1/pings")[-1]["body"]
    if not is_last_hidden():
        print(f"after the page went out of view, it sent {sent}")


def refused(browser):
    visitor, page = on_shift(browser)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [5, 5])
    order("revoke", str(page.evaluate("shiftguard.state.me.device.number")))
    visitor.context.set_offline(False)
    expect(page.locator("main")).to_contain_text("no longer connected")
    expect(page.locator("main")).to_contain_text("The positions are not accepted then")
    count = page.evaluate("shiftguard.queue.readQueue(99)")
    page.evaluate("shiftguard.pings.locateAndPing()")
    page.wait_for_timeout(1_000)
    if len(page.evaluate("shiftguard.queue.readQueue(99)")) > len(count):
        print("a position was recorded after the revocation")
    visitor.enrol()
    told = page.locator("#refused")
    expect(told).to_contain_text("under its earlier connection")
    visitor.picture("refused")
    number = int(told.locator("p").first.inner_text().split()[-1])
    if number < 5:
        print(f"{number} positions of 5 or more are said to be refused")
    page.reload()
    page.locator("#close-refused").click()
    expect(told).to_have_count(0)


play({"lost": lost, "handed over": handed_over, "handed over aside": handed_over_aside,
      "reused number": reused_number, "reused number before": reused_number_before,
      "connected before": connected_before, "connected aside": connected_aside, "away": away,
      "refused": refused})
