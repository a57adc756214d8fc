"""Compares the journal of phones.py with the database, record by record.

Prints `acknowledged = present` with the number of items if every acknowledged item is in the
database. Exit status 1 if one is missing, or if another promise is broken. Needs only Python's
library and psql.
"""

import argparse
import collections
import json
import subprocess
import sys

# How each kind of item is found: employee and key. Every phone is device 1 of its employee.
FOUND = {
    "ping": "SELECT employee_id, (extract(epoch FROM recorded_at) * 1000)::bigint FROM ping",
    "report": "SELECT employee_id, sequence FROM permission_report WHERE sequence IS NOT NULL",
    "action": "SELECT employee_id, action_id FROM clock_action",
}
NAMES = {"ping": "pings", "report": "permission reports", "action": "clock actions"}


class Item:
    def __init__(self, line):
        self.kind, self.employee, key, self.began, self.sent, self.answered = json.loads(line)
        self.key = (self.employee, str(key))


def stored(url):
    """The keys in the database, by kind."""
    found = {}
    for kind, sql in FOUND.items():
        out = subprocess.run(
            ["psql", "-qXAt", "-F", " ", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql],
            check=True, capture_output=True, text=True).stdout
        keys = [line.split(" ", 1) for line in out.splitlines()]
        found[kind] = {(int(employee), key) for employee, key in keys}
    return found


def compare(items, found, options):
    """What is wrong, a line each; prints the counts."""
    promised = [i for i in items if options.until is None or i.answered <= options.until]
    counts, present, wrong = collections.Counter(), collections.Counter(), []
    for item in promised:
        counts[item.kind] += 1
        if item.key in found[item.kind]:
            present[item.kind] += 1
        else:
            wrong.append(f"missing: {item.kind} {item.key}, answered at {item.answered:.3f}")
    for kind, name in NAMES.items():
        print(f"  {name:20} {counts[kind]:8} acknowledged {present[kind]:8} present")
    if options.none_after is not None:
        later = [i for i in items if i.began >= options.none_after]
        extra = [i for i in later if i.key in found[i.kind]]
        print(f"  of {len(later)} items sent after the point, {len(extra)} present")
        wrong += [f"sent after the point, but present: {i.kind} {i.key}" for i in extra]
        if not later:
            wrong.append("nothing was sent after the point")
    elif options.until is not None:
        later = [i for i in items if i.answered > options.until]
        kept = sum(i.key in found[i.kind] for i in later)
        print(f"  of {len(later)} items acknowledged after that, {kept} present")
    if not all(counts[kind] for kind in NAMES):
        wrong.append("a kind of item was never acknowledged: the comparison shows nothing")
    return sum(counts.values()), sum(present.values()), wrong


def recoveries(items, options):
    """How long each outage kept phones waiting; what was too long."""
    wrong = []
    phones = {item.employee for item in items}
    ends = options.outage[1:] + [float("inf")]
    for number, (begin, end) in enumerate(zip(options.outage, ends, strict=False), 1):
        firsts = {}
        for item in items:
            if begin <= item.sent and item.answered < end:
                firsts[item.employee] = min(
                    item.answered, firsts.get(item.employee, item.answered))
        if len(firsts) < len(phones):
            wrong.append(f"outage {number}: {len(phones) - len(firsts)} phones got no answer after it")
            continue
        first, last = min(firsts.values()) - begin, max(firsts.values()) - begin
        print(f"outage {number}: writes accepted again after {first:.1f} s, "
              f"of every phone after {last:.1f} s")
        if last > options.within:
            wrong.append(f"outage {number} lasted {last:.1f} s, more than {options.within:g} s")
    return wrong


def print_longest(items, since):
    """The longest wait for an acknowledgement, apart from requests under way at `since`."""
    for when, some in (("before", [i for i in items if i.answered < since]),
                       ("afterwards", [i for i in items if i.began >= since])):
        if some:
            longest = max(some, key=lambda item: item.answered - item.began)
            print(f"longest wait for an acknowledgement {when}: "
                  f"{longest.answered - longest.began:.2f} s ({longest.kind})")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--journal", required=True)
    parser.add_argument("--database", required=True, help="URL")
    parser.add_argument("--until", type=float, help="only what was answered until this Unix time")
    parser.add_argument("--none-after", type=float, help="nothing sent after this Unix time")
    parser.add_argument("--outage", type=float, action="append", default=[], help="its begin")
    parser.add_argument("--longest", type=float, help="print the longest wait before and after it")
    parser.add_argument("--within", type=float, default=30, help="seconds that one may last")
    options = parser.parse_args()
    with open(options.journal, encoding="ascii") as journal:
        items = [Item(line) for line in journal]
    acknowledged, present, wrong = compare(items, stored(options.database), options)
    wrong += recoveries(items, options)
    if options.longest is not None:
        print_longest(items, options.longest)
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    sign = "=" if acknowledged == present else "≠"
    print(f"acknowledged {sign} present ({acknowledged} and {present})", flush=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
