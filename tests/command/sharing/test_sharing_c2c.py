#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing counts of each line what perf c2c report counts, and tells of each access what that tells: of recordings
that are made at random, and of those that kernels and perf wrote on both vendors' CPUs.
"""
import glob
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import accesses as made
import perfdata
import tap
from command import SRCDIR, good, run
from quick import FEW
from tap import equal

PERF = os.environ.get("PERF", "")
START, LINES, BYTES = 0x7f0000000000, 24, 64

# What perf 6.1 has of each line behind the share by which lines are sorted, in its order; each with what that is here
REST = ("records", "loads", "stores", "store_l1_hit", "store_l1_miss", "store_unknown", "fill_buffer", "l1_hit",
        "l2_hit", "llc_hit", "local_hitm", "remote_hit", "remote_hitm", "local_dram", "remote_dram")
COLUMNS = {"tot": ("hitm", "local_hitm", "remote_hitm") + REST, "peer": ("peer", "local_peer", "remote_peer") + REST}


def random_source(numbers):
    """Of the data source words that drivers write, and of others that they could"""
    if numbers.random() < 0.3:
        level = numbers.choice((made.HIT | made.L1, made.MISS | made.L1, made.LVL_NA, made.HIT | made.L2))
        return made.STORE | level | numbers.choice((0, made.LOCKED))
    where = numbers.choice((made.L1, made.LFB, made.L2, made.L3, made.L3, made.LOC_RAM, made.REM_RAM1, made.REM_RAM2,
                            made.REM_CCE1, made.REM_CCE2, made.IO, made.UNC))
    snoop = numbers.choice((made.SNP_NA, made.SNP_NONE, made.SNP_HIT, made.SNP_MISS, made.HITM, made.HITM))
    return (made.LOAD | numbers.choice((made.HIT, made.HIT, made.HIT, made.MISS, made.HIT | made.MISS)) | where | snoop |
            numbers.choice((0, 0, made.REMOTE)) | numbers.choice((0, 0, 0, made.PEER, made.FORWARD)) |
            numbers.choice((0, 0, 1 << 43)) | numbers.choice((0, made.LOCKED)))


def random_recording(seed, count=3000):
    numbers = random.Random(seed)
    records = [made.comm(100, 100, "program")]
    records += [made.comm(100, 101 + n, "program") for n in range(3)]
    records += [made.mmap(100, START, 0x10000, "//anon"),
                made.mmap(100, 0x400000, 0x2000, "/bin/sh", is_data=False)]
    for n in range(count):
        source = random_source(numbers)
        address = START + BYTES * numbers.randrange(LINES) + 8 * numbers.randrange(8)
        event = 2 if source & made.STORE else 1
        records.append(made.sample(event, address, 101 + numbers.randrange(3), source, time=10 ** 9 + n,
                                   cpu=numbers.randrange(4), ip=0x401000 + 4 * numbers.randrange(5)))
    return made.recording("c2c-%d" % seed, records)


def report(path, display, *options):
    """What perf c2c report prints: the table of lines, and that of accesses"""
    # it writes to an addr2line that may have died: SIGPIPE stays ignored
    done = subprocess.run([PERF, "c2c", "report", "--stdio", "-i", path, "-d", display, *options],
                          stdin=subprocess.DEVNULL, restore_signals=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
    if done.returncode:
        raise tap.Skip("perf c2c report: " + done.stderr.decode(errors="replace").strip()[:200])
    text = done.stdout.decode(errors="replace")
    return text.split("Shared Data Cache Line Table")[1].split("Shared Cache Line Distribution Pareto")


def by_perf(path, display, least=LINES // 2 + 1):
    """By line what perf c2c report prints"""
    columns, table, found = COLUMNS[display], report(path, display)[0], {}
    for line in table.splitlines():
        words = line.split()
        if len(words) > 5 and re.fullmatch(r"\d+", words[0]) and words[1].startswith("0x"):
            counts = [int(word) for word in words if re.fullmatch(r"\d+", word)][-len(columns):]
            found[int(words[1], 16)] = dict(zip(columns, counts))
    assert len(found) >= least, table[:3000]
    return found


def by_precis(path):
    """Without raw samples of ibs_op that is said, and perf's words count"""
    result = run("sharing", "--no-symbols", "--format", "json", path)
    equal(result.code, 0, result.err)
    told = json.loads(result.out)
    return {int(row["address"], 16): row for row in told.get("sharing_lines", {"rows": []})["rows"]}


