#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What precis mix costs: a million branch stacks of 32 and a million instruction samples of each program that was
traced, beside perf script, which prints such stacks and their instructions. CPU times and memory, as the kernel
counts them, medians of what takes turns; perf prints a part of as many stacks, and some few, of which its time for all
follows without its start counting for each part of them, and their instructions once. Times of the clock say what
--jobs 2 gains.

    mix_speed.py --precis PRECIS --mix-recording PROGRAM [--perf PERF] [--stacks N] [--perf-stacks N] [--runs N] TRACE...
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

# What is demanded: seconds of one core, MiB; times as fast as perf script with these fields
SECONDS, MEBIBYTES = 3.0, 256
FIELDS = (("brstack", 5), ("+brstackinsn", 50))
FEW = 100  # stacks that take no longer than perf's start


def measured(command):
    """@return seconds of CPU time, MiB at most, seconds of the clock"""
    began = time.monotonic()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: exit code %d" % (" ".join(command), process.returncode))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, time.monotonic() - began


def record(options, path, trace, stacks, samples):
    """@return how many stacks there are: a trace that ends has fewer than asked for"""
    subprocess.run([options.mix_recording, "--model", "both-32", "--stacks", str(stacks), "--samples", str(samples),
                    trace, path], check=True)
    page = subprocess.run([options.precis, "mix", "--format", "json", "--top", "1", path], check=True,
                          stdout=subprocess.PIPE)
    return json.loads(page.stdout)["stacks"]


def line(what, seconds, memory, said):
    print("%-34s %8.2f s %7.0f MiB  %s" % (what, seconds, memory, said), flush=True)


def compare(options, trace, directory):
    whole, part, start = (os.path.join(directory, name + ".data") for name in ("whole", "part", "start"))
    stacks = record(options, whole, trace, options.stacks, options.stacks)
    if stacks < options.stacks:
        stacks = record(options, whole, trace, options.stacks * options.stacks // stacks, options.stacks)
    some, few = (record(options, path, trace, count, 0) for path, count in ((part, options.perf_stacks), (start, FEW)))
    print("# %s: %d stacks" % (os.path.basename(trace), stacks))
    commands = {jobs: [options.precis, "mix", "--top", "20", whole, "--jobs", jobs] for jobs in ("1", "2")}
    commands.update((fields, [options.perf, "script", "-i", part, "-F", fields]) for fields, _ in FIELDS)
    commands["start"] = [options.perf, "script", "-i", start, "-F", FIELDS[0][0]]
    runs = {name: [] for name in commands}
    for n in range(options.runs):
        for name, command in commands.items():
            # The last of them takes longer than all others together.
            if n == 0 or name != FIELDS[-1][0]:
                runs[name].append(measured(command))
    figures = {name: [statistics.median(each) for each in zip(*found)] for name, found in runs.items()}
    ours, memory, alone = figures["1"]
    line("precis mix", ours, memory, "demanded: %g s, %d MiB for a million of each" % (SECONDS, MEBIBYTES))
    seconds, memory, together = figures["2"]
    line("precis mix --jobs 2", seconds, memory,
         "by the clock %.2f s rather than %.2f, %.2f times the rate" % (together, alone, alone / together))
    for fields, times in FIELDS:
        seconds, memory, _ = figures[fields]
        began = figures["start"][0]
        seconds = began + (seconds - began) * (stacks - few) / (some - few)
        line("perf script -F %s" % fields, seconds, memory,
             "%.1f times as long; demanded: %d" % (seconds / ours, times))


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    for name in ("--precis", "--mix-recording"):
        parser.add_argument(name, required=True)
    parser.add_argument("traces", nargs="+")
    parser.add_argument("--perf", default="perf")
    parser.add_argument("--stacks", type=int, default=1000000)
    parser.add_argument("--perf-stacks", type=int, default=20000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as directory:
        for trace in options.traces:
            compare(options, trace, directory)


if __name__ == "__main__":
    main()
