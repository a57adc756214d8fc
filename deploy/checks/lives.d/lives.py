#!/usr/bin/env python3
"""Writes random lives as scenarios, with what the rules expect of each.

Stage 1: one phone, reports, positions, silences, rests, breaks. Stage 2: also clocks that are off,
offline uploads and clock actions, outages, exits, hidden pages, mock and inaccurate fixes. Stage 3:
also a second phone, take-overs, and corrections with their undo. Stage 4: stage 1 with an open app,
and what it is told. `deploy/checks/lives` plays them.

`--life STAGE.SEED.INDEX` writes one life; `--without 3,5` leaves out steps of it, and `--shrink`
writes it once for each of its steps, without that step (and without those of `--without`), so
that a played folder shows which steps a difference needs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import life
import scenario
from life import Life

LIVES_IN_A_FILE = 50


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--stage", type=int, default=1)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--life")
    parser.add_argument("--without", default="")
    parser.add_argument("--shrink", action="store_true")
    return parser.parse_args()


def wanted(given: argparse.Namespace) -> list[Life]:
    if not given.life:
        return [life.written(given.seed, index, given.stage) for index in range(given.count)]
    stage, seed, index = (int(word) for word in given.life.split("."))
    whole = life.written(seed, index, stage)
    dropped = {int(word) for word in given.without.split(",") if word}
    if not given.shrink:
        return [whole.without(dropped)]
    rest = [number for number in range(len(whole.steps)) if number not in dropped]
    return [whole.without(dropped | {number}) for number in rest]


def main() -> None:
    given = arguments()
    given.into.mkdir(parents=True, exist_ok=True)
    lives = wanted(given)
    for number, first in enumerate(range(0, len(lives), LIVES_IN_A_FILE), start=1):
        text = "\n".join(
            scenario.printed(one) for one in lives[first : first + LIVES_IN_A_FILE]
        )
        (given.into / f"lives-{number}.txt").write_text(text)


if __name__ == "__main__":
    main()
