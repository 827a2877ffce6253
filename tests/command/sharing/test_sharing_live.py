#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing of programs that run: threads that know who got what from whom hand accesses over, and real debug
registers watch them. How fast they are decides over how much is known, and not over what is right.
"""
import functools
import json
import os
import re
import signal
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import tap
from command import PRECIS, run, usage
from programs import (LIVE, RING_BYTES, RING_MAGIC, compiled, make_ring, need_registers, pairs, path, sums,
                      take_registers)
from quick import FEW
from tap import equal

SECONDS = "1" if FEW else "2.5"
PERIOD = "50"


def live(pattern, threads, *options, seed=1, seconds=SECONDS):
    """The truth, and what is told"""
    need_registers()
    output = path("told")
    result = run("sharing", *LIVE, "--source", "program", "--seed", seed, *options, "-o", output, "--",
                 compiled("workload"), pattern, threads, seconds, PERIOD, seed)
    assert result.code == 0, result
    truth = json.loads(result.out)
    assert truth["ring"], truth
    with open(output, encoding="utf-8") as file:
        return truth, json.load(file)


def cells(truth, name="all"):
    return {(writer, reader): truth[name][i][j] for i, writer in enumerate(truth["tids"])
            for j, reader in enumerate(truth["tids"]) if i != j}


def within(row, count, factor=1.0):
    """Is the truth in the interval, or in one that is wider by that share of it?"""
    return row["transfers_low"] * (1 - factor) <= count <= row["transfers_high"] * (1 + factor)


def check_sums(truth, told, slack):
    """
    All sums are within their intervals, widened by what two of eight words do not see of a line, and by half an
    interval: of twenty runs one is not in it.
    """
    found = sums(told)
    everything, met = sum(map(sum, truth["all"])), sum(map(sum, truth["met"]))
    for name, count in (("all", everything), ("true sharing", met), ("false sharing", everything - met)):
        row = found[name]
        reach = (row["transfers_high"] - row["transfers_low"]) / 2
        assert row["transfers_low"] - reach - slack * count <= count <= \
            row["transfers_high"] + reach + slack * count, (name, count, row, told["sharing_experiments"])


def check_pairs(truth, told, slack, most_outside):
    outside = []
    found = pairs(told)
    for pair, count in cells(truth).items():
        row = found.get(pair)
        if row:
            reach = slack * count
            if not row["transfers_low"] - reach <= count <= row["transfers_high"] + reach:
                outside.append((pair, count, row))
    assert len(outside) <= most_outside, outside
    for pair in found:
        assert cells(truth)[pair] > 0, (pair, "is told and was not")


def test_none():
    """lines side by side that nobody shares: no transfer at all"""
    _, told = live("none", 4)
    experiments = told["sharing_experiments"]["rows"][0]
    if not experiments["experiments"]:
        raise tap.Skip("the machine was too busy for an experiment")
    equal([row["transfers"] for row in told["sharing"]["rows"]], [0, 0, 0])
    equal(pairs(told), {})
    assert "sharing_advice" not in told, told["sharing_advice"]


def test_true():
    """threads that store and load the same words"""
    truth, told = live("true", 2)
    check_sums(truth, told, 0.15)
    check_pairs(truth, told, 0.15, 1)
    assert "sharing_advice" not in told, told["sharing_advice"]


def test_false():
    """threads with words of their own in the same lines: all of it is false sharing"""
    for threads in (2, 4):
        truth, told = live("false", threads)
        check_sums(truth, told, 0.15)
        equal(sums(told)["true sharing"]["transfers"], 0)
        check_pairs(truth, told, 0.15, 1 + threads // 2)


@functools.lru_cache
def false_sharing():
    """A run in which enough transfers were seen to say what to move: on a busy machine not each is one"""
    for seed in range(1, 7):
        truth, told = live("false", 2, seed=seed, seconds="%g" % min(float(SECONDS) * 2 ** (seed - 1), 20))
        if "sharing_advice" in told:
            break
    return truth, told


def test_memory():
    """lines are named by the variable that they are of"""
    built.need("elfutils")
    rows = false_sharing()[1]["sharing_lines"]["rows"]
    equal({row["variable"] for row in rows}, {"lines"})
    assert {row["variable_offset"] for row in rows} <= {0, 64, 128, 192}, rows
    equal({os.path.basename(row["object"]) for row in rows}, {"workload"})


def test_advice():
    """words of two threads on a line are to be moved apart (test_true, test_none: these alone)"""
    truth, told = false_sharing()
    rows = told["sharing_advice"]["rows"]
    names = {row["id"]: row["name"] for row in told["sharing_parties"]["rows"]}
    lines = {int(row["row"]): row for row in told["sharing_lines"]["rows"]}
    assert rows and len(rows) == len({row["line"] for row in rows}), rows
    # whose samples are where: words of their own, loads and stores
    equal({(row["who"], row["offset"], row["bytes"] or 8) for row in told["sharing_accesses"]["rows"]},
          {(names[tid], 8 * n, 8) for n, tid in enumerate(truth["tids"])})
    equal({row["access"] for row in told["sharing_accesses"]["rows"]}, {"load", "store"})
    equal({row["member"] for row in told["sharing_accesses"]["rows"] if row["member"]},
          {f"lines+{line['variable_offset'] + at}" for line in lines.values() if line.get("variable") for at in (0, 8)})
    for row in rows:
        equal((row["from_offset"], row["move_offset"], row["bytes"]), (0, 8, 64))
        equal([row["from_of"], row["move_of"]], [names[tid] for tid in truth["tids"]])
        line = lines[row["line"]]
        equal(row["percent"], line["percent"])
        known = line.get("variable") is not None
        at = line["variable_offset"] if known else int(line["address"], 0)
        where = (f"lines+{at}", f"lines+{at + 8}") if known else (hex(at), hex(at + 8))
        equal((row["from"], row["move"]), where)
    _, told = live("false", 2, "--max-overhead", "0.001")
    assert "sharing_advice" not in told, ("one experiment says nothing", told["sharing_experiments"])


def line_of(name, word):
    """Of the program, that with the comment"""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as source:
        return next(n for n, line in enumerate(source, 1) if line.rstrip().endswith("// " + word))


def test_advice_of_blocks():
    """what to move of a block of the heap: the member that the instruction accesses which registers met, and where"""
    need_registers()
    for library in ("elfutils", "zydis"):
        built.need(library)
    program = compiled("blocks", "-g", "-O1", "-fcf-protection=none")
    for turns_ in (100000, 400000, 1600000):
        result = run("sharing", *LIVE, "--source", "program", "-o", path("told"), "--", program, turns_, PERIOD)
        assert result.code == 0, result
        with open(path("told"), encoding="utf-8") as file:
            told = json.load(file)
        if "sharing_advice" in told:
            break
    row, = told["sharing_advice"]["rows"]
    equal((row["from"], row["move"], row["from_offset"], row["move_offset"]),
          ("struct pair.first", "struct pair.second", 0, 8))
    equal((os.path.basename(row["source"]), row["source_line"], row["source_is"]),
          ("blocks.c", line_of("blocks.c", "ACCESSED"), "accessed"))
    equal({(row["offset"], row["member"]) for row in told["sharing_accesses"]["rows"] if row["ip"]},
          {(0, "struct pair.first"), (8, "struct pair.second")})


def test_svg():
    """the matrix drawn says what it is of: no loads that a recording has"""
    plot = path("matrix.svg")
    for method, title in (((), "Lines that threads got from their last writers"),
                          (("--method", "comdetective"), "Accesses to lines that others stored to")):
        truth, _ = live("false", 2, "--svg", plot, *method)
        root = xml.etree.ElementTree.parse(plot).getroot()
        words = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert words[0].startswith(title) and not any("loads" in text for text in words), words
        cells = {(group.get("data-from"), group.get("data-to")): (group.get("data-transfers"), group.get("data-false"))
                 for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("data-from")}
        equal({frozenset(re.search(r"\((\d+)\)$", name).group(1) for name in pair) for pair in cells},
              {frozenset(map(str, truth["tids"]))})
        assert all(every == false for every, false in cells.values()), cells


def test_one_writer():
    """one thread stores, others load: nothing goes the other way"""
    truth, told = live("writer", 3)
    check_sums(truth, told, 0.1)
    equal({writer for writer, _ in pairs(told)}, {truth["tids"][0]})
    equal(sums(told)["false sharing"]["transfers"], 0)


def test_pairs():
    """two and two: who shares with whom, and nobody else"""
    truth, told = live("pairs", 4)
    check_sums(truth, told, 0.1)
    tids = truth["tids"]
    partners = {(tids[a], tids[b]) for a, b in ((0, 1), (1, 0), (2, 3), (3, 2))}
    assert set(pairs(told)) <= partners, pairs(told)


def test_rare():
    """mostly private lines: they are tried less and less often, and weighted"""
    truth, told = live("rare", 2)
    check_sums(truth, told, 0.15)


def published(pattern, threads):
    """What ComDetective tells: a busy machine may need more than one run for an experiment"""
    for seed in range(1, 5):
        truth, told = live(pattern, threads, "--method", "comdetective", seed=seed)
        if pairs(told):
            break
    return truth, told


def test_comdetective():
    """by the published method: who shares with whom is right, and how much of it is not promised"""
    truth, told = published("pairs", 4)
    tids = truth["tids"]
    partners = {(tids[a], tids[b]) for a, b in ((0, 1), (1, 0), (2, 3), (3, 2))}
    assert pairs(told) and set(pairs(told)) <= partners, pairs(told)
    found = sums(told)["all"]["transfers"]
    assert found > 0, told["sharing_experiments"]
    equal(found % int(PERIOD), 0, "each is a period, or two")
    assert "no estimate of transfers" in " ".join(told["sharing"]["notes"])
    _, told = live("none", 4, "--method", "comdetective")
    equal(pairs(told), {})
    _, told = published("false", 2)
    equal(sums(told)["true sharing"]["transfers"], 0)
    assert pairs(told), told["sharing_experiments"]
    # without symbols what begins with zeros is memory without a file
    equal({os.path.basename(row["object"] or "unknown") for row in told["sharing_lines"]["rows"]},
          {"anon" if "elfutils" in built.WITHOUT else "workload"})
    # it has no anchors, and nothing that ends: what is not measured is no 0
    made = told["sharing_experiments"]["rows"][0]
    equal([made.get(name) for name in ("stored", "timed_out", "no_anchor", "seen")], [None] * 4)
    equal({row.get("experiments") for row in told["sharing_lines"]["rows"]}, {None})


def count_registers(tid):
    """All four of a thread's registers; how many there were"""
    opened = take_registers(tid, 5)
    for descriptor in opened:
        os.close(descriptor)
    return len(opened)


