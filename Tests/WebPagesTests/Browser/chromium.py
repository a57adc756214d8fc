"""Debian's Chromium, without a window.

The shell is the same engine without what surrounds it, and starts with half the work. It has no
notifications.
"""

SHELL = "/usr/bin/chromium-headless-shell"
WHOLE = "/usr/bin/chromium"


def launch(playwright, program=SHELL):
    return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