def told_of(row, name):
    if name in ("hitm", "peer"):
        return row["c2c_local_" + name] + row["c2c_remote_" + name]
    return row["c2c_" + name]


def check(path, display, **least):
    expected, found = by_perf(path, display, **least), by_precis(path)
    for address, counts in expected.items():
        for name, count in counts.items():
            equal(told_of(found[address], name), count, "%s of line %#x" % (name, address))
    return expected


def test_random():
    """each count of each line, of words of all kinds"""
    if not PERF:
        raise tap.Skip("perf was not found")
    sums = dict.fromkeys(COLUMNS["tot"] + COLUMNS["peer"], 0)
    for seed in range(2 if FEW else 6):
        path = random_recording(seed)
        for display in COLUMNS:
            for counts in check(path, display).values():
                for name, count in counts.items():
                    sums[name] += count
    missing = [name for name, count in sums.items() if not count]
    equal(missing, [], "counts that nothing was counted in")


def test_recordings():
    """the same of recordings that real drivers wrote: of both vendors' some have lines that perf has, too"""
    if not PERF:
        raise tap.Skip("perf was not found")
    lines = {"skylake": 0, "spr": 0, "zen4": 0}
    for folder in (os.path.join(SRCDIR, "tests/recordings"), os.path.join(os.environ["PRECIS_SHARED"], "recordings")):
        for path in sorted(glob.glob(os.path.join(folder, "*.perf.data"))):
            lines[os.path.basename(path).split("-")[0]] += len(check(path, "tot", least=0))
    assert all(lines.values()), lines


# What instructions do, each one of these
KINDS = ((made.HITM_LOAD,), (made.FAR_HITM_LOAD,), (made.HITM_LOAD, made.L3_LOAD), (made.PLAIN_STORE,))
# Of 2 GiB blocks each node has one (accesses.memory)
NODE_BYTES, FEW_LINES = 1 << 31, 6


def placed_recording(seed, count=4000):
    """Lines on two nodes, threads on some of four CPUs, cycles of loads; the last line is at two places of memory"""
    numbers = random.Random(seed)
    records = [made.comm(100, 100, "program")]
    records += [made.comm(100, 101 + n, "program") for n in range(3)]
    records += [made.mmap(100, START, 0x10000, "//anon"),
                made.mmap(100, 0x400000, 0x2000, "/bin/sh", is_data=False)]
    cpus = {(thread, kind): numbers.sample(range(4), numbers.randrange(1, 5)) for thread in range(3)
            for kind in range(len(KINDS))}
    for n in range(count):
        kind, thread, line = numbers.randrange(len(KINDS)), numbers.randrange(3), numbers.randrange(FEW_LINES)
        within = BYTES * line + 8 * numbers.randrange(8)
        node = numbers.randrange(2) if line == FEW_LINES - 1 else line % 2
        source = numbers.choice(KINDS[kind])
        records.append(made.sample(2 if source & made.STORE else 1, START + within, 101 + thread, source,
                                   time=10 ** 9 + n, cpu=numbers.choice(cpus[thread, kind]), ip=0x401000 + 4 * kind,
                                   phys=0x10000 + node * NODE_BYTES + within, weight=numbers.randrange(1, 900)))
    return made.recording("c2c-placed-%d" % seed, records, sample_type=made.TYPE | made.WEIGHT | made.PHYS)


