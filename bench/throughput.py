#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast recordings are read, next to stock perf, in one run on one core.

Every command reads the same file from the page cache, writes to /dev/null and
runs on one CPU, but for those with --jobs, which have two and recordings five
times as long, so that their start does not decide. Beside them two processes
read the recording at once, each on a CPU of its own: that is what the machine
itself has to give. Commands take turns; the figure is the median of their runs.
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


def start(command, measure, result, cpus):
    return subprocess.Popen([measure, result, cpus] + command, stderr=subprocess.PIPE)


def end(command, process, result):
    """Wall seconds, peak RSS in MiB and CPU seconds."""
    told = process.communicate()[1]
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)}: exit {process.returncode}\n"
                 + told.decode(errors="replace"))
    with open(result, encoding="ascii") as file:
        seconds, kib, cpu_seconds = file.read().split()
    return float(seconds), int(kib) / 1024, float(cpu_seconds)


def run(command, measure, folder, cpus):
    """One that has all of these CPUs."""
    result = os.path.join(folder, "result")
    return end(command, start(command, measure, result, cpus), result)


def run_each(command, measure, folder, cpus):
    """One on each of these CPUs, at once: wall seconds of the last, the largest RSS, CPU seconds of all."""
    results = [os.path.join(folder, "result" + cpu) for cpu in cpus]
    at_work = [start(command, measure, result, cpu) for result, cpu in zip(results, cpus)]
    ended = [end(command, process, result) for process, result in zip(at_work, results)]
    return (max(one[0] for one in ended), max(one[1] for one in ended), sum(one[2] for one in ended))


LONG = 5  # times as many samples have recordings that several threads read


class Row:
    def __init__(self, name, command, samples, cpus=1, on_each=False):
        """on_each: the command runs once on each of its CPUs, and all samples of these are counted"""
        self.name, self.command, self.samples, self.cpus = name, command, samples, cpus
        self.on_each = on_each
        self.seconds, self.cpu_seconds, self.rss = [], [], 0

    def measure(self, measure, folder, cpus):
        cpus = cpus[-self.cpus:]
        if self.on_each:
            seconds, rss, of_cpus = run_each(self.command, measure, folder, cpus)
        else:
            seconds, rss, of_cpus = run(self.command, measure, folder, ",".join(cpus))
        self.seconds.append(seconds)
        self.cpu_seconds.append(of_cpus)
        self.rss = max(self.rss, rss)

    def forget(self):
        self.seconds.clear()
        self.cpu_seconds.clear()

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


def jobs_rows(args, recordings):
    """One thread and two, and two processes, of each of the long recordings"""
    rows, count = {}, args.samples * LONG
    for name, path in recordings.items():
        report = [args.precis, "report", path]
        for jobs in (1, 2):
            rows["jobs%d%s" % (jobs, name)] = Row(
                "precis report --jobs %d%s, %d times as long" % (jobs, name, LONG),
                report + ["--jobs", str(jobs)], count, 2)
        rows["two" + name] = Row("two processes at once%s" % name, report, 2 * count, 2, True)
    return rows


def rows_of(args, big, small, plausible, random, frequency, long):
    precis, count, part = args.precis, args.samples, args.dump_samples
    rows = {
        "cat": Row("cat", ["cat", big], count),
        "report": Row("precis report", [precis, "report", big], count),
        "report-plausible": Row("precis report, plausible mixture", [precis, "report", plausible],
                                count),
        "report-random": Row("precis report, random registers", [precis, "report", random], count),
        "report-frequency": Row("precis report, plausible mixture, periods of their own",
                                [precis, "report", frequency], count),
        "by": Row("precis report --by symbol,tid", [precis, "report", "--by", "symbol,tid", big],
                  count),
        "by-plausible": Row("precis report --by symbol,tid, plausible mixture",
                            [precis, "report", "--by", "symbol,tid", plausible], count),
        "by-page": Row("precis report --by page, plausible mixture",
                       [precis, "report", "--by", "page", plausible], count),
        "csv": Row("precis dump --format csv -F all",
                   [precis, "dump", "--format", "csv", "-F", "all", big], count),
        "csv3": Row("precis dump --format csv -F ip,addr,tlb_refill_latency",
                    [precis, "dump", "--format", "csv", "-F", "ip,addr,tlb_refill_latency", big],
                    count),
    }
    if len(args.cpus) > 1:
        rows.update(jobs_rows(args, long))
    if args.perf:
        script = [args.perf, "script", "-i", big, "-F", "ip,addr"]
        condition = "filter=dc_miss_lat>200 && data_src==DRAM"
        rows["perf-D"] = Row("perf report -D", [args.perf, "report", "-D", "-i", small], part)
        rows["perf-script"] = Row("perf script -F ip,addr", script, count)
        rows["perf-script-plausible"] = Row(
            "perf script -F ip,addr, plausible mixture",
            [args.perf, "script", "-i", plausible, "-F", "ip,addr"], count)
        if args.empty_dlfilter and args.dlfilter:
            def dlfilter(name, library, *arguments):
                command = [args.perf, "script", "-i", big, "-F", "ip", "--dlfilter", library]
                for argument in arguments:
                    command += ["--dlarg", argument]
                return Row(f"perf script -F ip, {name}", command, count)

            cpuid = "cpuid=AuthenticAMD,25,17,1"
            rows["dl-empty"] = dlfilter("empty dlfilter", args.empty_dlfilter)
            rows["dl-few"] = dlfilter(f"precis-dlfilter {condition}", args.dlfilter, condition, cpuid)
            rows["dl-all"] = dlfilter("precis-dlfilter filter=period>0 (keeps all)", args.dlfilter,
                                      "filter=period>0", cpuid)
            rows["dl-print"] = dlfilter("precis-dlfilter fields=tlb_refill_latency,mem_level",
                                        args.dlfilter, "fields=tlb_refill_latency,mem_level", cpuid)
    return rows


