"""Does each job of a manager and an administrator, and prints those that take too many clicks.

jobs.py ADDRESS: begins each on the board. Choosing, typing and ticking are no clicks; the button
that sends a form is one.
"""

import sys
import tarfile

from playwright.sync_api import expect, sync_playwright

import chromium

with sync_playwright() as playwright:
    browser = chromium.launch(playwright)
    context = chromium.open_context(browser, base_url=sys.argv[1])
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and print(message.text))
    context.add_cookies([{"name": "session", "value": "mira", "url": sys.argv[1]}])
    clicks = 0

    def click(role, name):
        global clicks
        clicks += 1
        page.get_by_role(role, name=name, exact=True).first.click()

    def job(title, most, work):
        global clicks
        clicks = 0
        page.goto("/")
        try:
            work()
        except Exception as problem:  # the next job is tried all the same
            print(f"{title}: {str(problem).splitlines()[0]}, at {page.url}")
        if clicks > most:
            print(f"{title} takes {clicks} clicks, not {most}")

    def shows(text):
        expect(page.locator("main")).to_contain_text(text)

    def untracked():
        row = page.locator("li", has=page.get_by_role("link", name="Ana Horvat"))
        expect(row).to_contain_text("ocation access denied")

    def call():
        row = page.locator("li", has=page.get_by_role("link", name="Ana Horvat"))
        expect(row.locator('a[href="tel:+385911234567"]')).to_be_visible()

    def allow_once():
        click("link", "Tomislav Jurić")
        page.locator("#override-reason").fill("His phone is being repaired")
        click("button", "Allow one clock-in")
        shows("valid until")

    def withdraw():
        click("link", "Tomislav Jurić")
        click("button", "Withdraw override")
        shows("withdrawn")

    def review():
        click("link", "Reviews 1 waiting")
        page.get_by_label("Reason for Tomislav Jurić").fill("He showed his phone")
        click("button", "Open the shift from 11:21")
        shows("Shift opened.")
        shows("No clock action waits for a decision.")

    def correct():
        click("link", "Ana Horvat")
        page.get_by_label("End", exact=True).fill("2026-11-20T11:30")
        # The browser's own form of a date can be misread.
        shows("Fri 20 Nov 2026, 11:30")
        page.get_by_label("Reason (visible to the employee)").fill("Forgot to clock out")
        click("button", "Save correction")
        shows("Shift corrected.")

    # R: W21
    def correct_break():
        click("link", "Dario Fabris")
        page.get_by_label("Break 1 to").fill("11:30")
        page.get_by_label("Reason (visible to the employee)").fill("Forgot to end the break")
        click("button", "Save correction")
        shows("Shift corrected.")
        shows("changed breaks from")

    def remove_break():
        click("link", "Marta Kovač")
        page.get_by_label("Remove break 1").check()
        page.get_by_label("Reason (visible to the employee)").fill("Worked through")
        click("button", "Save correction")
        shows("Shift corrected.")

    def end_now():
        click("link", "Luka Babić")
        page.get_by_label("Reason (visible to the employee)").fill("Phone lost")
        click("button", "End now")
        shows("Shift corrected.")

    def fill_past_shift():
        page.get_by_label("Day").first.fill("2026-11-19")
        page.get_by_label("From", exact=True).first.fill("08:00")
        page.get_by_label("To", exact=True).first.fill("16:00")
        page.get_by_label("Reason (visible to the employee)").fill("Phone in repair")
        click("button", "Add past shift")
        shows("Shift added.")
        shows("Added by Mira Lončar")

    def past_shift():
        click("link", "Josip Radić")
        click("link", "Add a past shift")
        fill_past_shift()

    def past_shift_from_sheet():
        click("link", "Time sheets")
        click("link", "Add a past shift of Petra Novak")
        fill_past_shift()

    def enrol():
        click("link", "Settings")
        click("link", "Employees")
        page.get_by_label("Name", exact=True).last.fill("Nera Novak")
        click("button", "Add and show enrolment code")
        shows("Nera Novak")
        expect(page.locator("svg.qr")).to_be_visible()

    def import_file():
        click("link", "Settings")
        click("link", "Employees")
        text = "employee,name,team\n901,Ivo Ivić,1\n"
        page.get_by_label("Or choose a CSV file").set_input_files(
            {"name": "people.csv", "mimeType": "text/csv", "buffer": text.encode()})
        click("button", "Import CSV")
        shows("Ivo Ivić")

    def import_plan():
        click("link", "Settings")
        click("link", "Planned shifts")
        text = "employee,start,end\n13,2026-11-27 08:00,2026-11-27 16:00\n"
        page.get_by_label("Or choose a CSV file").set_input_files(
            {"name": "plan.csv", "mimeType": "text/csv", "buffer": text.encode()})
        click("button", "Import CSV")
        shows("Imported: 1 ")

    def see_tomorrow():
        click("link", "Plan for tomorrow")
        shows("Tomorrow")

    def plan_a_shift():
        click("link", "Plan for tomorrow")
        page.get_by_role("link", name="Add for Josip Radić Sat 21").click()
        page.locator("#planned-shift-from").fill("08:00")
        page.locator("#planned-shift-to").fill("16:00")
        click("button", "Add planned shift")
        shows("Shift planned.")

    def copy_a_week():
        click("link", "Plan")
        click("button", "Copy week")
        click("button", "Copy week")
        shows("1 shift planned.")

    def track():
        click("link", "Ivo Šimunić")
        page.get_by_label("Purpose").fill("Lost delivery")
        click("button", "Show the track")
        expect(page.locator("svg.track")).to_be_visible()

    def month_coverage():
        click("link", "Coverage")
        click("link", "This month")
        shows("Why time was not tracked")

    def place_by_stop():
        track()
        click("button", "Make this a site: stop 1")
        page.get_by_label("Name", exact=True).fill("Pier")
        click("button", "Add site")
        shows("Site added.")

    def place():
        click("link", "Settings")
        click("link", "Sites of Coast")
        center = page.get_by_label("Latitude and longitude")
        drawing = page.locator(".pick svg")
        drawing.click(position={"x": 60, "y": 60})
        clicked = center.input_value()
        if len(clicked.split(", ")) != 2:
            print(f"the click chose {clicked}")
        # By keyboard, the cross goes on from there.
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        north, east = [float(part) for part in center.input_value().split(", ")]
        old_north, old_east = [float(part) for part in clicked.split(", ")]
        if abs(north - old_north) > 1e-6 or not 0 < east - old_east < 0.01:
            print(f"the arrow key led from {clicked} to {center.input_value()}")
        circle = drawing.locator(".chosen")
        small = circle.bounding_box()["width"]
        page.get_by_label("Radius in meters").fill("600")
        if not circle.bounding_box()["width"] > 2 * small:
            print("the circle is not as large as the radius says")
        expect(page.locator("#picked")).to_have_text(f"Chosen: {center.input_value()}")
        page.get_by_label("Name", exact=True).fill("Quay")
        click("button", "Add site")
        shows("Site added.")
        shows("600 m around")

    def payroll():
        asked = []
        # The API is not served here.
        page.route("**/v1/**", lambda route: (asked.append(route.request.url), route.fulfill(
            body="employee", headers={"Content-Disposition": "attachment; filename=sheet.csv"})))
        click("link", "Time sheets")
        with page.expect_download():
            click("link", "CSV for payroll")
        if not any("/v1/time-sheets?from=2026-11-01&to=2026-11-30" in url for url in asked):
            print(f"the file is asked for at {asked}")

    def approve():
        click("link", "Time sheets")
        click("button", "Approve selected shifts")
        question = page.get_by_role("heading", level=1).text_content()
        click("button", question.rstrip("?"))
        shows(question.removeprefix("Approve ").rstrip("?") + " approved.")

    def undo_approval():
        click("link", "Time sheets")
        reopening = page.get_by_role("link", name="Reopen what Mira Lončar approved")
        click("link", reopening.first.get_attribute("aria-label"))
        page.get_by_label("Reason").fill("The wrong month")
        question = page.get_by_role("heading", level=1).text_content()
        click("button", question.rstrip("?"))
        shows(question.removeprefix("Reopen ").rstrip("?") + " reopened.")

    def contacts():
        click("link", "Settings")
        click("link", "Contacts of Coast")
        page.get_by_label("E-mail address").fill("boss@example.com")
        click("button", "Add contact")
        shows("Contact added.")

    def send_test():
        click("link", "Settings")
        click("link", "Contacts of Coast")
        page.get_by_label("E-mail address").fill("lead@example.com")
        click("button", "Add contact")
        click("button", "Send test: lead@example.com")
        shows("Test to lead@example.com queued")

    def replay_draft():
        click("link", "Settings")
        click("link", "Coast")
        page.get_by_role("radio", name="Strict").check()
        click("button", "Try on the last weeks")
        expect(page.get_by_role("link", name="Discard draft")).to_be_visible()

    def policy():
        click("link", "Settings")
        click("link", "Coast")
        page.get_by_role("radio", name="Strict").check()
        click("button", "Save and apply")
        shows("Policy saved and applied.")

    def restore_policy():
        click("link", "Settings")
        click("link", "Coast")
        click("button", "Restore version 1")
        click("button", "Restore version 1")
        shows("Earlier version restored and applied.")

    def plan_policy():
        click("link", "Settings")
        click("link", "Coast")
        page.get_by_role("radio", name="Advisory").check()
        page.get_by_label("Valid from").fill("2026-12-01T06:00")
        click("button", "Save and apply")
        shows("Discard planned policy")

    def rehearse():
        click("link", "Settings")
        click("link", "Rehearsal")
        click("button", "Begin rehearsal")
        expect(page.locator("svg.qr")).to_be_visible()

    def quarantine():
        click("link", "Settings")
        click("link", "Quarantine")
        expect(page.get_by_role("heading", level=1)).to_have_text("Quarantine")

    def support_view():
        click("link", "Dario Fabris")
        click("link", "Dario Fabris")
        click("link", "Devices")
        click("link", page.locator("main table a").first.text_content())
        expect(page.get_by_role("button", name="Send test message")).to_be_visible()

    def audit():
        click("link", "Audit log")
        page.get_by_label("Employee", exact=True).fill("Dario Fabris")
        click("button", "Show")
        shows("corrected shift 1 of Dario Fabris")

    def export():
        click("link", "Josip Radić")
        click("link", "Data")
        with page.expect_download() as download:
            click("button", "Export data")
        name = download.value.suggested_filename
        if name != "employee-13-2026-11-20.tar":
            print(f"the export is named {name}")
        with tarfile.open(download.value.path()) as archive:
            if "tables/employee.jsonl" not in archive.getnames():
                print(f"the export has only {archive.getnames()}")

    def erase():
        click("link", "Josip Radić")
        click("link", "Data")
        click("link", "Erase employee")
        page.get_by_label("Type the name or the number to confirm").fill("Josip Radić")
        click("button", "Erase employee")
        shows("Employee 13 erased.")

    def privacy_notice():
        click("link", "Settings")
        click("link", "Privacy notice")
        for version, text in enumerate(("First.", "Second."), 1):
            page.get_by_label("Text").fill(text)
            click("button", "Publish version")
            click("button", f"Publish version {version}")
        shows("Version 2 published.")
        expect(page.get_by_text("First.")).to_be_hidden()
        page.locator("summary").click()
        expect(page.get_by_text("First.")).to_be_visible()

    job("who is untracked", 0, untracked)
    job("call them", 1, call)
    job("allow one clock-in", 2, allow_once)
    job("withdraw an override", 2, withdraw)
    job("review a clock-in", 2, review)
    job("correct a clock-out", 2, correct)
    job("correct a break", 3, correct_break)
    job("remove a break", 3, remove_break)
    job("end a shift now", 3, end_now)
    job("add a past shift", 3, past_shift)
    job("add a past shift from the time sheet", 3, past_shift_from_sheet)
    job("enrol a new employee", 3, enrol)
    job("import employees", 3, import_file)
    job("import planned shifts", 4, import_plan)
    job("see tomorrow", 1, see_tomorrow)
    job("plan a shift of tomorrow", 3, plan_a_shift)
    job("copy a week", 3, copy_a_week)
    job("open a track", 2, track)
    job("coverage of the month", 2, month_coverage)
    job("make a stop a site", 4, place_by_stop)
    job("pick a site", 3, place)
    job("time sheet for payroll", 2, payroll)
    job("approve a time sheet", 3, approve)
    job("take an approval back", 3, undo_approval)
    job("add a contact", 3, contacts)
    job("add a contact and send it a test", 4, send_test)
    job("try a draft policy", 3, replay_draft)
    job("change a policy", 3, policy)
    job("restore a policy", 4, restore_policy)
    job("plan a policy", 4, plan_policy)
    job("begin a rehearsal", 3, rehearse)
    job("look at the quarantine", 2, quarantine)
    job("look at a phone", 4, support_view)
    job("filter the audit log", 2, audit)
    job("export an employee's data", 3, export)
    job("erase an employee", 4, erase)
    job("publish a privacy notice twice", 6, privacy_notice)
    browser.close()
