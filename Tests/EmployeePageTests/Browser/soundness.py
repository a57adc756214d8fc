"""Whether a view can be used by everybody: axe, the width of the window, and room for fingers."""

from axe_playwright_python.sync_playwright import Axe


def check(visitor, name):
    page = visitor.page
    page.wait_for_timeout(300)
    visitor.picture(name)
    for fault in Axe().run(page).response["violations"]:
        if fault["impact"] in ("serious", "critical", "moderate"):
            node = fault["nodes"][0]
            print(f"{name}: axe {fault['id']}: {node['html'][:160]} {node['failureSummary']}")
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if width > 0:
        print(f"{name}: is {width} px wider than the window")
    small = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, select, input, textarea')]
           .filter(e => e.checkVisibility()).map(e => [e.id || e.textContent, e.getBoundingClientRect()])
           .filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([name]) => name)""")
    if small:
        print(f"{name}: too small for a finger: {small}")
