"""Opens a track and the sites with a tile server for the map, and prints what is wrong.

map.py ADDRESS TILES PATH MODE FOLDER: the shift page is PATH, and tiles come from TILES, another
origin. MODE says what TILES does: `there`: it has tiles; `gone`: it has none; `never`: its response
never ends, and the drawing has to stay. Screenshots go to FOLDER.
"""

import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import chromium

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


def scrub(page, shown):
    slider, words = page.get_by_label("Position", exact=True), page.locator(".scrub output")
    slider.focus()
    page.keyboard.press("ArrowRight")
    if words.inner_text() != "06:56:00, accurate to 8 m, 0.0 km since the start":
        print(f"the second position is {words.inner_text()}")
    page.keyboard.press("End")
    if not words.inner_text().startswith("11:41:00, accurate to 8 m, "):
        print(f"the last position is {words.inner_text()}")
    page.get_by_label("Time", exact=True).fill("10:00")
    if not words.inner_text().startswith("10:00:00, accurate to 8 m, "):
        print(f"the position at 10:00 is {words.inner_text()}")
    if slider.get_attribute("aria-valuetext") != words.inner_text():
        print("a screen reader hears another value")
    page.get_by_label("Time", exact=True).fill("23:30")
    if not words.inner_text().startswith("No position at 23:30. The nearest: "):
        print(f"the position at 23:30 is {words.inner_text()}")
    page.get_by_label("Time", exact=True).fill("10:00")
    before = shown.bounding_box()
    if page.locator(".here" if shown.evaluate("e => e.tagName") == "svg" else
                    ".leaflet-interactive").last.bounding_box() is None:
        print("the chosen position is not shown")
    if shown.bounding_box() != before:
        print("the map moves")
    place = page.locator("td.place").last
    place.get_by_role("button").click()
    place.get_by_text("Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    if not place.inner_text().startswith(text) or len(text) < 18:
        print(f"copied {text}")


def plain(page):
    """Without script, the drawing and the list are there, and nothing that needs one."""
    page.goto(path)
    page.get_by_label("Purpose (visible to the employee)").fill("Lost keys")
    page.get_by_role("button", name="Show the track").click()
    page.locator("svg.track").wait_for()
    page.wait_for_load_state()
    if not page.locator("svg.track").is_visible() or page.locator("td.place").count() < 267:
        print("no script: no drawing or no list")
    if page.locator(".scrub").is_visible() or page.get_by_role("button", name="Copy").count():
        print("no script: something to use that does nothing")
    page.goto("/settings/teams/1/sites")
    drawing = page.locator(".pick svg")
    if page.get_by_text("move the cross").is_visible() or not drawing.is_visible():
        print("no script: the sites are not only drawn")
    page.get_by_label("Name", exact=True).fill("Quay")
    page.get_by_label("Latitude and longitude").fill("45.22, 13.64")
    page.get_by_role("button", name="Add site").click()
    page.get_by_text("Site added.").wait_for()


def look(page, size):
    page.goto(path)
    page.get_by_label("Purpose (visible to the employee)").fill("Lost keys")
    end = {"there": "requestfinished", "gone": "requestfailed", "never": "request"}[mode]
    with page.expect_event(end, is_tile):
        page.get_by_role("button", name="Show the track").click()
    map, drawing = page.locator(".map"), page.locator("svg.track")
    if mode == "there":
        page.locator("img.leaflet-tile-loaded").first.wait_for()
        drawing.wait_for(state="hidden")
        if not map.is_visible():
            print("there is no map")
        # The line has two parts, before and after the gap.
        if map.locator("path[fill=none]").count() != 2:
            print(f"the line has {map.locator('path[fill=none]').count()} parts")
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
        page.locator(".map.awaited").wait_for(state="attached")
        if map.is_visible() or not drawing.is_visible():
            print("the drawing is gone, and there is no map")
    scrub(page, map if mode == "there" else drawing)
    check(page, "map", size)
    choose(page, size)


def choose(page, size):
    """A place for a site is clicked, and chosen by keyboard under the cross."""
    page.goto("/settings/teams/1/sites")
    map, drawing = page.locator(".map"), page.locator("svg.track")
    center = page.get_by_label("Latitude and longitude")
    if mode == "there":
        map.locator("img.leaflet-tile-loaded").first.wait_for()
        drawing.wait_for(state="hidden")
    shown = map if mode == "there" else drawing
    shown.scroll_into_view_if_needed()
    box = shown.bounding_box()
    shown.click(position={"x": box["width"] * 0.7, "y": box["height"] * 0.3})
    clicked = [float(part) for part in center.input_value().split(", ")]
    # The site Depot is in the middle.
    if not (0 < clicked[0] - 45.21 < 0.05 and 0 < clicked[1] - 13.63 < 0.05):
        print(f"{size}: the click chose {clicked}")
    shown.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    chosen = [float(part) for part in center.input_value().split(", ")]
    words = page.locator("#picked").inner_text()
    if chosen == clicked or words != f"Chosen: {center.input_value()}":
        print(f"{size}: by keyboard, {chosen} was chosen")
    if mode == "there":
        circle = map.locator("path.leaflet-interactive").last
        if map.locator("path.leaflet-interactive").count() != 2:
            print(f"{size}: there are not two circles")
    else:
        circle = drawing.locator(".chosen")
    small = circle.bounding_box()["width"]
    page.get_by_label("Radius in meters").fill("800")
    if not circle.bounding_box()["width"] > small:
        print(f"{size}: the circle is not as large as the radius says")
    center.fill("45.21, 13.63")
    middle = circle.bounding_box()
    if abs(middle["x"] + middle["width"] / 2 - box["x"] - box["width"] / 2) > 60:
        print(f"{size}: the circle is not where it was typed: {middle} in {box}")
    check(page, "sites", size)


def check(page, name, size):
    if folder:
        page.screenshot(path=Path(folder) / f"{name}-{mode}-{size}.png", full_page=True)
    for fault in Axe().run(page).response["violations"]:
        if fault["impact"] in ("serious", "critical"):
            print(f"{name} {size}: axe {fault['id']}: {fault['nodes'][0]['html'][:160]}")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        print(f"{name} {size}: is wider than the window")


with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    sizes = {"phone": (360, 780), "desktop": (1280, 860)}
    shown = [(size, color) for size in sizes for color in ("light", "dark")]
    # Without a map, the page is as without tiles.
    for size, color in shown if mode == "there" else shown[:1]:
        width, height = sizes[size]
        context = chromium.open_context(
            browser, base_url=address, viewport={"width": width, "height": height},
            color_scheme=color, permissions=["clipboard-read", "clipboard-write"])
        context.add_cookies([{"name": "session", "value": "mira", "url": address}])
        page = context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: print(f"script: {error}"))
        page.on("request", watch)
        look(page, f"{size}-{color}")
        context.close()
    if mode == "gone":
        context = chromium.open_context(browser, base_url=address, java_script_enabled=False)
        context.add_cookies([{"name": "session", "value": "mira", "url": address}])
        plain(context.new_page())
        context.close()
    browser.close()
