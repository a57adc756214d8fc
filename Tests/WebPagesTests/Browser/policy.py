"""Chooses a preset for a team, changes one finding and saves, and prints what is wrong.

policy.py ADDRESS: the policy of team 1 is the standard one at first. What the form shows when it is
saved must be what is in force afterwards.
"""

import sys

from playwright.sync_api import sync_playwright

import chromium

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=sys.argv[1])
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and print(message.text))
    context.add_cookies([{"name": "session", "value": "mira", "url": sys.argv[1]}])
    page.goto("/settings/teams/1")

    def table():
        return {select.get_attribute("id"): select.input_value()
                for select in page.locator(".settings-list select").all()}

    standard = table()
    if standard["denied"] != "block":
        print(f"the policy at first: {standard}")
    page.get_by_role("radio", name="Advisory").check()
    advisory = table()
    if advisory == standard or advisory["denied"] == "block":
        print(f"the preset does not fill the table: {advisory}")
    # As in the standard policy: it must not pass for a row that nobody touched.
    page.locator("#denied").select_option("block")
    page.get_by_role("button", name="Save and apply").click()
    page.get_by_role("status").wait_for()
    saved = table()
    if saved != {**advisory, "denied": "block"}:
        print(f"in force: {saved}, shown when saved: {advisory} with denied=block")
    browser.close()
