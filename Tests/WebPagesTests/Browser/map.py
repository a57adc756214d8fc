"""Opens a track with a tile server for the map, and prints what is wrong.

map.py ADDRESS TILES PATH MODE FOLDER: the shift page is PATH, and tiles come from TILES, another
origin. MODE says what TILES does: `there`: it has tiles; `gone`: it has none; `never`: its response
never ends, and the drawing has to stay. Screenshots go to FOLDER.
"""

import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

address, tiles, path, mode, folder = sys.argv[1:]


def is_tile(message):
    return message.url.startswith(f"{tiles}/{mode}/")


def hear(message):
    # The console also reports a missing tile.
    expected = mode == "gone" and message.location.get("url", "").startswith(tiles)
    if message.type in ("error", "warning") and not expected:
        print(f"console: {message.text}")


def watch(request):
    if not (request.url.startswith((f"{address}/", "data:")) or is_tile(request)):
        print(f"request to another origin: {request.url}")


def look(page, size):
    page.goto(path)
    page.get_by_label("Purpose (visible to the employee)").fill("Lost keys")
    end = {"there": "requestfinished", "gone": "requestfailed", "never": "request"}[mode]
    with page.expect_event(end, is_tile):
        page.get_by_role("button", name="Show the track").click()
    map, drawing = page.locator("#map"), page.locator("svg.track")
    if mode == "there":
        page.locator("img.leaflet-tile-loaded").first.wait_for()
        drawing.wait_for(state="hidden")
        if not map.is_visible():
            print("there is no map")
        if map.locator("path[stroke-dasharray]").count() != 1:
            print(f"dashed {map.locator('path[stroke-dasharray]').count()} gaps")
        thanks = map.locator(".leaflet-control-attribution").inner_text()
        if thanks.strip() != "© <b>Some & Co</b>":
            print(f"thanks: {thanks}")
        box = map.bounding_box()
        if box["height"] < 300 or box["width"] < 280:
            print(f"the map is {box}")
        zoom = map.get_by_role("button", name="Zoom in")
        zoom.focus()
        page.keyboard.press("Enter")
        page.locator(".leaflet-zoom-anim").wait_for(state="detached")
    else:
        page.locator("#map.awaited").wait_for(state="attached")
        if map.is_visible() or not drawing.is_visible():
            print("the drawing is gone, and there is no map")
    if folder:
        page.screenshot(path=Path(folder) / f"map-{mode}-{size}.png", full_page=True)
    for fault in Axe().run(page).response["violations"]:
        if fault["impact"] in ("serious", "critical"):
            print(f"{size}: axe {fault['id']}: {fault['nodes'][0]['html'][:160]}")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        print(f"{size}: is wider than the window")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"]
    )
    sizes = {"phone": (360, 780), "desktop": (1280, 860)}
    # Without a map, the page is as without tiles.
    for size, (width, height) in list(sizes.items())[:2 if mode == "there" else 1]:
        context = browser.new_context(
            base_url=address, viewport={"width": width, "height": height})
        context.add_cookies([{"name": "session", "value": "mira", "url": address}])
        page = context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: print(f"script: {error}"))
        page.on("request", watch)
        look(page, size)
        context.close()
    browser.close()
