#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
How right precis sharing is of programs that run and know who shares with whom, by both methods; then what it costs
them. Each row is of several runs with seeds of their own. The published figures of ComDetective are beside it.
"""
import argparse
import contextlib
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SRCDIR = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(SRCDIR, "tests/command/sharing"))

import truths
from ratios import median_told

# Pattern, threads, fraction, accesses for each that is handed over
ROWS = (("none", 4, 0.1, 50), ("token", 2, 0.1, 50), ("token", 4, 0.1, 50), ("false", 2, 0.1, 50),
        ("false", 4, 0.1, 50), ("queue-1", 2, 0.1, 50), ("queue-1k", 2, 0.1, 50), ("queue-4k", 2, 0.1, 50),
        ("uneven", 4, 0.1, 50), ("shared", 4, 0.01, 20), ("shared", 4, 0.1, 50), ("shared", 4, 1.0, 50),
        ("vectors", 2, 0.1, 50), ("borders", 2, 0.1, 50), ("whole-lines", 2, 0.1, 50),
        ("locked", 4, 0.1, 50), ("read-mostly", 4, 0.02, 10), ("fields", 3, 0.1, 50),
        # another period: the same answer
        ("token", 4, 0.1, 200), ("false", 2, 0.1, 200))
# Pattern, threads, turns, turns for each access that is handed over: some thousand a second, as a PMU would
WORKS = (("none", 1, 200000000, 100000), ("shared", 1, 200000000, 100000), ("shared", 2, 3000000, 200),
         ("token", 2, 3000000, 200), ("false", 4, 1000000, 100), ("token", 8, 400000, 50), ("token", 16, 200000, 50),
         ("token", 64, 50000, 50), ("turns", 2, 1000000, 500), ("turns", 8, 1000000, 500), ("turns", 64, 1000000, 500))
# Threads that wait for nobody, on all CPUs: pattern, threads, steps of all, steps for each access that is handed over
PARALLEL = tuple((pattern, threads, 40000000, 10000)
                 for pattern in ("own", "total", "counters") for threads in (2, 8, 64))
# Turns of a loop between two accesses, threads, fraction, accesses for each that is handed over
FREE = ((0, 2, 1.0, 2000), (0, 2, 0.1, 2000), (100, 2, 1.0, 2000), (100, 2, 0.1, 2000), (100, 4, 0.1, 2000),
        (10000, 2, 1.0, 20), (10000, 2, 0.1, 20), (100000, 2, 1.0, 2), (100000, 4, 1.0, 2))
FREE_RUNS = 5
# Of runs with so many hits each is to be as near
HITS_ENOUGH, NEAR = 400, 0.1
FRACTIONS = (0.0, 0.01, *(tenths / 10 for tenths in range(1, 11)))
THREADS = (2, 4, 8, 16, 32)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--precis", required=True)
    parser.add_argument("--runs", type=int, default=100, help="of each row, with seeds of their own (default 100)")
    parser.add_argument("--volume-hits", type=int, default=400,
                        help="of each cell of Write-Volume: there are runs until there are so many (default 400)")
    parser.add_argument("--volume-runs", type=int, default=20, help="but not more than so many (default 20)")
    parser.add_argument("--fraction", type=float, action="append",
                        help="of Write-Volume, that alone; may be given more than once (default: all)")
    parser.add_argument("--cost-runs", type=int, default=15, help="with and without precis, in turns (default 15)")
    parser.add_argument("--all-cpus", action="store_true",
                        help="what it costs threads that take turns on all CPUs, too, not on one: where the kernel puts "
                             "those that yield in a loop changes their time up to ten times from run to run")
    parser.add_argument("--control", action="store_true",
                        help="in place of precis a process beside the program that only sleeps, a millisecond each time: "
                             "what that costs is not what watching does")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--load", type=int, default=0, help="so many loops that are busy beside all runs")
    parser.add_argument("--periods", type=float, default=1,
                        help="those of the first table's rows times that much, as where turns are few")
    parser.add_argument("--only", default="", help="rows of the first and the last table with that in their names")
    parser.add_argument("--table", action="append", choices=("truths", "volume", "free", "cost", "prediction"),
                        help="that alone; may be given more than once (default: all)")
    return parser.parse_args()


class Bench:
    def __init__(self, options, scratch):
        self.options = options
        self.output = os.path.join(scratch, "told")
        self.workload = truths.build(os.path.join(scratch, "workload"))
        self.exchanges = truths.build(os.path.join(scratch, "exchanges"))
        self.turns = truths.build(os.path.join(scratch, "turns"))
        self.parallel = truths.build(os.path.join(scratch, "parallel"))

    def run(self, seed, pattern, threads, fraction, period, *options, program=None):
        return truths.observe(self.options.precis, program or self.workload, self.output, pattern, threads,
                              self.options.seconds, period, seed, fraction, options)

    def runs(self, count, *what, program=None):
        runs = [self.run(seed + 1, *what, program=program) for seed in range(count)]
        return [run for run in runs if run]

    def runs_for(self, hits, most, *what):
        """As many as bring so many hits"""
        runs = []
        while len(runs) < most and sum(run.hits() for run in runs) < hits:
            runs.append(self.run(len(runs) + 1, *what))
        return runs


def known(values):
    return [value for value in values if value is not None]


def shown(form, value):
    """None: it is not known"""
    return "-" if value is None else form % value


def mean_of(values):
    return statistics.mean(values) if values else None


def ratio_of(runs):
    count = sum(run.count for run in runs)
    return sum(run.told() for run in runs) / count if count else None


def width_of(runs):
    """Of intervals, by the truth, in the median"""
    widths = [run.width() / run.count for run in runs if run.count and run.width() is not None]
    return statistics.median(widths) if widths else None


def near_of(runs):
    """How many are near the truth, of those with enough hits"""
    enough = [run for run in runs if run.count and run.hits() >= HITS_ENOUGH]
    return "%d/%d" % (sum(abs(run.told() / run.count - 1) <= NEAR for run in enough), len(enough))


def percent_off(runs):
    """The share of true sharing, of all runs together and of the one of which that is most"""
    shares = known(run.is_true_share() for run in runs)
    if not shares:
        return "-"
    told = sum(run.told("true sharing") for run in runs) / sum(run.told() for run in runs)
    true = sum(run.met for run in runs) / sum(run.count for run in runs)
    return "%.1f/%.1f" % (100 * abs(told - true), max(100 * abs(told - true) for told, true in shares))


def row_of(bench, pattern, threads, fraction, period):
    count = bench.options.runs
    period = max(2, round(period * bench.options.periods))
    runs = bench.runs(count, pattern, threads, fraction, period)
    name = "%s %g" % (pattern, fraction) if pattern in ("shared", "read-mostly") else pattern
    if not runs:
        print("%-16s  this CPU lacks the instructions" % name)
        return
    theirs = bench.runs(max(1, count // 5), pattern, threads, fraction, period, "--method", "comdetective")
    if not sum(run.count for run in runs):
        print("%-16s %7d %6d %9s told: %g; ComDetective: %g" % (
            name, threads, period, "", sum(run.told() for run in runs), sum(run.told() for run in theirs)))
        return
    variations = known(run.variation() for run in runs)
    print("%-16s %7d %6d %9.0f %7.3f %8.3f %7s %7s %7s %10s %8s %10s %9d %12s" % (
        name, threads, period, statistics.mean(run.hits() for run in runs), ratio_of(runs),
        mean_of([abs(run.told() / run.count - 1) for run in runs if run.count]), near_of(runs),
        "%d/%d" % (sum(run.holds() for run in runs), len(runs)), shown("%.2f", width_of(runs)), shown("%.3f", mean_of([told for told, _ in variations])),
        shown("%.3f", mean_of([noise for _, noise in variations])),
        percent_off(runs),
        sum(run.missed_partners() for run in runs), shown("%.2f", ratio_of(theirs))), flush=True)


def accept(bench):
    print("What is told of what was: hits: transfers seen in a run, in the mean; told: of all runs; error: of one, in\n"
          "the mean; near: at most %d%% off, of runs with %d hits; hold: intervals of 95%% with the truth; width: of these,\n"
          "by the truth, in the median; variation: of the matrix, and what noise makes of it;\n"
          "true off: by how many percent points true sharing is off, of all runs and of one at most; partners: first ones\n"
          "that were missed;\n"
          "ComDetective: what it tells of what was, in runs of its own\n\n"
          "%-16s %7s %6s %9s %7s %8s %7s %7s %7s %10s %8s %10s %9s %12s" % (
              100 * NEAR, HITS_ENOUGH, "pattern", "threads", "period", "hits", "told", "error", "near", "hold", "width",
              "variation", "noise", "true off", "partners", "ComDetective"))
    for pattern, threads, fraction, period in ROWS:
        if bench.options.only in pattern:
            row_of(bench, pattern, threads, fraction, period)


def off(volume, count):
    """In percent; of nothing, what is told nevertheless"""
    return "%.1f" % (100 * (volume / count - 1)) if count else "told %.0f" % volume


def published():
    """By threads and fraction: its error in percent, of PEBS and of IBS, against L2 misses; of nothing its volume"""
    errors = {}
    with open(os.path.join(HERE, "comdetective.csv"), encoding="ascii") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            fraction = float(row["fraction"])
            errors[(int(row["threads"]), fraction, row["facility"])] = \
                off(float(row["volume"]), float(row["l2_misses"]) if fraction else 0)
    return errors


def write_volume(bench):
    errors = published()
    print("\nWrite-Volume: by how many percent the volume is off, or what is told where nothing is shared. precis and its\n"
          "ComDetective: against what the program counts; published: ComDetective on PEBS and IBS, against L2 misses\n\n"
          "%7s %8s %5s %9s %9s %13s %15s %14s" % ("threads", "fraction", "runs", "hits", "precis", "ComDetective",
                                                  "published PEBS", "published IBS"))
    for threads in THREADS:
        for fraction in bench.options.fraction or FRACTIONS:
            period = 20 if fraction < 0.1 else 50
            most = bench.options.volume_runs if fraction else 1
            runs = bench.runs_for(bench.options.volume_hits, most, "volume", threads, fraction, period)
            theirs = bench.runs(1, "volume", threads, fraction, period, "--method", "comdetective")
            each = [off(sum(run.told() for run in several), sum(run.count for run in several))
                    for several in (runs, theirs)]
            their = [errors.get((threads, fraction, facility), "-") for facility in ("PEBS", "IBS")]
            print("%7d %8g %5d %9.0f %9s %13s %15s %14s" % (
                threads, fraction, len(runs), sum(run.hits() for run in runs), *each, *their), flush=True)


def free(bench):
    print("\nWrite-Volume of threads that do not wait for each other: exchanges of one word, which tell who had it last,\n"
          "that many turns of an empty loop apart. told: of all runs, by what was; hold: intervals with the truth; noted:\n"
          "runs in which precis says that stores come closer than a trap takes, or left: that threads do not wait for\n"
          "each other; unsaid: whose intervals do not hold while it says neither\n\n"
          "%7s %7s %8s %12s %9s %7s %9s %9s %9s %7s %12s" % (
              "turns", "threads", "fraction", "transfers/s", "hits", "told", "hold", "noted", "left", "unsaid",
              "ComDetective"))
    for turns, threads, fraction, period in FREE:
        runs, theirs = (bench.runs(FREE_RUNS, str(turns), threads, fraction, period, *options,
                                   program=bench.exchanges) for options in ((), ("--method", "comdetective")))
        noted, left = ([any(words in note for note in run.notes) for run in runs]
                       for words in ("stores more often than each", "experiments more were left"))
        print("%7d %7d %8g %12.0f %9.0f %7s %7d/%d %7d/%d %7d/%d %7d %12s" % (
            turns, threads, fraction, statistics.mean(run.count for run in runs) / bench.options.seconds,
            sum(run.hits() for run in runs), shown("%.2f", ratio_of(runs)), sum(run.holds() for run in runs), len(runs),
            sum(noted), len(runs), sum(left), len(runs),
            sum(not (run.holds() or any(said)) for run, *said in zip(runs, noted, left)), shown("%.2f", ratio_of(theirs))), flush=True)


def timed(command):
    """By the program itself, from its first thread on"""
    told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return told["seconds"], told["cpu_seconds"]


def told_of(path, name):
    """What precis says of its experiments"""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if row[:3] == ["sharing_experiments", "all", name]:
                return float(row[3])
    raise ValueError(path)


def on_one_cpu():
    """
    Where it is allowed before all others, in turn: how often threads that yield, or wake each other, are switched is
    another matter as soon as anybody else wants the CPU, and takes a tenth or a third of their CPU time
    """
    one = ["taskset", "-c", str(max(os.sched_getaffinity(0)))]
    first = ["chrt", "-f", "1"]
    return first + one if subprocess.run([*first, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0 else one


def works(bench):
    """Pattern, threads and command of each program that is timed"""
    alone = [] if bench.options.all_cpus else on_one_cpu()
    for pattern, threads, turns, period in WORKS:
        command = [bench.workload, pattern, str(threads), "%dt" % turns, str(period), "1", "0.1"]
        if pattern == "turns":  # threads of one CPU that sleep in between: each turn is a context switch
            command = [bench.turns, str(threads), str(turns), str(period)]
        yield pattern, threads, [*alone, *command]
    for pattern, threads, steps, period in PARALLEL:
        yield "parallel, " + pattern, threads, [bench.parallel, pattern, str(threads), str(steps), str(period)]


SLEEPER = """
import os, time
os.setpriority(os.PRIO_PROCESS, 0, -20)
while True:
    time.sleep(0.001)
