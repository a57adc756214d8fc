"""Measures the first paint: paint.py ADDRESS MILLISECONDS_MAX prints the time of the median of nine
loads, and complains if it is above the maximum."""

import sys

from playwright.sync_api import sync_playwright

import chromium

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(
        browser, base_url=sys.argv[1], viewport={"width": 1280, "height": 860})
    context.add_cookies([{"name": "session", "value": "mira", "url": sys.argv[1]}])
    page = context.new_page()
    paints = []
    for _ in range(9):
        page.goto("/")
        paints.append(
            page.evaluate(
                """new Promise(done => new PerformanceObserver((list, self) => {
                     self.disconnect(); done(list.getEntries()[0].startTime) })
                   .observe({ type: 'paint', buffered: true }))"""
            )
        )
    browser.close()
    paint = sorted(paints)[4]
    print(f"# first paint after {paint:.0f} ms")
    if paint > float(sys.argv[2]):
        print(f"first paint only after {paint:.0f} ms")
