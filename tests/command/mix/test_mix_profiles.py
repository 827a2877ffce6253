#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis mix --format bolt and autofdo-text: the estimate of a known program's branches, and what is refused."""
import functools
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]

import built
import known_program as known
import tap
from command import good, run, usage
from known_program import BLOCKS, ROUNDS
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()


def there(name):
    return os.path.join(SCRATCH.name, name)


@functools.lru_cache(maxsize=None)
def recorded(**how):
    """@return the program's execution, and a recording of it"""
    built.need("zydis")
    built.need("elfutils")
    execution = known.Execution(known.build(there("known")))
    path = there("%d.data" % recorded.cache_info().misses)
    with open(path, "wb") as file:
        file.write(known.recording(execution, there("known"), **how))
    return execution, path


def test_bolt():
    """Every branch and every block that runs through, as often as they are taken"""
    execution, path = recorded()
    found = {tuple(line.split()[:3]): int(line.split()[3])
             for line in good("mix", "--format", "bolt", path).splitlines()}

    def place(block, number):
        return "%x" % execution.addresses[block, number % len(BLOCKS[block])]

    half, all_rounds = ROUNDS * 20, ROUNDS * 40
    for (kind, start, end), truth in {
            ("B", place("packed_loop", -1), place("packed_loop", 0)): ROUNDS * 49,
            ("B", place("scalar_loop", -1), place("scalar_next", 0)): half,
            ("B", place("scalar_next", -1), place("scalar_loop", 0)): all_rounds - ROUNDS,
            ("B", place("outer", -1), place("packed", 0)): ROUNDS,
            ("B", place("again", -1), place("outer", 0)): ROUNDS - 1,
            ("F", place("scalar_loop", 0), place("scalar_odd", -1)): half,
            ("F", place("scalar_odd", 0), place("scalar_next", -1)): half,
            ("F", place("packed_loop", 0), place("packed_end", -1)): ROUNDS}.items():
        count = found.get((kind, start, end), 0)
        assert abs(count - truth) < 0.08 * truth, (kind, start, end, count, truth, found)
    assert all(line[0] in "BF" for line in found), found


def test_relative():
    """Stacks that something else than branches counts have the same proportions"""
    execution, path = recorded(samples=0, kind=known.CYCLES)
    found = {tuple(line.split()[:3]): int(line.split()[3])
             for line in good("mix", "--format", "bolt", path).splitlines()}
    loop = "%x" % execution.addresses["packed_loop", 4], "%x" % execution.addresses["packed_loop", 0]
    other = "%x" % execution.addresses["scalar_next", 1], "%x" % execution.addresses["scalar_loop", 0]
    share = found[("B", *loop)] / found[("B", *other)]
    assert abs(share - 49 / 39) < 0.06 * 49 / 39, share


def test_without_debug_information():
    """autofdo-text of a program without functions that are known: an error, and no file"""
    _, path = recorded()
    failed = run("mix", "--format", "autofdo-text", "-o", there("none.prof"), path)
    equal(failed.code, 1)
    assert "no debug information" in failed.err, failed
    equal(os.path.exists(there("none.prof")), False, "a profile")


def test_usage():
    """wrong usage"""
    assert "joint alone" in usage("mix", "--format", "bolt", "--method", "lbr")
    assert "one recording" in usage("mix", "--format", "autofdo-text", "a", "b")
    assert "not with --by" in usage("mix", "--format", "bolt", "--blocks", "3")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
