"""Measures the page, or checks all its states for accessibility, and prints what is wrong, a line
each.

measures.py ADDRESS STORY FOLDER, as page.py. Lines with measurements begin with `#`.
"""

from playwright.sync_api import expect

from orders import order
from soundness import check
from visitor import IS_DENIED, Visitor, play, wait_until


def accessible(browser):
    for number, scheme in enumerate(("light", "dark"), start=1):
        order("policy", "standard")
        visitor = Visitor(browser, scheme=scheme, width=320)
        page = visitor.page
        visitor.permit("prompt")
        page.goto("/app#7-WRON-GCOD-E000-0000")
        page.locator("#connect").click()
        page.locator("#code-error").wait_for()
        check(visitor, f"refused-code-{scheme}")
        visitor.enrol()
        page.locator("#banner").wait_for()
        check(visitor, f"before-{scheme}")
        page.locator("#clockIn").click()
        page.locator("#sheet[open]").wait_for()
        check(visitor, f"explanation-{scheme}")
        page.locator("#sheet button").last.click()
        visitor.permit("denied")
        page.locator("#clockIn").click()
        expect(page.locator("#result")).to_contain_text("Not clocked in")
        expect(page.locator("#result")).not_to_contain_text("Checking…")
        check(visitor, f"blocked-{scheme}")
        visitor.permit("granted")
        expect(page.locator("#result")).to_contain_text("Location is allowed now")
        check(visitor, f"allowed-{scheme}")
        page.locator("#clockIn").click()
        expect(page.locator("#result")).to_contain_text("Clocked in")
        check(visitor, f"on-shift-{scheme}")
        visitor.permit("denied")
        wait_until(page, IS_DENIED)
        # The second time about another interruption, or it would be the same notification.
        order("notify", str(number))
        page.locator("#alerts section").wait_for()
        check(visitor, f"alert-{scheme}")
        visitor.permit("granted")
        page.locator("#breakStart").click()
        expect(page.locator("#result")).to_contain_text("Break started")
        check(visitor, f"on-break-{scheme}")
        visitor.context.set_offline(True)
        page.locator("#breakEnd").click()
        expect(page.locator("#result")).to_contain_text("Stored on this phone")
        check(visitor, f"offline-{scheme}")
        visitor.context.set_offline(False)
        expect(page.locator("#result")).to_contain_text("Break ended")
        page.locator("#clockOut").click()
        expect(page.locator("#result")).to_contain_text("Clocked out")
        check(visitor, f"clocked-out-{scheme}")
        page.locator("#menu-myShifts").click()
        page.locator(".rows a").first.wait_for()
        check(visitor, f"my-shifts-{scheme}")
        page.locator(".rows a").first.click()
        page.locator(".bar").wait_for()
        check(visitor, f"my-shift-{scheme}")
        order("notice")
        page.locator("#menu-privacy").click()
        if number == 1:
            # Once only: what was read stays read.
            page.locator("#confirm-read").wait_for()
            for media in ("dark", "light"):
                page.emulate_media(color_scheme=media)
                check(visitor, f"notice-{media}")
            page.locator("#confirm-read").click()
        expect(page.locator("main")).to_contain_text("You confirmed that you read it")
        check(visitor, f"read-{scheme}")
        visitor.context.close()


# From the start of the navigation to the first frame with the banner.
BANNER = """() => new Promise(done => {
  const isThere = () => document.querySelector('#banner:not([hidden]) h2');
  const tell = () => requestAnimationFrame(() => done(performance.now()));
  if (isThere()) return done(performance.now());
  new MutationObserver((_, observer) => { if (isThere()) { observer.disconnect(); tell(); } })
    .observe(document, { childList: true, subtree: true, attributes: true }); })"""


def speed(browser):
    visitor = Visitor(browser)
    page = visitor.page
    visitor.permit("granted")
    before = int(order("sent"))
    visitor.enrol()
    wait_until(page, "async () => (await caches.match('/app/texts/en.json')) !== undefined")
    page.wait_for_timeout(500)
    print(f"# the first visit took {int(order('sent')) - before} bytes of files")
    page.add_init_script(f"window.bannerShown = ({BANNER})()")
    times = []
    for _ in range(7):
        page.goto("/app?again")
        times.append(page.evaluate("window.bannerShown"))
    times.sort()
    print(f"# the banner came {times[3]:.0f} ms after navigation (median of {len(times)}; "
          f"{times[0]:.0f} to {times[-1]:.0f})")
    # Only what can never be noise.
    if times[0] > 20_000:
        print(f"the banner came {times[0]:.0f} ms after navigation at best")
    visitor.context.set_offline(True)
    page.goto("/app?again")
    print(f"# offline, the banner came {page.evaluate('window.bannerShown'):.0f} ms "
          "after navigation")


play({"accessible": accessible, "speed": speed})
