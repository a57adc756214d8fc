"""Whether a view can be used by everybody: axe, the width of the window, and room for fingers."""

from axe_playwright_python.sync_playwright import Axe


def check(visitor, name):
    page = visitor.page
    page.wait_for_timeout(300)
    visitor.picture(name)
    for fault in Axe().run(page).response["violations"]:
        if fault["impact"] != "minor" or fault["id"] == "aria-allowed-role":
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


def check_large(visitor, name):
    """Whether texts of twice the size leave room on a phone for what they are about."""
    page = visitor.page
    before = page.viewport_size
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for window in (320, 360):
        page.set_viewport_size({**before, "width": window})
        visitor.picture(f"{name}-large-{window}")
        height, width = page.evaluate(
            """() => [document.querySelector('header').offsetHeight,
               document.documentElement.scrollWidth - innerWidth]""")
        if height > 240 or width > 0:
            print(f"{name}: with large text at {window} px, the header is {height} px high and the "
                  f"page {width} px wider than the window")
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(before)
