"""Opens the pages as a manager with a browser does, and prints what is wrong, a line each.

look.py ADDRESS FOLDER PATHS: logs in at ADDRESS with Debian's Chromium, and looks at each page on a
desktop and on a phone, in light and in dark mode. Screenshots go to FOLDER unless it is empty.
"""

import json
import sys
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

import chromium

SIZES = {"phone": (360, 780), "desktop": (1280, 860)}

# A page is loaded once, and then shown in each of these. Colours and sizes are independent: not
# every pair has to be checked.
PAIRS = [("light", "desktop"), ("dark", "desktop"), ("light", "phone")]

# Colours change nothing else that axe checks.
AXE_OPTIONS = {
    "light": {"resultTypes": ["violations"]},
    "dark": {"resultTypes": ["violations"], "runOnly": ["color-contrast"]},
}

# What can be pressed or filled in, and messages, stand apart from what is above them.
TOUCHING = """() => [...document.querySelectorAll(
    'main form, main .row, main .done, main .fault, main p:has(> .button)')].filter((one) => {
  const before = one.previousElementSibling;
  if (!one.checkVisibility() || !before?.checkVisibility()) return false;
  const first = one.querySelector('label, p, button, input:not([type=hidden])') ?? one;
  const [above, own] = [before.getBoundingClientRect(), first.getBoundingClientRect()];
  return own.top >= above.bottom && own.top - above.bottom < 4;
}).map((one) => one.outerHTML.slice(0, 120))"""


# On a phone, the keyboard goes down the page as the eye does.
UPWARDS = """() => [...document.querySelectorAll(
    '.top :is(a, button), #board :is(a, button, input, select)')]
  .filter((one) => one.checkVisibility()).filter((one, place, all) => place &&
    one.getBoundingClientRect().bottom <= all[place - 1].getBoundingClientRect().top
  ).map((one) => one.outerHTML.slice(0, 120))"""

# What is printed on A4 with margins of a centimeter: 190 mm, in CSS pixels.
PRINTED_WIDTH = 718
PRINTED = ("time-sheets", "coverage")
CUT = """() => [
  ...[...document.querySelectorAll('main, .scroll, table')].filter(
    (one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth),
  ...[...document.querySelectorAll('.scroll')].filter(
    (one) => getComputedStyle(one).overflowY !== 'visible'),
  ...[...document.querySelectorAll('tr')].filter(
    (one) => getComputedStyle(one).breakInside !== 'avoid'),
].map((one) => one.outerHTML.slice(0, 120))"""


