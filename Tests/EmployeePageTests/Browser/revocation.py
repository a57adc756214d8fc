"""Plays a revocation in the middle of a shift, with the page and a manager's board open side by
side at a real guardd, and prints what is wrong, a line each. Lines with measurements begin with `#`.

revocation.py ADDRESS both FOLDER, with CODE, EMAIL and PASSWORD in the environment: an enrolment
code of employee 1, and the account of a manager of theirs.
"""

import itertools
import os
import re
import time

from playwright.sync_api import expect

from orders import PLACE, address
from visitor import PATIENCE, Visitor, play

# The promises are 5 s for the alert and 10 s for the resumption. They are printed, and not
# asserted: a busy machine is slower without being wrong.
STEPS = itertools.count(0, 0.00001)


def both(browser):
    manager = board(browser)
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    visitor.enrol(os.environ["CODE"])
    walk(visitor)
    page.locator("#clockIn").click()
    expect(page.locator("#result")).to_contain_text("Clocked in")
    expect(page.locator("#shift")).to_contain_text("Tracked")
    row = manager.locator("#e1")
    expect(row).to_be_visible()
    expect(row).not_to_contain_text("Location access denied")
    # The streams of page and board are open now.
    page.wait_for_timeout(1_500)

    visitor.permit("denied")
    begun = time.monotonic()
    told = {}
    waiting = {
        "the banner": page.locator("#banner", has_text="Action needed: Location access is off"),
        "the alert": page.locator("#alerts section", has_text="Location access is off"),
        "the board": manager.locator("#e1", has_text="Location access denied"),
    }
    while len(told) < len(waiting) and time.monotonic() - begun < PATIENCE / 1000:
        for name, place in waiting.items():
            if name not in told and place.count() and place.first.is_visible():
                told[name] = time.monotonic() - begun
        page.wait_for_timeout(20)
    for name in waiting:
        print(f"# {name} {1000 * told[name]:.0f} ms after the revocation" if name in told
              else f"{name} does not tell of the revocation")
    visitor.picture("revocation")
    page.locator("#steps").click()
    expect(page.locator("#sheet")).to_contain_text("Set Location to Allow.")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("#banner")).to_contain_text("Action needed: Location access is off")

    visitor.permit("granted")
    begun = time.monotonic()
    tracked = page.locator("#shift", has_text=re.compile("Tracked"))
    while not tracked.count() and time.monotonic() - begun < PATIENCE / 1000:
        walk(visitor)
    expect(tracked).to_be_visible()
    print(f"# tracked again {1000 * (time.monotonic() - begun):.0f} ms after the grant")
    expect(row).not_to_contain_text("Location access denied")
    print(f"# on the board {1000 * (time.monotonic() - begun):.0f} ms after the grant")
    expect(page.locator("#alerts section", has_text="Location access is off")).to_have_count(0)

    # A warning that was acknowledged is silent until the next start.
    expect(page.locator("#banner")).to_contain_text("Worth fixing:")
    page.locator("#acknowledge").click()
    expect(page.locator("#acknowledge")).to_have_count(0)
    page.wait_for_timeout(500)
    page.reload()
    expect(page.locator("#banner")).to_contain_text("Worth fixing:")
    expect(page.locator("#acknowledge")).to_be_visible()
    page.locator("#clockOut").click()
    # On the page the shift ends at once, at the server before it answers.
    expect(page.locator("#result")).to_contain_text("Clocked out")
    expect(page.locator("#shift")).to_contain_text("Not on shift")


def walk(visitor):
    """Moves on. The emulation has the time of a position's setting in it, as a phone at work has
    not: without this, every position would be that of the start."""
    visitor.context.set_geolocation({**PLACE, "latitude": PLACE["latitude"] + next(STEPS)})
    visitor.page.wait_for_timeout(200)


def board(browser):
    """The page of a manager who has the board open."""
    page = browser.new_context(base_url=address).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto("/")
    page.get_by_label("E-mail").fill(os.environ["EMAIL"])
    page.get_by_label("Password").fill(os.environ["PASSWORD"])
    page.get_by_role("button", name="Log in").click()
    page.wait_for_selector("nav")
    return page


play({"both": both})
