"""Plays one working day of a team with a site and a planned shift, and prints what is wrong.

day.py ADDRESS STORY FOLDER, as page.py. After each step, what Ana's page shows is compared with the
board, her shift's page and `guardctl check`.
"""

import json
import time
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from orders import PLACE, address, order, requests
from visitor import IS_EMPTY, Visitor, play, wait_until

ZONE = "Europe/Zagreb"
# The latitude of a place 1,335 m north.
FAR = {**PLACE, "latitude": PLACE["latitude"] + 0.012}
HOLDS_ALL = """() => shiftguard.rules.rules && shiftguard.state.me?.rules && shiftguard.state.me.plan
  && JSON.parse(localStorage['shiftguard.sites'] || '{}').version === shiftguard.state.me.sitesVersion"""
OFF_SITE = ("You are not at your place of work", "The nearest site: Depot, 1.4 km.",
            "Go to your place of work and try again there.")


class Day:
    """Ana's phone, and her manager's browser."""

    def __init__(self, browser):
        options = {"base_url": address, "timezone_id": ZONE, "locale": "en"}
        self.phone = Visitor(browser, context=browser.new_context(
            **options, viewport={"width": 360, "height": 740}, has_touch=True))
        self.page = self.phone.page
        self.page.clock.install()
        self.manager = browser.new_context(**options).new_page()
        self.minutes = 0
        self.result, self.shift = self.page.locator("#result"), self.page.locator("#shift")

    def now(self):
        return datetime.now(timezone.utc) + timedelta(minutes=self.minutes)

    def skip(self, minutes, stays_offline=False):
        """Lets time pass for the server and for a phone that hears nothing meanwhile."""
        self.phone.context.set_offline(True)
        order("skip", str(minutes))
        self.page.clock.fast_forward(minutes * 60_000)
        self.minutes += minutes
        if not stays_offline:
            self.go_online()

    def go_online(self):
        self.phone.context.set_offline(False)
        self.refresh()
        wait_until(self.page, IS_EMPTY)
        self.refresh()

    def refresh(self):
        self.page.evaluate("shiftguard.status.refreshStatus()")

    def rules(self, severities):
        if (answer := order("severities", severities)) != "done":
            print(f"the policy was not set: {answer}")
        self.refresh()
        word = severities.split("=")[1].split(" ")[0]
        held = {"block": "blocking", "warn": "warning"}[word]
        wait_until(self.page, f"""() => shiftguard.state.me.rules.{held}
          .includes('{severities.split("=")[0]}')""")

    def clock_in(self):
        """The status of the server's answer and its body."""
        with self.page.expect_response("**/v1/clock-in") as answered:
            self.page.locator("#clockIn").click()
        wait_until(self.page, "() => !shiftguard.state.busy")
        return answered.value.status, answered.value.json()

    def own_shift(self, number):
        return self.page.evaluate(
            """async (number) => (await fetch(`/v1/me/shifts/${number}`, {headers: {Authorization:
               'Bearer ' + JSON.parse(localStorage['shiftguard.token'])}})).json()""", number)

    def managers_page(self, path, within="main"):
        self.manager.goto(path)
        return self.manager.locator(within).inner_text()


def compare(step, found, wanted):
    if found != wanted:
        print(f"{step}: {found} instead of {wanted}")


def says(step, text, *parts):
    for part in parts:
        if part not in text:
            print(f"{step}: {part!r} is not in {text!r}")


def says_not(step, text, *parts):
    for part in parts:
        if part in text:
            print(f"{step}: {part!r} is in {text!r}")


def check(step, employee=7, **wanted):
    found = json.loads(order("check", str(employee)))
    compare(f"{step}: the check", {name: found[name] for name in wanted}, wanted)


def local(number=-1):
    """What the page had decided itself for a clock-in: what blocks."""
    body = requests("/v1/clock-in")[number]["body"]
    return sorted(found["code"] for found in body["localDecision"]["findings"]
                  if found["severity"] == "block")


def blocks(answer):
    return sorted(found["code"] for found in answer["decision"]["findings"]
                  if found["severity"] == "block")


def too_early(day):
    step = "too early"
    start = datetime.fromisoformat(
        day.page.evaluate("shiftguard.state.me.plan.shifts[0].start")).astimezone(ZoneInfo(ZONE))
    status, answer = day.clock_in()
    compare(step, (status, blocks(answer), local()), (409, ["too_early"], ["too_early"]))
    compare(step, answer["action"], "wait_until")
    allowed = start - timedelta(minutes=15)
    expect(day.result).to_contain_text("It is too early for your shift")
    expect(day.result).to_contain_text(f"You can clock in from {allowed:%H:%M}")
    check(step, verdict="block", blocking=["too_early"], leavesOutPlace=True, state="off_shift")
    says(step, day.managers_page("/", "#e7"), "clock-in at ", "too early for the planned shift")
    compare(step, "shift" in day.phone.me(), False)


