"""Adds a contact, sends it a test and removes it, lets accounts be notified, and prints what is wrong.

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
    page.get_by_label("Language of the notifications").first.select_option("German")
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

    clicks = 0

    def click(role, name):
        global clicks
        clicks += 1
        page.get_by_role(role, name=name, exact=True).first.click()

    def job(title, most):
        if clicks > most:
            print(f"{title} takes {clicks} clicks, not {most}")

    # A manager by an administrator, from the settings; oneself, from the board.
    page.goto("/settings")
    click("link", "Contacts of Coast")
    click("button", "Notify: Mate Matić-Zanetti")
    check("ticked", "Contact added.")
    expect(page.get_by_role("button", name="Notify: Mate Matić-Zanetti")).to_have_attribute(
        "aria-pressed", "true")
    job("making a manager a contact", 2)
    clicks = 0
    page.goto("/")
    click("link", "Mira Lončar")
    click("button", "Notify me: Coast")
    check("ticked oneself", "You are notified.")
    job("becoming a contact", 2)

    page.get_by_text("Topics and quiet hours").click()
    page.get_by_label("Employees away from every site").check()
    page.get_by_label("From", exact=True).fill("22:00")
    page.get_by_label("Until", exact=True).fill("06:30")
    page.get_by_label("Urgent notifications do not wait").check()
    page.get_by_role("button", name="Save choices").click()
    check("saved", "Choices saved.")
    page.get_by_text("Topics and quiet hours").click()
    expect(page.get_by_label("Until", exact=True)).to_have_value("06:30")
    expect(page.get_by_label("Employees away from every site")).to_be_checked()
    clicks = 0
    page.goto("/")
    click("link", "Mira Lončar")
    click("link", "Preview the weekly digest: Coast")
    check("previewed", "What contacts with this topic get by e-mail")
    job("previewing the digest", 3)
    browser.close()
