"""Plays one story about the place and time of a clock-in, and prints what is wrong, a line each.

place.py ADDRESS STORY FOLDER, as page.py.
"""

from playwright.sync_api import expect

from orders import PLACE, order, requests
from visitor import Visitor, play, wait_until

IS_HELD = """() => shiftguard.state.me?.rules && shiftguard.state.me.sitesVersion
  && JSON.parse(localStorage['shiftguard.sites'] || '{}').version === shiftguard.state.me.sitesVersion"""
HAS_RULES = "() => shiftguard.rules.rules !== null"
# The latitude of a place 1,335 m north.
FAR = {**PLACE, "latitude": PLACE["latitude"] + 0.012}
WHY = "your position is compared with the sites of your team"


def off_site(browser):
    if (answer := order("site", f"Depot {PLACE['latitude']} {PLACE['longitude']}")) != "done":
        print(f"the site was not added: {answer}")
    visitor = Visitor(browser)
    page = visitor.page
    visitor.context.set_geolocation(FAR)
    visitor.permit("prompt")
    visitor.enrol()
    wait_until(page, IS_HELD)
    shift, result, sheet = (page.locator(f"#{name}") for name in ("shift", "result", "sheet"))
    # It says why before it asks.
    expect(shift).to_contain_text(WHY)
    page.locator("#clockIn").click()
    expect(sheet).to_contain_text(WHY)
    sheet.get_by_role("button", name="Not now").click()
    wait_until(page, "() => !shiftguard.state.busy")
    visitor.permit("granted")
    # Online.
    page.locator("#clockIn").click()
    expect(result).to_contain_text("You are not at your place of work")
    expect(result).to_contain_text("The nearest site: Depot, 1.4 km.")
    expect(result).to_contain_text("Go to your place of work and try again there.")
    expect(result).not_to_contain_text("Checking…")
    # What is read about the permission later takes nothing back.
    page.evaluate("shiftguard.work.everyMinute()")
    page.evaluate("shiftguard.status.refreshStatus()")
    expect(result).to_contain_text("Not clocked in")
    visitor.picture("off-site")
    # Offline, by the page itself.
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.context.set_offline(True)
    page.reload()
    wait_until(page, HAS_RULES)
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Not clocked in")
    expect(result).to_contain_text("The nearest site: Depot, 1.4 km.")
    expect(result).to_contain_text("Go to your place of work and try again there.")
    visitor.picture("off-site-offline")
    # The employee goes there.
    visitor.context.set_geolocation(PLACE)
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Stored on this phone")
    expect(shift).to_contain_text("On shift")
    visitor.context.set_offline(False)
    expect(shift).to_contain_text("Tracked")
    sent = [one["body"] for one in requests("/v1/clock-in")]
    judged = [sorted(found["code"] for found in body["localDecision"]["findings"]
                     if found["severity"] == "block") for body in sent]
    if judged != [["off_site"], ["off_site"], []]:
        print(f"the page's own decisions were {judged}")
    if any("fix" not in body or "sitesVersion" not in body["localDecision"] for body in sent):
        print(f"a clock-in was sent without its position or the version of the sites: {sent}")
    if len(reads := requests("/v1/me/sites")) != 1:
        print(f"the sites were read {len(reads)} times")


def too_early(browser):
    if (answer := order("plan", "60")) != "done":
        print(f"no shift was planned: {answer}")
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    visitor.enrol()
    # An answer to a report may bring the plan before the status brings the team's rules.
    wait_until(page, "() => Boolean(shiftguard.state.me?.plan && shiftguard.state.me.rules)")
    wait_until(page, HAS_RULES)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visitor.context.set_offline(True)
    page.locator("#clockIn").click()
    result = page.locator("#result")
    expect(result).to_contain_text("It is too early for your shift")
    allowed = page.evaluate("""() => new Intl.DateTimeFormat('en', { hour: '2-digit',
      minute: '2-digit' }).format(Date.parse(shiftguard.state.me.plan.shifts[0].start) - 900_000)""")
    expect(result).to_contain_text(f"You can clock in from {allowed}")
    visitor.picture("too-early")
    # As if the time had come.
    page.evaluate("""() => { const { plan } = shiftguard.state.me;
      plan.shifts[0].start = new Date(Date.now() + 600_000).toISOString(); }""")
    page.locator("#clockIn").click()
    expect(result).to_contain_text("Stored on this phone")


play({"off site": off_site, "too early": too_early})
