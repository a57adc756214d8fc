"""Logs in and out: login.py ADDRESS logs in as mate@example.com, a manager of the second team. A form
of another site must not log that account out."""

import sys

from playwright.sync_api import sync_playwright

import chromium

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=sys.argv[1])
    page = context.new_page()
    page.goto("/coverage?team=2")
    for password in ("a walk in the sun!", "a walk in the rain"):
        page.get_by_label("E-mail").fill("Mate@example.com")
        page.get_by_label("Password").fill(password)
        with page.expect_navigation():
            page.get_by_role("button", name="Log in").click()
        if password.endswith("!") and page.get_by_role("alert").count() != 1:
            print("a wrong password shows no error")
    if not page.url.endswith("/coverage?team=2"):
        print(f"did not return to the requested page: {page.url}")
    cookie = context.cookies()[0]
    kept = {name: cookie[name] for name in ("name", "httpOnly", "secure", "sameSite", "path")}
    wanted = {
        "name": "__Host-session", "httpOnly": True, "secure": True, "sameSite": "Strict",
        "path": "/",
    }
    if kept != wanted:
        print(f"the cookie is {kept}")
    page.goto("/")
    if "Mate <b>" not in page.locator("header").inner_text():
        print("does not show who is logged in")
    if page.get_by_role("link", name="Audit log", exact=True).count():
        print("offers the audit log to a manager")
    names = page.locator(".employees a").all_inner_texts()
    if "Maja Kralj" not in names or "Ana Horvat" in names:
        print(f"shows {names}")
    # The session ends while a form is filled in: the login leads back to it, with what was typed.
    with page.expect_navigation():
        page.get_by_role("link", name="Maja Kralj").click()
    place = page.url
    reason = page.locator("form:has(button:not([hidden])) [name=reason]").first
    reason.fill("typed with care")
    context.clear_cookies()
    reason.evaluate("field => field.form.noValidate = true")
    reason.locator("xpath=ancestor::form").get_by_role("button").first.click()
    page.wait_for_url("**/login**")
    page.get_by_label("E-mail").fill("mate@example.com")
    page.get_by_label("Password").fill("a walk in the rain")
    with page.expect_navigation():
        page.get_by_role("button", name="Log in").click()
    if page.url.split("#")[0] != place:
        print(f"does not lead back to {place}, but to {page.url}")
    if reason.input_value() != "typed with care":
        print(f"what was typed is lost: {reason.input_value()}")
    if "Not sent: your session had ended." not in page.locator("main").inner_text():
        print("does not say that the form was not sent")
    page.reload()
    if reason.input_value():
        print("what was typed comes back for ever")
    # A page of another site makes the browser send one of our forms.
    page.route("https://evil.example/", lambda route: route.fulfill(
        content_type="text/html",
        body=f"<form method=post action={sys.argv[1]}/logout><button>x</button></form>"))
    page.goto("https://evil.example/")
    with page.expect_navigation():
        page.get_by_role("button").click()
    page.goto("/")
    if not page.get_by_role("button", name="Log out").count():
        print("another site logged us out")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login")
    if context.cookies():
        print("the cookie was not deleted")
    page.goto("/")
    if "/login" not in page.url:
        print("is still logged in")
    browser.close()
