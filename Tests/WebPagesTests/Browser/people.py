"""Opens the map of the employees on shift from the board, and prints what is wrong.

people.py ADDRESS TILES FOLDER: with tiles from TILES, another origin; empty: without. Screenshots go
to FOLDER.
"""

import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import chromium

address, tiles, folder = sys.argv[1:]


def look(page, name):
    page.goto("/")
    page.get_by_role("link", name="Map", exact=True).click()
    page.get_by_label("Purpose (visible to the employees)").fill("Who is near the harbour?")
    page.get_by_role("button", name="Show the map").click()
    teams = page.locator("section:has(table.people)")
    teams.first.wait_for()
    if teams.count() != 3:
        print(f"{name}: {teams.count()} teams")
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
    browser.close()
