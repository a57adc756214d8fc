"""Switches alerts on in a browser, gets one, follows it, switches them off. Prints what is wrong.

alerts.py ADDRESS: no push service is asked; the browser delivers the message as if one had sent it.
"""

import json
import sys

from playwright.sync_api import expect, sync_playwright

import chromium

address = sys.argv[1]

# What a push service would give to the browser.
SUBSCRIPTION = """(() => {
  Notification.requestPermission = async () => 'granted';
  PushManager.prototype.subscribe = async function (options) {
    sessionStorage.setItem('subscribed', JSON.stringify(options));
    return { toJSON: () => ({ endpoint: 'https://push.example/1', keys: {
      auth: 'tBHItJI5svbpez7KI4CCXg', p256dh: options.applicationServerKey } }) }; };
})()"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration('/assets/board-worker.js');
  for (let turn = 0; turn < 3000; turn += 1) {
    const all = await registration.getNotifications();
    if (all.length) return all.map(({ title, body, tag, lang }) => [title, body, tag, lang]);
    await new Promise((done) => setTimeout(done, 100)); }
  return []; }"""
# Only a finger can click, and only a click may open a window: the worker says what it would do.
CLICKED = """async () => {
  let opened = null;
  self.clients.openWindow = async (place) => { opened = place; };
  const [notification] = await self.registration.getNotifications();
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
  for (let turn = 0; turn < 6000 && !opened; turn += 1) {
    await new Promise((done) => setTimeout(done, 50)); }
  return opened; }"""

with sync_playwright() as playwright:
    # The shell has no notifications.
    browser = chromium.launch(playwright, chromium.WHOLE)
    context = chromium.open_context(browser, base_url=address)
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"script: {error}"))
    page.on("console", lambda message: message.type == "error" and print(message.text))
    context.add_cookies([{"name": "session", "value": "mira", "url": address}])
    context.grant_permissions(["notifications"], origin=address)
    page.add_init_script(SUBSCRIPTION)

    session = context.new_cdp_session(page)
    registrations, versions = [], []
    session.on("ServiceWorker.workerRegistrationUpdated",
               lambda event: registrations.extend(event["registrations"]))
    session.on("ServiceWorker.workerVersionUpdated",
               lambda event: versions.extend(event["versions"]))
    session.send("ServiceWorker.enable")

    page.goto("/")
    manifest = page.evaluate("""async () => {
      const link = document.querySelector('link[rel=manifest]').href;
      const { start_url, display, icons } = await (await fetch(link)).json();
      return [start_url, display, (await fetch(new URL(icons[0].src, link))).status]; }""")
    if manifest != ["/", "standalone", 200]:
        print(f"the manifest says {manifest}")
    page.get_by_role("link", name="Mira Lončar").click()
    expect(page.locator("#no-alerts")).to_be_hidden()
    page.get_by_role("button", name="Switch on alerts in this browser").click()
    main = page.locator("main")
    expect(main).to_contain_text("Alerts are on in this browser.")
    expect(page.locator(".tag", has_text="this browser")).to_be_visible()
    options = json.loads(page.evaluate("sessionStorage.getItem('subscribed')"))
    key = page.locator("[data-push-key]").get_attribute("data-push-key")
    if options != {"userVisibleOnly": True, "applicationServerKey": key}:
        print(f"subscribed with {options}")

    for _ in range(6_000):
        if registrations and any(version["status"] == "activated" for version in versions):
            break
        page.wait_for_timeout(50)
    session.send("ServiceWorker.deliverPushMessage", {
        "origin": address, "registrationId": registrations[0]["registrationId"],
        "data": json.dumps({"title": "Tracking of a shift is interrupted", "language": "en",
                            "tag": "m7", "page": "/employees/7"})})
    shown = page.evaluate(SHOWN)
    if shown != [["Tracking of a shift is interrupted", "", "m7", "en"]]:
        print(f"the alert was shown as {shown}")
    opened = context.service_workers[0].evaluate(CLICKED)
    if opened != f"{address}/employees/7":
        print(f"a click on the alert led to {opened}")

    page.get_by_role("button", name="Switch off: ").click()
    expect(main).to_contain_text("Alerts are off in that browser.")

    # Without scripts the page says what is missing.
    plain = chromium.open_context(browser, base_url=address, java_script_enabled=False)
    plain.add_cookies([{"name": "session", "value": "mira", "url": address}])
    bare = plain.new_page()
    bare.goto("/account")
    expect(bare.locator("#no-alerts")).to_be_visible()
    expect(bare.get_by_role("button", name="Switch on alerts in this browser")).to_be_hidden()
    browser.close()
