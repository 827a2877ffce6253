#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast recordings are read, next to stock perf, in one run on one core.

Every command reads the same file from the page cache, writes to /dev/null and
runs on one CPU. Commands take turns; the figure is the median of their runs.
perf report -D, two orders of magnitude slower, reads a part of the file.
"""
import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time


def run(command, cpu):
    """Wall seconds and peak RSS in MiB of one run."""
    def pin():
        os.sched_setaffinity(0, {cpu})

    with open(os.devnull, "r+b") as null:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=subprocess.PIPE,
                                   preexec_fn=pin)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)}: exit {process.returncode}\n"
                 + errors.decode(errors="replace"))
    return seconds, usage.ru_maxrss / 1024


class Row:
    def __init__(self, name, command, samples):
        self.name, self.command, self.samples = name, command, samples
        self.seconds, self.rss = [], 0

    def measure(self, cpu):
        seconds, rss = run(self.command, cpu)
        self.seconds.append(seconds)
        self.rss = max(self.rss, rss)

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def rate(self):
        return self.samples / self.median


def cpu_name():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def rows_of(args, big, small):
    precis, count, part = args.precis, args.samples, args.dump_samples
    rows = {
        "cat": Row("cat", ["cat", big], count),
        "report": Row("precis report", [precis, "report", big], count),
        "csv": Row("precis dump --format csv -F all",
                   [precis, "dump", "--format", "csv", "-F", "all", big], count),
        "csv3": Row("precis dump --format csv -F ip,addr,tlb_refill_latency",
                    [precis, "dump", "--format", "csv", "-F", "ip,addr,tlb_refill_latency", big],
                    count),
    }
    if args.perf:
        script = [args.perf, "script", "-i", big, "-F", "ip,addr"]
        condition = "filter=dc_miss_lat>200 && data_src==DRAM"
        rows["perf-D"] = Row("perf report -D", [args.perf, "report", "-D", "-i", small], part)
        rows["perf-script"] = Row("perf script -F ip,addr", script, count)
        if args.empty_dlfilter and args.dlfilter:
            rows["dl-empty"] = Row("perf script -F ip, empty dlfilter",
                                   [args.perf, "script", "-i", big, "-F", "ip", "--dlfilter",
                                    args.empty_dlfilter], count)
            rows["dl-filter"] = Row("perf script -F ip, precis-dlfilter " + condition,
                                    [args.perf, "script", "-i", big, "-F", "ip", "--dlfilter",
                                     args.dlfilter, "--dlarg", condition,
                                     "--dlarg", "cpuid=AuthenticAMD,25,17,1"], count)
    return rows


def targets(rows):
    """(what is compared, ratio, what it should reach, True: at least, False: at most)"""
    found = []

    def ratio(what, top, bottom, goal, at_least=True):
        if top in rows and bottom in rows:
            found.append((what, rows[top].rate / rows[bottom].rate if at_least
                          else rows[bottom].rate / rows[top].rate, goal, at_least))

    ratio("precis report : perf report -D, rate", "report", "perf-D", 150)
    ratio("precis report : perf script -F ip,addr, rate", "report", "perf-script", 4)
    ratio("csv of all fields : perf report -D, rate", "csv", "perf-D", 20)
    ratio("precis-dlfilter : empty dlfilter, time", "dl-filter", "dl-empty", 2, False)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precis", required=True)
    parser.add_argument("--make-recording", required=True)
    parser.add_argument("--perf", default="")
    parser.add_argument("--dlfilter", default="")
    parser.add_argument("--empty-dlfilter", default="")
    parser.add_argument("--samples", type=int, default=1000000)
    parser.add_argument("--dump-samples", type=int, default=50000,
                        help="samples that perf report -D reads (default 50000)")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="precis-bench-") as folder:
        big, small = os.path.join(folder, "big"), os.path.join(folder, "small")
        for path, count in ((big, args.samples), (small, args.dump_samples)):
            subprocess.run([args.make_recording, path, str(count)], check=True)
        rows = rows_of(args, big, small)
        for row in rows.values():
            row.measure(args.cpu)  # brings files and programs into memory
            row.seconds.clear()
        for _ in range(args.runs):
            for row in rows.values():
                row.measure(args.cpu)
        size = os.path.getsize(big) / 1e6

    print(f"{time.strftime('%Y-%m-%d')}, {cpu_name()}, Linux {platform.release()}, one CPU; "
          f"{args.samples} ibs_op samples, {size:.0f} MB in the page cache; "
          f"median of {args.runs} runs")
    if not args.perf:
        print("perf: not found, nothing to compare with")
    print()
    print(f"{'command':<60} {'seconds':>8} {'min':>7} {'max':>7} {'Msamples/s':>10} {'MiB RSS':>8}")
    for row in rows.values():
        print(f"{row.name:<60} {row.median:8.3f} {min(row.seconds):7.3f} {max(row.seconds):7.3f} "
              f"{row.rate / 1e6:10.3f} {row.rss:8.1f}")
    print()
    print(f"{'ratio':<50} {'measured':>9} {'target':>9}")
    for what, value, goal, at_least in targets(rows):
        sign = ">=" if at_least else "<="
        reached = value >= goal if at_least else value <= goal
        print(f"{what:<50} {value:9.2f} {sign:>4} {goal:4g} {'' if reached else '  MISSED'}")
    rss = rows["report"].rss
    print(f"{'peak RSS of precis report, MiB':<50} {rss:9.1f} {'<=':>4} {64:4g} "
          f"{'' if rss <= 64 else '  MISSED'}")


if __name__ == "__main__":
    main()
