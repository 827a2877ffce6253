#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What takes long before there is a record to hand out says on a terminal how far it is."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time

import tap
from command import PRECIS, run
from perfdata import COMPRESSED, attr, compressed_zeros, op_payload, perf_data, record, sample
from tap import equal

HERE = sys.modules[__name__]
PATIENCE = 120  # seconds until a line on the terminal is given up
HEADER_ATTR = 64
SAMPLES = sample(op_payload(), time=1000) * 4096


class Terminal:
    """What a program writes to its standard error, which is a terminal."""

    def __init__(self):
        self.here, self.there = os.openpty()
        self.said = b""
        self.thread = threading.Thread(target=self.listen)

    def listen(self):
        try:
            while chunk := os.read(self.here, 4096):
                self.said += chunk
        except OSError:  # EIO: the other end is closed
            pass

    def start(self):
        os.close(self.there)
        self.thread.start()

    def end(self):
        self.thread.join()
        os.close(self.here)
        return self.said


def feed(start, *options, until=None):
    """
    A recording through a pipe, whose samples do not end until the terminal says 'until'; None: which
    has but some.
    @return what the program printed, how many samples it got, what the terminal said
    """
    terminal, count = Terminal(), 0
    with subprocess.Popen([PRECIS, "dump", "-F", "cpu", *options, "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=terminal.there) as process:
        terminal.start()
        printed = []
        reader = threading.Thread(target=lambda: printed.append(process.stdout.read()))
        reader.start()
        process.stdin.write(start)
        deadline = time.monotonic() + PATIENCE
        while not count or (until and until not in terminal.said and
                            time.monotonic() < deadline):
            process.stdin.write(SAMPLES)
            process.stdin.flush()
            count += 4096
            time.sleep(.05)  # a slow writer: fewer samples to read, no condition of the test
        process.stdin.close()
        reader.join()
        process.wait()
    equal(process.returncode, 0)
    return printed[0].count(b"\n"), count, terminal.end()


def check(start, step, *options):
    lines, count, said = feed(start, *options, until=b"standard input, %s " % step)
    assert b"standard input, %s " % step in said and b"MB/s)" in said, said
    equal(lines, count, "samples")
    assert said.endswith(b"\r\x1b[K"), said  # the line has been taken away
    said = feed(start, "--no-progress", *options)[2]
    equal(said, b"", "with --no-progress")


def test_copy():
    """a seekable recording that comes through a pipe is copied"""
    check(perf_data([], features={}, size_of_data=0), b"copying")


def test_sort():
    """records that no round tells to be complete are read ahead to the last"""
    start = b"PERFILE2" + struct.pack("<Q", 16) + record(HEADER_ATTR, attr() + struct.pack("<Q", 1))
    check(start, b"sorting", "--sorted")


def compressed(name, records):
    """A file of these records, which is removed with the last who knows it. Skips without zstd."""
    features = {COMPRESSED: struct.pack("<5I", 1, 1, 1, 1, 1 << 20)}  # version, zstd, level, ratio, mmap
    file = tempfile.NamedTemporaryFile(prefix=name)
    file.write(perf_data(records, features=features))
    file.flush()
    if "has no zstd" in run("dump", "-n", "1", file.name).err:
        raise tap.Skip("built without zstd")
    return file


def test_few_bytes_that_are_many_records():
    """where next to no byte of the file is read in a second, the number of records goes on"""
    count = 2000000
    file = compressed("few", compressed_zeros(count, size=16))
    terminal = Terminal()
    with subprocess.Popen([PRECIS, "dump", "--records", file.name], stdout=subprocess.PIPE,
                          stderr=terminal.there) as process:
        terminal.start()
        printed, deadline = 0, time.monotonic() + PATIENCE
        while b" records)" not in terminal.said and time.monotonic() < deadline:
            printed += process.stdout.read(4096).count(b"\n")
            time.sleep(.01)  # a slow reader, so that it takes long; no condition of the test
        printed += process.stdout.read().count(b"\n")
    said = terminal.end()
    equal((process.returncode, printed), (0, count))
    found = re.search(rb"%s +\d+%% \((\d+) records\)" % re.escape(file.name.encode()), said)
    assert found and 0 < int(found.group(1)) <= count and b"(0 MB/s)" not in said, said


def test_limit_of_expansion():
    """what becomes more than a thousand times as many bytes is refused, unless an option says otherwise"""
    count = 16800  # just over 1 GiB
    file = compressed("bomb", compressed_zeros(count))
    for command in "info", "dump", "report":
        result = run(command, file.name)
        equal(result.code, 1, command)
        assert re.search(r"%s: offset 0x[0-9a-f]+ \(\d+\): compressed data become too many: \d+ bytes "
                         r"of \d+, more than 1000 times as many .*; --max-expansion none reads on$"
                         % re.escape(file.name), result.err, re.M), result.err
        equal(run(command, "--max-expansion", "2", file.name).code, 1, command)
        for limit in "none", "1000000":
            result = run(command, "--max-expansion", limit, file.name)
            equal(result.code, 0, (command, limit, result.err))
            assert "become too many" not in result.err, result.err
    lines = run("dump", "--records", "--max-expansion", "none", file.name).out
    equal(lines.count("\n"), count)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
