# SPDX-License-Identifier: BSD-3-Clause
"""The records of a file as `perf report -D` of stock perf prints them, by their offsets."""
import glob
import os
import re
import struct
import subprocess

PIPE_HEADER = 16  # bytes, which perf does not count

RECORD = re.compile(r"^(?:(-?\d+) )?(\d+) (0x[0-9a-f]+) \[(0x[0-9a-f]+)\]: PERF_RECORD_(\w+)(.*)")
TOOL_RECORD = re.compile(
    r"^(?:(-?\d+) )?(?:\d+ )?(0x[0-9a-f]+) \[(0x[0-9a-f]+)\]: PERF_RECORD_(\w+)")
CHAIN = re.compile(r"^\.\.\. FP chain: nr:(\d+)")
BRANCHES = re.compile(r"^\.\.\. branch (?:stack|callstack): nr:(\d+)")
REGISTERS = re.compile(r"^\.\.\. (user|intr) regs: mask 0x([0-9a-f]+) ABI (\S+)")
REGISTER = re.compile(r"^\.\.\.\. (\S+)\s+0x([0-9a-f]+)$")
ENTRY = re.compile(r"^\.\.\.\.\.\s+\d+: ([0-9a-f]{16})$")
BRANCH = re.compile(
    r"^\.\.\.\.\.\s+\d+: ([0-9a-f]{16}) -> ([0-9a-f]{16}) (\d+) cycles\s+(.*?)\s*\S+\s*$")
TIMES = re.compile(r"^\.\.\.\.\.? time (enabled|running) ([0-9a-f]+)")
VALUE = re.compile(r"^\.\.\.\.\. id ([0-9a-f]+), value ([0-9a-f]+)(?:, lost (\d+))?")
STACK = re.compile(r"^\.\.\. ustack: size (\d+)")


class Record:
    """One record; the lists are those of a sample, None where perf printed none."""

    def __init__(self, kind, size, rest):
        self.kind, self.size, self.rest = kind, size, rest
        self.chain = self.branches = self.stack_bytes = None
        self.registers, self.values, self.times = {}, [], {}

    def take(self, line):
        """A line that belongs to it."""
        found = CHAIN.match(line)
        if found:
            self.chain = []
            return
        found = BRANCHES.match(line)
        if found:
            self.branches = []
            return
        found = REGISTERS.match(line)
        if found:
            self.registers[found.group(1)] = []
            return
        found = BRANCH.match(line)
        if found:
            self.branches.append((int(found.group(1), 16), int(found.group(2), 16),
                                  int(found.group(3)), found.group(4)))
            return
        found = ENTRY.match(line)
        if found and self.chain is not None and self.branches is None:
            self.chain.append(int(found.group(1), 16))
            return
        found = REGISTER.match(line)
        if found and self.registers:
            last = list(self.registers)[-1]
            self.registers[last].append((found.group(1), int(found.group(2), 16)))
            return
        found = TIMES.match(line)
        if found:
            self.times[found.group(1)] = int(found.group(2), 16)
            return
        found = VALUE.match(line)
        if found:
            self.values.append((int(found.group(1), 16), int(found.group(2), 16),
                                None if found.group(3) is None else int(found.group(3))))
            return
        found = STACK.match(line)
        if found:
            self.stack_bytes = int(found.group(1))


def foreign_files(shared):
    """Recordings of other people."""
    return sorted(path for path in glob.glob(os.path.join(shared, "perfdata", "*"))
                  if os.path.isfile(path) and not path.endswith((".tsv", ".md")))


def in_front(path):
    """What perf's offsets lack to be those in the file."""
    with open(path, "rb") as file:
        head = file.read(PIPE_HEADER)
    return PIPE_HEADER if head[8:] == struct.pack("<Q", PIPE_HEADER) else 0


def records_of(perf, path):
    """{offset: Record}, or None where this perf cannot read the file; and what perf says then."""
    done = subprocess.run([perf, "report", "-D", "-i", path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200)
    records, last, front = {}, None, in_front(path)
    for line in done.stdout.decode(errors="replace").splitlines():
        found = RECORD.match(line)
        if found:
            last = Record(found.group(5), int(found.group(4), 16), found.group(6))
            records[int(found.group(3), 16) + front] = last
        elif last and line.startswith("..."):
            last.take(line)
        elif not line.startswith(" ..."):
            last = None
            found = TOOL_RECORD.match(line)
            if found:
                records[int(found.group(2), 16) + front] = Record(found.group(4),
                                                                  int(found.group(3), 16), "")
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return (records if records else None), (said[0] if said else "no records")
