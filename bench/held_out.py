#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does precis plan predict what sampling costs and gives? Of programs and periods that no calibration has seen.

The machine is calibrated; precis plan -- PROGRAM counts what it needs, and predicts; then the program runs with
perf record and without, in turns and in random order, on one CPU, perf on another. The overhead is that of CPU
time: others may use the machine. Printed are, for each program, event and period, what was predicted and what
came, with an interval of 95% that the runs themselves give, and how often intervals held.
"""
import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

WATCHED = "mem:0x20000000/8:w"
TRACEPOINT = "exceptions:page_fault_user"
# Student's t for 95%, of so many degrees and more
STUDENT = {1: 12.7, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 10: 2.23, 15: 2.13,
           20: 2.09, 30: 2.04, 60: 2.0}
PERF_OPTIONS = {"page-faults": ["-d", "-e", "page-faults"], "cpu-clock": ["-e", "cpu-clock"],
                TRACEPOINT: ["--no-period", "-e", TRACEPOINT], WATCHED: ["-d", "-e", WATCHED]}


def student(degrees):
    return STUDENT[max(n for n in STUDENT if n <= max(degrees, 1))]


def programs(work, scratch):
    """Names and commands: of this benchmark, and of the system"""
    text = os.path.join(scratch, "text")
    source = random.Random(20170601)
    with open(text, "w", encoding="utf-8") as file:
        file.writelines("%x %x\n" % (source.getrandbits(60), source.getrandbits(30)) for _ in range(60000))
    script = "d = {}\nfor n in range(150000): d[n * 7919 % 100003] = [n] * 9"
    return {"hash": [work, "hash", "5000"], "sort": [work, "sort", "3500"], "copy": [work, "copy", "3500"],
            "mixed": [work, "mixed", "2000"], "gzip": ["gzip", "-c", "-1", text],
            "coreutils sort": ["sort", "--parallel=1", "-S", "64M", text],
            "python": [sys.executable, "-c", script]}


# What is predicted: programs that have the event, and periods that no calibration has
CASES = [("page-faults", ("hash", "copy", "python", "coreutils sort"), (2, 5, 29)),
         (TRACEPOINT, ("hash", "mixed", "python"), (2, 5, 29)),
         (WATCHED, ("hash", "copy", "mixed"), (2, 5, 29)),
         ("cpu-clock", ("sort", "gzip", "mixed"), (1000003, 3999971))]


class Machine:
    """How things are run here"""

    def __init__(self, options, scratch):
        self.options = options
        self.times = os.path.join(scratch, "times")
        self.recording = os.path.join(scratch, "perf.data")
        self.calibration = options.calibration or os.path.join(scratch, "calibration")

    def measured(self, command):
        return [self.options.measure, self.times, self.options.cpu, *command]

    def cpu_seconds(self):
        with open(self.times, encoding="utf-8") as file:
            return float(file.read().split()[2])

    def without(self, command):
        subprocess.run(self.measured(command), check=True)
        return self.cpu_seconds()

    def sampled(self, event, period, command):
        """CPU time, samples, bytes of their records"""
        subprocess.run(["taskset", "-c", self.options.perf_cpu, self.options.perf, "record", "-q", "-o",
                        self.recording, *PERF_OPTIONS[event], "-c", str(period), "--", *self.measured(command)],
                       check=True, stderr=subprocess.DEVNULL)
        seconds = self.cpu_seconds()
        found = self.precis("--check", self.recording, "--calibration", self.calibration)["events"][0]
        samples = found["samples"]["came"]
        return seconds, samples, samples * found["record_bytes"]["came"], found["lost"]["came"]

    def precis(self, *words):
        found = subprocess.run([self.options.precis, "plan", "--format", "json", *words], check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not found.stdout:
            sys.exit("held_out.py: " + found.stderr.strip())
        return json.loads(found.stdout)

    def calibrate(self):
        if self.options.calibration:
            return
        self.precis("--calibrate", "--calibration", self.calibration, "--blocks", str(self.options.blocks))

    def predict(self, event, period, command):
        return self.precis("--event", event, "--period", str(period), "--calibration", self.calibration,
                           "--runs", str(self.options.runs), "--", *self.measured(command))


def mean_and_half(values):
    """Their mean, and half its interval of 95%"""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.nan
    return mean, student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


def is_in(interval, value, slack=0.0):
    low, high = interval["low"], interval["high"]
    return (low is None or value >= low - slack) and (high is None or value <= high + slack)


def run_case(machine, event, period, command, pairs):
    """A prediction, and what came in pairs of runs"""
    predicted = machine.predict(event, period, command)
    came = {"overhead": [], "samples": [], "bytes": [], "lost": 0, "off": []}
    for _ in range(pairs):
        is_first = random.random() < 0.5
        off = None if is_first else machine.without(command)
        seconds, samples, size, lost = machine.sampled(event, period, command)
        off = machine.without(command) if off is None else off
        came["off"].append(off)
        came["overhead"].append((seconds, off))
        came["samples"].append(samples)
        came["bytes"].append(size)
        came["lost"] += lost or 0
    return predicted, came


class Sums:
    """How often intervals held, and errors were as small as they should be"""

    def __init__(self):
        self.held = {"overhead": [0, 0], "samples": [0, 0], "bytes": [0, 0]}
        self.errors = {"met": 0, "missed": 0, "not told": 0}

    def take(self, name, is_so):
        self.held[name][0] += is_so
        self.held[name][1] += 1

    def judge(self, error, half, bound):
        """Of an error that is known to within 'half'"""
        verdict = "met" if abs(error) + half <= bound else "missed" if abs(error) - half > bound else "not told"
        self.errors[verdict] += 1
        return verdict


def describe(sums, name, event, period, predicted, came):
    off = statistics.fmean(came["off"])
    overhead, half = mean_and_half([(on - before) / off for on, before in came["overhead"]])
    expected = predicted["overhead"]["value"]
    verdict = sums.judge(overhead - expected, half, max(0.005, 0.15 * overhead))
    # the mean of some pairs: what it may be by chance is what the pairs say
    sums.take("overhead", is_in(predicted["overhead"], overhead, half))
    # the program and the one that measures it have a counter each, and one of them is in the interval
    slack = {"samples": 1, "bytes": predicted["record_bytes"]}
    for what in ("samples", "bytes"):
        for value in came[what]:
            sums.take(what, is_in(predicted[what], value, slack[what]))
    print("%-14s %-26s %8d  %6.2f [%5.2f, %6.2f]  %6.2f +- %5.2f  %-8s  %9.0f %9.0f  %d" % (
        name, event, period, 100 * expected, 100 * (predicted["overhead"]["low"] or 0),
        100 * (predicted["overhead"]["high"] or math.nan), 100 * overhead, 100 * half, verdict,
        predicted["samples"]["value"], statistics.fmean(came["samples"]), came["lost"]), flush=True)


def load():
    with open("/proc/loadavg", encoding="utf-8") as file:
        return file.read().split()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("precis", "./precis"), ("measure", "bench/measure"), ("work", "bench/held_out_work"),
                          ("perf", "perf"), ("cpu", "1"), ("perf-cpu", "0")):
        parser.add_argument("--" + name, default=default)
    parser.add_argument("--calibration", help="one that there is, in place of a new one")
    parser.add_argument("--event", default="", help="of those whose name has this")
    for name, default in (("blocks", 20), ("pairs", 4), ("runs", 4), ("rounds", 3)):
        parser.add_argument("--" + name, type=int, default=default)
    options = parser.parse_args()
    sums = Sums()
    with tempfile.TemporaryDirectory() as scratch:
        machine = Machine(options, scratch)
        print("load before: " + load(), flush=True)
        machine.calibrate()
        commands = programs(os.path.abspath(options.work), scratch)
        print("%-14s %-26s %8s  %-22s  %-15s  %-8s  %9s %9s  lost" % (
            "program", "event", "period", "predicted, %", "came, %", "error", "samples", "came"))
        for _ in range(options.rounds):
            for event, names, periods in CASES:
                for name in names if options.event in event else ():
                    for period in periods:
                        predicted, came = run_case(machine, event, period, commands[name], options.pairs)
                        describe(sums, name, event, period, predicted, came)
    print("load after: " + load())
    for what, (held, count) in sums.held.items():
        print("intervals of %s held: %d of %d" % (what, held, count))
    print("overhead to within 0.5 points or 15%%: met %d, missed %d, not to be told from the runs' own noise %d" %
          (sums.errors["met"], sums.errors["missed"], sums.errors["not told"]))


if __name__ == "__main__":
    main()
