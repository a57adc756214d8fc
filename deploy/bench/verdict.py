"""Compares the measured figures with the requirements."""

import json
from dataclasses import dataclass
from statistics import mean, median

from contenders import APPS, BATCHING_APPS

MB = 1_000_000


@dataclass
class Figure:
    """One figure, measured in every round or once; its median counts."""

    name: str
    required: float
    aim: float
    at_least: bool
    unit: str = ""
    values: tuple[float, ...] = ()
    missed_because: str = ""

    @property
    def measured(self) -> float | None:
        return median(self.values) if self.values else None

    @property
    def met(self) -> bool | None:
        """`None` if not measured; not met if its condition was not met."""
        if self.measured is None:
            return False if self.missed_because else None
        return self.reaches(self.required)

    def reaches(self, bound: float) -> bool:
        return self.measured >= bound if self.at_least else self.measured <= bound

    def json(self) -> dict:
        return {
            "name": self.name, "measured": self.measured, "required": self.required,
            "met": self.met, "aim": self.aim,
            "aimMet": None if self.measured is None else self.reaches(self.aim),
            "atLeast": self.at_least, "unit": self.unit,
            "values": list(self.values),
            "note": self.missed_because}

    def line(self) -> str:
        sign = "≥" if self.at_least else "≤"
        bound = f"{sign} {self.required:g} ({self.aim:g}) {self.unit}".rstrip()
        if self.measured is None:
            text = f"MISSED: {self.missed_because}" if self.missed_because else "not measured"
            return f"{self.name:<53} {bound:<19} {text}"
        text = f"{brief(self.measured):>8}"
        if len(self.values) > 1:
            text += f"  {brief(min(self.values)) + '…' + brief(max(self.values)):<15}"
        else:
            text += " " * 17
        if not self.met:
            verdict = "MISSED"
        else:
            verdict = "met, aim too" if self.reaches(self.aim) else "met"
        return f"{self.name:<53} {bound:<19} {text} {verdict}"


def brief(number: float) -> str:
    """Three significant digits."""
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def at_least(name, required, aim, unit="", values=(), missed_because=""):
    return Figure(name, required, aim, True, unit, tuple(values), missed_because)


def at_most(name, required, aim, unit="", values=(), missed_because=""):
    return Figure(name, required, aim, False, unit, tuple(values), missed_because)


def each(rounds: list[dict], value) -> list[float]:
    """`value(round)` of every round that has the needed runs."""
    values = []
    for runs in rounds:
        try:
            values.append(value(runs))
        except (KeyError, ZeroDivisionError):
            continue
    return values


def micros(seconds: float, items: int) -> float:
    return seconds * 1e6 / items


def both(run) -> float:
    """The CPU of service and PostgreSQL for a ping, in µs."""
    return micros(run.cost.service_cpu + run.cost.postgres_cpu, run.items)


def native(name: str) -> str | None:
    """The run of guardd with the same requests."""
    if "batches" in name or name == "copy":
        return "batches"
    if name == "reports":
        return None
    return "single 16" if name.endswith(" 16") else "single 64"


def postgres_share(kind: str):
    def share(runs: dict) -> float:
        mine, raw = runs[kind], runs[f"insert as {kind}"]
        return micros(mine.cost.postgres_cpu, mine.items) / micros(raw.cost.postgres_cpu, raw.items)

    return share


def above_constant(connections: int):
    def ratio(runs: dict) -> float:
        mine, least = runs[f"single {connections}"], runs[f"constant {connections}"]
        return (
            micros(mine.cost.service_cpu, mine.items)
            / micros(least.cost.service_cpu, least.items))

    return ratio


def app_figures(rounds: list[dict]) -> list[Figure]:
    """The CPU of guardd for a ping in the protocols of other apps, in that of our own."""

    def times(app: str, native: str):
        def ratio(runs: dict) -> float:
            mine, own = runs[app], runs[native]
            return (
                micros(mine.cost.service_cpu, mine.items) / micros(own.cost.service_cpu, own.items))

        return each(rounds, ratio)

    return [
        at_most(f"service CPU, a ping of {name} ÷ ours", 1.5, 1.2, "", times(app, "single 64"))
        for app, name in APPS.items()
    ] + [
        at_most(f"service CPU, a ping of 100 of {APPS[app]} ÷ ours", 1.5, 1.2, "",
                times(f"{app} batches", "batches"))
        for app in BATCHING_APPS]


