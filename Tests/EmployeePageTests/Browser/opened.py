"""Plays one story about a shift that a manager has opened, and prints what is wrong, a line each.

opened.py ADDRESS STORY FOLDER, as page.py.
"""

from playwright.sync_api import expect

from orders import order, requests
from visitor import FIND_LATE, Visitor, play


def manager_opens(visitor):
    """Opens a shift for Ana and has her page told, as `POST /test/open` does."""
    answer = order("open")
    if answer != "done":
        print(f"no shift could be opened: {answer}")
    visitor.page.evaluate("shiftguard.status.refreshStatus()")


def opened(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.device")
    shift, result = page.locator("#shift"), page.locator("#result")
    manager_opens(visitor)
    expect(shift).to_contain_text("Your manager opened a shift for you")
    expect(shift.locator("dl")).to_contain_text("Opened bytest")
    expect(shift).to_contain_text("Forgot the phone")
    visitor.picture("opened")
    # Nothing is recorded before the confirmation.
    page.evaluate("shiftguard.pings.locateAndPing()")
    page.wait_for_timeout(500)
    if requests("/v1/pings"):
        print("a position was sent before the shift was confirmed")
    page.evaluate(FIND_LATE)
    page.locator("#confirmShift").click()
    page.wait_for_function("() => window.find")
    # A sheet would ask for what cannot be done now.
    page.locator("#declineShift[aria-disabled]").click(force=True)
    expect(page.locator("#sheet")).to_be_hidden()
    page.evaluate("find()")
    expect(result).to_contain_text("Shift confirmed")
    expect(shift).to_contain_text("On shift")
    expect(shift).to_contain_text("Tracked")
    page.locator("#clockOut").click()
    expect(result).to_contain_text("Clocked out")
    expect(shift).to_contain_text("Not on shift")
    page.locator("#menu-myShifts").click()
    page.locator("#shift-1").click()
    expect(page.locator("main")).to_contain_text("Forgot the phone")
    page.locator("#menu-work").click()
    # Another one is not for her. It is read out while it waits.
    manager_opens(visitor)
    order("notify", "opened")
    spoken = page.locator("#spoken")
    expect(spoken).to_have_text("A shift waits for your confirmation")
    page.locator("#declineShift").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("The shift ends now")
    sheet.get_by_role("button", name="Cancel").click()
    if requests("/v1/decline"):
        print("the shift was declined although the employee did not want that")
    page.locator("#declineShift").click()
    sheet.get_by_role("button", name="Decline shift").click()
    expect(result).to_contain_text("Shift declined")
    expect(shift).to_contain_text("Not on shift")
    expect(spoken).not_to_have_text("A shift waits for your confirmation")
    sent = requests("/v1/decline")
    if len(sent) != 1 or {"actionId", "sentAt", "occurredAt"} - set(sent[0]["body"]):
        print(f"the shift was declined by {sent}")
    if "shift" in visitor.me():
        print("the declined shift is open")


def offline(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("denied")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.device")
    shift, result = page.locator("#shift"), page.locator("#result")
    manager_opens(visitor)
    expect(shift).to_contain_text("Your manager opened a shift for you")
    page.locator("#confirmShift").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    expect(shift).to_contain_text("Your manager opened a shift for you")
    visitor.permit("granted")
    expect(result).to_contain_text("Location is allowed now")
    expect(result).to_contain_text("Confirm it to start recording")
    visitor.picture("opened-allowed")
    visitor.context.set_offline(True)
    page.locator("#confirmShift").click()
    expect(result).to_contain_text("Stored on this phone")
    expect(shift).to_contain_text("On shift")
    expect(shift).to_contain_text("Not sent yet")
    visitor.context.set_offline(False)
    expect(result).to_contain_text("Shift confirmed")
    expect(shift).to_contain_text("Tracked")
    if visitor.me()["shift"]["waitsForConfirmation"]:
        print("the confirmed shift waits")


def accepted(browser):
    """A manager accepts a clock-in that was blocked."""
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("denied")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.device")
    result = page.locator("#result")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).not_to_contain_text("Checking…")
    if (answer := order("accept")) != "done":
        print(f"the clock-in was not accepted: {answer}")
    page.evaluate("shiftguard.status.refreshStatus()")
    expect(page.locator("#shift")).to_contain_text("On shift")
    expect(result).to_have_count(0)


play({"opened": opened, "offline": offline, "accepted": accepted})
