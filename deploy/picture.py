"""Logs in and takes a picture of the board.

picture.py ADDRESS EMAIL FILE, with the password in PICTURE_PASSWORD: writes FILE, a PNG of the upper
part of the board at ADDRESS as a computer shows it.
"""

import os
import sys

from playwright.sync_api import sync_playwright

address, email, file = sys.argv[1:]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    page = browser.new_context(
        base_url=address, viewport={"width": 1200, "height": 820}, color_scheme="light").new_page()
    page.goto("/")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(os.environ["PICTURE_PASSWORD"])
    page.get_by_role("button", name="Log in").click()
    page.wait_for_selector(".employees")
    page.screenshot(path=file)