def off_site(day):
    step = "off site"
    day.skip(46)
    # The time has come, and the place is judged at the clock-in.
    check(step, blocking=[], leavesOutPlace=True)
    compare(step, day.phone.me()["position"], "checked_at_clock_in")
    day.phone.context.set_geolocation(FAR)
    status, answer = day.clock_in()
    compare(step, (status, blocks(answer), local()), (409, ["off_site"], ["off_site"]))
    compare(step, answer["action"], "go_to_site")
    for words in OFF_SITE:
        expect(day.result).to_contain_text(words)
    check(step, blocking=[], state="off_shift")
    says(step, day.managers_page("/", "#e7"), "clock-in at ", "off site")


def offline(day):
    step = "offline"
    day.phone.context.set_offline(True)
    day.page.locator("#clockIn").click()
    expect(day.result).to_contain_text("Your attempt is stored")
    for words in OFF_SITE:
        expect(day.result).to_contain_text(words)
    day.skip(3, stays_offline=True)
    with day.page.expect_response("**/v1/clock-in") as answered:
        day.go_online()
    compare(step, local(), ["off_site"])
    compare(step, (answered.value.status, answered.value.json().get("reason")), (202, "blocked"))
    expect(day.result).to_contain_text("Your team’s rules did not allow it at that time.")
    compare(step, "shift" in day.phone.me(), False)
    day.manager.goto("/employees/7")
    cards = day.manager.locator("section.urgent").all_inner_texts()
    compare(step, sum("off site" in card for card in cards), 2)
    compare(step, sum("too early" in card for card in cards), 1)


def override(day):
    step = "override"
    form = day.manager.locator("form[action*='/overrides']")
    expect(form.locator("[name=finding][value=off_site]")).to_be_checked()
    form.locator("#override-reason").fill("Gate is locked")
    form.get_by_role("button", name="Allow one clock-in").click()
    expect(day.manager.locator("#override + ul, section:has(#override)").first).to_contain_text(
        "off site: “Gate is locked”")
    check(step, hasOverride=True, leavesOutPlace=True)
    day.refresh()
    expect(day.shift).to_contain_text("Gate is locked")
    status, answer = day.clock_in()
    compare(step, (status, answer["decision"]["verdict"]), (201, "warn"))
    compare(step, (local(), answer["decision"].get("overridden")), (["off_site"], ["off_site"]))
    expect(day.result).to_contain_text("Clocked in")
    expect(day.result).to_contain_text("Gate is locked")
    compare(step, day.phone.me()["shift"]["overriddenBy"]["reason"], "Gate is locked")
    says(step, day.managers_page("/employees/7/shifts/1"), "Override by test for off site",
         "“Gate is locked”")
    says_not(step, day.managers_page("/", "#e7"), "clock-in at ")
    check(step, hasOverride=False)
    # What was made offline waits for its review, what was refused at once does not.
    says(step, day.managers_page("/reviews"), "Off site")
    compare(step, day.manager.locator("form.decision").count(), 1)


def away(day):
    step = "away"
    day.phone.context.set_geolocation(PLACE)
    day.skip(1)
    day.phone.context.set_geolocation(FAR)
    for _ in range(3):
        day.skip(1)
    compare(step, (order("away"), day.phone.me()["shift"].get("awaySince")), ("0", None))
    for _ in range(4):
        day.skip(1)
    # Once, however often is looked.
    for _ in range(2):
        compare(step, order("away"), "1")
        day.skip(1)
    compare(step, order("away"), "1")
    day.refresh()
    since = day.phone.me()["shift"].get("awaySince")
    stored = [ping for one in requests("/v1/pings")
              for ping in one["body"].get("pings", [one["body"]]) if "latitude" in ping]
    at_site = max(ping["recordedAt"] for ping in stored if ping["latitude"] == PLACE["latitude"])
    first = min(ping["recordedAt"] for ping in stored if ping["recordedAt"] > at_site)
    compare(step, since and datetime.fromisoformat(since) - datetime.fromisoformat(first)
            < timedelta(seconds=1), True)
    order("notify", "away")
    alerts = day.page.locator("#alerts")
    expect(alerts).to_contain_text("You are away from your place of work")
    clock = f"{datetime.fromisoformat(since).astimezone(ZoneInfo(ZONE)):%H:%M}"
    says(step, day.managers_page("/", "#e7"), f"away from site since {clock}")
    says(step, day.managers_page("/employees/7/shifts/1"), "Away from all sites")
    compare(step, [entry.get("to") for entry in day.own_shift(1)["away"]], [None])
    # It is no interruption, and the shift is tracked.
    me = day.phone.me()
    compare(step, [one["kind"] for one in me["incidents"]], ["when_in_use"])
    compare(step, me["trackingState"]["state"], "at_risk")
    check(step, state="at_risk")
    # Back.
    step = "back"
    day.phone.context.set_geolocation(PLACE)
    day.skip(1)
    compare(step, order("away"), "1")
    day.refresh()
    compare(step, day.phone.me()["shift"].get("awaySince"), None)
    expect(alerts).not_to_contain_text("You are away from your place of work")
    says_not(step, day.managers_page("/", "#e7"), "away from site")
    spans = day.own_shift(1)["away"]
    compare(step, [(span["from"], "to" in span) for span in spans], [(since, True)])


