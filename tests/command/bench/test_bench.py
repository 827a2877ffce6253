#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis bench: what it measures live, what it prints, and how it ends."""
import csv
import io
import json
import os
import platform
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, good, run, usage
from tap import Skip, equal

SCRATCH = tempfile.TemporaryDirectory()
NOTHING = 77


def unique(pairs):
    """An object in which no name occurs twice"""
    names = [name for name, _ in pairs]
    equal(sorted(set(names)), sorted(names))
    return dict(pairs)


def parsed(text):
    return json.loads(text, object_pairs_hook=unique)


def listed(*more):
    return parsed(good("bench", "--list", "--format", "json", *more))


def need(*events):
    """Skip where one of the events cannot be had."""
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")
    done = run("bench", "--dry-run", "--events", ",".join(events), "--format", "json")
    for row in parsed(done.out)["events"]["rows"]:
        if row["available"] != "yes":
            raise Skip("%s: %s" % (row["row"], row["reason"]))


def bench(*options):
    return parsed(good("bench", "--format", "json", *options))


def of_metric(told, metric):
    return [row for row in told["results"]["rows"] if row["metric"] == metric]


def test_list():
    """--list has events, kernels and metrics, and of each event whether it can be had or why not"""
    told = listed()
    for row in told["events"]["rows"]:
        assert row["available"] in ("yes", "no") and row["reason"], row
    names = [row["row"] for row in told["metrics"]["rows"]]
    assert {"accuracy", "error", "bias", "lost"} <= set(names), names
    if platform.machine() == "x86_64":
        kernels = [row["row"] for row in told["kernels"]["rows"]]
        assert {"alu20", "watch", "touch", "syscalls", "accuracy20", "bias"} <= set(kernels), kernels
        used = {kernel for row in told["events"]["rows"] for kernel in row["kernels"].split(",")}
        assert used <= set(kernels), used - set(kernels)


def sysroot(cpuinfo, paranoid="2", more=()):
    root = tempfile.mkdtemp(dir=SCRATCH.name)
    files = {"proc/cpuinfo": cpuinfo, "proc/sys/kernel/perf_event_paranoid": paranoid + "\n",
             "proc/sys/kernel/osrelease": "6.1.0-37-amd64\n", **dict(more)}
    for name, text in files.items():
        os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(text)
    return root


AMD = ("processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: EPYC\n"
       "stepping\t: 1\nflags\t\t: fpu %s\n\n")
INTEL = ("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: %d\nmodel name\t: Xeon\n"
         "stepping\t: 1\nflags\t\t: fpu\n\n")


def reason_of(event, root):
    rows = listed("--sysroot", root)["events"]["rows"]
    return next(row["reason"] for row in rows if row["row"] == event)


def test_reasons():
    """Why an event is not here is named: hypervisor, another vendor, a core that is not known, tracefs"""
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")
    guest = sysroot(AMD % "hypervisor")
    assert "hypervisor hides it" in reason_of("ibs_op", guest), reason_of("ibs_op", guest)
    assert "PEBS is Intel's" in reason_of("pebs_loads", guest)
    bare = sysroot(AMD % "ibs")
    assert "no PMU ibs_op" in reason_of("ibs_op", bare)
    assert "hypervisor" not in reason_of("ibs_op", bare)
    assert "cannot be looked up" in reason_of("enter_read", bare)
    # Bonnell, of which no number of an event is in the table
    pmu = {"sys/bus/event_source/devices/cpu/type": "4\n"}
    small = sysroot(INTEL % 28, more=pmu)
    assert "is not known here" in reason_of("pebs_loads", small), reason_of("pebs_loads", small)
    assert "IBS is AMD's" in reason_of("ibs_op", small)
    # a PMU without the bit that makes it count ops
    old = sysroot(AMD % "ibs", more={"sys/bus/event_source/devices/ibs_op/type": "9\n"})
    assert "no format cnt_ctl" in reason_of("ibs_op", old), reason_of("ibs_op", old)


def test_page_faults_exact():
    """Page faults: exact in each run and thread, at the right instruction, nothing lost"""
    need("page_faults", "minor_faults")
    told = bench("--events", "page_faults,minor_faults", "--runs", "3", "--threads", "2")
    for metric, value in (("exact", 100), ("wrong_rate", 0), ("wrong_mode", 0), ("wrong_address", 0),
                          ("lost", 0), ("outside", 0)):
        rows = of_metric(told, metric)
        equal(len(rows), 2)
        for row in rows:
            equal(row["value"], value, row)
    assert all(row["verdict"] != "worse" for row in of_metric(told, "error")), told["results"]


