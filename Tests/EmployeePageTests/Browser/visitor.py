"""What the scripts for Chromium share: a browser of an employee."""

from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from orders import PLACE, address, awaited, folder, order, story

# A busy machine is slower without being wrong.
PATIENCE = 300_000
expect.set_options(timeout=PATIENCE)
PROGRAM = "/usr/bin/chromium"
# The same engine without what surrounds it starts with half the work.
SHELL = "/usr/bin/chromium-headless-shell"
# The shell has no notifications.
OF_NOTIFICATIONS = ("push", "measures")
IS_EMPTY = "async () => (await shiftguard.queue.readQueue(1)).length === 0"
# The page knows its shift, and the server everything that the page has recorded.
IS_SETTLED = """async () => Boolean(shiftguard.state.me?.device && shiftguard.state.me.shift)
  && (await shiftguard.queue.readQueue(1)).length === 0"""
IS_DENIED = "() => shiftguard.state.me.incidents.some(({ kind }) => kind === 'denied')"
# The service worker comes only when the story calls `register()`.
REGISTER_LATE = """(() => { const container = ServiceWorkerContainer.prototype;
  const { register } = container;
  const given = new Promise((resolve) => { window.register = resolve; });
  container.register = async function (...all) { await given; return register.apply(this, all); };
})()"""
COUNT_POSITIONS = """(() => { const { geolocation } = navigator;
  const locate = geolocation.getCurrentPosition.bind(geolocation);
  window.asked = 0;
  geolocation.getCurrentPosition = (...given) => { window.asked += 1; locate(...given); }; })()"""
# The next position is found when the story calls `find()`.
FIND_LATE = """() => { const { geolocation } = navigator;
  const { getCurrentPosition } = geolocation;
  geolocation.getCurrentPosition = (...all) => { window.find = () => {
    geolocation.getCurrentPosition = getCurrentPosition;
    geolocation.getCurrentPosition(...all); }; }; }"""
QUEUE_PINGS = """async ([count, apart]) => {
    const { queue, tools } = shiftguard;
    const now = Date.now();
    for (let index = count; index > 0; index -= 1) {
      await queue.addToQueue({ kind: 'ping', body: { latitude: 43.5, longitude: 16.4, accuracy: 5,
        recordedAt: tools.instant(now - index * apart) } });
    }
    return (await queue.readQueue(9999)).length; }"""


class Visitor:
    """One browser with its own storage."""

    def __init__(self, browser, language="en", scheme="light", width=360, context=None):
        self.context = context or browser.new_context(
            base_url=address, viewport={"width": width, "height": 740}, locale=language,
            color_scheme=scheme, has_touch=True)
        self.context.set_default_timeout(PATIENCE)
        self.context.set_geolocation(PLACE)
        self.page = self.context.new_page()
        # A permission lasts as long as the session that set it.
        self.session = self.context.new_cdp_session(self.page)
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: print(f"{story}: script: {error}"))
        self.page.on("request", self.watch)

    def note(self, message):
        # The console also reports every answer with an error status, and requests while offline.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            print(f"{story}: console: {message.text}")

    def watch(self, request):
        if not request.url.startswith((address, "data:")):
            print(f"{story}: request to another origin: {request.url}")
        if request.url.endswith("/rule-differences") and story != "difference":
            print(f"{story}: the server decided otherwise: {request.post_data}")

    def permit(self, setting, name="geolocation"):
        """Sets a permission as its owner does in the settings of the browser."""
        target = self.session.send("Target.getTargetInfo")["targetInfo"]
        self.session.send("Browser.setPermission", {
            "permission": {"name": name}, "setting": setting, "origin": address,
            "browserContextId": target["browserContextId"]})

    def enrol(self, code=None):
        code = code or order("code")
        self.page.goto(f"{address}/app#{code}")
        if self.page.locator("#code").input_value() != code:
            print(f"the code of the link is not filled in: {self.page.locator('#code').input_value()}")
        if code in self.page.url:
            print("the code stays in the address")
        self.page.locator("#connect").click()
        self.page.locator("#shift").wait_for()
        return code

    def me(self):
        return self.page.evaluate(
            """async () => (await fetch('/v1/me', {headers: {Authorization:
               'Bearer ' + JSON.parse(localStorage['shiftguard.token'])}})).json()""")

    def await_incident(self, kind):
        """Waits until the server has such an interruption: the page's own rules are faster."""
        for _ in range(1_200):
            kinds = [incident["kind"] for incident in self.me()["incidents"]]
            if kind in kinds:
                return
            self.page.wait_for_timeout(250)
        print(f"{story}: the server has {kinds} and not {kind}")

    def picture(self, name):
        if folder:
            self.page.screenshot(path=Path(folder) / f"app-{name}.png", full_page=True)


def on_shift(browser, setting="granted", **options):
    visitor = Visitor(browser, **options)
    visitor.permit(setting)
    visitor.enrol()
    visitor.page.locator("#clockIn").click()
    expect(visitor.page.locator("#result")).to_contain_text("Clocked in")
    settle(visitor.page)
    return visitor, visitor.page


def settle(page):
    """Waits until the first ping of the shift has arrived: nothing is under way then."""
    awaited("/v1/pings", page)
    wait_until(page, IS_SETTLED)


class Held:
    """The next request to an address: the server answers at once, and the page hears of it later."""

    def __init__(self, page, address, method="GET"):
        self.page, self.address, self.method = page, address, method
        self.route = self.answer = None
        page.route(address, self.hold)

    def hold(self, route):
        if self.route or route.request.method != self.method:
            return route.fallback()
        self.route = route
        self.answer = route.fetch()

    def wait(self):
        """Returns once the server has answered."""
        for _ in range(6_000):
            if self.answer:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing was sent to {self.address}")

    def release(self):
        self.route.fulfill(response=self.answer)


def set_visibility(page, state):
    """Nothing hides a page of a browser without windows."""
    page.evaluate(
        """state => { Object.defineProperty(document, 'visibilityState',
             { get: () => state, configurable: true });
           document.dispatchEvent(new Event('visibilitychange')); }""", state)


def wait_until(page, question):
    """Waits until the page answers yes. `wait_for_function` takes a promise for a yes."""
    for _ in range(6_000):
        if page.evaluate(question):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came true that {question}")


def play(stories):
    """Plays the story of the command line, in Debian's Chromium."""
    program = PROGRAM if story in OF_NOTIFICATIONS else SHELL
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            stories[story](browser)
        except AssertionError as error:
            print(f"{story}: {' '.join(str(error).split())[:600]}")
        browser.close()