def test_attach():
    """a process that runs: it is watched, and has all its registers again when that ends"""
    need_registers()
    ring = path("ring")
    make_ring(ring)
    with subprocess.Popen([compiled("workload"), "false", "2", "60", PERIOD, "3"], stdout=subprocess.PIPE,
                          env=dict(os.environ, PRECIS_ACCESSES=ring)) as program:
        try:
            result = run("sharing", *LIVE, "-p", program.pid, "--accesses", ring, "--seconds", "1")
            assert result.code == 0, result
            told = json.loads(result.out)
            assert told["sharing_experiments"]["rows"][0]["experiments"] > 0, told["sharing_experiments"]
            equal(sums(told)["true sharing"]["transfers"], 0)
            tasks = os.listdir("/proc/%d/task" % program.pid)
            equal(len(tasks), 3)
            equal([count_registers(int(task)) for task in tasks], [4, 4, 4], "free registers")
            # by the number of a thread it is the process
            thread = max(map(int, tasks))
            result = run("sharing", *LIVE, "-p", thread, "--accesses", ring, "--seconds", "1")
            told = json.loads(result.out)
            assert told["sharing_experiments"]["rows"][0]["experiments"] > 0, told
            assert "other processes" not in " ".join(told["sharing"]["notes"]), told["sharing"]
            equal(program.poll(), None)
        finally:
            program.kill()


