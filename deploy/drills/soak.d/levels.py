"""Judges whether tables level off: levels.py SAMPLES.

Of what a table grows by in the last third of the time, its live rows must explain all but a tenth
and 64 kB. Exit status 1 if they do not.
"""

import collections
import csv
import sys

SLACK, RATIO = 65536, 1.1
Sample = collections.namedtuple(
    "Sample", ("time", "rows", "table", "indexes", "updates", "hot", "dead", "vacuums", "live"))


def size(sample):
    return sample.table + sample.indexes


def main():
    tables = collections.defaultdict(list)
    with open(sys.argv[1], encoding="ascii") as file:
        for time, name, *numbers in csv.reader(file):
            tables[name].append(Sample(int(time), *map(int, numbers)))
    count = max(len(samples) for samples in tables.values())
    if count < 6:
        sys.exit(f"error: {count} samples are too few to judge")
    print(f"{'table':22}{'rows':>9}{'live kB':>9}  {'kB after 1/3, 2/3, all':>24}{'updates':>10}"
          f"{'HOT':>6}{'dead':>7}{'vacuums':>9}  verdict")
    bad = []
    for name, samples in sorted(tables.items()):
        first, (third, late, last) = samples[0], (
            samples[len(samples) * part // 3 - 1] for part in (1, 2, 3))
        if last.rows == 0 and last.updates == 0:
            continue
        updates = last.updates - first.updates
        hot = f"{100 * (last.hot - first.hot) / updates:.0f} %" if updates else ""
        growth = max(1, last.live / max(late.live, 1))
        is_good = size(last) <= size(late) * growth * RATIO + SLACK
        if not is_good:
            bad.append(name)
        verdict = "GROWS" if not is_good else "level" if growth < RATIO else "as its rows"
        sizes = " ".join(f"{size(sample) // 1024:7}" for sample in (third, late, last))
        print(f"{name:22}{last.rows:9}{last.live // 1024:9}  {sizes:>24}{updates:10}{hot:>6}"
              f"{last.dead:7}{last.vacuums:9}  {verdict}")
    span = samples[-1].time - samples[0].time
    print(f"{count} samples in {span} s: "
          + (f"growing without rows: {', '.join(bad)}" if bad else "no table grows without rows"))
    sys.exit(1 if bad else 0)


main()
