"""Looks at the plan of a large team in a wide and in a narrow window, and prints what is wrong.

plan.py ADDRESS: in both, the keyboard goes through the cells in the order in which they are seen.
"""

import sys

from playwright.sync_api import sync_playwright

import chromium

# Whether each thing that takes the focus is below or right of the one before it; and how many are
# in the table.
ORDER = """() => {
  const stops = [...document.querySelectorAll('main a[href], main button, main input, main select')]
    .filter((one) => one.type !== 'hidden' && one.checkVisibility());
  const places = stops.map((one) => one.getBoundingClientRect());
  const wrong = places.findIndex((place, at) => at > 0
    && place.bottom <= places[at - 1].top + 1);
  return { wrong: wrong < 0 ? null : stops[wrong].outerHTML.slice(0, 120),
    cells: document.querySelectorAll('.plan td a').length,
    seen: stops.filter((one) => one.closest('.plan td')).length,
    small: stops.filter((one) => one.closest('.plan td')
      && one.getBoundingClientRect().height < 44).length,
    over: document.documentElement.scrollWidth - innerWidth };
}"""

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=sys.argv[1])
    context.add_cookies([{"name": "session", "value": "mira", "url": sys.argv[1]}])
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and print(message.text))
    for width, days in ((1280, 7), (360, 1)):
        page.set_viewport_size({"width": width, "height": 780})
        page.goto("/plan?team=1&day=tomorrow")
        found = page.evaluate(ORDER)
        if found["wrong"]:
            print(f"{width}: after what is below it comes {found['wrong']}")
        if found["seen"] != 200 * days or found["cells"] != 1400:
            print(f"{width}: {found['seen']} of {found['cells']} cells")
        if found["over"] > 0:
            print(f"{width}: {found['over']} px too wide")
        if width == 360 and found["small"]:
            print(f"{width}: {found['small']} links are too small for a finger")
    # The next day is one link away, and its cells are shown instead.
    page.get_by_role("navigation", name="Days").get_by_role("link", name="Sun 22").click()
    page.wait_for_url("**/plan?*day=2026-11-22")
    if page.locator(".plan thead th:visible").all_inner_texts() != ["Employee", "Sun 22"]:
        print(f"shows {page.locator('.plan thead th:visible').all_inner_texts()}")
    browser.close()
