#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis mix of recordings that hold counts: read along with samples, and of tasks that ended."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]

import known_program as known
import perfdata
import tap
from command import good
from known_files import kept, program, recorded
from known_program import ANY, BRANCH_STACK, CYCLES, INSTRUCTIONS, PID, SAMPLE, TAKEN, TID, USER
from tap import Skip, equal

READ = 1 << 4  # PERF_SAMPLE_READ
ENABLED, RUNNING, FORMAT_ID, GROUP = 1, 2, 4, 8  # PERF_FORMAT_*
EXCLUDE_KERNEL, INHERIT_STAT = 1 << 5, 1 << 11 | 1 << 1
RECORD_READ = 8


def page(*arguments):
    return json.loads(good("mix", "--format", "json", "--top", "0", *arguments))


def event(kind, read_format, flags=0, **how):
    attr = bytearray(known.event(kind, flags=EXCLUDE_KERNEL | flags, **how))
    struct.pack_into("<Q", attr, 32, read_format)
    return bytes(attr)


def with_counts(sample, block):
    """A sample of cycles with a block of counts before its stack"""
    return perfdata.record(perfdata.RECORD_SAMPLE, sample[8:48] + block + sample[48:], 2)


def of_group(name, running=1.0, flags=0, last=1.0):
    """
    '{cycles,instructions}:S' with stacks: both counts in each sample of cycles, which is the group's first event;
    'running': the part of the time that the group had counters, 'last': that of the run before the last sample
    """
    execution, path = program()
    read_format = ENABLED | RUNNING | FORMAT_ID | GROUP
    events = [(event(CYCLES, read_format, sample_type=SAMPLE | READ | BRANCH_STACK, stack=ANY | USER, precise=2), 1),
              (event(INSTRUCTIONS, read_format, flags, sample_type=SAMPLE | READ, period=0), 2)]
    drawn = list(known.draw_stacks(execution, 4000, 7, ident=1, unit=37))
    records = []
    for n, (_, sample) in enumerate(drawn, 1):
        done = int(execution.executed * running * last * n / len(drawn))
        block = struct.pack("<QQQQQQQ", 2, 1000 * n, int(1000 * n * running), 37 * n, 1, done, 2)
        records.append(with_counts(sample, block))
    return kept(name + ".data", known.file_of(events, records, path))


def test_counted_with_samples():
    """stacks by cycles, and instructions counted along with them: how many executions there were is known"""
    execution, _ = program()
    assert page(recorded("cycles", samples=0, kind=CYCLES))["instructions"] is None
    for name, running in (("whole", 1.0), ("shared", 0.25)):
        found = page(of_group(name, running=running))
        assert abs(found["counted_instructions"] - execution.executed) <= 0.001 * execution.executed, found
        equal(found["counted_instructions_by"], "counts read along with samples")
        assert abs(found["instructions"] - execution.executed) < 0.003 * execution.executed, found
        assert found["instructions_low"] <= execution.executed <= found["instructions_high"], found
        assert found["instructions_high"] < 1.02 * found["instructions_low"], found
        truth = execution.sums(known.mnemonic)
        for row in found["mnemonics"]["rows"]:
            if truth.get(row["row"], 0) > 50000:
                assert abs(row["executions"] / truth[row["row"]] - 1) < 0.04, row
    text = good("mix", of_group("whole"))
    assert re.search(r"counted +%d instructions, by counts read along with samples" % execution.executed, text), text


def test_not_of_these_samples():
    """what counts in other rings, or more than was selected, is no total of it"""
    others = page(of_group("rings", flags=1 << 4))  # exclude_user beside exclude_kernel: nothing of the program
    equal((others["counted_instructions"], others["instructions"]), (None, None))
    part = page("--filter", "ip > 0", of_group("part"))
    equal((part["counted_instructions"], part["instructions"]), (None, None))


