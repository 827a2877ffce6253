#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing of programs that know who got what from whom: ways to share that users' programs have, a few runs of
each (make bench-sharing: many). What decides is how many transfers were counted, not how fast the machine is.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
import truths
from command import PRECIS
from programs import compiled, need_registers, path
from quick import FEW
from tap import equal

SECONDS = 0.5 if FEW else 1
PERIOD = 50
LEAST_HITS = 15 if FEW else 30


def observe(pattern, threads, seed=1, fraction=0.1, period=PERIOD, seconds=SECONDS, program="workload"):
    """For as long as it takes to count some transfers"""
    need_registers()
    while True:
        seen = truths.observe(PRECIS, compiled(program), path("told"), pattern, threads, seconds, period,
                              seed, fraction)
        if not seen:
            raise tap.Skip("this CPU lacks the instructions")
        if seen.hits() >= LEAST_HITS or (seconds > 20 and "all" in seen.sums):
            return seen
        if seconds > 20:
            raise tap.Skip("the machine was too busy for an experiment")
        seconds *= min(max(1.3 * LEAST_HITS / max(seen.hits(), 1), 2), 8)


def near(seen, slack=0.1):
    """In an interval that is half as wide again on each side, and wider by what two words of eight do not see"""
    row = seen.sums["all"]
    reach = (row["transfers_high"] - row["transfers_low"]) / 2 + slack * seen.count
    assert row["transfers_low"] - reach <= seen.count <= row["transfers_high"] + reach, (seen.count, row, seen.made)


def test_intervals():
    """of ten runs at least seven intervals hold the truth, of five three: one chance in a thousand that they do not"""
    runs = [observe("token", 2, seed) for seed in range(1, 6 if FEW else 11)]
    told = [(run_.sums["all"]["transfers_low"], run_.count, run_.sums["all"]["transfers_high"]) for run_ in runs]
    assert sum(run_.holds() for run_ in runs) >= (3 if FEW else 7), told


def test_tokens():
    """one word goes from thread to thread: true sharing alone"""
    seen = observe("token", 4)
    near(seen)
    equal(seen.told("false sharing"), 0)
    equal(left(seen), [])


def test_queues():
    """lines go from one thread to another, some or many at a time: none comes back"""
    for pattern in ("queue-1", "queue-1k"):
        seen = observe(pattern, 2)
        near(seen)
        equal(set(seen.cells), {pair for pair, count in seen.truth.items() if count})


def test_uneven():
    """pairs of which one is weaker by far: nobody else's lines are theirs"""
    seen = observe("uneven", 4)
    near(seen)
    assert set(seen.cells) <= {pair for pair, count in seen.truth.items() if count}, seen.cells
    equal(seen.missed_partners(), 0)


def test_fractions():
    """shared by all, seldom and always: lines of one's own are tried less often, and weighted"""
    near(observe("shared", 4, fraction=0.02, period=20))
    near(observe("shared", 4, fraction=1))


def test_instructions():
    """locked ones, which load and store, and vectors of half a line"""
    near(observe("locked", 4))
    seen = observe("vectors", 2)
    near(seen, 0.2)
    told, was = seen.is_true_share()
    assert abs(told - was) < 0.25, (told, was)


def test_wide():
    """over borders of words, three of which each access has, and whole lines: each counts once, and all meet there"""
    seen = observe("borders", 2)
    near(seen, 0.2)
    told, was = seen.is_true_share()
    assert abs(told - was) < 0.25, (told, was)
    seen = observe("whole-lines", 2)
    near(seen)
    equal(seen.told("false sharing"), 0)


def test_read_mostly():
    """many load what few store"""
    near(observe("read-mostly", 4, fraction=0.05, period=10), 0.2)


def test_fields():
    """several words of a line, of which two are watched at a time: an interval that says how little that tells"""
    seen = observe("fields", 3)
    near(seen)
    assert seen.told() < 1.6 * seen.count, (seen.told(), seen.count)


def left(seen):
    return [note for note in seen.notes if "experiments more were left" in note]


def hurry(seen):
    return [note for note in seen.notes if "stores more often than each" in note]


def test_no_order():
    """threads that do not wait for each other: who shares with whom is right, how many transfers is not promised"""
    seen = observe("0", 2, fraction=1, period=2000, program="exchanges")
    equal(len(hurry(seen)), 1, seen.notes)
    assert set(seen.cells) <= {pair for pair, count in seen.truth.items() if count}, (seen.cells, seen.truth)
    equal(seen.told("false sharing"), 0)
    assert any("as of threads that wait for each other" in note for note in seen.notes), seen.notes
    # between two stores is a hundred times a trap
    seen = observe("3000000", 2, fraction=1, period=1, program="exchanges")
    equal(hurry(seen), [])
    equal(seen.told("false sharing"), 0)


def test_one_cpu():
    """threads that do not wait for each other, and never have a CPU at once: who has none is not awaited"""
    need_registers()
    cpus = os.sched_getaffinity(0)
    seconds = SECONDS
    os.sched_setaffinity(0, {max(cpus)})
    try:
        while True:
            seen = truths.observe(PRECIS, compiled("exchanges"), path("told"), "1000", 2, seconds, 200, 1, 1)
            if left(seen) or seconds > 20:
                break
            seconds *= 3
    finally:
        os.sched_setaffinity(0, cpus)
    equal(len(left(seen)), 1, (seen.notes, seen.made))
    assert set(seen.cells) <= {pair for pair, count in seen.truth.items() if count}, (seen.cells, seen.truth)


def test_periods():
    """another period: the same answer"""
    near(observe("token", 4, period=200))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
