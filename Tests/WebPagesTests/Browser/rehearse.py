"""Goes through a rehearsal as an administrator with a phone beside the browser, and prints what is
wrong.

rehearse.py ADDRESS FOLDER: begins a rehearsal with the button, reads the code from the picture, and
lets the phone of `POST /test/STEP` take each step: the open page must tick it without reloading.
Then it ends the rehearsal, and has another one ended elsewhere while its page is open. Screenshots
go to FOLDER unless it is empty.
"""

import io
import sys
from pathlib import Path

import zxingcpp
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import sync_playwright

import chromium

address, folder = sys.argv[1:]
SIZES = {"desktop": (1280, 860), "phone": (360, 780)}
STEPS = [
    ("enrol", "Clock in"), ("clock-in", "Turn location off"),
    ("deny", "See the notification arrive"), ("deliver", "Turn location on again"),
    ("allow", "Clock out"), ("clock-out", None),
]


def look(page, name):
    """Accessibility and width, on desktop and phone."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if folder:
            page.screenshot(path=Path(folder) / f"{name}-{size}.png", full_page=True)
        for fault in Axe().run(page).response["violations"]:
            if fault["impact"] in ("serious", "critical"):
                print(f"{name} {size}: axe {fault['id']}: {fault['nodes'][0]['html'][:160]}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            print(f"{name} {size}: is wider than the window")


def begin(page):
    # A busy service asks to try again.
    while page.goto("/settings").status == 503:
        page.wait_for_timeout(1000)
    page.get_by_role("link", name="Rehearsal").click()
    page.get_by_role("button", name="Begin rehearsal").click()
    page.get_by_role("img", name="QR code of the address beside it").wait_for()


def end_late(page, route):
    """Answers once the open page has heard of the end by itself, and asked again."""
    # A request of the browser's own says so.
    headers = {**route.request.headers, "sec-fetch-site": "same-origin"}
    answer = route.fetch(headers=headers, max_redirects=0)
    for _ in range(2):
        page.wait_for_event("request", lambda request: "fragment" in request.url)
    route.fulfill(response=answer)


with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=address)
    context.add_cookies([{"name": "session", "value": "mira", "url": address}])
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"script: {error}"))
    begin(page)
    look(page, "rehearsal-code")
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    read = [found.text for found in zxingcpp.read_barcodes(picture, try_invert=False)]
    code = page.locator(".code strong").inner_text()
    if read != [f"{address}/app#{code}"]:
        print(f"{code} was read as {read}")
    page.evaluate("window.loadedOnce = true")
    for done, (step, following) in enumerate(STEPS, 1):
        context.request.post(f"/test/{step}", data=code)
        ticked = page.locator("#steps li.did")
        ticked.nth(done - 1).wait_for(timeout=20_000)
        if ticked.count() != done:
            print(f"{step}: {ticked.count()} steps are ticked, not {done}")
        if page.locator("#steps b", has_text="Done at").count() != done:
            print(f"{step}: {page.locator('#steps').inner_text()}")
        status = page.get_by_role("status").inner_text()
        complete = "All steps are done. The rehearsal is complete."
        wanted = f"Next: {following}." if following else complete
        if status != wanted:
            print(f"{step}: says {status}")
        current = page.locator("#steps [aria-current] h3")
        if following and current.inner_text() != following:
            print(f"{step}: {current.inner_text()} is next")
    if not page.evaluate("window.loadedOnce === true"):
        print("the page was reloaded")
    look(page, "rehearsal-done")
    page.route("**/end", lambda route: end_late(page, route))
    page.get_by_role("button", name="End rehearsal and erase practice employee").click()
    try:
        page.get_by_text("Rehearsal ended. Practice employee").wait_for()
    except Exception:
        print(f"after the end of the rehearsal, {page.url} shows: {page.inner_text('body')}")
        raise
    page.get_by_text("No rehearsal has begun.").wait_for()

    begin(page)
    context.request.post("/test/end")
    page.get_by_text("The rehearsal with number").wait_for(timeout=20_000)
    look(page, "rehearsals")
    browser.close()
