# SPDX-License-Identifier: BSD-3-Clause
"""What precis info says of the recording's machine against perf report --header-only."""

import glob
import json
import os
import re
import subprocess
import tempfile

from differential import ENVIRONMENT, PERF, PRECIS, SHARED, TOP, need, note, ok, done, skip
from oracles import programs


def run(arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, env=ENVIRONMENT, check=False)


def number(text):
    """As precis has it: None for -1"""
    return None if text is None or int(text) == -1 else int(text)


def blocks(text):
    """"0-23,32-199" """
    return [{"first": int(first), "last": int(last or first)}
            for first, last in re.findall(r"(\d+)(?:-(\d+))?", text)]


def theirs(perf, path):
    """The parts that perf shows; a part that it does not show is not there"""
    result = run([perf, "report", "--header-only", "-I", "-i", path])
    text = result.stdout.decode(errors="replace")
    if result.returncode or "# arch : " not in text or "# arch : (null)" in text:
        return None  # it prints what it has before it gives up
    found = {}

    def every(pattern):
        return re.findall("^# ?" + pattern, text, re.M)

    found["packages"] = every(r"sibling (?:sockets|cores) +: (.*)$")
    found["dies"] = every(r"sibling dies +: (.*)$")
    found["threads"] = every(r"sibling threads +: (.*)$")
    places = every(r"CPU (\d+): Core ID (-?\d+)(?:, Die ID (-?\d+))?, Socket ID (-?\d+)")
    found["cpus"] = [{"cpu": int(cpu), "socket": number(socket), "die": number(die or None),
                      "core": number(core)} for cpu, core, die, socket in places]
    found["memory"] = [int(kib) for kib in every(r"total memory : (\d+) kB")]
    cpus = dict(every(r"node(\d+) cpu list : (.*)$"))
    found["numa"] = [(int(node), int(total), int(free), cpus[node]) for node, total, free in
                     every(r"node(\d+) meminfo  : total = (\d+) kB, free = (\d+) kB")]
    found["caches"] = [(int(level), kind, size, shared) for level, kind, size, shared in
                       every(r" L(\d) (\S+) +(\S+) \[(.*)\]$")]
    found["hybrid"] = every(r"(\w+) cpu list : (.*)$")
    found["hybrid"] = [pair for pair in found["hybrid"] if not pair[0].startswith("node")]
    found["groups"] = len(every(r"group: "))
    size = every(r"memory nodes \(nr \d+, block size (0x[0-9a-f]+)\)")
    found["memory nodes"] = [(int(node), int(size[0], 16), blocks(runs)) for node, runs in
                             every(r" +(\d+) \[.*\]: (.*)$")] if size else []
    found["compression"] = [(int(level), int(ratio)) for level, ratio in
                            every(r"compressed : Zstd, level = (\d+), ratio = (\d+)")]
    found["resolution"] = [1000 // int(mhz) for mhz in every(r"clockid frequency: (\d+) MHz")]
    found["clock"] = [(int(seconds), int(clock), int(rest)) for seconds, clock, rest in
                      every(r"reference time: .* = (\d+)\.\d+ \(TOD\) = (\d+)\.(\d+) ")]
    return found


def ours(path):
    info = json.loads(run([PRECIS, "info", "--format", "json", path]).stdout.decode())
    topology = info["topology"] or {"packages": [], "dies": [], "cores": [], "cpus": []}
    compression, clock = info["compression"], info["clock"]
    return {
        "packages": topology["packages"], "dies": topology["dies"], "threads": topology["cores"],
        "cpus": topology["cpus"],
        "memory": [info["total_memory_kib"]] if info["total_memory_kib"] is not None else [],
        "numa": [(node["node"], node["total_kib"], node["free_kib"], node["cpus"])
                 for node in info["numa_nodes"] or []],
        "caches": [(cache["level"], cache["type"], cache["capacity"], cache["cpus"])
                   for cache in info["caches"] or []],
        "hybrid": [(pmu["pmu"], pmu["cpus"]) for pmu in info["hybrid_pmus"] or []],
        "groups": len(info["groups"] or []),
        "memory nodes": [(node["node"], node["block_bytes"], node["blocks"])
                         for node in info["memory_nodes"] or []],
        "compression": [(compression["level"], compression["ratio"])] if compression else [],
        "resolution": [info["clock_resolution_ns"]] if info["clock_resolution_ns"] else [],
        "clock": [(clock["wall_ns"] // 10**9, clock["clock_ns"] // 10**9, clock["clock_ns"] % 10**9)
                  ] if clock else [],
    }


def compare(path, name, seen, perfs):
    """With the first perf that reads it"""
    expected = next(filter(None, (theirs(perf, path) for perf in perfs)), None)
    if expected is None:
        skip(name, "no perf here reads it")
        return
    found = ours(path)
    for key, value in expected.items():
        if found[key] != value:
            note("%s: perf %s, precis %s" % (key, repr(value)[:200], repr(found[key])[:200]))
        if value:
            seen.add(key)
    ok(found == expected, name)


def main():
    need(PERF, "perf is the oracle")
    seen = set()
    perfs = programs()
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "perf.data")
        run([PERF, "record", "-q", "-k", "monotonic", "-z", "-o", path, "-e",
             "{cpu-clock,page-faults}", "true"])
        if os.path.exists(path) and os.path.getsize(path):
            compare(path, "a group, a clock, compression", seen, perfs)
        else:
            skip("a group, a clock, compression", "perf cannot record it here")
    paths = sorted(glob.glob(os.path.join(TOP, "tests", "recordings", "*.perf.data")))
    foreign = [path for path in sorted(glob.glob(os.path.join(SHARED, "perfdata", "*")))
               if os.path.isfile(path) and not path.endswith(".tsv") and "pipe" not in path]
    if not foreign:
        skip("foreign recordings", "PRECIS_SHARED has none")
    for path in paths + foreign:
        compare(path, os.path.basename(path), seen, perfs)
    note("compared where perf has it: " + ", ".join(sorted(seen)))
    done()


if __name__ == "__main__":
    main()