def ended(name, tasks, keep=1, flags=INHERIT_STAT):
    """
    perf record -s of instructions and taken branches: what tasks counted, (thread, instructions, branches), as they
    ended; of the samples one in 'keep' was not lost
    """
    execution, path = program()
    events = [(event(INSTRUCTIONS, FORMAT_ID, flags), 1),
              (event(TAKEN, FORMAT_ID, flags, sample_type=SAMPLE | BRANCH_STACK, stack=ANY | USER, precise=2), 2)]
    samples = sorted(list(known.draw_samples(execution, 8000, 3)) + list(known.draw_stacks(execution, 8000, 4)))
    records = [record for n, (_, record) in enumerate(samples) if n % (2 * keep) < 2]
    for tid, *counts in tasks:
        for ident, count in enumerate(counts, 1):
            body = struct.pack("<IIQQ", PID, tid, count, ident) + known.trailer(ident, time=10 ** 9)
            records.append(perfdata.record(RECORD_READ, body))
    return kept(name + ".data", known.file_of(events, records, path))


def test_counted_at_the_end():
    """counts of tasks that ended: right where half of all samples were lost"""
    execution, _ = program()
    executed, taken = execution.executed, len(execution.jumps)
    lost = page(ended("lost", [], keep=2))
    assert abs(lost["instructions"] / executed - 0.5) < 0.02, lost
    assert lost["counted_instructions"] is None, lost
    found = page(ended("counted", [(TID, executed, taken)], keep=2))
    equal((found["counted_instructions"], found["counted_taken"]), (executed, taken))
    equal(found["counted_taken_by"], "counts of tasks that ended")
    assert abs(found["instructions"] - executed) < 0.003 * executed, found
    assert found["instructions_low"] <= executed <= found["instructions_high"], found
    sums = execution.sums(known.mnemonic)
    for row in found["mnemonics"]["rows"]:
        if sums.get(row["row"], 0) > 50000:
            assert abs(row["executions"] / sums[row["row"]] - 1) < 0.04, row
    # Of another thread, which has no sample: beside what samples stand for
    both = page(ended("another", [(TID + 1, executed // 10, taken // 10)]))
    assert abs(both["counted_instructions"] / executed - 1.1) < 0.01, both


def test_contradiction():
    """totals that do not go with one program, as where one event's samples are lost: neither is forced upon it"""
    execution, _ = program()
    found = page(ended("contradiction", [(TID, execution.executed, len(execution.jumps) // 2)]))
    assert found["instructions_low"] <= execution.executed <= found["instructions_high"], found
    assert abs(found["instructions"] / execution.executed - 1) < 0.02, found


def test_damaged():
    """counts that are cut off, or of an event that nobody knows, are passed over"""
    execution, path = program()
    events = [(event(INSTRUCTIONS, FORMAT_ID | GROUP, sample_type=SAMPLE | READ), 1)]
    records = []
    for n, (_, sample) in enumerate(known.draw_samples(execution, 2000, 3)):
        block = struct.pack("<QQQ", *((1, 5, 77) if n % 2 else (1 << 40, 5, 1)))
        records.append(with_counts(sample, block))
    bad = kept("bad.data", known.file_of(events, records, path))
    command = [os.path.join(os.environ["builddir"], "precis"), "mix", "--format", "json", bad]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1) and json.loads(done.stdout)["counted_instructions"] is None, done


def test_stock_perf():
    """perf has the same counts of these files"""
    if not shutil.which("perf"):
        raise Skip("no perf")
    execution, _ = program()
    done = subprocess.run(["perf", "report", "-D", "-i", ended("perf", [(TID, execution.executed, 5)])],
                          capture_output=True, text=True, check=False)
    found = re.findall(r"PERF_RECORD_READ: (\d+) (\d+) \S+ (\d+)", done.stdout)
    equal([tuple(map(int, line)) for line in found], [(PID, TID, execution.executed), (PID, TID, 5)])
    done = subprocess.run(["perf", "report", "-D", "-i", of_group("perf_group")], capture_output=True, text=True,
                          check=False)
    values = re.findall(r"\.+ id 0*2, value 0*(\w+)", done.stdout)
    assert len(values) == 4000 and int(values[-1], 16) == execution.executed, (len(values), values[-3:])


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
