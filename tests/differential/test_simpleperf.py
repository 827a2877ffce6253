#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings of simpleperf, Android's recorder: formats of tracepoints inside a record. A recording of
perf is written anew in each of the ways that simpleperf had, and must say what it said before
(test_tracepoints.py compares that with perf); one of simpleperf's own is taken apart by hand.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

from built import WITHOUT
from differential import PRECIS, SHARED, TOP, done, note, ok, skip

TRACING_DATA, EVENT_DESC, OLD_RECORD = 1, 12, 66
FIRST = 32768
KERNEL_SYMBOL, SPLIT, SPLIT_END, NEW_RECORD = FIRST + 1, FIRST + 4, FIRST + 5, FIRST + 9


def header(kind, size):
    """simpleperf's own types keep the high half of the size where others have misc"""
    assert kind > FIRST or size < 1 << 16
    return struct.pack("<IHH", kind, size >> 16, size & 0xffff)


def tracing(kind, data):
    body = struct.pack("<I", len(data)) + data + b"\0" * (-len(data) % 64)
    return header(kind, 8 + len(body)) + body


def split(record):
    """A record that is too long for its header, in older versions"""
    most = 65535 - 8
    parts = [record[at:at + most] for at in range(0, len(record), most)]
    return b"".join(header(SPLIT, 8 + len(part)) + part for part in parts) + header(SPLIT_END, 8)


def sections(recording):
    """@return the numbers and bytes of a perf.data file's features"""
    at, size = struct.unpack_from("<QQ", recording, 40)
    bits = [n for n in range(256) if recording[72 + n // 8] >> n % 8 & 1]
    found = {}
    for row, number in enumerate(bits):
        start, count = struct.unpack_from("<QQ", recording, at + size + 16 * row)
        found[number] = recording[start:start + count]
    return found


def rewritten(recording, in_front):
    """Without tracing data and names of events; 'in_front' stands before the records."""
    at, size = struct.unpack_from("<QQ", recording, 40)
    found = sections(recording)
    kept = {n: data for n, data in found.items() if n not in (TRACING_DATA, EVENT_DESC)}
    data = in_front + recording[at:at + size]
    bits = sum(1 << n for n in kept).to_bytes(32, "little")
    head = recording[:40] + struct.pack("<QQ", at, len(data)) + recording[56:72] + bits
    place = at + len(data) + 16 * len(kept)
    table, bodies = b"", b""
    for _, body in sorted(kept.items()):
        table += struct.pack("<QQ", place + len(bodies), len(body))
        bodies += body
    return head + recording[104:at] + data + table + bodies


def dumped(path, fields="event,time,cpu,tid,trace"):
    run = subprocess.run([PRECIS, "dump", "-F", fields, path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    return run.stdout.decode(), run.returncode


def made(work):
    with open(os.path.join(TOP, "tests", "recordings", "forms", "tracepoints"), "rb") as file:
        original = file.read()
    formats = sections(original)[TRACING_DATA]
    symbols = header(KERNEL_SYMBOL, 12 + 70000 + 4) + struct.pack("<I", 70000) + b"x" * 70004
    ways = {
        "in the record of perf's type": tracing(OLD_RECORD, formats),
        "in a record of its own": tracing(NEW_RECORD, formats),
        "in one of more than 64 KiB": tracing(NEW_RECORD, formats + b"\0" * 70000),
        "split over several": split(tracing(NEW_RECORD, formats + b"\0" * 140000)),
        "behind kernel symbols of 70000 bytes": symbols + tracing(NEW_RECORD, formats),
    }
    path = os.path.join(work, "simpleperf.data")
    expected, _ = dumped(os.path.join(TOP, "tests", "recordings", "forms", "tracepoints"))
    for name, in_front in ways.items():
        with open(path, "wb") as out:
            out.write(rewritten(original, in_front))
        found, code = dumped(path)
        if found != expected:
            note("exit code %d, %d lines, expected %d" % (code, found.count("\n"),
                                                         expected.count("\n")))
        ok(expected and " trace=" in expected and found == expected and code == 0,
           "tracing data %s" % name)


def broken(work):
    """Sizes that lie: an end by an error or without texts, never without an end"""
    with open(os.path.join(TOP, "tests", "recordings", "forms", "tracepoints"), "rb") as file:
        original = file.read()
    formats = sections(original)[TRACING_DATA]
    whole = tracing(NEW_RECORD, formats)
    path = os.path.join(work, "broken.data")
    lies = [whole[:8] + struct.pack("<I", size) + whole[12:] for size in (0, 1, 0xffffffff)]
    lies += [header(NEW_RECORD, size) + whole[8:] for size in (8, 12, 0x7fffffff)]
    lies += [header(SPLIT, 8) * 3, header(SPLIT, 65535) + whole[8:], header(SPLIT_END, 8)]
    codes = []
    for lie in lies:
        with open(path, "wb") as out:
            out.write(rewritten(original, lie))
        codes.append(dumped(path)[1])
    ok(all(code in (0, 1) for code in codes), "sizes that lie: exit codes %s" % codes)


def android():
    """Each sample's fields, by the format that stands in the recording"""
    name = "a recording of Android's kprobes"
    path = os.path.join(SHARED, "perfdata", "GrapheneOS_platform_system_extras__"
                        "perf_with_tracepoint_event_dynamic_field.data")
    if not os.path.exists(path):
        skip(name, "no %s" % path)
        return
    if "libtraceevent" in WITHOUT:
        skip(name, "built without libtraceevent")
        return
    raws = re.findall(r"raw=([0-9a-f]+)", dumped(path, "event,raw")[0])
    expected = []
    for raw in map(bytes.fromhex, raws):
        ip, where, directory = struct.unpack_from("<QIi", raw, 8)
        start, count = where & 0xffff, where >> 16
        text = raw[start:start + count].split(b"\0")[0].decode()
        expected.append('event=kprobes:myopen trace=(%x) name="%s" dfd=%d' % (
            ip, text, directory))
    found = dumped(path, "event,trace")[0].splitlines()
    if found != expected:
        note("found %s, expected %s" % (found[:2], expected[:2]))
    ok(len(expected) == 10 and found == expected, name)


def main():
    with tempfile.TemporaryDirectory() as work:
        made(work)
        broken(work)
    android()
    done()


if __name__ == "__main__":
    main()