def figures(rounds: list[dict], once: dict) -> list[Figure]:
    """The required figures. A round maps names to runs; `once` has the other measurements."""
    single, batched = "single 64", "batches"

    def ratio(mine, other):
        return each(rounds, lambda r: r[mine].rate / r[other].rate)

    def of(kind, value):
        return each(rounds, lambda r: value(r[kind]))

    fast = [r for r in rounds if single in r and r[single].rate >= 10_000]
    too_slow = any(single in r for r in rounds) and not fast
    held = [[run.memory for run in r.values() if "peer" not in run.contender] for r in rounds]
    memory = [max(values) for values in held if any(values)]
    growth = [memory[-1] / memory[0]] if len(memory) > 1 else []
    ours = [
        run for r in rounds for run in r.values()
        if run.contender in (single, "single 16", batched) and run.items
    ]
    stored = sum(run.items for run in ours)
    size = [sum(run.cost.ping_bytes for run in ours) / stored] if stored else []
    downgrade = once.get("downgrade", {})
    outbox = once.get("notifications")
    outage = once.get("outage", {})

    states = once.get("states", {"health": [], "unchanged": []})

    def looked(name):
        span = once.get("looks", {}).get(name)
        return [] if span is None else [span]

    def notified(value):
        return [value(outbox)] if outbox else []

    return [
        at_least("CPU of service + Postgres, single: FastAPI's ÷ ours", 11, 15, "",
                 each(rounds, lambda r: both(r["peer single 64"]) / both(r[single]))),
        at_most("service CPU, single ÷ evhttp's constant answer, 64", 2, 1.2, "",
                each(rounds, above_constant(64))),
        at_most("service CPU, single ÷ evhttp's constant answer, 16", 2.6, 1.5, "",
                each(rounds, above_constant(16))),
        at_most("service CPU, a single ping", 26, 15, "µs",
                of(single, lambda run: micros(run.cost.service_cpu, run.items))),
        at_most("service CPU, a ping of 100", 4, 2.5, "µs",
                of(batched, lambda run: micros(run.cost.service_cpu, run.items))),
        at_least("single POSTs/s ÷ FastAPI's, 64 connections", 6.5, 8, "",
                 ratio(single, "peer single 64")),
        at_least("single POSTs/s, 16 connections ÷ 64", 0.7, 0.85, "",
                 ratio("single 16", single)),
        at_least("pings/s in batches of 100 ÷ FastAPI's", 3, 3.7, "",
                 ratio(batched, "peer batches")),
        at_least("pings/s in batches of 100 ÷ raw COPY", 0.33, 0.40, "", ratio(batched, "copy")),
        at_least("single pings/s ÷ raw COPY", 0.06, 0.10, "", ratio(single, "copy")),
        *app_figures(rounds),
        at_most("Postgres CPU ÷ raw INSERT's, single", 1.5, 1.3, "",
                each(rounds, postgres_share(single))),
        at_most("Postgres CPU ÷ raw INSERT's, batches of 100", 1.3, 1.2, "",
                each(rounds, postgres_share(batched))),
        at_most("bytes stored per ping, key included", 125, 120, "B", size),
        at_most("WAL, a single ping", 270, 245, "B",
                of(single, lambda run: run.cost.wal_bytes / run.items)),
        at_most("WAL, a ping of 100", 270, 245, "B",
                of(batched, lambda run: run.cost.wal_bytes / run.items)),
        at_least("rows per commit at ≥ 10,000 single POST/s", 15, 30, "",
                 each(fast, lambda r: r[single].rows_a_commit),
                 "no round reached 10,000 POST/s" if too_slow else ""),
        at_most("downgrade to COMMIT under full load, p50", 10, 5, "ms", downgrade.get("p50", ())),
        at_most("downgrade to COMMIT under full load, p99", 20, 15, "ms",
                downgrade.get("p99", ())),
        at_most("downgrade to COMMIT under full load, p99.9", 500, 250, "ms",
                downgrade.get("p999", ())),
        at_most("board of 500 employees under full load, p99", 50, 50, "ms",
                [once["board"]["p99"]] if "board" in once else []),
        at_most("10,000 phones report at once: all answered", 2, 1, "s",
                outage.get("seconds", ())),
        at_most("CPU of the 500th report of a shift ÷ of the first", 1.1, 1.05, "",
                [outage["growth"]] if outage else []),
        at_most("2,500 reports a second, evenly, p99.9", 500, 100, "ms",
                [outage["even"]] if outage else []),
        at_most("CPU of an unchanged GET /v1/me ÷ /healthz", 3, 2, "",
                [mine / none for mine, none in zip(states["unchanged"], states["health"], strict=True)]),
        at_most("board of 500 employees over 5 million pings", 10, 5, "ms", looked("board")),
        at_most("the same as a page", 15, 10, "ms", looked("boardPage")),
        at_most("report of their month", 300, 100, "ms", looked("month")),
        at_most("the same as a page", 300, 100, "ms", looked("monthPage")),
        at_most("time sheet of their month", 150, 100, "ms", looked("timeSheet")),
        at_most("the same as a file for payroll", 150, 100, "ms", looked("timeSheetFile")),
        at_most("the same as a page", 150, 100, "ms", looked("timeSheetPage")),
        at_most("page of reviews", 20, 10, "ms", looked("reviewsPage")),
        at_most("plan of a week of 200 employees", 30, 20, "ms", looked("planPage")),
        at_most("guardd's memory under full load", 150, 80, "MB", [m / MB for m in memory]),
        at_most("guardd's memory, last round ÷ first", 1.1, 1.05, "", growth),
        at_least("batches/s with queue traffic ÷ without", 0.95, 1, "",
                 ratio("batches, queue", batched)),
        at_least("notifications claimed, sent and finished", 2000, 4000, "/s",
                 notified(lambda m: m["ours"])),
        at_least("notifications/s ÷ raw statements, 8 connections", 0.5, 1, "",
                 notified(lambda m: m["ours"] / m["raw"])),
        at_most("notification due to begun, a transaction open, p99", 1000, 100, "ms",
                notified(lambda m: m["start"][1])),
        at_most("downgrade to push less debounce, 200/s, p50", 60, 20, "ms",
                notified(lambda m: m["delivery"][0])),
        at_most("downgrade to push less debounce, 200/s, p99", 500, 100, "ms",
                notified(lambda m: m["delivery"][1])),
    ]


