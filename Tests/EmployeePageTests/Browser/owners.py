"""Plays one story about a phone that changes hands, or that loses what it had stored, and prints
what is wrong, a line each.

owners.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

from playwright.sync_api import expect

from orders import order, requests
from visitor import IS_EMPTY, QUEUE_PINGS, Visitor, on_shift, play, set_visibility, wait_until

# As browsers do with a page that was in the background. Later the page may open it again, or not.
LOSE = """mayOpen => {
    window.openedBefore ??= indexedDB.open.bind(indexedDB);
    indexedDB.open = mayOpen ? window.openedBefore : () => { throw new Error('lost'); };
    shiftguard.storage.database.close(); }"""


def positions():
    """The positions that the server was sent so far and did not turn away, one for each time."""
    return [ping for sent in requests("/v1/pings") if not sent["isRefused"]
            for ping in sent["body"].get("pings", [sent["body"]]) if "latitude" in ping]


def lost(browser):
    visitor, page = on_shift(browser)
    page.wait_for_timeout(500)
    result, troubles = page.locator("#result"), page.locator("#troubles")
    page.evaluate(LOSE, True)
    page.locator("#breakStart").click()
    expect(result).to_contain_text("Break started")
    expect(troubles).not_to_contain_text("store anything")
    # It cannot be opened again: what is done now lasts as long as the page, which says so.
    page.evaluate(LOSE, False)
    visitor.context.set_offline(True)
    page.locator("#breakEnd").click()
    expect(result).to_contain_text("Keep this page open", timeout=20_000)
    expect(result).not_to_contain_text("Stored on this phone")
    visitor.picture("unstored")
    page.evaluate(QUEUE_PINGS, [3, 5])
    before = len(positions())
    visitor.context.set_offline(False)
    expect(result).to_contain_text("Break ended", timeout=30_000)
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
    page.wait_for_function("() => shiftguard.state.me?.device")
    page.evaluate(LOSE, False)
    before = len(positions())
    page.locator("#sheet").get_by_role("button").first.click()
    expect(page.locator("#name")).to_have_text("Ivo Babić")
    # The tab of Ana is his, too.
    expect(first.locator("#name")).to_have_text("Ivo Babić", timeout=20_000)
    expect(first.locator("#troubles")).to_contain_text("employee")
    order("refuse", "0 503 0 /v1/pings")
    page.reload()
    expect(page.locator("#name")).to_have_text("Ivo Babić")
    wait_until(page, IS_EMPTY)
    if len(positions()) > before:
        print(f"{len(positions()) - before} positions of Ana were sent as those of Ivo")
    if "shift" in visitor.me():
        print("Ivo is on shift without a clock-in")


def reused_number(browser):
    visitor, page = on_shift(browser)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [3, 5])
    code = order("replace")
    visitor.context.set_offline(False)
    expect(page.locator("main")).to_contain_text("no longer connected", timeout=30_000)
    # What was sent with the token of Ana, in vain.
    before = len(positions())
    visitor.enrol(code)
    expect(page.locator("#name")).to_have_text("Bea Perić")
    expect(page.locator("main")).to_contain_text("deleted")
    wait_until(page, IS_EMPTY)
    if len(positions()) > before:
        print(f"{len(positions()) - before} positions of Ana were sent as those of Bea")


def away(browser):
    visitor, page = on_shift(browser)
    page.wait_for_timeout(1_000)
    # The next position is found after the page went out of view.
    page.evaluate("""() => { const { geolocation } = navigator;
      const locate = geolocation.getCurrentPosition.bind(geolocation);
      geolocation.getCurrentPosition = (...all) => { window.find = () => locate(...all); };
      shiftguard.pings.locateAndPing(); }""")
    page.wait_for_function("() => window.find")
    set_visibility(page, "hidden")
    page.evaluate("window.find()")
    page.wait_for_timeout(1_500)
    sent = requests("/v1/pings")[-1]["body"]
    if not sent.get("pings", [sent])[-1].get("hidden"):
        print(f"after the page went out of view, it sent {sent}")


def refused(browser):
    visitor, page = on_shift(browser)
    visitor.context.set_offline(True)
    page.evaluate(QUEUE_PINGS, [5, 5])
    order("revoke", str(page.evaluate("shiftguard.state.me.device.number")))
    visitor.context.set_offline(False)
    expect(page.locator("main")).to_contain_text("no longer connected", timeout=30_000)
    expect(page.locator("main")).to_contain_text("The positions are not accepted then")
    count = page.evaluate("shiftguard.queue.readQueue(99)")
    page.evaluate("shiftguard.pings.locateAndPing()")
    page.wait_for_timeout(1_000)
    if len(page.evaluate("shiftguard.queue.readQueue(99)")) > len(count):
        print("a position was recorded after the revocation")
    visitor.enrol()
    told = page.locator("#refused")
    expect(told).to_contain_text("under its earlier connection", timeout=30_000)
    visitor.picture("refused")
    number = int(told.locator("p").first.inner_text().split()[-1])
    if number < 5:
        print(f"{number} positions of 5 or more are said to be refused")
    page.reload()
    page.locator("#close-refused").click()
    expect(told).to_have_count(0)


play({"lost": lost, "handed over": handed_over, "reused number": reused_number, "away": away,
      "refused": refused})
