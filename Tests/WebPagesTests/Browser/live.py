"""Watches an open board while a phone sends a report, and prints what is wrong.

live.py ADDRESS: `POST /test/deny` makes employee 1 deny location. The row must show that, and move
to its place among the others, without reloading the page or taking the keyboard focus. Then `POST /test/block` blocks a clock-in, which must be counted in the menu. The title
counts the employees who need attention. Then `POST /test/cut` ends the stream, and the board must show that it is not up to date.
"""

import sys
import time

from playwright.sync_api import sync_playwright

import chromium

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=sys.argv[1])
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and print(message.text))
    context.add_cookies([{"name": "session", "value": "mira", "url": sys.argv[1]}])
    page.goto("/")
    row = page.locator("#e1")
    before = page.locator("#states .i b").inner_text()
    if "Tracked" not in row.inner_text():
        print(f"is not tracked at first: {row.inner_text()}")
    page.evaluate("window.loadedOnce = true")
    row.locator("a").focus()
    page.wait_for_timeout(300)
    context.request.post("/test/deny")
    committed = time.monotonic()
    page.wait_for_selector("#e1.i")
    print(f"# the row turned {1000 * (time.monotonic() - committed):.0f} ms after COMMIT")
    if "Location access denied" not in row.inner_text():
        print(f"says: {row.inner_text()}")
    if page.locator("#states .i b").inner_text() != str(int(before) + 1):
        print("the counts are as before")
    if "Luka Babić, Not tracked" not in page.locator("#live").inner_text():
        print(f"is not read out: {page.locator('#live').inner_text()}")
    if not page.evaluate("window.loadedOnce === true"):
        print("the page was reloaded")
    if not page.evaluate("document.activeElement.closest('#e1') !== null"):
        print("the keyboard focus was lost")
    ranks, names = page.evaluate(
        """() => [...document.querySelector('#e1').parentElement.children]
            .map((row) =>
                ['inxlkctzdf'.indexOf(row.classList[0]), row.querySelector('a').textContent])
            .reduce((all, [rank, name]) => [[...all[0], rank], [...all[1], name]], [[], []])"""
    )
    lines = list(zip(ranks, names, strict=False))
    if lines != sorted(lines):
        print(f"the rows are not in order: {lines}")
    waiting = page.locator("#reviews b")
    if waiting.inner_text().split() != ["1", "waiting"] or not page.title().startswith("(5) "):
        print(f"reviews at first: {waiting.inner_text()}, {page.title()}")
    context.request.post("/test/block")
    waiting.filter(has_text="2").wait_for(timeout=20_000)
    if not page.title().startswith("(6) "):
        print(f"the title after a block: {page.title()}")
    if page.locator("#lost").is_visible():
        print("says that the connection is lost while it is not")
    context.request.post("/test/cut")
    page.wait_for_selector("#lost:not([hidden])")
    warning = page.locator("#lost").inner_text()
    if "not up to date." not in warning or "less than a minute ago" not in warning:
        print(f"says of the lost stream: {warning}")
    if not page.title().startswith("(!) "):
        print(f"the title of a lost board: {page.title()}")
    browser.close()