def of_nonsense(ring, late):
    """What is told of a ring that is full of it, and gets so much more as soon as all was read; of nothing: an error"""
    def nonsense(first, dropped, head):
        slots = [struct.pack("<QQQQIHH", n + 1, (n * 0x9e3779b97f4a7c15) % 2 ** 64, 2 ** (n % 64), n % 2 ** 20 << 40, n,
                             n % 70, n % 5) for n in range(first, first + 65536)]
        return struct.pack("<4Q", RING_MAGIC, dropped, head, first), b"".join(slots)

    with open(ring, "wb") as file:
        file.write(nonsense(0, 1000, 2 ** 63)[0] + bytes(32) + nonsense(0, 0, 0)[1])
    with open(ring, "r+b", buffering=0) as file, \
         subprocess.Popen([PRECIS, "sharing", "--format", "json", "-p", str(os.getpid()), "--accesses", ring, "--seconds",
                           "1"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        while program.poll() is None and os.pread(file.fileno(), 8, 24) != struct.pack("<Q", 65536):
            pass
        if late:
            head, slots = nonsense(65536, 1007, 2 ** 63)
            os.pwrite(file.fileno(), slots, 64)
            os.pwrite(file.fileno(), head[:24], 0)
        out, error = program.communicate(timeout=60)
        equal((program.returncode, b"no accesses: the program handed none over" in error), (int(not late), not late))
    return json.loads(out)


def test_ring_hostile():
    """a ring that is none, one full of nonsense, and a process that is not there"""
    need_registers()
    ring = path("nonsense")
    with open(ring, "wb") as file:
        file.write(b"x" * 100)
    equal(run("sharing", "-p", os.getpid(), "--accesses", ring, "--seconds", "1").code, 1)
    with open(ring, "wb") as file:
        file.write(bytes(RING_BYTES))
    result = run("sharing", "-p", os.getpid(), "--accesses", ring, "--seconds", "1")
    assert result.code == 1 and "not a ring" in result.err, result
    told = of_nonsense(ring, 0)
    notes = " ".join(told["sharing"]["notes"])
    # what lay there before
    assert told["sharing_experiments"]["rows"][0]["samples"] == 0 and "had no room" not in notes, told
    told = of_nonsense(ring, 65536)
    notes = " ".join(told["sharing"]["notes"])
    assert told["sharing_experiments"]["rows"][0]["samples"] == 65536, told
    assert "of what was handed over is no access" in notes and "7 accesses that were handed over had no room" in notes
    make_ring(ring)
    result = run("sharing", "--format", "json", "-p", 2 ** 22 - 1, "--accesses", ring, "--seconds", "5")
    assert result.code == 1 and "there is no process 4194303" in result.err and not result.out, result


def test_commands():
    """the command's output and exit code are its own; what does not run is told"""
    need_registers()
    result = run("sharing", "--source", "program", "-o", path("page"), "--", "/bin/sh", "-c",
                 "echo out; exit 7")
    equal((result.code, result.out), (7, "out\n"))
    result = run("sharing", "--source", "program", "-o", path("page"), "--", "/bin/true")
    assert result.code == 1 and "no accesses: the program handed none over" in result.err, result
    with open(path("page"), encoding="utf-8") as file:
        assert "handed over no access" in file.read()
    # what cannot be written is known before it runs
    for option in ("-o", "--svg"):
        result = run("sharing", option, path("none", "page"), "--", "/bin/echo", "out")
        equal((result.code, result.out), (1, ""))
        assert "cannot write" in result.err, result
    result = run("sharing", "--", "/no/such/program")
    equal(result.code, 127)
    assert "/no/such/program" in result.err, result


def test_signal():
    """A command that a signal ends: which one, and what SIGTRAP may be"""
    need_registers()
    for name, says in (("SEGV", "ended by signal 11 (Segmentation fault)"), ("TRAP", "the hypervisor named no cause")):
        result = run("sharing", "--source", "program", "-o", path("page"), "--", "/bin/sh", "-c", f"kill -{name} $$")
        equal((result.code, says in result.err), (128 + signal.Signals["SIG" + name], True), result.err)


def test_interruption():
    """SIGINT ends it, the command as well, and what was found is told; so does SIGTERM. It ends by that signal"""
    need_registers()
    for number in (signal.SIGINT, signal.SIGTERM):
        check_interruption(number)


def check_interruption(number):
    with subprocess.Popen([PRECIS, "sharing", *LIVE, "--source", "program", "--", compiled("workload"), "false", "2",
                           "600", PERIOD, "3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            children = "/proc/%d/task/%d/children" % (program.pid, program.pid)
            with open(children, encoding="ascii") as file:
                if file.read().strip():
                    break
            time.sleep(0.05)
        time.sleep(0.3)
        program.send_signal(number)
        out, _ = program.communicate(timeout=120)
    equal(program.returncode, -number)
    assert "sharing_experiments" in json.loads(out)


def turns(*options):
    """Threads of which each turn is a context switch: the one row of what experiments cost, and notes of that"""
    output = path("told")
    result = run("sharing", "--format", "json", "--source", "program", *options, "-o", output, "--",
                 compiled("turns"), 2, 300000, 50)
    assert result.code == 0, result
    with open(output, encoding="utf-8") as file:
        table = json.load(file)["sharing_experiments"]
    return table["rows"][0], " ".join(table["notes"])


def test_context_switches():
    """what registers add to context switches is among the costs, and is bounded with these"""
    need_registers()
    much, notes = turns("--max-overhead", "100")
    if much["switches"] is None:
        raise tap.Skip(notes)
    assert 0 < much["switches"] < 2 * 300000, much
    assert much["switch_ns"] > 0 and 0 < much["switches_percent"] < much["overhead_percent"], much
    assert "armed registers" in notes, notes
    # half of that is less than what switches cost from the first experiment on, unless those are slow here
    little, notes = turns("--max-overhead", "0.5")
    assert little["experiments"] < much["experiments"] / 2, (little, much)
    assert little["switches"] < much["switches"], (little, much)
    equal("switched so often" in notes, not little["experiments"])
    if not little["experiments"]:
        equal((little["hits"], little["switches_percent"], little["overhead_percent"]), (0, 0, 0))
    theirs, notes = turns("--method", "comdetective")
    equal((theirs["switches"], theirs["switch_ns"], theirs["switches_percent"]), (None, None, None))
    assert "are not among its costs" in notes, notes


def test_usage():
    """options that are wrong, or go with something else"""
    for options in (("-p", "1", "--source", "program"), ("-p", "0", "--accesses", "x"),
                    ("--accesses", "x", "--", "true"), ("--",),
                    ("--window", "0", "--", "true"), ("--max-overhead", "x", "--", "true"),
                    ("--format", "xml", "--", "true"), ("--by", "process", "--", "true"), ("--by", "x", "--", "true"), ("-p", "1", "--", "true"),
                    ("--method", "x", "--", "true"), ("--source", "x", "--", "true"), ("--period", "1", "--", "true"),
                    ("--source", "program", "--period", "1000", "--", "true"),
                    ("--source", "pmu", "-p", "1", "--accesses", "x")):
        usage("sharing", *options)
    # --help has them beside the others
    for option in ("--save=x", "--jobs=2", "--access-bytes=8", "--no-symbols", "--time=10%", "--cpuid=x"):
        assert option.split("=")[0] + " is for recordings" in usage("sharing", option, "--", "true")
    assert "--event is for recordings" in usage("sharing", "-e", "x", "-p", "1")
    for options in (("x.data", "--", "true"), ("-p", "1", "x.data")):
        assert "'x.data': neither" in usage("sharing", *options)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
