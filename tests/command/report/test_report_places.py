#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by of instructions and of blocks that callers asked for: places are kept in slots by a hash of their
address, and whichever instruction shares its slot with a caller's has its own function and its own data all the same.
"""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import side_file
import tap
from command import good
from tap import equal

PID, BLOCK, BYTES, SAMPLES = 100, 0x10000, 4096, 3
START, LENGTH, INSTRUCTION = 0x400000, 0x100000, 0x100  # the program, and where in it
STACK, ALLOC = 1, 1


def slot(address):
    """As analysis/by/places.c has it, of user code of the process; another hash makes the test say nothing"""
    space = 2 << 32 | PID
    return (address ^ space) * 0x9e3779b97f4a7c15 % (1 << 64) >> 52


def call():
    """Behind which instruction of the program a caller stands that has the same slot"""
    return next(offset for offset in range(0x200, LENGTH) if slot(START + offset - 1) == slot(START + INSTRUCTION))


def side_file_of(name, caller):
    """One block, whose caller is known"""
    header = struct.pack("<8s6I5Q4I", side_file.MAGIC, 1, 408, PID, 0, side_file.COUNTER, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0)
    header += bytes(32) + b"/bin/made".ljust(256, b"\0") + bytes(32)
    stack = b"".join(map(side_file.varint, (STACK, 1, 0, 1, caller << 1)))
    event = b"".join(map(side_file.varint, (ALLOC, BLOCK // 16 << 2, BYTES, 1)))
    path = os.path.join(accesses.SCRATCH.name, name)
    return side_file.written(path, header + side_file.chunk(side_file.DEFINITIONS, stack, count=1) +
                             side_file.chunk(side_file.EVENTS, event, PID, 0, 1))


def test_slots():
    """Before and behind a block's row it is the same instruction"""
    beside = side_file_of("made.objects", START + call())
    records = [side_file.counter_is_time(), side_file.mapped(PID, beside, 100),
               accesses.mmap(PID, START, LENGTH, "/bin/made", is_data=False)]
    records += [accesses.ibs(BLOCK + 64 * n, PID, 1, pid=PID, time=10 ** 9 + n, ip=START + INSTRUCTION)
                for n in range(SAMPLES)]
    path = accesses.ibs_recording("slots", records)
    text = good("report", "--by", "dso,object,instruction", path)
    rows = dict(re.findall(r"^  (1[.0-9]*) .* 0  (\S.*)$", text, re.MULTILINE))
    assert rows.get("1.1", "").startswith("block of [made+"), text
    equal({name for row, name in rows.items() if row.count(".") == 2}, {"%#x (made)" % INSTRUCTION}, "instructions")


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
