"""Uses the board as a manager does, on a phone and on a desktop, and prints what is wrong.

board.py ADDRESS FOLDER: `POST /test/deny` and `/test/allow` make employee 1 of the team Coast deny
and allow location, and `POST /test/cut` ends the stream. Screenshots go to FOLDER unless it is empty.
"""

import datetime
import re
import sys

from playwright.sync_api import expect, sync_playwright

import chromium

address, folder = sys.argv[1:]

# A page of a test is never in the background: this one says that it is, and notes what it asks for
# and whether it hears of changes.
SPY = """
    window.behind = false;
    Object.defineProperty(document, 'hidden', { get: () => window.behind });
    window.shown = [];
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      window.shown.push([title, options.body]);
      return show.call(this, title, options);
    };
    window.EventSource = class extends EventSource {
      constructor(address) {
        super(address);
        this.addEventListener('open', () => { window.hears = true; });
      }
    };
    window.tones = 0;
    const tone = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      window.tones += 1;
      return tone.call(this);
    };
"""


def fail_unless(condition, text):
    if not condition:
        print(text)


class Visit:
    """One browser profile with a page."""

    def __init__(self, browser, width, height, is_logged_in=True, **options):
        self.context = chromium.open_context(
            browser, base_url=address, viewport={"width": width, "height": height}, **options
        )
        if is_logged_in:
            self.context.add_cookies([{"name": "session", "value": "mira", "url": address}])
        self.context.add_init_script(SPY)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: print(f"script: {error}"))
        self.page.on("console", self.note)

    def note(self, message):
        if message.type in ("error", "warning"):
            print(f"console: {message.text}")

    def picture(self, name):
        if folder:
            self.page.screenshot(path=f"{folder}/board-{name}.png", full_page=True)

    def hears(self):
        """Returns once the page hears of changes."""
        self.page.wait_for_function("() => window.hears")

    def post(self, path):
        self.context.request.post(path)


def on_a_phone(browser):
    visit = Visit(browser, 390, 844)
    page = visit.page
    page.goto("/")
    visit.picture("phone")
    row = page.locator(".employees > :is(.i, .n, .x)").first.bounding_box()
    fail_unless(row["y"] + 40 < 844, f"the first problem is {row['y']:.0f} px down")
    # A finger of 44 px on a name meets its link only, in each row.
    missed = page.evaluate(
        """() => [...document.querySelectorAll('.employees > li')].filter((row) => {
            row.scrollIntoView({ block: 'center' });
            const link = row.querySelector('a');
            const { left, top, height } = link.getBoundingClientRect();
            const middle = Math.max(top + height / 2, row.getBoundingClientRect().top + 22);
            return [-21.5, 21.5].some((away) =>
              document.elementFromPoint(left + 10, middle + away)?.closest('a') !== link);
        }).map((row) => row.innerText.split('\\n')[0])"""
    )
    fail_unless(not missed, f"names are hard to touch: {missed}")
    small = page.evaluate(
        """() => [...document.querySelectorAll('.states a, .tools button, .tools summary')]
            .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
            .map((one) => one.textContent)"""
    )
    fail_unless(not small, f"is hard to touch: {small}")
    expect(page.locator(".states").get_by_role("link", name="0 Scheduled")).to_be_hidden()
    expect(page.locator(".key .legend")).to_be_hidden()
    page.get_by_text("Legend").click()
    expect(page.get_by_text("planned shift")).to_be_visible()
    # Luka of Coast is tracked, Lucija of Hills is not.
    page.goto("/?q=lu")
    tops = [page.locator(f"#e{number}").bounding_box()["y"] for number in (22, 1)]
    fail_unless(tops == sorted(tops), "a team without problems comes before one with problems")
    # What the keyboard meets, not only what is seen.
    order = "teams => teams.filter((team) => !team.hidden).map((team) => team.innerText.split('\\n')[0])"
    shown = page.locator(".team").evaluate_all(order)
    fail_unless(shown == ["Hills", "Coast"], f"the order of the teams: {shown}")
    visit.hears()
    page.locator("#e1 > a").focus()
    visit.post("/test/deny")
    expect(page.locator("#e1")).to_have_class(re.compile(r"\bi\b"))
    shown = page.locator(".team").evaluate_all(order)
    fail_unless(shown == ["Coast", "Hills"], f"the order after a problem: {shown}")
    expect(page.locator("#e1 > a")).to_be_focused()
    visit.post("/test/allow")
    expect(page.locator("#e1")).not_to_have_class(re.compile(r"\bi\b"))
    shown = page.locator(".team").evaluate_all(order)
    fail_unless(shown == ["Hills", "Coast"], f"the order after its end: {shown}")
    expect(page.locator("#folded")).to_have_text("No employees to show in Harbour.")
    expect(page.get_by_role("heading", name="Harbour")).to_be_hidden()
    visit.context.close()