def run_lines(rounds: list[dict]) -> list[str]:
    """One line per contender: medians over the rounds."""
    lines = [
        f"{'':<21} {'pings/s':>8} {'least':>8} {'most':>8} {'service':>7} {'Postgres':>8}"
        f" {'both':>6} {'both':>6} {'WAL':>5} {'rows per':>8} {'p50':>6} {'p99':>6} {'memory':>6}",
        f"{'':<21} {'median':>8} {'':>8} {'':>8} {'µs CPU':>7} {'µs CPU':>8}"
        f" {'µs CPU':>6} {'÷ ours':>6} {'bytes':>5} {'commit':>8} {'ms':>6} {'ms':>6} {'MB':>6}"]
    for name in dict.fromkeys(name for runs in rounds for name in runs):
        runs = [r[name] for r in rounds if name in r and r[name].items]
        if not runs:
            continue
        rates = [run.rate for run in runs]

        def middle(value, runs=runs):
            found = [v for run in runs if (v := value(run))]
            return brief(median(found)) if found else ""

        ours = each(rounds, lambda r, name=name: both(r[name]) / both(r[native(name)]))
        label = name.replace("insert as", "raw INSERT,").replace("copy", "raw COPY")
        label = label.replace("peer", "FastAPI").replace("constant", "evhttp constant")
        lines.append(
            f"{label:<21} {median(rates):>8,.0f} {min(rates):>8,.0f}"
            f" {max(rates):>8,.0f} {middle(lambda r: micros(r.cost.service_cpu, r.items)):>7}"
            f" {middle(lambda r: micros(r.cost.postgres_cpu, r.items)):>8}"
            f" {middle(both):>6} {brief(median(ours)) if ours else '':>6}"
            f" {middle(lambda r: r.cost.wal_bytes / r.items):>5}"
            f" {middle(lambda r: r.commits and r.rows_a_commit):>8}"
            f" {middle(lambda r: r.latency.get('p50_ms')):>6}"
            f" {middle(lambda r: r.latency.get('p99_ms')):>6}"
            f" {middle(lambda r: r.memory / MB):>6}")
    return lines