"""


def beside_sleeper(command):
    """Times; no experiments, no prediction"""
    with subprocess.Popen([sys.executable, "-c", SLEEPER]) as sleeper:
        told = timed(command)
        sleeper.kill()
    return *told, 0, 0


def beside_precis(bench, command):
    """Times, experiments, and the prediction"""
    told = timed([bench.options.precis, "sharing", "--source", "program", "--format", "csv", "-o", bench.output, "--",
                  *command])
    return *told, told_of(bench.output, "experiments"), told_of(bench.output, "overhead_percent")


def cost(bench):
    alone = [] if bench.options.all_cpus else on_one_cpu()
    print("\nWhat it costs a program of a fixed amount of work at the default budget of 5%%; those that take turns %s,\n"
          "parallel ones on all CPUs: their time with precis by that without, medians of runs in turns with their 95%%\n"
          "intervals; how many experiments were made, and what precis says that it cost, in the mean%s\n\n"
          "%-18s %7s %21s %21s %11s %9s" % ("by %s" % " ".join(alone) if alone else "on all CPUs",
                                            ". CONTROL: no precis, a sleeping process" if bench.options.control else "",
                                            "pattern", "threads", "time", "CPU time", "experiments", "predicted"))
    for name, threads, command in works(bench):
        if bench.options.only not in name:
            continue
        runs = []
        for _ in range(bench.options.cost_runs):
            plain = timed(command)
            seconds, cpu, made, told = beside_sleeper(command) if bench.options.control else beside_precis(bench, command)
            runs.append((seconds / plain[0], cpu / plain[1], made, told))
        times, cpus, made, told = zip(*runs)
        print("%-18s %7d %21s %21s %11.1f %8.1f%%" % (name, threads, median_told(times), median_told(cpus),
                                                      statistics.mean(made), statistics.mean(told)), flush=True)


def prediction(bench):
    alone = on_one_cpu()
    print("\nWhat precis predicts that it costs a program whose threads sleep until their turn comes, and how much more\n"
          "CPU time that takes, in seconds: means of runs in turns, with two standard errors on each side\n\n%7s %8s %8s %22s %10s" % (
              "budget", "threads", "without", "more", "predicted"))
    for budget in (50, 5):
        for threads in (2, 8, 64):
            command = [*alone, bench.turns, str(threads), "1000000", "500"]
            plain, more, told = [], [], []
            for _ in range(bench.options.cost_runs):
                plain.append(timed(command)[1])
                seconds, cpu = timed([bench.options.precis, "sharing", "--source", "program", "--max-overhead", str(budget),
                                 "--format", "csv", "-o", bench.output, "--", *command])
                more.append(cpu - plain[-1])
                told.append(told_of(bench.output, "overhead_percent") / 100 * seconds)
            reach = 2 * statistics.stdev(more) / len(more) ** 0.5 if len(more) > 1 else float("inf")
            mean = statistics.mean(more)
            print("%6d%% %8d %8.2f %22s %10.3f" % (
                budget, threads, statistics.mean(plain), "%.3f [%.3f,%.3f]" % (mean, mean - reach, mean + reach),
                statistics.mean(told)), flush=True)


@contextlib.contextmanager
def beside_loops(count):
    """That many that want the CPUs"""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options, scratch)
        with beside_loops(options.load):
            for name, table in (("truths", accept), ("volume", write_volume), ("free", free),
                                ("cost", cost), ("prediction", prediction)):
                if not options.table or name in options.table:
                    table(bench)


if __name__ == "__main__":
    main()
