"""Opens the map of the employees on shift from the board, keeps it open, and prints what is wrong.

people.py ADDRESS TILES FOLDER: with tiles from TILES, another origin; empty: without. `POST
/test/move` makes three minutes pass, in which employee 1 walks on. Screenshots go to FOLDER.
"""

import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import chromium

address, tiles, folder = sys.argv[1:]


def open_map(page):
    page.goto("/")
    page.get_by_role("link", name="Map", exact=True).click()
    page.get_by_label("Purpose (visible to the employees)").fill("Who is near the harbour?")
    page.get_by_role("button", name="Show the map").click()
    teams = page.locator("section:has(table.people)")
    teams.first.wait_for()
    return teams


def check_marks(teams, name):
    for team in teams.all():
        if tiles:
            team.locator("img.leaflet-tile-loaded").first.wait_for()
            team.locator("svg.track").wait_for(state="hidden")
            marks = team.locator(".map path.leaflet-interactive").count()
        else:
            marks = team.locator("svg.track circle.to, svg.track circle.from").count()
        placed = team.locator("td.place").count()
        if marks != placed or not placed:
            print(f"{name}: {marks} marks for {placed} employees")


def stay(page):
    """The open map moves on by itself, says how old it is, and that it is not refreshed."""
    page.clock.install()
    team = open_map(page).first
    lost, age = page.locator("#lost"), page.locator("#age")
    check_marks(page.locator("section:has(table.people)"), "at first")
    expect(age).to_have_text(
        "As of less than a minute ago. Refreshed every 15 seconds, for 60 min more.")
    expect(team.locator("p").first).to_contain_text("as of 11:42:00")
    before = page.locator("#e1 .place").inner_text()
    page.evaluate("window.loadedOnce = true")
    page.locator("#e1 a").focus()
    page.context.request.post("/test/move")
    page.clock.fast_forward(16_000)
    expect(team.locator("p").first).to_contain_text("as of 11:45:00")
    if page.locator("#e1 .place").inner_text() == before:
        print("the position is as before")
    if not page.evaluate("window.loadedOnce && document.activeElement.closest('#e1') !== null"):
        print("the page was loaded again, or the keyboard focus was lost")
    if page.locator("#e1 .place button").count() != 1:
        print("the position cannot be copied")
    check_marks(page.locator("section:has(table.people)"), "after a refresh")
    if lost.is_visible():
        print("says that the connection is lost while it is not")
    page.route("**/map", lambda route: route.abort())
    page.clock.fast_forward(16_000)
    expect(lost).to_contain_text("Connection lost: this map is not up to date.")
    page.clock.fast_forward(185_000)
    expect(lost).to_contain_text("As of 3 min ago.")
    expect(age).to_contain_text("As of 3 min ago.")
    page.unroute("**/map")
    page.clock.fast_forward(16_000)
    expect(lost).to_be_hidden()
    page.clock.fast_forward(3_600_000)
    expect(lost).to_contain_text("This view has ended. Show the map again")


def look(page, name):
    teams = open_map(page)
    if teams.count() != 3:
        print(f"{name}: {teams.count()} teams")
    check_marks(teams, name)
    if not page.get_by_text("Dario Fabris").is_visible():
        print(f"{name}: who is on a break is not listed")
    if page.get_by_text("Nika Vuković").count():
        print(f"{name}: who is off shift is on the map")
    if folder:
        page.screenshot(path=Path(folder) / f"people-{name}.png", full_page=True)
    for fault in Axe().run(page).response["violations"]:
        if fault["impact"] in ("serious", "critical"):
            print(f"{name}: axe {fault['id']}: {fault['nodes'][0]['html'][:160]}")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        print(f"{name}: is wider than the window")


with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    for size, (width, height) in {"phone": (360, 780), "desktop": (1280, 860)}.items():
        for color in ("light", "dark"):
            context = chromium.open_context(
                browser, base_url=address, viewport={"width": width, "height": height},
                color_scheme=color)
            context.add_cookies([{"name": "session", "value": "mira", "url": address}])
            page = context.new_page()
            page.on("console", lambda message: message.type in ("error", "warning")
                    and print(f"console: {message.text}"))
            page.on("pageerror", lambda error: print(f"script: {error}"))
            look(page, f"{'tiles-' if tiles else ''}{size}-{color}")
            context.close()
    context = chromium.open_context(
        browser, base_url=address, permissions=["clipboard-read", "clipboard-write"])
    context.add_cookies([{"name": "session", "value": "mira", "url": address}])
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"script: {error}"))
    stay(page)
    browser.close()
