"""Prints a life as a scenario, with what the rules expect of it."""

from __future__ import annotations

import json

import coverage
import incidents
import notifications
import timeline
from incidents import Incident, Knowledge
from records import CLOCK_ACTIONS, SECOND, Ping, Report, Request, Settings, Span

DAY = 24 * 3_600 * SECOND


def clock(time: int) -> str:
    """A time as scenarios write it."""
    days, rest = divmod(time, DAY)
    seconds, fraction = divmod(rest, SECOND)
    words = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    words += f".{fraction:03}" if fraction else ""
    return f"{days:+} {words}" if days else words


def phone_time(time: int, request: Request) -> str:
    """A time by the clock of the phone that sends the request."""
    return f"@{clock(time + request.skew)}"


def report_members(report: Report, request: Request) -> dict:
    members = {"recordedAt": phone_time(report.time, request)}
    if report.sequence is not None:
        members["sequence"] = report.sequence
    if report.installation:
        members["installation"] = report.installation
    for name in ("authorization", "accuracy", "services"):
        members[name] = getattr(report, name)
    if report.mock != "unknown":
        members["conditions"] = {"mockLocation": report.mock}
    if report.exit_at is not None:
        at = phone_time(report.exit_at, request)
        members["lastExit"] = {"cause": "permission_change", "at": at}
    return members


def ping_members(ping: Ping, request: Request) -> dict:
    members: dict = {"recordedAt": phone_time(ping.time, request)}
    if ping.is_fix:
        members |= {"latitude": 52.5, "longitude": 13.4}
    if ping.pretence == "zero":
        members |= {"latitude": 0, "longitude": 0}
    if ping.pretence == "negative":
        members |= {"latitude": 52.5, "longitude": 13.4, "accuracy": -1}
    if ping.accuracy is not None:
        members["accuracy"] = ping.accuracy
    if ping.is_mock:
        members["mock"] = True
    if ping.is_stationary:
        members["stationary"] = True
    if ping.is_hidden:
        members["hidden"] = True
    if ping.announces_rest:
        until = ping.rest_until
        members["rest"] = {} if until is None else {"until": phone_time(until, request)}
    return members


def body(request: Request) -> str:
    sent = {"sentAt": phone_time(request.at, request)}
    if request.verb == "report" and len(request.reports) == 1:
        return compact(sent | report_members(request.reports[0], request))
    if request.verb == "report":
        reports = [report_members(one, request) for one in request.reports]
        return compact(sent | {"reports": reports})
    if request.verb == "ping":
        return compact(sent | ping_members(request.pings[0], request))
    if request.verb == "pings":
        return compact([ping_members(one, request) for one in request.pings])
    members = dict(sent)
    if request.time is not None:
        members["occurredAt"] = phone_time(request.time, request)
    if request.reports:
        members["report"] = report_members(request.reports[0], request)
    if request.fix:
        members["fix"] = ping_members(request.fix, request)
    return compact(members)


def compact(value) -> str:
    return json.dumps(value, separators=(",", ":"))


def manager_line(request: Request) -> str:
    path = f"/v1/employees/1/shifts/{request.subject}/corrections"
    if request.verb == "undo":
        number, undo = request.number, compact({"reason": "a mistake"})
        return f"{clock(request.at)} M post {path}/{number}/undo {undo} -> 201"
    members = {"reason": f"correction at {clock(request.at)}"}
    if request.time is not None:
        members["startedAt"] = f"@{clock(request.time)}"
    if request.end is not None:
        members["endedAt"] = f"@{clock(request.end)}"
    return f"{clock(request.at)} M post {path} {compact(members)} -> 201"


def line(request: Request) -> str:
    if request.sender == "M":
        return manager_line(request)
    words = f"{clock(request.at)} {request.sender} {request.verb}"
    if request.verb == "touch":
        return words
    return f"{words} {body(request)}"