class Look:
    """The window."""

    def __init__(self, browser, address, folder):
        self.name = ""
        self.address = address
        self.folder = folder
        self.page = chromium.open_context(browser, base_url=address).new_page()
        self.wrong = []
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.complain(f"script: {error}"))
        # A request to another machine is an error.
        self.page.on("request", self.watch)

    def complain(self, text):
        self.wrong.append(f"{self.name} {self.page.url.removeprefix(self.address)}: {text}")

    def note(self, message):
        if message.type in ("error", "warning"):
            self.complain(f"console: {message.text}")

    def watch(self, request):
        if not request.url.startswith((self.address, "data:")):
            self.complain(f"asked elsewhere: {request.url}")

    def log_in(self):
        self.page.goto("/")
        self.check("login")
        self.page.get_by_label("E-mail").fill("mira@example.com")
        self.page.get_by_label("Password").fill("correct horse battery")
        self.page.get_by_role("button", name="Log in").click()
        self.page.wait_for_selector("nav")

    def open(self, path, name):
        answer = self.answer(path)
        if answer.status != 200:
            self.complain(f"answered {answer.status}")
        self.check(name)

    def answer(self, path):
        """The response; retries a busy service, as its page says, because this checks the looks."""
        complaints = len(self.wrong)
        answer = self.page.goto(path)
        for _ in range(150):
            if answer.status != 503:
                break
            del self.wrong[complaints:]
            self.page.wait_for_timeout(2000)
            answer = self.page.goto(path)
        return answer

    def open_track(self, path):
        """Enters a purpose and opens the track."""
        self.answer(path)
        self.page.get_by_label("Purpose (visible to the employee)").fill("Lost keys")
        self.page.get_by_role("button", name="Show the track").click()
        self.page.wait_for_selector("svg.track")
        self.check("track")

    def ask_approval(self):
        """The question that is asked before shifts are approved."""
        self.answer("/time-sheets")
        self.page.get_by_role("button", name="Approve selected shifts").click()
        self.page.wait_for_selector("h1:has-text('Approve')")
        self.check("approval")

    def check_print(self):
        self.name = "print"
        self.page.emulate_media(media="print", color_scheme="light")
        self.page.set_viewport_size({"width": PRINTED_WIDTH, "height": 1000})
        for cut in self.page.evaluate(CUT):
            self.complain(f"is cut on paper: {cut}")
        self.page.emulate_media(media="screen")

    def check(self, name):
        self.page.evaluate(AXE_SCRIPT)
        pairs = PAIRS + [("dark", "phone")] if self.folder else PAIRS
        for scheme, size in pairs:
            self.name = f"{scheme}-{size}"
            width, height = SIZES[size]
            self.page.emulate_media(color_scheme=scheme)
            self.page.set_viewport_size({"width": width, "height": height})
            if self.folder:
                picture = Path(self.folder) / f"{name}-{self.name}.png"
                self.page.screenshot(path=picture, full_page=True)
            self.check_with_axe(AXE_OPTIONS[scheme])
            width = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if width > 0:
                self.complain(f"is {width} px wider than the window")
            # Colours and sizes do not affect the keyboard order.
            if self.name == "light-desktop":
                for touching in self.page.evaluate(TOUCHING):
                    self.complain(f"touches what is above it: {touching}")
                self.tab_through()
            if size == "phone":
                for upwards in self.page.evaluate(UPWARDS):
                    self.complain(f"the keyboard goes back up to: {upwards}")
        if name in PRINTED:
            self.check_print()

    def check_with_axe(self, options):
        for fault in self.page.evaluate("options => axe.run(options)", options)["violations"]:
            if fault["impact"] in ("serious", "critical"):
                node = fault["nodes"][0]
                self.complain(f"axe {fault['id']}: {node['html'][:160]} {node['failureSummary']}")

    def tab_through(self):
        """The keyboard reaches everything that a finger reaches, and its focus is visible."""
        count = self.page.evaluate(
            """() => { document.body.tabIndex = -1; document.body.focus();
               document.body.removeAttribute('tabindex'); return [
               ...document.querySelectorAll('a[href], button, select, textarea, summary,' +
               'input:not([type=hidden], [type=radio]:not(:checked))')].filter(e => e.checkVisibility()).length }"""
        )
        reached = 0
        # A field for a day or a time has several stops.
        for _ in range(8 * count + 8):
            self.page.keyboard.press("Tab")
            state = self.page.evaluate(
                """() => { const e = document.activeElement; if (e === document.body) return null;
                   if (e.dataset.reached) return /^(date|time)/.test(e.type) ? 'on' : null;
                   e.dataset.reached = 1;
                   const s = getComputedStyle(e);
                   return s.outlineStyle !== 'none' ? 'shown' : 'unseen ' + e.outerHTML }"""
            )
            if state is None:
                break
            if state == "on":
                continue
            reached += 1
            if state != "shown":
                self.complain(f"no focus to be seen: {state[:120]}")
        if reached < count:
            self.complain(f"the keyboard reaches {reached} of {count}")


def main(address, folder, paths):
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        look = Look(browser, address, folder)
        look.log_in()
        for name, path in paths.items():
            look.open(path, name)
        if "shift" in paths:
            look.open_track(paths["shift"])
        if "time-sheets" in paths:
            look.ask_approval()
        print("\n".join(look.wrong))
        browser.close()


main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