def filters(browser):
    visit = Visit(browser, 1280, 860)
    page = visit.page
    page.goto("/")
    expect(page.get_by_text("planned shift")).to_be_visible()
    save = page.get_by_role("button", name="Save this filter")
    expect(save).to_be_hidden()
    page.get_by_label("Team").select_option("Coast")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("link", name="1 Not tracked").click()
    shared = page.url
    save.click()
    field = page.get_by_label("Name of the filter")
    expect(field).to_be_focused()
    field.fill("Coast <b>now</b>")
    visit.picture("saving")
    page.get_by_role("button", name="Save filter").click()
    link = page.get_by_role("link", name="Coast <b>now</b>")
    expect(link).to_have_attribute("aria-current", "true")
    expect(link).to_be_focused()
    expect(save).to_be_hidden()
    page.goto("/")
    expect(link).not_to_have_attribute("aria-current", "true")
    link.click()
    expect(page.locator(".employees > li")).to_have_count(1)
    visit.picture("saved")
    # Another manager opens the link, logs in, and sees the same.
    other = Visit(browser, 1280, 860, is_logged_in=False)
    other.page.goto(shared)
    other.page.get_by_label("E-mail").fill("mira@example.com")
    other.page.get_by_label("Password").fill("correct horse battery")
    other.page.get_by_role("button", name="Log in").click()
    expect(other.page.locator(".employees > li")).to_have_count(1)
    expect(other.page.get_by_label("Team")).to_have_value("1")
    expect(other.page.locator("#saved li")).to_have_count(0)
    other.context.close()
    page.get_by_role("button", name="Delete the filter Coast <b>now</b>").click()
    page.reload()
    expect(save).to_be_visible()
    expect(page.locator("#saved li")).to_have_count(0)
    visit.context.close()


def expect_answer(page, question, wanted):
    """Complains unless the page comes to answer the question so."""
    for _ in range(3_000):
        answer = page.evaluate(question)
        if answer == wanted:
            return
        page.wait_for_timeout(100)
    print(f"{question.strip()}: {answer}, not {wanted}")


def count_shown(page, count, tones):
    """That many notifications and tones were asked for."""
    expect_answer(page, "[window.shown.length, window.tones]", [count, tones])


