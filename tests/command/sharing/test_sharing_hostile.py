#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis sharing on recordings that are damaged, absurd, or of more lines than are kept."""
import json
import os
import random
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import accesses as made
import tap
from accesses import HITM_LOAD, PERIOD_OF_LOADS, load, recording, store
from command import good, kib_of, run
from quick import FEW
from tap import equal

LINE = 0x7f0000001000
KEPT, WAYS_KEPT = 65536, 98304  # lines, and ways to access them


def some_records():
    records = [made.comm(100, 101, "a"), made.mmap(100, LINE, 0x1000, "//anon")]
    records += [store(LINE, 101)] * 4 + [load(LINE + 8, 102, HITM_LOAD)] * 4
    return records + [made.ibs(LINE, 101, 2), made.ibs(LINE, 102, 1, 8, (1, 0))]


def test_damage():
    """flipped bits, and files that are cut: what can be read is told, and nothing crashes"""
    path = recording("whole", some_records())
    with open(path, "rb") as file:
        whole = file.read()
    numbers = random.Random(1)
    for n in range(60 if FEW else 600):
        data = bytearray(whole)
        if n % 3 == 0:
            data = data[:numbers.randrange(len(data))]
        for _ in range(numbers.choice((1, 3, 20))):
            if data:
                data[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
        broken = made.write("broken", bytes(data))
        result = run("sharing", "--format", numbers.choice(("text", "json", "csv")), "--by",
                     numbers.choice(("thread", "process", "cpu", "core", "node")), broken)
        assert result.code in (0, 1), result


def test_absurd():
    """addresses, widths, thread numbers and times at their ends"""
    ends = (0, 1, 63, 64, 1 << 47, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
    records = []
    for address in ends:
        for tid in (0, 1, 2 ** 31 - 1, 2 ** 32 - 1):
            for time in (0, 1, 2 ** 64 - 1):
                records.append(store(address, tid, pid=tid, time=time))
                records.append(load(address, tid ^ 1, HITM_LOAD, pid=tid, time=time, cpu=2 ** 32 - 1))
    path = recording("absurd", records)
    for by in ("thread", "process", "cpu", "core", "node"):
        json.loads(good("sharing", "--format", "json", "--by", by, path))


def test_many_lines():
    """hundreds of thousands of private lines: memory is bounded, and the line that is shared is found"""
    count = 150000 if FEW else 600000
    records = []
    for n in range(count):
        records.append(load(LINE + 64 * (n + 1000), 101) if n % 2 else store(LINE + 64 * (n + 1000), 102))
        if n % 300 == 0:
            records += [store(LINE, 101), load(LINE, 102, HITM_LOAD)]
    path = recording("many", records)
    shared = (count + 299) // 300
    told = json.loads(good("sharing", "--no-symbols", "--format", "json", path))
    line = told["sharing_lines"]["rows"][0]
    equal((line["address"], line["missed"], line["transfers"], line["store_samples"]),
          (hex(LINE), 0, shared * PERIOD_OF_LOADS, shared))
    left_out = [re.search("([0-9]+) were left out, with at most ([0-9]+) samples", note)
                for note in told["sharing"]["notes"]]
    dropped, floor = [map(int, found.groups()) for found in left_out if found][0]
    # all but those kept, of which there are half as many at least; the bound of statistics/heavy.h
    assert count - KEPT <= dropped <= count and 1 <= floor <= (count + 17 * shared) / (KEPT / 2), (dropped, floor)
    few = recording("few", records[:100])
    took = [kib_of("sharing", "--no-symbols", "--format", "csv", of) for of in (path, few)]
    assert took[0] - took[1] < 64 << 10, took


def test_many_ways():
    """one line that more instructions access than are kept: all samples count, some in no figure of transfers"""
    count = 300000
    one = load(LINE, 102, HITM_LOAD)
    records = [one[:8] + struct.pack("<Q", 0x400000 + n) + one[16:] for n in range(count)] + [store(LINE, 101)]
    told = json.loads(good("sharing", "--no-symbols", "--format", "json", recording("ways", records)))
    line = told["sharing_lines"]["rows"][0]
    kept = WAYS_KEPT
    equal((line["transfer_samples"], line["store_samples"]), (kept, 0))
    assert any("%d samples of these lines had no room" % (count + 1 - kept) in note
               for note in told["sharing"]["notes"]), told["sharing"]


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
