#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
The program of the guide: that it is scalar where vectors were expected stands on the first lines, and no longer
once it is mended; its operations are known by arithmetic. Recordings are modeled, of the program as it was executed.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../command/cli"))

import tap
from tap import Skip, equal
from traced import built, traced

GUIDE = os.path.join(HERE, "../../doc/what-did-it-execute.md")
SCRATCH = tempfile.TemporaryDirectory()
COMPILER = shlex.split(os.environ.get("CC", "cc"))
OPTIONS = ("-g", "-O3", "-ffast-math", "-march=haswell", "-static", "-Wl,--build-id")
ROUNDS, HITS, OPERATIONS = 200, 4096, 11


def there(name):
    return os.path.join(SCRATCH.name, name)


def recorded(name, *options, seed=1):
    """The guide's program, executed and sampled"""
    program, trace, data = there(name), there(name + ".trace"), there(f"{name}.{seed}.data")
    if not os.path.exists(trace):
        with open(GUIDE, encoding="utf-8") as guide, open(there("fitter.c"), "w", encoding="utf-8") as source:
            source.write(re.search(r"```c\n(.*?)```", guide.read(), re.S)[1])
        compiled = subprocess.run([*COMPILER, *OPTIONS, *options, "-o", program, there("fitter.c")],
                                  capture_output=True, text=True, check=False)
        if compiled.returncode:
            raise Skip("no compiler for Haswell: " + compiled.stderr.split("\n")[0])
        traced(SCRATCH.name, 3000000, f"{name}.trace={program} {ROUNDS}")
    if not os.path.exists(data):
        built("tests/mix/mix_recording", "--model", "both-16", "--seed", str(seed), "--samples", "3000", "--stacks",
              "3000", trace, data)
    return data


def mixed(data, *options):
    return built("precis", "mix", *options, data)


def operations(data):
    """The loop's: (low, value, high)"""
    rows = json.loads(mixed(data, "--format", "json", "--by", "function"))["mix"]["rows"]
    row = next(row for row in rows if row["row"].startswith("add_up"))
    return row["flops_low"], row["flops"], row["flops_high"]


def test_scalar():
    """scalar code where vectors were expected is the first finding, with the function"""
    if "clang" in " ".join(COMPILER):
        raise Skip("clang sees by itself that the sums are no hits")
    text = mixed(recorded("before"))
    first = " ".join(text.split("  2. ")[0].split())
    assert re.search(r"^Findings 1\. (100\.0|99\.[0-9])% \[.*\] of floating-point operations are scalar", first), first
    assert "in add_up" in first, first
    assert text.index("are scalar") < text.index("\nRecording"), text


def test_mended():
    """with restrict it is not said any more"""
    assert "are scalar" not in mixed(recorded("after", "-DSUMS=restrict"))


def test_operations():
    """operations are those of the source, in nine of ten intervals"""
    if "clang" in " ".join(COMPILER):
        raise Skip("clang computes common products once")
    truth, held = ROUNDS * HITS * OPERATIONS, 0
    for seed in range(1, 11):
        low, value, high = operations(recorded("before", seed=seed))
        held += low <= truth <= high
        assert abs(value / truth - 1) < 0.04, (low, value, high, truth)
    assert held >= 7, held # of ten at 95%, fewer come once in a thousand


def test_as_said():
    """the guide's figures of this loop are in what is found"""
    with open(GUIDE, encoding="utf-8") as guide:
        said = guide.read()
    equal(f"{600 * HITS * OPERATIONS:,}".replace(",", " ") in said, True)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
