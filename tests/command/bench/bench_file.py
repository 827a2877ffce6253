# SPDX-License-Identifier: BSD-3-Clause
"""Files as precis bench --format json writes them, with counts that are made up: what is true of them is known."""
import copy
import json
import math
import os
import platform
import random

from built import need
from command import SRCDIR
from tap import Skip

MODEL = os.path.join(SRCDIR, "bench/results/amd-epyc-guest-linux-6.18.json")
LAGS = 16
SAMPLES = 2000
RUNS = 5


def need_files():
    """Skip where files cannot be read, or nothing in them is known."""
    need("jansson")
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")


def model():
    with open(MODEL, encoding="utf-8") as file:
        return json.load(file)


def of_event(told, event):
    """The same file with that cell alone"""
    told = copy.deepcopy(told)
    for table in ("cells", "runs"):
        told[table]["rows"] = [row for row in told[table]["rows"] if row["set"] == event]
    return told


def with_usual_settings(told):
    """Of the published file's runs the first ones, as if nobody had asked for another number or a CPU"""
    told["runs"]["rows"] = [row for row in told["runs"]["rows"] if row["run"] < RUNS]
    for row in told["cells"]["rows"]:
        row["runs"] = RUNS
    told["measured"]["values"].update(runs=RUNS, cpu=None)
    return told


def binomial(draw, n, share):
    """How many of n; by a normal number where there are many"""
    expected = n * share
    if expected < 50 or n * (1 - share) < 50:
        return sum(draw.random() < share for _ in range(n))
    return min(n, max(0, round(draw.gauss(expected, math.sqrt(expected * (1 - share))))))


def positions_of(row):
    """Positions that stand in the order of their instructions: what correlations are of is not asked here"""
    order = [site for site, count in enumerate(row["sites"]) for _ in range(count)]
    row["products"] = [sum(a * b for a, b in zip(order, order[lag:])) for lag in range(1, LAGS + 1)]
    row["first"] = order[:LAGS]
    row["last"] = order[-LAGS:] if order else []


def fill(row, draw, dropped=0.02, lost=0.01, wrong=0.01, overhead=0.5):
    """Counts of a run of breakpoint_access with watch, or of another event of two instructions"""
    sites = [number for number, count in enumerate(row["sites"]) if count]
    expected = SAMPLES
    missing = binomial(draw, expected, lost)
    seen = binomial(draw, expected - missing, 1 - max(0, draw.gauss(dropped, 0.003)))
    bad = binomial(draw, seen, wrong)
    first = binomial(draw, seen - bad, 0.5)
    row.update(truth=expected * row["period"], all=seen, samples=seen, user_mode=seen, kernel_mode=0,
               other_mode=0, right=seen - bad, wrong=bad, between=0, outside=0, wrong_address=0, lost=missing,
               lost_samples=0, throttled=0, unthrottled=0, unreadable=0, intervals=seen and seen - 1,
               interval_events=max(0, seen - 1) * row["period"], interval_squares=0, ring_bytes=266240, interrupts=None,
               with_latency=0, latencies=[],
               skid=[seen - bad, bad, 0, 0],
               enabled_ns=10 ** 9, running_ns=10 ** 9, counted=expected * row["period"],
               bare_cpu_ns=10 ** 9, cpu_ns=round(10 ** 9 * (1 + draw.gauss(overhead, 0.02))))
    row["sites"] = [0] * len(row["sites"])
    row["sites"][sites[0]] += first
    row["sites"][sites[-1]] += seen - bad - first
    row["sites"][sites[-1] + 1] += bad
    positions_of(row)


def made(seed, event="breakpoint_access", **faults):
    """A machine of that seed"""
    told = with_usual_settings(of_event(model(), event))
    draw = random.Random(seed)
    for row in told["runs"]["rows"]:
        fill(row, draw, **faults)
    return told


LADDER = {"ladder16k": (1000, 6), "ladder8m": (65536, 6)} # turns in an outer one, the site of the load
LADDER_SITES = 15


def ladder(seed, samples=100):
    """Loads of 16 KiB that take 4 cycles of 0.25 ns, and of 8 MiB that take 80, of which samples say 20 more"""
    told = made(seed)
    draw = random.Random(seed)
    few, cells = told["runs"]["rows"], []
    told["runs"]["rows"] = []
    for kernel, (inner, site) in LADDER.items():
        cycles = 4 if kernel == "ladder16k" else 80
        cells.append(dict(told["cells"]["rows"][0], row="ibs_loads/%s/100016/1" % kernel, set="ibs_loads",
                          kernel=kernel, period=100016, why="own, 16 * odd", inner=inner, outer=10))
        for row in few:
            seen = [] if kernel == "ladder16k" else sorted(draw.randint(90, 110) for _ in range(samples))
            latencies = [number for value in sorted(set(seen)) for number in (value, seen.count(value))]
            sites = [0] * LADDER_SITES
            sites[site] = samples
            row = dict(row, row="ibs_loads/ibs_loads/%s/100016/1/%d/0" % (kernel, row["run"]), set="ibs_loads",
                       event="ibs_loads", kernel=kernel, period=100016, inner=inner, outer=10, sites=sites,
                       truth=10 * inner, all=5 * samples, samples=samples, user_mode=samples, right=samples, wrong=0,
                       skid=[samples, 0, 0, 0], intervals=0, interval_events=0, lost=0,
                       bare_cpu_ns=round(10 * inner * cycles * 0.25 * draw.gauss(1, 0.01)), clock_ns=250000,
                       clock_cycles=1000000, with_latency=len(seen), latencies=latencies)
            positions_of(row)
            told["runs"]["rows"].append(row)
    told["cells"]["rows"] = cells
    return told


def write(path, told):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(told, file)
    return path
