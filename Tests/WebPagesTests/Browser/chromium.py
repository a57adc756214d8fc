"""Debian's Chromium, without a window.

The shell is the same engine without what surrounds it, and starts with half the work. It has no
notifications.
"""

from playwright.sync_api import expect

# In milliseconds. A busy machine is slower without being wrong.
PATIENCE = 300_000
expect.set_options(timeout=PATIENCE)
SHELL = "/usr/bin/chromium-headless-shell"
WHOLE = "/usr/bin/chromium"


def open_context(browser, **options):
    """A profile of its own, whose pages wait patiently."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def launch(playwright, program=SHELL):
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
