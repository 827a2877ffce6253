#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis annotate: executions beside samples, against a program of which it is known how often all of it ran."""
import csv
import io
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../mix")]

import known_program as known
import tap
from command import PRECIS, good
from known_files import kept, program, recorded, there
from known_program import ANY, BLOCKS, CALL_STACK, CYCLES, SAMPLE, USER
from quick import FEW
from tap import equal

SEEDS = 16 if FEW else 80
FUNCTIONS = ("packed", "scalar", "_start")


def tables(*arguments):
    page = json.loads(good("annotate", "--format", "json", *arguments))
    return [table for name, table in page.items() if name.startswith("annotate_")]


def listed(*arguments):
    """@return by address the row of each instruction of whatever is listed first"""
    return {int(row["row"], 16): row for row in tables(*arguments)[0]["rows"]}


def truth():
    """by address: how often it ran"""
    execution, _ = program()
    return {execution.addresses[block, number]: execution.counts[block]
            for block, instructions in BLOCKS.items() for number in range(len(instructions))}


def in_function(function):
    """addresses of a function's instructions"""
    execution, _ = program()
    return {execution.addresses[block, number] for block, instructions in BLOCKS.items()
            for number in range(len(instructions))
            if (block.split("_")[0] if block.split("_")[0] in FUNCTIONS else "_start") == function}


def has(row):
    """@return value, low, high; or why there is none"""
    if row["executions"] is None:
        return row["executions_reason"]
    return row["executions"], row["executions_low"], row["executions_high"]


def test_holds():
    """over seeds: the interval of each instruction has its executions, in 90 of 100 and more"""
    execution, path = program()
    counts, judged, held = truth(), 0, 0
    for seed in range(SEEDS):
        data = known.recording(execution, path, samples=1500, stacks=1500, seed=seed + 7)
        path_of = kept("seed.data", data)
        for table in tables("--top", "3", path_of):
            for row in table["rows"]:
                count = counts[int(row["row"], 16)]
                if count < 100:
                    continue
                value, low, high = has(row)
                assert low <= value <= high, row
                judged += 1
                held += low <= count <= high
    assert judged >= SEEDS * 20 and held >= 0.9 * judged, (held, judged)


def test_of_all_events():
    """every listing has the same executions: that of either event, and that of one of them alone"""
    path = recorded("both")
    for function in FUNCTIONS[:2]:
        of = {address: has(row) for address, row in listed(function, path).items()}
        equal(set(of), in_function(function), "instructions of " + function)
        for address, count in truth().items():
            if address in of:
                assert abs(of[address][0] - count) <= 0.1 * count, (address, of[address], count)
        for words in ((function, path, "--event", "1"), (function, path, "--event", "0"),
                      (function, path, "--jobs", "3")):
            for address, row in listed(*words).items():
                equal(has(row), of[address], "executions of %x: %s" % (address, words))


def test_without_samples():
    """what has no sample has executions, if stacks ran along it, and text shows them"""
    execution, path = program()
    path = recorded("few", samples=30, seed=4)
    rows = listed("scalar", path)
    empty = {address for address, row in rows.items() if not row["samples"]}
    assert empty, rows
    for address in empty:
        value, low, high = has(rows[address])
        assert low <= truth()[address] <= high, (address, rows[address])
    text = good("annotate", "scalar", path)
    assert "executions [95% CI]" in text, text
    for line in text.splitlines():
        words = line.split()
        if words and words[0].startswith("0x"):
            value, low, high = has(rows[int(words[0], 16)])
            assert "%d [%d,%d]" % (value, round(low), round(high)) in line, (line, value, low, high)


def test_csv():
    """CSV has what JSON has"""
    path = recorded("both")
    rows = listed("packed", path)
    found = {}
    for row in csv.DictReader(io.StringIO(good("annotate", "--format", "csv", "packed", path))):
        if row["section"].startswith("annotate_") and row["column"].startswith("executions"):
            found.setdefault((row["section"], int(row["row"], 16)), {})[row["column"]] = row["value"]
    assert found
    for (_, address), columns in found.items():
        value, low, high = has(rows[address])
        equal([float(columns["executions" + end]) for end in ("", "_low", "_high")], [value, low, high],
              "CSV of %x" % address)