def run_json(run) -> dict:
    return {
        "items": run.items, "stored": run.stored, "itemsPerSecond": run.rate,
        "requests": run.requests, "commits": run.commits, "seconds": run.cost.seconds,
        "serviceCPUSeconds": run.cost.service_cpu,
        "postgresCPUSeconds": run.cost.postgres_cpu,
        "serversCPUSeconds": list(run.cost.servers_cpu), "walBytes": run.cost.wal_bytes,
        "pingBytes": run.cost.ping_bytes, "coresOfOthers": run.cost.others,
        "memoryBytes": run.memory, **run.latency}


def report(rounds: list[dict], once: dict, about: dict, as_json: bool) -> str:
    found = figures(rounds, once)
    if as_json:
        return json.dumps(
            {"ratios": [figure.json() for figure in found], "about": about,
             "rounds": [{name: run_json(run) for name, run in r.items()} for r in rounds],
             "once": once},
            indent=2, ensure_ascii=False)
    flushes = ", ".join(f"{rate:,.0f}" for rate in about["flushesPerSecond"])
    others = ", ".join(f"{mean(run.cost.others for run in r.values()):.1f}" for r in rounds if r)
    missed = sum(figure.met is False for figure in found)
    unknown = sum(figure.met is None for figure in found)
    lines = [
        f"{about['rounds']} rounds of {about['secondsPerRun']:g} s per run on {about['cores']}"
        " cores,"
        f" Postgres {about['postgres']}, fsync on; load {about['load']:.1f} before the start;",
        f"the disk made 8 KiB durable {flushes} times per second before each round;",
        f"other programs used {others or 'an unknown number of'} cores meanwhile.",
        "Every ping counted was acknowledged, and found in the table afterwards.", "",
        *run_lines(rounds), "", f"{'':<53} {'required (aim)':<19} {'measured':>8}  least…most"]
    lines += [figure.line() for figure in found]
    lines += [""]
    outbox = once.get("notifications")
    if looks := once.get("looks"):
        day, shift = (
            "no answer" if looks[name] is None else f"{looks[name]:.1f} ms"
            for name in ("day", "shift"))
        lines.append(
            f"Over {looks['pings']:,} pings, by HTTP: a team's day of 500 shifts {day}, the"
            f" coverage of one shift {shift}.")
    if outbox:
        lines.append(
            f"Notifications: {outbox['ours']:,.0f}/s, bare statements {outbox['raw']:,.0f}/s; a"
            f" REPEATABLE READ transaction stayed open for {outbox['held']:.0f} s of it.")
    if downgrade := once.get("downgrade"):
        lines.append(
            f"{downgrade['count']} downgrades, the longest {downgrade['longest']:.1f} ms; the"
            f" {downgrade['records']} records of these phones were all stored once.")
    if board := once.get("board"):
        lines.append(
            f"{board['count']} boards under full load: p50 {board['p50']:.1f} ms, the longest"
            f" {board['longest']:.1f} ms.")
    if outage := once.get("outage"):
        lines.append(
            f"Of many reports at once, each takes {median(outage['serviceCPU']):.0f} µs of CPU of"
            f" guardd and {median(outage['postgresCPU']):.0f} µs of Postgres.")
    lines += [f"{len(found) - missed - unknown} met, {missed} MISSED, {unknown} not measured."]
    return "\n".join(lines)