def targets(rows):
    """(what is compared, ratio, what it should reach, if anything, True: at least, False: at most)"""
    found = []

    def ratio(what, top, bottom, goal, at_least=True):
        if top in rows and bottom in rows:
            found.append((what, rows[top].rate / rows[bottom].rate if at_least
                          else rows[bottom].rate / rows[top].rate, goal, at_least))

    ratio("precis report : perf report -D, rate", "report", "perf-D", 150)
    ratio("precis report : perf script -F ip,addr, rate", "report", "perf-script", 6)
    ratio("the same of a plausible mixture", "report-plausible", "perf-script-plausible", 6)
    ratio("report of random registers : of the usual, time", "report-random", "report", 4, False)
    ratio("report of periods of their own : of one period, time", "report-frequency",
          "report-plausible", 1.3, False)
    ratio("report --by symbol,tid : report, time", "by", "report", 3, False)
    ratio("the same of a plausible mixture", "by-plausible", "report-plausible", 3, False)
    ratio("--jobs 2 : --jobs 1, rate", "jobs2", "jobs1", 1.7)
    ratio("the same of a plausible mixture", "jobs2, plausible mixture", "jobs1, plausible mixture",
          1.7)
    ratio("the same of random registers", "jobs2, random registers", "jobs1, random registers", 1.7)
    ratio("two processes : one, rate: what the machine has", "two", "jobs1", None)
    ratio("the same of a plausible mixture", "two, plausible mixture", "jobs1, plausible mixture", None)
    ratio("the same of random registers", "two, random registers", "jobs1, random registers", None)
    ratio("csv of all fields : perf report -D, rate", "csv", "perf-D", 20)
    ratio("dlfilter that keeps few : empty dlfilter, time", "dl-few", "dl-empty", 2, False)
    ratio("dlfilter that keeps all : empty dlfilter, time", "dl-all", "dl-empty", 2, False)
    ratio("dlfilter that prints two fields : empty, time", "dl-print", "dl-empty", 2, False)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precis", required=True)
    parser.add_argument("--make-recording", required=True)
    parser.add_argument("--measure", required=True)
    parser.add_argument("--perf", default="")
    parser.add_argument("--dlfilter", default="")
    parser.add_argument("--empty-dlfilter", default="")
    parser.add_argument("--samples", type=int, default=1000000)
    parser.add_argument("--dump-samples", type=int, default=50000,
                        help="samples that perf report -D reads (default 50000)")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)),
                        help="where commands of one CPU run")
    args = parser.parse_args()
    args.cpus = [str(cpu) for cpu in sorted(os.sched_getaffinity(0) - {args.cpu})] + [str(args.cpu)]

    with tempfile.TemporaryDirectory(prefix="precis-bench-") as folder:
        big, small, plausible, random, frequency = (
            os.path.join(folder, name)
            for name in ("big", "small", "plausible", "random", "frequency"))
        for path, count, mixture in ((big, args.samples, "clustered"),
                                     (small, args.dump_samples, "clustered"),
                                     (plausible, args.samples, "plausible"),
                                     (random, args.samples, "random"),
                                     (frequency, args.samples, "frequency")):
            subprocess.run([args.make_recording, "-m", mixture, path, str(count)], check=True)
        long = {}
        for name, mixture in (("", "clustered"), (", plausible mixture", "plausible"),
                              (", random registers", "random")):
            if len(args.cpus) > 1:
                long[name] = os.path.join(folder, "long " + mixture)
                subprocess.run([args.make_recording, "-m", mixture, long[name],
                                str(args.samples * LONG)], check=True)
        rows = rows_of(args, big, small, plausible, random, frequency, long)
        for row in rows.values():
            row.measure(args.measure, folder, args.cpus)  # files and programs into memory
            row.forget()
        for _ in range(args.runs):
            for row in rows.values():
                row.measure(args.measure, folder, args.cpus)
        size = os.path.getsize(big) / 1e6

    print(f"{time.strftime('%Y-%m-%d')}, {cpu_name()}, Linux {platform.release()}, one CPU; "
          f"{args.samples} ibs_op samples, {size:.0f} MB in the page cache; "
          f"median of {args.runs} runs")
    if not args.perf:
        print("perf: not found, nothing to compare with")
    print()
    print(f"{'command':<72} {'seconds':>8} {'min':>7} {'max':>7} {'CPU s':>7} {'Msamples/s':>10} "
          f"{'MiB RSS':>8}")
    for row in rows.values():
        print(f"{row.name:<72} {row.median:8.3f} {min(row.seconds):7.3f} {max(row.seconds):7.3f} "
              f"{statistics.median(row.cpu_seconds):7.3f} {row.rate / 1e6:10.3f} {row.rss:8.1f}")
    print()
    print(f"{'ratio':<56} {'measured':>9} {'target':>9}")
    for what, value, goal, at_least in targets(rows):
        if goal is None:
            print(f"{what:<56} {value:9.2f}")
            continue
        sign = ">=" if at_least else "<="
        reached = value >= goal if at_least else value <= goal
        print(f"{what:<56} {value:9.2f} {sign:>4} {goal:4g}{'' if reached else '   MISSED'}")
    rss = rows["report"].rss
    print(f"{'peak RSS of precis report, MiB':<56} {rss:9.1f} {'<=':>4} {64:4g}"
          f"{'' if rss <= 64 else '   MISSED'}")


if __name__ == "__main__":
    main()
