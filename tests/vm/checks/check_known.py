#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_known.py DIRECTORY: the exact totals of workloads that are known to the instruction are right:
the stepper sees each instruction once, and decodes it as what it is.
"""

import re
import sys

from scenario import done, equal, ok, steps, totals

FUNCTION = 96  # bytes that the functions of workloads have at most


def arguments(step):
    """What the workload was called with, from what the step printed: '=== NAME: ... -- WORKLOAD'"""
    return [int(word) for word in step.command.split(" -- ")[1].split()[1:]]


def inside(directory, step):
    """Totals over the workload's function, whose address it prints"""
    start = int(re.search(r" at (0x[0-9a-f]+)", "\n".join(step.printed))[1], 16)
    total = {}
    for key, counts in totals(directory, step.name).items():
        if isinstance(key, int) and start <= key < start + FUNCTION:
            for name, value in counts.items():
                total[name] = total.get(name, 0) + value
    return total


def main(directory):
    found = {step.name: step for step in steps(directory)}

    step = found["chase"]
    size, stride, count = arguments(step)
    counts = inside(directory, step)
    equal(counts["loads"], count + 1, "chase: a load each step, and the return's")
    equal(counts.get("stores", 0), 0, "chase: no stores")
    # Each line comes again only after all others, which are more than the L1 has: that of the
    # stack is gone at the end, too
    equal(counts["load_l1_misses"], count + 1, "chase: each load misses the L1")
    ok(size // stride > 512, "chase: over more lines than the L1 has")

    step = found["stream"]
    counts = inside(directory, step)
    size, count = arguments(step)
    calls = -(-count // (size // 8))
    equal(counts["stores"], count, "stream: a store an element")
    equal(counts["loads"], 2 * count + calls, "stream: two loads an element, and the returns'")

    step = found["branches"]
    counts = inside(directory, step)
    _, count = arguments(step)
    equal(counts["loads"], count + 1, "branches: a load each turn, and the return's")
    ok(counts["branches"] >= 2 * count, "branches: two or three each turn", counts)
    ok(counts["mispredicted"] < count // 50, "branches: what is always taken is predicted", counts)

    for name in ("chase", "stream", "branches"):
        every = totals(directory, name)
        equal(every["all"]["ops"], found[name].stepper["steps"],
              "%s: the totals have every instruction" % name)
        equal(sum(counts["ops"] for key, counts in every.items()
                  if isinstance(key, int) or key == "overflow" and counts), every["all"]["ops"],
              "%s: the addresses' counts add up" % name)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
