"""Plays one story about an app from a store that tracks, and prints what is wrong, a line each.

app.py ADDRESS STORY FOLDER, as page.py.
"""

import json
import time

from playwright.sync_api import expect

from orders import order
from visitor import Visitor, on_shift, play, wait_until


class App:
    """OwnTracks on an Android phone."""

    def __init__(self, visitor):
        self.request = visitor.context.request
        self.token = order("app")

    def send(self, **message):
        answer = self.request.post(
            "/v1/apps/owntracks", data=json.dumps(message),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        if answer.status != 200:
            print(f"{message['_type']} was answered with {answer.status}")

    def place(self, kind, **more):
        self.send(_type=kind, lat=45.3, lon=13.6, acc=10, tst=int(time.time()), **more)


def beside(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("denied")
    visitor.enrol()
    page.wait_for_function("() => shiftguard.state.me?.device")
    shift, banner = page.locator("#shift"), page.locator("#banner")
    expect(banner).to_be_visible()
    app = App(visitor)
    # Its shift begins without a tap; the page may not even locate.
    app.send(_type="status", android={"loc": 0, "wifi": 1})
    app.place("transition", event="enter", desc="Shift: Depot")
    app.place("location")
    page.reload()
    expect(shift).to_contain_text("On shift")
    expect(shift).to_contain_text("An app on your phone records this shift")
    expect(shift).to_contain_text("Tracked")
    expect(banner).to_be_hidden()
    expect(page.locator("#takeOver")).to_have_count(0)
    expect(page.locator("main")).not_to_contain_text("Keep this page open")
    visitor.picture("app-tracks")
    page.locator("#breakStart").click()
    expect(shift).to_contain_text("On a break")
    page.locator("#breakEnd").click()
    expect(shift).to_contain_text("On shift")
    app.place("location")
    page.locator("#clockOut").click()
    expect(page.locator("#result")).to_contain_text("Clocked out")
    expect(shift).to_contain_text("Not on shift")
    expect(banner).to_be_visible()
    if "shift" in visitor.me():
        print("the shift is still open")


def taken_back(browser):
    visitor, page = on_shift(browser)
    # OwnTracks has whole seconds, and its position must be later than the page's.
    page.wait_for_timeout(1_100)
    # The number after which its stream began: a notification that it does not read comes again.
    wait_until(page, "() => shiftguard.storage.stored.get('lastEvent') !== null")
    App(visitor).place("location")
    order("notify", "app")
    page.evaluate("shiftguard.alerts.restartAlerts()")
    shift, alert = page.locator("#shift"), page.locator("#alerts section")
    expect(shift).to_contain_text("An app on your phone records this shift")
    expect(alert).to_contain_text("An app tracks your shift now")
    visitor.picture("app-took-over")
    take_back = alert.get_by_role("button", name="Track with this page")
    page.route("**/v1/break-start", lambda route: None)
    page.locator("#breakStart").click()
    # No tap is lost unseen.
    expect(take_back).to_have_attribute("aria-disabled", "true")
    # Which lets the request go on.
    page.unroute("**/v1/break-start")
    expect(page.locator("#result")).to_contain_text("Break started")
    expect(take_back).not_to_have_attribute("aria-disabled", "true")
    page.locator("#breakEnd").click()
    expect(page.locator("#result")).to_contain_text("Break ended")
    take_back.click()
    expect(page.locator("#result")).to_contain_text("This phone tracks your shift now")
    expect(shift).to_contain_text("Tracked")
    expect(alert).to_have_count(0)
    if visitor.me()["shift"]["device"] != 1:
        print("the page did not take the shift back")


play({"beside": beside, "taken back": taken_back})