def without(*arguments, **how):
    """@return why no instruction has executions, which the note of each listing says, too"""
    text, listing = good("annotate", *arguments, **how), tables(*arguments)
    reasons = {has(row) for table in listing for row in table["rows"]}
    equal(len(reasons), 1, "reasons")
    assert "executions [95% CI]" not in text, text
    assert "no executions: " in text, text
    return reasons.pop()


def test_reasons():
    """absent with its reason: other events, call stacks, chosen samples, several recordings, a pipe"""
    execution, path = program()
    draw = [record for _, record in known.draw_samples(execution, 2000, 3)]

    def of(name, kind, sample_type=SAMPLE, stack=0, draw=draw):
        return kept(name, known.file_of([(known.event(kind, sample_type, stack=stack), 1)], draw, path))

    equal(without(of("cycles.data", CYCLES)),
          "event1: it does not count instructions, its samples have no branch stacks", "cycles")
    equal(without(recorded("calls", samples=0, stack_type=USER | ANY | CALL_STACK)),
          "event1: no samples; event2: it does not count instructions, the stack is one of calls: what has "
          "returned is taken off it", "call stacks")
    both = recorded("both")
    equal(without("--filter", "ip > 0", both), "samples are chosen by what they tell (--filter)", "--filter")
    equal(without("packed", both, recorded("few", samples=30, seed=4)),
          "of several recordings: annotate one of them", "two")
    with open(both, "rb") as file:
        done = subprocess.run([PRECIS, "annotate", "packed", "-"], stdin=file, capture_output=True, text=True,
                              check=True)
    assert "no executions: what comes from a pipe is read once" in done.stdout, done.stdout


def test_without_code():
    """without the binary no code is known: the note says so, as each instruction does"""
    path = recorded("both")
    os.makedirs(there("empty"), exist_ok=True)
    words = ("--symfs", there("empty"), path)
    reasons = {has(row) for row in tables(*words)[0]["rows"]}
    equal(len(reasons), 1, "reasons")
    reason = reasons.pop()
    assert "not found" in reason, reason
    text = " ".join(good("annotate", *words).split())
    assert "no executions: " + reason in text and "executions: estimated" not in text, text


def test_run_time_code():
    """code of a jitdump is in no file, and not listed: that is why, not that nothing would run there"""
    program()
    at, path = 0x7f0000001000, there("jit-%d.dump" % known.PID)
    known.jitdump(path, known.PID, at, b"\x48\xff\xc0" * 3 + b"\x75\xf5\xc3", b"loop")
    records = known.mapping(path, 0x700000, 4096, 0) + known.mapping("//anon", at, 4096, 0)
    records += [known.sample(1, at + 3 * (n % 3), 1000 + n, 1000) for n in range(100)]
    path = kept("jit.data", known.file_of_records([(known.event(known.INSTRUCTIONS), 1)], records))
    equal({has(row) for row in tables(path)[0]["rows"]}, {"code made at run time, which is in no file"})
    assert "no executions: code made at run time, which is in no file" in " ".join(good("annotate", path).split())


def test_parts():
    """of a thread, of a CPU, of a time: executions are those of the part, as precis mix has them"""
    both = recorded("both")
    of_all = listed("packed", both)
    loop = program()[0].addresses["packed_loop", 0]
    # of samples that are chosen the sum is an estimate, too, which changes little
    for chosen in (("--tid", str(known.TID)), ("--filter", "tid == %d" % known.TID)):
        for found, whole in zip(has(listed("packed", both, *chosen)[loop]), has(of_all[loop])):
            assert abs(found / whole - 1) <= 0.01, (chosen, found, whole)
    half = has(listed("packed", both, "--time", "0%-50%")[loop])[0]
    assert 0.4 <= half / has(of_all[loop])[0] <= 0.6, (half, has(of_all[loop]))


def test_samples_alone():
    """instructions without stacks, and stacks without instructions: what precis mix can estimate"""
    for name, how in (("samples", {"stacks": 0}), ("stacks", {"samples": 0})):
        rows = listed("packed", recorded(name, **how))
        loop = program()[0].addresses["packed_loop", 0]
        assert abs(has(rows[loop])[0] / truth()[loop] - 1) < 0.2, (name, rows[loop])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
