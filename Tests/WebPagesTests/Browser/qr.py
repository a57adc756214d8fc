"""Reads the QR code of a new enrolment code as a phone's camera would, and prints what is wrong.

qr.py ADDRESS PATH FOLDER: creates a code on the page PATH, on a phone in light mode and on a desktop
in dark mode. The reader is independent of our code. Screenshots go to FOLDER unless it is empty. The
code is also copied, and printed on one page.
"""

import io
import re
import sys
from pathlib import Path

import zxingcpp
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import sync_playwright

import chromium

address, path, folder = sys.argv[1:]

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    for scheme, size in (("light", "phone"), ("dark", "desktop")):
        width, height = {"phone": (360, 780), "desktop": (1280, 860)}[size]
        context = chromium.open_context(
            browser, base_url=address, color_scheme=scheme,
            viewport={"width": width, "height": height})
        context.add_cookies([{"name": "session", "value": "mira", "url": address}])
        page = context.new_page()
        page.on("console", lambda message: message.type == "error" and print(message.text))
        page.goto(path)
        page.get_by_role("button", name="Create enrolment code").click()
        page.get_by_role("img", name="QR code of the address beside it").wait_for()
        picture = page.screenshot(full_page=True)
        if folder:
            (Path(folder) / f"code-{scheme}-{size}.png").write_bytes(picture)
        code = page.locator(".code strong").inner_text()
        # Some cameras cannot read light on dark, so this reader must not either.
        codes = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)), try_invert=False)
        read = [found.text for found in codes]
        if read != [f"{address}/app#{code}"]:
            print(f"{scheme} {size}: {code} was read as {read}")
        for fault in Axe().run(page).response["violations"]:
            if fault["impact"] in ("serious", "critical"):
                print(f"{scheme} {size}: axe {fault['id']}: {fault['nodes'][0]['html'][:160]}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            print(f"{scheme} {size}: is wider than the window")
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy code").click()
        page.get_by_role("button", name="Code copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        if copied != code:
            print(f"{scheme} {size}: {copied} was copied, not {code}")
        page.emulate_media(media="print")
        for place, wanted in (("svg.qr", True), (".code .paper", True), ("header", False),
                              ("#phones", False), ("button", False)):
            if page.locator(place).first.is_visible() != wanted:
                print(f"{scheme} {size}: {place} is {'not ' if wanted else ''}printed")
        sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
        if sheets != 1:
            print(f"{scheme} {size}: is printed on {sheets} pages")
        context.close()
    browser.close()