def head(life) -> list[str]:
    lines = [f"scenario {life.title}"] + ["told unchecked"] * (not life.settings.is_told)
    settings = {
        "pingInterval": life.settings.ping_interval // SECOND,
        "maxRest": life.settings.max_rest // SECOND,
        "debounce": life.settings.debounce // SECOND,
    }
    if life.settings.accuracy_max is not None:
        settings["accuracyMax"] = life.settings.accuracy_max
    lines.append(f"policy {life.settings.preset} {compact(settings)}")
    for device in life.devices:
        clock_words = f" clock {device.skew // SECOND:+}" if device.skew else ""
        is_open = " open" if life.settings.is_told else ""
        lines.append(f"device {device.letter} {device.platform} en{is_open}{clock_words}")
    return lines


def incident_words(one: Incident) -> str:
    words = f"{one.kind} {clock(one.start)}-{'open' if one.end is None else clock(one.end)}"
    words += f" {one.closing}" if one.closing else ""
    notes = []
    if one.is_at_clock_in:
        notes.append("at_clock_in")
    if one.is_inferred:
        notes.append("inferred")
    if one.explained:
        notes.append(f"explained {one.explained}")
    return words + (f" [{', '.join(notes)}]" if notes else "")


def segment_words(segment: coverage.Segment) -> str:
    words = f"{clock(segment.start)} {segment.reason}"
    words += "*" if segment.is_at_risk else ""
    words += f"?{segment.likely}" if segment.likely else ""
    return words + ("~" if segment.is_inferred else "")


def knowledge(
    requests: list[Request], outages: list[Span], settings: Settings, now: int
) -> list[Knowledge]:
    """What the service knows at a time of each shift."""
    return [
        Knowledge(shift, tuple(requests), tuple(outages), settings, now)
        for shift in timeline.shifts(requests)
    ]


def expectations(known: list[Knowledge], now: int) -> list[str]:
    """What is expected of the newest shifts; the incidents first, so that they are rolled up."""
    lines = []
    for number, one in list(enumerate(known, start=1))[-2:]:
        found = [incident_words(incident) for incident in incidents.incidents(one)]
        lines.append(f"incidents {number}: {'; '.join(found) or 'none'}")
        covered = coverage.coverage(one)
        if covered.segments:
            segments = "; ".join(segment_words(segment) for segment in covered.segments)
            lines.append(f"coverage {number}: {segments} | {clock(covered.end)}")
            rate = covered.rate()
            lines.append(f"rate {number}: {'none' if rate is None else rate}")
    lines.append(f"tracking {coverage.tracking_state(known[-1] if known else None)}")
    return [f"{clock(now)} {words}" for words in lines]


def told(life, requests: list[Request], outages: list[Span]) -> list[tuple[int, str]]:
    """What the open app is told, by time."""
    if not life.settings.is_told:
        return []
    messages = notifications.messages(
        requests, outages, life.settings, life.steps[-1].at, notifications.Delay()
    )
    letter = life.devices[0].letter
    return [
        (one.at, f"{clock(one.at)} told in_app {letter} {one.topic} en") for one in messages
    ]


def printed(life) -> str:
    """The scenario of a life."""
    lines: list[tuple[int, str]] = []
    requests: list[Request] = []
    outages: list[Span] = []
    for step in life.steps:
        if step.verb == "check":
            known = knowledge(requests, outages, life.settings, step.at)
            lines += [(step.at, words) for words in expectations(known, step.at)]
        elif step.verb == "outage":
            outages.append(Span(step.at, step.end))
            lines.append((step.at, f"{clock(step.at)} outage until {clock(step.end)}"))
        else:
            answer = f" -> {timeline.status(requests, step)}" if step.verb in CLOCK_ACTIONS else ""
            requests.append(step)
            lines.append((step.at, line(step) + answer))
    lines += told(life, requests, outages)
    lines.sort(key=lambda one: one[0])
    return "\n".join([*head(life), *(words for _, words in lines)]) + "\n"