def test_figures_from_counts():
    """What results say is what their raw counts make, recomputed here"""
    need("minor_faults")
    told = bench("--events", "minor_faults", "--runs", "4")
    runs = told["runs"]["rows"]
    equal(len(runs), 4)
    accuracies, errors = [], []
    for row in runs:
        expected = row["truth"] / row["period"]
        equal(row["truth"], row["outer"] * row["inner"], row)
        accuracies.append(100 - 100 * abs(row["samples"] - expected) / expected)
        errors.append(100 * (row["right"] + row["wrong"] + row["between"] - expected) / expected)
        equal(sum(row["sites"]), row["right"] + row["wrong"], row)
        equal(row["samples"], row["right"] + row["wrong"] + row["between"] + row["outside"], row)
    for metric, values in (("accuracy", accuracies), ("error", errors)):
        (row,) = of_metric(told, metric)
        assert abs(row["value"] - sum(values) / len(values)) < 1e-5, (row, values)
        equal(row["n"], 4)
    overhead = 100 * (sum(row["cpu_ns"] for row in runs) / sum(row["bare_cpu_ns"] for row in runs) - 1)
    assert abs(of_metric(told, "time_overhead")[0]["value"] - overhead) < 1e-5


def test_absent():
    """A figure that is not there has a reason, and is no number"""
    need("page_faults")
    rows = bench("--events", "page_faults", "--runs", "2")["results"]["rows"]
    absent = [row for row in rows if row["value"] is None]
    assert absent, rows
    for row in absent:
        assert row["says"] and row["low"] is None and row["n"] is None, row


def test_text_and_csv():
    """Text has a row for each metric that is asked for; CSV every count, under a name of its own"""
    need("page_faults")
    options = ("--events", "page_faults", "--metrics", "error,lost", "--runs", "2")
    text = good("bench", *options)
    results = text[text.index("\nResults"):]
    assert re.search(r"^  page_faults with touch, period 1: 2 runs, \d+ samples", results, re.M), text
    equal(re.findall(r"^  (error|lost|exact)\b", results, re.M), ["error", "lost"])
    rows = list(csv.reader(io.StringIO(good("bench", *options, "--format", "csv"))))
    names = [tuple(row[:3]) for row in rows if row[0] in ("results", "runs") and row[2] != "note"]
    equal(len(set(names)), len(names))
    assert ("runs", "page_faults/page_faults/touch/1/1/1/0", "samples") in names, names[:9]