def alerts(browser):
    visit = Visit(browser, 1280, 860, permissions=["notifications"])
    page = visit.page
    page.goto("/")
    row = page.locator("#e1")
    turn = {
        "denied": lambda: (visit.post("/test/deny"), page.locator("#e1.i").wait_for()),
        "allowed": lambda: (visit.post("/test/allow"), page.locator("#e1:not(.i)").wait_for()),
    }
    visit.hears()
    turn["denied"]()
    count_shown(page, 0, 0)
    turn["allowed"]()
    switch = page.get_by_role("button", name="Alert me in this browser")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#said")).to_contain_text("Alerts are on")
    sound = page.get_by_role("button", name="Sound")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    visit.picture("alerts")
    # Employee 1 had a problem a moment ago: what was switched on begins with a new page.
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.locator("h1").click()
    page.evaluate("window.behind = true")
    visit.hears()
    turn["denied"]()
    expect(page).to_have_title("(5) Board · ShiftGuard")
    count_shown(page, 1, 2)
    expect_answer(
        page,
        """async () => {
            const worker = await navigator.serviceWorker.getRegistration('/assets/board-worker.js');
            return (await worker.getNotifications()).map((one) => [one.title, one.body]);
        }""",
        [["5 employees need attention", "Coast: not tracked"]],
    )
    for _ in range(2):
        turn["allowed"]()
        turn["denied"]()
    count_shown(page, 1, 2)
    # A quarter of an hour after the last problem, it is another one.
    turn["allowed"]()
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=15)
    page.clock.set_fixed_time(later)
    turn["denied"]()
    count_shown(page, 2, 4)
    # Nobody is notified of what they are looking at, and nothing is said when it is off.
    turn["allowed"]()
    page.clock.set_fixed_time(later + datetime.timedelta(minutes=15))
    page.evaluate("window.behind = false")
    turn["denied"]()
    count_shown(page, 2, 6)
    turn["allowed"]()
    switch.click()
    sound.click()
    expect(page.locator("#said")).to_have_text("Sound is off.")
    page.clock.set_fixed_time(later + datetime.timedelta(minutes=30))
    page.evaluate("window.behind = true")
    turn["denied"]()
    count_shown(page, 2, 6)
    expect(row).to_contain_text("Location access denied")
    visit.context.close()


def refused_notifications(browser):
    visit = Visit(browser, 1280, 860)
    page = visit.page
    page.goto("/")
    switch = page.get_by_role("button", name="Alert me in this browser")
    switch.click()
    expect(page.locator("#said")).to_contain_text("This browser blocks notifications.")
    expect(switch).to_have_attribute("aria-pressed", "false")
    visit.context.close()


def folding(browser):
    """A team unfolds when somebody begins to match, and folds again."""
    visit = Visit(browser, 1280, 860)
    page = visit.page
    visit.post("/test/allow")
    page.goto("/?q=luka&state=not_tracked")
    expect(page.locator("#folded")).to_contain_text("No employee matches this filter.")
    visit.hears()
    visit.post("/test/deny")
    expect(page.get_by_role("heading", name="Coast")).to_be_visible()
    expect(page.locator("#folded")).to_have_text("No employees to show in Harbour, Hills.")
    expect(page).to_have_title("(1) Board · ShiftGuard")
    visit.post("/test/allow")
    expect(page.get_by_role("heading", name="Coast")).to_be_hidden()
    expect(page.locator("#folded")).to_contain_text("No employee matches this filter.")
    expect(page).to_have_title("Board · ShiftGuard")
    # Rows that did not change follow a new axis too: it differs from the one that the page has.
    page.goto("/")
    visit.hears()
    page.evaluate("document.getElementById('heading').dataset.axis = 'another'")
    page.evaluate("document.querySelector('#e17 svg').replaceChildren()")
    visit.post("/test/deny")
    expect(page.locator("#e17 svg rect")).to_have_count(1)
    visit.context.close()


def ageing(browser):
    visit = Visit(browser, 390, 844)
    page = visit.page
    page.clock.install()
    page.goto("/")
    age = page.locator("#age")
    expect(age).to_have_text(re.compile(r"^As of 11:42:\d\d\.$"))
    expect(page.locator("#lost")).to_be_hidden()
    page.remove_listener("console", visit.note)  # the stream is refused from here on
    page.route("**/*fragment*", lambda route: route.abort())
    visit.post("/test/cut")
    expect(page.locator("#lost")).to_be_visible()
    page.clock.fast_forward(185_000)
    expect(page.locator("#lost")).to_contain_text(", 3 min ago.")
    expect(age).to_contain_text(", 3 min ago.")
    expect(page).to_have_title("(!) Board · ShiftGuard")
    visit.picture("lost")
    visit.context.close()


with sync_playwright() as playwright:
    browser = chromium.launch(playwright, chromium.WHOLE)
    for part in (on_a_phone, filters, alerts, refused_notifications, folding, ageing):
        try:
            part(browser)
        except Exception as problem:  # the next part is tried all the same
            print(f"{part.__name__}: {str(problem).splitlines()[0]}")
    browser.close()
