#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_by.py DIRECTORY: where samples are, in precis report --by, is where the instructions were, which
the module counted one by one: the 95% intervals of the shares of functions, source lines and threads
(of which the module keeps totals of their own) hold the exact ones as often as intervals that hold them in
95 of 100 cases would by chance, all together and of each row by itself; and they are as wide as such have to
be, by the binomial law. So do, of functions, the shares of
loads that hit the L1, and the intervals of the key figures of samples whose period the kernel varies for a
frequency, of 100 seeds.

Functions and lines of addresses come from nm and addr2line, not from precis.
"""

import bisect
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

import chances
from check_estimates import SHARES, exact_share, intervals, truths
from scenario import PRECIS, done, equal, ok, output, skip_all, steps, totals

L1 = "load_levels[1]"
PROGRAM = "mix"
BASE = 0x555555554000  # where a program lies whose addresses are not randomized
SIZE = 0x100000
# Standard errors that intervals reach in the mean. Of 95% it is 1.96; less where few samples are, more where they
# depend on each other. Of some that are a third too narrow it is 1.3, and 2.9 of some that are half as wide again.
REACH = (1.6, 2.4)
LEAST_LOADS = 5  # fewer of a function tell nothing of its level


class Program:
    """What nm and addr2line say of a program's addresses"""

    def __init__(self, path):
        self.path = path
        found = []
        for line in output("nm", "-n", "--defined-only", path).splitlines():
            address, kind, name = line.split(None, 2)
            if kind in "tTwW":
                found.append((int(address, 16), name))
        self.starts = [address for address, _ in found]
        self.names = [name for _, name in found]
        self.lines = {}

    def function(self, address):
        at = bisect.bisect_right(self.starts, address - BASE) - 1
        return self.names[at] if at >= 0 else None

    def find_lines(self, addresses):
        addresses = sorted(addresses)
        asked = "".join("%#x\n" % (address - BASE) for address in addresses)
        done_ = subprocess.run(["addr2line", "-e", self.path], input=asked, text=True, check=True,
                               stdout=subprocess.PIPE)
        for address, line in zip(addresses, done_.stdout.splitlines()):
            path, _, number = line.split(" ")[0].rpartition(":")
            self.lines[address] = "%s:%s" % (os.path.basename(path), number)


def is_inside(address):
    return BASE <= address < BASE + SIZE


def differences(before, after):
    """{address or name: {count: how much more}}"""
    found = {}
    for key, counts in after.items():
        was = before.get(key, {})
        more = {name: value - was.get(name, 0) for name, value in counts.items()}
        if more.get("ops"):
            found[key] = more
    return found


def added(exact, key_of):
    """Counts by what key_of(address) says"""
    found = collections.defaultdict(collections.Counter)
    for address, counts in exact.items():
        if isinstance(address, int) and is_inside(address):
            found[key_of(address)].update(counts)
    return found


def rows(symfs, path, pid, key, *columns):
    text = output(PRECIS, "report", "--by", key, "--pid", str(pid), "--symfs", symfs, "--format",
                  "json", "--top", "1000", "--columns", ",".join(("share",) + columns), path)
    return json.loads(text)["by_ops"]["rows"]


class Tally:
    """How many intervals hold the exact shares, by row"""

    def __init__(self):
        self.found = collections.defaultdict(lambda: [0, 0])
        self.reaches = []  # of shares of counted samples

    def add(self, row, interval, exact):
        if interval is None or interval.get("low") is None:
            return
        self.found[row][0] += interval["low"] <= exact <= interval["high"]
        self.found[row][1] += 1
        if "n" in interval:
            reach = chances.reach(interval["low"], interval["high"],
                                  round(interval["value"] * interval["n"]), interval["n"])
            self.reaches += [] if reach is None else [reach]

    def judge_width(self, title):
        mean = sum(self.reaches) / max(len(self.reaches), 1)
        ok(REACH[0] < mean < REACH[1], "%s: %d intervals reach %.2f standard errors in the mean, %.1f to %.1f are "
           "wanted" % ((title, len(self.reaches), mean) + REACH))

    def judge(self, title, seeds, alike=chances.SHARES):
        """Of rows that most seeds have: others are there because something of them was sampled."""
        usual = {row: counts for row, counts in self.found.items() if 2 * counts[1] >= seeds}
        held = sum(holding for holding, _ in usual.values())
        every = sum(count for _, count in usual.values())
        ok(every > seeds and chances.are_held(held, every, alike=alike),
           "%s: %d of %d intervals hold the exact share" % (title, held, every))
        for row, (holding, count) in sorted(usual.items()):
            ok(chances.are_held(holding, count, judged=len(usual)),
               "%s: %s: %d of %d" % (title, row, holding, count))


