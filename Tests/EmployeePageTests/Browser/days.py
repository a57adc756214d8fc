"""Plays one day of an employee who was told nothing, and prints what is wrong, a line each.

days.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

from datetime import datetime

from playwright.sync_api import expect

from orders import PLACE, order, requests
from visitor import Visitor, play, settle


def expect_in_view(page, selector):
    """Complains unless the beginning of an element is on the screen, and not below the menu."""
    page.wait_for_timeout(300)
    expect(page.locator(selector)).to_be_visible()
    for _ in range(600):
        # At once: the page may draw itself again between two questions.
        box, menu = page.evaluate(
            """(selector) => [selector, '#menu']
                .map((one) => document.querySelector(one).getBoundingClientRect().toJSON())""",
            selector)
        if box["y"] >= 0 and box["y"] + min(box["height"], 40) <= menu["y"]:
            return
        page.wait_for_timeout(50)
    print(f"out of view: {selector} is at {box}, and the menu at {menu}")


def connect(visitor, code=None):
    """Connects as somebody who only taps what the page shows."""
    visitor.page.goto(f"/app#{code or order('code')}")
    visitor.page.locator("#connect").click()


def first(browser):
    order("notice")
    # Fine in the morning, and late at night.
    visitor = Visitor(browser, language="de-AT", scheme="dark")
    page = visitor.page
    visitor.permit("granted")
    connect(visitor)
    main = page.locator("main")
    expect(main).to_contain_text("Bitte lesen Sie das zuerst.")
    expect_in_view(page, "#confirm-read")
    visitor.picture("day-notice")
    page.locator("#confirm-read").click()
    # Nobody has to find the way on.
    expect(page.locator("#shift")).to_contain_text("Keine laufende Schicht")
    expect_in_view(page, "#clockIn")
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Eingestempelt")
    expect_in_view(page, "#result")
    expect(page.locator("#banner")).to_contain_text("Eine Seite kann Ihre Schicht nur aufzeichnen")
    expect_in_view(page, "#clockOut")
    page.locator("#acknowledge").click()
    expect(page.locator("#banner")).not_to_contain_text("Eine Seite kann Ihre Schicht nur aufzeichnen")
    expect_in_view(page, "#breakStart")
    page.locator("#breakStart").click()
    expect(page.locator("#shift")).to_contain_text("In der Pause")
    page.wait_for_timeout(1_500)
    page.locator("#breakEnd").click()
    expect(page.locator("#result")).to_contain_text("Pause beendet")
    page.locator("#clockOut").click()
    expect(page.locator("#result")).to_contain_text("Ausgestempelt")
    begun, ended = (datetime.fromisoformat(requests(path)[0]["body"]["occurredAt"])
                    for path in ("/v1/clock-in", "/v1/clock-out"))
    worked = f"0:{round((ended - begun).total_seconds() / 60):02} h"
    expect(page.locator("#result")).to_contain_text(worked)
    page.locator("#to-shifts").click()
    page.locator("#shift-1").click()
    expect(main).to_contain_text(worked)
    expect(main).to_contain_text("Bezahlte Zeit: 0:05 h")
    expect(main.get_by_role("heading", name="Was geschah")).to_be_visible()
    for told in ("Eingestempelt", "In der Pause", "Ausgestempelt"):
        expect(main.get_by_role("listitem").filter(has_text=told)).to_be_visible()
    visitor.picture("day-shift")
    page.locator("#confirm-times").click()
    expect(main).to_contain_text("Sie haben diese Zeiten bestätigt")
    expect(page.locator("#confirm-times")).to_have_count(0)
    page.locator("#back").click()
    expect(page.locator("#shift-1")).to_be_visible()
    # What went well is not shown for ever.
    page.locator("#menu-work").click()
    expect(page.locator("#result")).to_contain_text("Ausgestempelt")
    page.evaluate("() => { shiftguard.state.result.shownAt -= 61000; }")
    page.evaluate("shiftguard.results.dropOldResult()")
    expect(page.locator("#result")).to_have_count(0)


def mistaken(browser):
    visitor = Visitor(browser, width=320)
    page = visitor.page
    visitor.permit("denied")
    connect(visitor)
    result, banner = page.locator("#result"), page.locator("#banner")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    expect_in_view(page, "#result h2")
    page.locator("#steps").click()
    sheet = page.locator("#sheet")
    if sheet.evaluate("e => e.scrollHeight <= e.clientHeight"):
        print("the steps fit on the screen, so this story proves nothing")
    if sheet.evaluate("e => e.scrollTop") != 0:
        print("the steps do not open at their beginning")
    visitor.picture("mistaken-steps")
    page.keyboard.press("Escape")
    expect(page.locator("#steps")).to_be_focused()
    page.locator("#check").click()
    expect(banner).to_contain_text("checked just now, nothing has changed")
    page.locator("#steps").click()
    expect(sheet).to_be_visible()
    visitor.permit("granted")
    # Nothing says any longer what is not true.
    expect(sheet).to_be_hidden()
    expect(result).to_contain_text("Location is allowed now")
    expect(result).not_to_contain_text("Not clocked in")
    expect(banner).not_to_contain_text("nothing has changed")
    visitor.picture("mistaken-allowed")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Clocked in")


def lost(browser):
    visitor = Visitor(browser, language="fr-FR")
    page = visitor.page
    visitor.permit("granted")
    connect(visitor)
    page.locator("#clockIn").wait_for()
    # Without arguments: the position is unavailable.
    visitor.session.send("Emulation.setGeolocationOverride", {})
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Arrivée pointée")
    shift = page.locator("#shift")
    expect(shift).to_contain_text("En service")
    expect(shift).to_contain_text("Ce téléphone ne trouve pas de position")
    visitor.picture("lost")
    reports = [report for one in requests("/v1/permission-reports")
               for report in one["body"]["reports"]]
    if any(report["authorization"] == "denied" for report in reports):
        print("a phone without a position was reported as denied")
    # While the page searches by itself, it begins no other search.
    settle(page)
    visitor.session.send("Emulation.setGeolocationOverride", PLACE)
    page.evaluate("shiftguard.pings.locateAndPing()")
    expect(shift).not_to_contain_text("ne trouve pas de position")
    expect(shift).to_contain_text("Actif, lacunes probables")


# Taps a button; what its neighbour says before a press without a click would end.
TAP = """async (id) => {
  const button = document.getElementById(id);
  const event = (name) => button.dispatchEvent(new PointerEvent(name, { bubbles: true }));
  event("pointerdown");
  event("pointerup");
  button.click();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return document.getElementById("clockOut").ariaDisabled;
}"""


def new_phone(browser):
    order("notice")
    old, new = Visitor(browser), Visitor(browser, scheme="dark")
    for visitor in (old, new):
        visitor.permit("granted")
    connect(old)
    old.page.locator("#confirm-read").click()
    old.page.locator("#clockIn").click()
    expect(old.page.locator("#result")).to_contain_text("Clocked in")
    connect(new)
    shift = new.page.locator("#shift")
    expect(shift).to_contain_text("Another phone tracks this shift")
    new.page.wait_for_timeout(1_000)
    if "privacy" in new.page.url:
        print("the new phone shows a notice that was read already")
    expect_in_view(new.page, "#takeOver")
    new.page.locator("#takeOver").click()
    expect(new.page.locator("#result")).to_contain_text("This phone tracks your shift now")
    expect(shift).to_contain_text("Tracked")
    old.page.evaluate("shiftguard.status.refreshStatus()")
    expect(old.page.locator("#shift")).to_contain_text("Another phone tracks this shift")
    order("revoke", "2")
    old.page.evaluate("shiftguard.status.refreshStatus()")
    expect(old.page.locator("#shift")).to_contain_text("No phone tracks this shift now")
    shift = old.page.locator("#shift")
    old.page.route("**/v1/take-over", lambda route: None)
    if old.page.evaluate(TAP, "takeOver") != "true":
        print("a tap shows too late that no other has an effect now")
    # Which lets the request go on.
    old.page.unroute("**/v1/take-over")
    expect(old.page.locator("#result")).to_contain_text("This phone tracks your shift now")
    old.page.locator("#clockOut").click()
    expect(shift).to_contain_text("Not on shift")


play({"first": first, "mistaken": mistaken, "lost": lost, "new phone": new_phone})