def clock_out(day, shift, place, ended, words):
    step = f"clock-out of shift {shift}"
    day.phone.context.set_geolocation(place)
    with day.page.expect_response("**/v1/clock-out"):
        day.page.locator("#clockOut").click()
    expect(day.result).to_contain_text("Clocked out")
    compare(step, day.own_shift(shift)["endedOffSite"], ended)
    says(step, day.managers_page(f"/employees/7/shifts/{shift}"), words)
    says_not(step, day.managers_page("/", "#e7"), "away from site")
    day.page.locator("#menu-myShifts").click()
    day.page.locator(f"#shift-{shift}").click()
    story = day.page.locator("main")
    expect(story).to_contain_text("Clocked out")
    last = story.get_by_role("listitem").filter(has_text="Clocked out").last.inner_text()
    compare(step, "Outside all sites" in last, ended == "yes")
    day.page.locator("#menu-work").click()


def warned(day):
    step = "warned"
    day.rules("off_site=warn")
    day.phone.context.set_geolocation(FAR)
    status, answer = day.clock_in()
    found = [(one["code"], one["severity"]) for one in answer["decision"]["findings"]]
    compare(step, (status, answer["decision"]["verdict"], local()), (201, "warn", []))
    says(step, str(found), "('off_site', 'warn')")
    expect(day.result).to_contain_text("Clocked in")
    expect(day.result).to_contain_text(OFF_SITE[0])
    expect(day.result).to_contain_text(OFF_SITE[1])
    says(step, day.managers_page("/employees/7/shifts/2"), "with a warning")
    says_not(step, day.managers_page("/", "#e7"), "clock-in at ")


def mocked(day):
    """No browser says that a position is simulated; an app on another phone does."""
    order("severities", "mock_location=block not_planned=ignore")

    def send(path, body, token=None):
        answer = day.phone.context.request.post(
            path, data=json.dumps(body), headers={
                "Content-Type": "application/json",
                **({"Authorization": f"Bearer {token}"} if token else {})})
        return answer.status, answer.json()

    _, phone = send("/v1/enrolments", {
        "code": order("code", "8"), "platform": "android", "osVersion": "14"})

    def clock_in(attempt, is_mock):
        now = day.now().isoformat()
        return send("/v1/clock-in", {
            "actionId": attempt, "sentAt": now, "fix": {
                **PLACE, "recordedAt": now, "mock": is_mock},
            "report": {"authorization": "always", "accuracy": "full", "services": "on",
                       "recordedAt": now}}, phone["token"])

    step = "mocked"
    status, answer = clock_in("one", True)
    compare(step, (status, blocks(answer), answer.get("action")),
            (409, ["mock_location"], "turn_off_mock_location"))
    says(step, day.managers_page("/employees/8"), "mock location", "your decision is needed")
    says(step, day.managers_page("/", "#e8"), "clock-in at ", "mock location")
    check(step, 8, blocking=[], leavesOutPlace=True)
    order("severities", "mock_location=warn")
    status, answer = clock_in("two", True)
    compare(step, (status, answer["decision"]["verdict"]), (201, "warn"))
    says(step, day.managers_page("/employees/8/shifts/1"), "with a warning")


def guarded(browser):
    day = Day(browser)
    for name, words in (("site", f"Depot {PLACE['latitude']} {PLACE['longitude']}"), ("plan", "60")):
        if (answer := order(name, words)) != "done":
            print(f"{name}: {answer}")
    day.phone.permit("granted")
    day.phone.enrol()
    day.rules("mock_location=block")
    wait_until(day.page, HOLDS_ALL)
    for step in (too_early, off_site, offline, override, away):
        began = time.monotonic()
        step(day)
        print(f"# {step.__name__}: {time.monotonic() - began:.0f} s")
    clock_out(day, 1, FAR, "yes", "Outside all sites")
    warned(day)
    clock_out(day, 2, PLACE, "no", "At a site")
    mocked(day)


play({"guarded": guarded})