def by_line(program, table, exact, tally):
    ops = sum(counts["ops"] for key, counts in exact.items() if isinstance(key, int))
    lines = added(exact, lambda address: program.lines[address])
    for row in table:
        if row["line"] is not None:
            name = "%s:%s" % (os.path.basename(row["file"]), row["line"])
            tally.add(name, row["share"], lines[name]["ops"] / ops)


def by_function(program, table, exact, shares, levels):
    ops = sum(counts["ops"] for key, counts in exact.items() if isinstance(key, int))
    functions = added(exact, program.function)
    for row in table:
        if row["symbol_object"] != "/usr/bin/" + PROGRAM or row["symbol"] is None:
            continue
        counts = functions[row["symbol"]]
        shares.add(row["symbol"], row["share"], counts["ops"] / ops)
        if row["L1"] and row["L1"]["n"] >= LEAST_LOADS:
            levels.add(row["symbol"], row["L1"], counts[L1] / max(counts["loads"], 1))


def by_thread(table, exact, tally):
    threads = {key: counts for key, counts in exact.items() if str(key).startswith("thread:")}
    ops = sum(counts["ops"] for counts in threads.values())
    for number, row in enumerate(sorted(table, key=lambda row: row["tid"])):
        tally.add("thread %d" % number, row["share"], threads["thread:%d" % row["tid"]]["ops"] / ops)
    return len(threads)


def check_places(directory, symfs, program):
    path = os.path.join(directory, "places.data")
    seeds = truths(os.path.join(directory, "places.truth"))
    exact = [totals(directory, "places", seed) for seed in range(len(seeds) + 1)]
    program.find_lines({address for address in exact[-1]
                        if isinstance(address, int) and is_inside(address)})
    equal(exact[-1]["other_threads"].get("ops"), 0, "places: totals of all threads")
    functions, levels, lines, threads, ran = Tally(), Tally(), Tally(), Tally(), set()
    for number, (pid, _) in enumerate(seeds):
        more = differences(exact[number], exact[number + 1])
        by_function(program, rows(symfs, path, pid, "symbol", "L1"), more, functions, levels)
        by_line(program, rows(symfs, path, pid, "line"), more, lines)
        ran.add(by_thread(rows(symfs, path, pid, "tid"), more, threads))
    equal(ran, {3}, "places: three threads ran of each seed")
    for name, tally in (("functions", functions), ("loads of functions from the L1", levels),
                        ("source lines", lines), ("threads", threads)):
        tally.judge("places: " + name, len(seeds))
        tally.judge_width("places: " + name)


def check_frequency(directory):
    """Each row of the key figures, as check_estimates.py has it of fixed periods"""
    path = os.path.join(directory, "frequency.data")
    seeds = truths(os.path.join(directory, "frequency.truth"))
    tally = Tally()
    for pid, counts in seeds:
        for row, (low, high) in intervals(path, pid).items():
            if row in SHARES:
                tally.add(row, {"low": low, "high": high}, exact_share(row, counts))
    periods = {line.split(",")[0] for line in output(PRECIS, "dump", "-F", "period", "--format",
                                                     "csv", path).splitlines()[1:]}
    ok(len(periods) > 20, "frequency: periods vary", len(periods))
    tally.judge("frequency", len(seeds))


def main(directory):
    if not shutil.which("nm") or not shutil.which("addr2line"):
        return skip_all("no nm and addr2line (binutils)")
    for step in steps(directory):
        equal(step.status, 0, "%s: done" % step.name)
    program = os.path.join(os.path.dirname(os.path.abspath(directory)), "programs", PROGRAM)
    with tempfile.TemporaryDirectory() as symfs:
        os.makedirs(os.path.join(symfs, "usr/bin"))
        shutil.copy(program, os.path.join(symfs, "usr/bin"))
        check_places(directory, symfs, Program(program))
    check_frequency(directory)
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
