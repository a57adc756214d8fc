"""Adds a contact, sends it a test and removes it, and prints what is wrong.

contacts.py ADDRESS: begins on the board, from which the contacts of team 1 are two clicks away.
"""

import sys

from playwright.sync_api import expect, sync_playwright

import chromium

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=sys.argv[1])
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and print(message.text))
    context.add_cookies([{"name": "session", "value": "mira", "url": sys.argv[1]}])

    def check(what, text):
        try:
            expect(page.locator("main")).to_contain_text(text)
        except AssertionError:
            print(f"{what}: no `{text}` in {page.locator('main').inner_text()}")

    page.goto("/")
    page.get_by_role("link", name="Settings", exact=True).click()
    page.get_by_role("link", name="Contacts of Coast").click()
    check("at first", "No contacts yet")
    page.get_by_label("E-mail address").fill("boss@example.com")
    page.get_by_label("Language of the e-mails").select_option("German")
    page.get_by_role("button", name="Add contact").click()
    check("added", "Contact added.")
    check("listed", "E-mail, in German")
    page.get_by_role("button", name="Send test: boss@example.com").click()
    check("tested", "Test to boss@example.com queued")
    page.get_by_role("link", name="Check again").click()
    check("tested again", "Test to boss@example.com queued")
    page.get_by_role("button", name="Remove: boss@example.com").click()
    check("asked", "Remove boss@example.com?")
    page.get_by_role("link", name="Keep contact").click()
    check("kept", "boss@example.com")
    page.get_by_role("button", name="Remove: boss@example.com").click()
    page.get_by_role("button", name="Remove contact").click()
    check("removed", "Contact removed.")
    check("at last", "No contacts yet")
    browser.close()
