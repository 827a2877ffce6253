#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What precis mix costs: a million branch stacks of 32 and a million instruction samples, beside perf script, which
prints such stacks and their instructions. CPU times and memory, as the kernel counts them; perf prints a part of
as many, of which its time for all follows.

    mix_speed.py --precis PRECIS --mix-recording PROGRAM --trace TRACE [--perf PERF] [--stacks N] [--perf-stacks N]
"""
import argparse
import os
import subprocess
import sys
import tempfile

# What is demanded: seconds of one core, MiB; times as fast as perf script with these fields
SECONDS, MEBIBYTES = 3.0, 256
FIELDS = (("brstack", 5), ("+brstackinsn", 50))


def measured(command):
    """@return seconds of CPU time, MiB at most"""
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: exit code %d" % (" ".join(command), process.returncode))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def record(options, directory, name, stacks, samples):
    path = os.path.join(directory, name)
    subprocess.run([options.mix_recording, "--model", "both-32", "--stacks", str(stacks), "--samples", str(samples),
                    options.trace, path], check=True)
    return path


def line(what, seconds, memory, said):
    print("%-34s %8.2f s %7.0f MiB  %s" % (what, seconds, memory, said), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    for name in ("--precis", "--mix-recording", "--trace"):
        parser.add_argument(name, required=True)
    parser.add_argument("--perf", default="perf")
    parser.add_argument("--stacks", type=int, default=1000000)
    parser.add_argument("--perf-stacks", type=int, default=20000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as directory:
        whole = record(options, directory, "whole.data", options.stacks, options.stacks)
        ours, memory = measured([options.precis, "mix", "--top", "20", whole])
        line("precis mix", ours, memory,
             "demanded: %g s, %d MiB for a million of each" % (SECONDS, MEBIBYTES))
        os.unlink(whole)
        part = record(options, directory, "part.data", options.perf_stacks, 0)
        for fields, times in FIELDS:
            seconds, memory = measured([options.perf, "script", "-i", part, "-F", fields])
            seconds *= options.stacks / options.perf_stacks
            line("perf script -F %s" % fields, seconds, memory,
                 "%.0f times as long; demanded: %d" % (seconds / ours, times))


if __name__ == "__main__":
    main()