def numbers_of(text):
    """A list of perf's: "0-1", "0  1" """
    found = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


ROW = re.compile(r"\s+(?:[0-9.]+%\s+){5}(0x[0-9a-f]+)\s+(\S+)\s+(\d+)\s+(\d+):program\s+(0x[0-9a-f]+)"
                 r"\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s.*\[[0-9a-f]+\]\s+([0-9 ]+)$")


def accesses_by_perf(path):
    """By line, offset, thread and instruction: cycles by their kind, samples, CPUs, nodes of memory and of CPUs"""
    found, line = {}, None
    for text in report(path, "tot", "-c", "tid,iaddr")[1].splitlines():
        head = re.match(r"\s+\d+(?:\s+\d+){5}\s+(0x[0-9a-f]+)$", text)
        line = int(head[1], 16) if head else line
        row = ROW.match(text)
        if row:
            offset, memory, _, tid, ip, remote, local, load, records, cpus, nodes = row.groups()
            found[line, int(offset, 16), int(tid), int(ip, 16)] = {
                "rmt": int(remote), "lcl": int(local), "load": int(load), "records": int(records), "cpus": int(cpus),
                "memory": numbers_of(memory), "nodes": numbers_of(nodes)}
    return found


def accesses_by_precis(told):
    """The same; rows of a line that is at two places of memory are put together"""
    found = {}
    lines = {row["row"]: row for row in told["sharing_lines"]["rows"]}
    tids = {row["row"]: row["id"] for row in told["sharing_parties"]["rows"]}
    for row in told["sharing_accesses"]["rows"]:
        line = lines[str(row["line"])]
        key = int(line["address"], 16), row["offset"], tids[str(row["party"])], int(row["ip"], 16)
        found.setdefault(key, []).append((row, line["memory_node"]))
    return found


def check_access(expected, rows):
    # what came from another node's cache is for perf from its memory as well
    times = 2 if expected["rmt"] else 1
    equal(times * sum(row["samples"] for row, _ in rows), expected["records"])
    equal({node for _, node in rows}, expected["memory"])
    assert {row["node"] for row, _ in rows} <= expected["nodes"], (rows, expected)
    if len(rows) == 1:
        equal(rows[0][0]["cpus"], expected["cpus"])
    if len(expected["memory"]) > 1:
        return
    cycles = dict.fromkeys(("lcl", "rmt", "load"), 0)
    for row, _ in rows:
        if row["transfers"]:
            cycles.update({name: row[column] for name, column in (("lcl", "cache_latency_near"),
                                                                  ("rmt", "cache_latency_far")) if row[column]})
        elif row["access"] == "load":
            cycles["load"] = row["cache_latency"]
        equal((row["load_latency"], row["dcache_miss_latency"]), (None, None))
    for name, mean in cycles.items():
        assert abs(mean - expected[name]) < 1, (name, rows, expected)


def test_accesses():
    """cycles, CPUs and nodes of each access; how many places of memory a line has"""
    if not PERF:
        raise tap.Skip("perf was not found")
    path = placed_recording(1)
    told = json.loads(good("sharing", "--no-symbols", "--format", "json", path))
    expected, found = accesses_by_perf(path), accesses_by_precis(told)
    # perf leaves out those that neither store nor hit what others have modified
    equal({key for key, rows in found.items() if any(row["transfers"] or row["access"] == "store" for row, _ in rows)},
          set(expected))
    for key, row in expected.items():
        check_access(row, found[key])
    for name in ("lcl", "rmt", "load"):
        assert any(row[name] for row in expected.values()), name
    equal(sorted((int(row["address"], 16), row["physical_lines"], row["memory_node"])
                 for row in told["sharing_lines"]["rows"]),
          sorted([(START + BYTES * n, 1, n % 2) for n in range(FEW_LINES - 1)] +
                 [(START + BYTES * (FEW_LINES - 1), 2, node) for node in range(2)]))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