def test_samples():
    """--periods and --samples: each event with each period, and no more samples than that"""
    need("page_faults")
    told = bench("--events", "page_faults", "--periods", "3,50", "--samples", "40", "--runs", "2",
                 "--metrics", "error")
    equal({(row["period"], row["run"]) for row in told["runs"]["rows"]},
          {(3, 0), (3, 1), (50, 0), (50, 1)})
    for row in told["runs"]["rows"]:
        # a whole outer turn, of 1000 pages, at the least
        assert row["truth"] // row["period"] <= max(40, 1000 // row["period"]), row
        assert abs(row["samples"] - row["truth"] // row["period"]) <= 1, row
    (usual,) = {row["outer"] for row in bench("--events", "page_faults", "--runs", "2")["runs"]["rows"]}
    assert usual > 1, usual


def test_check():
    """--check: 0 within the bounds, 1 beyond one; without it 0 in either case"""
    need("page_faults")
    options = ("--events", "page_faults", "--metrics", "exact,lost,wrong_rate", "--runs", "2")
    equal(run("bench", "--check", *options).code, 0)
    # of two runs no more than all can be exact
    done = run("bench", "--check", "--bound", "exact=101", "--format", "json", *options)
    equal(done.code, 1, done)
    assert "1 figures are worse than their bounds" in done.err, done
    equal([row["metric"] for row in parsed(done.out)["results"]["rows"] if row["verdict"] == "worse"], ["exact"])
    equal(run("bench", "--bound", "exact=101", *options).code, 0)


def test_cpu():
    """A CPU that is not there is told; one that is, is not"""
    need("page_faults")
    options = ("--events", "page_faults", "--metrics", "exact", "--runs", "2", "--cpu")
    there = str(min(os.sched_getaffinity(0)))
    assert "are not all there" not in good("bench", *options, there)
    assert "CPUs from 1023 on are not all there" in " ".join(good("bench", *options, "1023").split())


def test_periods():
    """A period that has all events of a turn as divisor gives all samples at one store; a prime one does not"""
    need("breakpoint_store")
    told = bench("--events", "breakpoint_store", "--kernels", "stores4", "--periods", "7,8,10", "--runs", "2")
    visited = {}
    for row in told["runs"]["rows"]:
        sites = visited.setdefault(row["period"], [0] * len(row["sites"]))
        visited[row["period"]] = [a + b for a, b in zip(sites, row["sites"])]
    equal({period: sum(n > 0 for n in sites) for period, sites in visited.items()}, {7: 4, 8: 1, 10: 2})
    verdicts = {row["period"]: row["verdict"] for row in of_metric(told, "resonance")}
    equal(verdicts, {7: "ok", 8: "worse", 10: "worse"})
    rows = {row["period"]: row for row in told["periods"]["rows"]}
    equal({period: row["divisor"] for period, row in rows.items()}, {7: 1, 8: 4, 10: 2})
    equal({period: row["positions"] for period, row in rows.items()}, {7: 4, 8: 1, 10: 2})
    equal({period: row["verdict"] for period, row in rows.items()},
          {7: "not in step", 8: "in step", 10: "in step"})
    assert rows[8]["homogeneity"] < 1e-9, rows[8]


def test_periods_around():
    """around: the event's own, the next, a prime and a power of 2; each once, and what cannot be is noted"""
    need("minor_faults", "task_clock")
    told = bench("--dry-run", "--events", "minor_faults", "--periods", "around,7,own")
    equal(told["plan"]["values"]["cells"], 4)
    done = good("bench", "--dry-run", "--events", "minor_faults,task_clock", "--periods", "9,20000")
    assert "task_clock is not sampled with period 9: " in " ".join(done.split()), done
    told = bench("--dry-run", "--events", "minor_faults,task_clock", "--periods", "9,20000")
    # of minor_faults with its kernel two, of task_clock with five one
    equal(told["plan"]["values"]["cells"], 7)


def test_threads():
    """--threads with a list: each number of threads, in each of which breakpoints are exact to one sample"""
    need("breakpoint_store")
    told = bench("--events", "breakpoint_store", "--kernels", "watch", "--periods", "7", "--threads", "4,1,2,2",
                 "--runs", "3", "--samples", "500")
    equal(told["measured"]["values"]["threads"], [1, 2, 4])
    equal([(row["threads"], row["runs"]) for row in told["cells"]["rows"]], [(1, 3), (2, 3), (4, 3)])
    rows = told["runs"]["rows"]
    equal(sorted((row["threads"], row["run"], row["thread"]) for row in rows),
          [(threads, number, thread) for threads in (1, 2, 4) for number in range(3) for thread in range(threads)])
    for row in rows:
        assert row["truth"] > 0 and abs(row["samples"] - row["truth"] // 7) <= 1, row
    equal({row["threads"]: row["value"] for row in of_metric(told, "exact")}, {1: 100, 2: 100, 4: 100})
    for row in told["threads"]["rows"]:
        same = [other for other in rows if other["threads"] == row["threads"]]
        equal(row["samples"], sum(other["samples"] for other in same), row)
        overhead = 100 * (sum(other["cpu_ns"] for other in same) / sum(other["bare_cpu_ns"] for other in same) - 1)
        assert abs(row["time_overhead"] - overhead) < 1e-5 * overhead, row
        assert row["time_overhead_low"] < overhead < row["time_overhead_high"], row
        # a part of a period is left in each thread
        assert row["error_low"] < 0 < row["error_high"] and abs(row["error"]) < 100 / 499, row
    equal([row["threads"] for row in told["threads"]["rows"]], [1, 2, 4])


def test_more_threads_than_cpus():
    """The preflight table says where threads are more than CPUs, and only there"""
    need("page_faults")
    cpus = len(os.sched_getaffinity(0))
    for threads in (cpus, cpus + 1):
        told = bench("--dry-run", "--events", "page_faults", "--threads", "1,%d" % threads)
        (row,) = [row for row in told["preflight"]["rows"] if row["row"] == "CPUs for threads"]
        equal(row["finding"], str(cpus))
        equal(row["remark"] is not None and "%d threads at once are more" % threads in row["remark"], threads > cpus)


def test_ladder():
    """Loads that wait for each other are timed, without events, beside a clock; what has no latency says so"""
    need("task_clock")
    told = bench("--events", "task_clock", "--kernels", "ladder16k,ladder256k", "--runs", "2", "--samples", "5")
    rungs = {row["kernel"]: row for row in told["ladder"]["rows"]}
    equal(sorted(rungs), ["ladder16k", "ladder256k"])
    for kernel, rung in rungs.items():
        rows = [row for row in told["runs"]["rows"] if row["kernel"] == kernel]
        for row in rows:
            assert row["clock_ns"] > 0 and row["clock_cycles"] > 0 and row["clock_cycles"] % 970000 == 0, row
        ns = [row["bare_cpu_ns"] / (row["outer"] * row["inner"]) for row in rows]
        cycles = [one * row["clock_cycles"] / row["clock_ns"] for one, row in zip(ns, rows)]
        for name, values in (("load_ns", ns), ("load_cycles", cycles)):
            assert abs(rung[name] - sum(values) / 2) < 1e-5 * rung[name], (rung, values)
            assert rung[name + "_low"] < rung[name] < rung[name + "_high"], rung
        equal((rung["sampled_latency"], rung["latency_error"]), (None, None))
        equal(rung["says"], "what the kernel counts itself has no latency")
    rows = listed()["events"]["rows"]
    (kernels,) = [row["kernels"] for row in rows if row["row"] == "ibs_load_times"]
    equal(kernels, "ladder16k,ladder256k,ladder8m,ladder64m")


def test_no_latency():
    """A breakpoint has no latency, and says so"""
    need("breakpoint_store")
    told = bench("--events", "breakpoint_store", "--kernels", "watch", "--runs", "2", "--samples", "50")
    for metric in ("sampled_latency", "latency_error"):
        (row,) = of_metric(told, metric)
        assert row["value"] is None and row["says"].startswith("a breakpoint has no latency"), row
    (row,) = of_metric(told, "load_ns")
    assert row["value"] is None and "do not wait for each other" in row["says"], row
    assert "ladder" not in told, told.keys()


def test_nothing():
    """Where nothing can be measured: 77, and the table says why"""
    done = run("bench", "--events", "pebs_six,ibs_op", "--sysroot", sysroot(AMD % "hypervisor"))
    equal(done.code, NOTHING, done)
    assert "ibs_op" in done.out and "nothing of this can be measured" in done.err, done


def test_dry_run():
    """--dry-run measures nothing and says how long it would take"""
    need("page_faults")
    told = bench("--dry-run", "--events", "page_faults", "--runs", "7")
    assert "results" not in told, told
    equal(told["plan"]["values"]["runs"], 7)
    assert told["plan"]["values"]["seconds"] >= 1, told["plan"]


def test_full_disk():
    """A full disk is an error"""
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([PRECIS, "bench", "--list"], stdout=full, stderr=subprocess.PIPE, check=False,
                              timeout=1200)
    equal(done.returncode, 1)
    assert b"cannot write" in done.stderr, done.stderr


def test_usage():
    """Wrong calls are named, with what may have been meant"""
    assert "did you mean 'page_faults'" in usage("bench", "--events", "page_fault")
    assert "did you mean 'error'" in usage("bench", "--metrics", "eror")
    assert "--runs: expected a number from 2 to 1000" in usage("bench", "--runs", "1")
    assert "--threads: expected a number from 1 to 64" in usage("bench", "--threads", "65")
    assert "--threads: expected a number from 1" in usage("bench", "--threads", "1,,2")
    assert "--threads: expected a number from 1" in usage("bench", "--threads", "0,1")
    assert "--threads: expected a number from 1" in usage("bench", "--threads", "2,")
    assert "--threads: more than 16 numbers" in usage("bench", "--threads", ",".join(map(str, range(1, 18))))
    assert "--periods: expected a number" in usage("bench", "--periods", "0")
    assert "--periods: expected a number" in usage("bench", "--periods", "16,")
    assert "--periods: more than 16" in usage("bench", "--periods", ",".join(["16"] * 17))
    assert "--samples: expected a number" in usage("bench", "--samples", "many")
    assert "--seed" in usage("bench", "--seed", "-1")
    assert "--events: there is none of the name ''" in usage("bench", "--events", "")
    assert "--format" in usage("bench", "--format", "xml")
    assert "no metric that has a bound" in usage("bench", "--bound", "accuracy=1")
    assert "expected METRIC=NUMBER" in usage("bench", "--bound", "error")
    assert "--periods: expected a number from 1" in usage("bench", "--periods", "7,,8")
    assert "--periods: expected a number from 1" in usage("bench", "--periods", "0")
    assert "--periods: more than 16" in usage("bench", "--periods", ",".join(map(str, range(1, 18))))
    assert "--periods: no such period" in usage("bench", "--periods", "9" * 40)
    assert "unexpected argument" in usage("bench", "perf.data")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
