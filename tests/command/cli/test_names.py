#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Names of any origin in text and CSV: UTF-8 that shows itself, that tells what was recorded, and
that is no formula. What shows itself, Unicode says."""
import csv
import io
import json
import os
import re
import struct
import sys
import tempfile
import unicodedata

import perfdata
import tap
from command import run
from tap import equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
CGROUP, RECORD_CGROUP, RECORD_MMAP, RECORD_COMM = 1 << 21, 19, 1, 3
HIDDEN = ("Cc", "Cf", "Zl", "Zp", "Cs")
CMDLINE = 11

# As names of 15 bytes at most: threads have no more
EVIL = [b"\x1b[31mred\x07\x7f", b"\xc2\x9b31m\xc2\x85", b"\xe2\x80\xaefdp.exe", b"\xe2\x80\xa8\xe2\x80\xa9x",
        b"\xe2\x81\xa6\xe2\x81\xa9\xef\xbb\xbf", b"\xff\xfe\xc0\x80", b"\xed\xa0\x80\xf5", b"a\\x1b\\\\b",
        b"=1+2", b"+1", b"-bash", b"@SUM(A1)", b"\xef\xbc\x9d1", b"\t=1", b"a\r\nb", b'q"u,o;t',
        "näïve日本".encode(), "\U0001f427 ok".encode()]


def scratch(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def unescape(text):
    """Back to bytes, by the manual's words alone"""
    out = bytearray()
    pattern = re.compile(r"\\x([0-9a-f]{2})|\\u\{([1-9a-f][0-9a-f]*)\}|\\(\\)|([^\\]+)", re.S)
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        assert found, text[at:at + 20]
        byte, number, backslash, plain = found.groups()
        out += (bytes([int(byte, 16)]) if byte else chr(int(number, 16)).encode() if number else
                b"\\" if backslash else plain.encode())
        at = found.end()
    return bytes(out)


def shows_itself(out):
    """Text as it was printed: UTF-8 without controls, but for line feeds"""
    for character in set(out) - {"\n"}:
        assert unicodedata.category(character) not in HIDDEN, hex(ord(character))


def recorded(name):
    """A sample to which all names are this one; its event is named like that, too"""
    trailer = struct.pack("<IIQQII", 100, 101, 5, 1, 0, 0)
    padded = name + b"\0" * (8 - len(name) % 8)
    path = b"/" + name
    path += b"\0" * (8 - len(path) % 8)
    sample_type = perfdata.SAMPLE_TYPE & ~perfdata.RAW | CGROUP
    body = struct.pack("<QIIQQIIQ", 0x401000, 100, 101, 10, 1, 0, 0, 77)
    records = [
        perfdata.record(RECORD_COMM, struct.pack("<II", 100, 101) + padded + trailer, 1 << 13),
        perfdata.record(RECORD_MMAP, struct.pack("<IIQQQ", 100, 100, 0x400000, 0x2000, 0) + path +
                        trailer, 2),
        perfdata.record(RECORD_CGROUP, struct.pack("<Q", 77) + padded + trailer),
        perfdata.record(perfdata.RECORD_SAMPLE, body, 2)]
    shown = name.decode("utf-8", "surrogateescape")
    events = [(perfdata.attr(kind=1, sample_type=sample_type), [1], shown)]
    features = {perfdata.HOSTNAME: perfdata.string(shown), CMDLINE: perfdata.strings("perf", shown),
                perfdata.OSRELEASE: perfdata.string(shown), perfdata.CPUID: perfdata.string("x"),
                perfdata.EVENT_DESC: perfdata.event_desc(events)}
    return scratch("evil.data", perfdata.perf_data(records, events, features))


def printed(*arguments):
    result = run(*arguments)
    assert result.code == 0, result
    shows_itself(result.out)
    shows_itself(result.err)
    return result.out


def test_dump():
    """dump: names of threads, files, cgroups, events come back from text and from CSV"""
    fields = {"comm": b"", "dso": b"/", "cgroup_path": b"", "event": b""}
    for name in EVIL:
        path = recorded(name)
        for field, before in fields.items():
            out = printed("dump", "-F", field, path)
            assert out.startswith(field + "=") and out.endswith("\n"), out
            equal(unescape(out[len(field) + 1:-1]), before + name, field)
            rows = list(csv.reader(io.StringIO(printed("dump", "-F", field, "--format", "csv", path))))
            equal((len(rows), len(rows[1])), (2, 1), name)
            equal(unescape(rows[1][0]), before + name, field)
            assert rows[1][0][0] not in "=+-@\t\r＝＋－＠", rows
        printed("dump", "--records", path)


def test_report():
    """report: text without controls; from CSV names come back"""
    for name in EVIL:
        path = recorded(name)
        printed("report", path)
        rows = list(csv.reader(io.StringIO(printed("report", "--format", "csv", path))))
        for row in rows[1:]:
            for cell in row[:4]:
                assert not cell or cell[0] not in "=+-@\t\r＝＋－＠" or row[3] == cell, row
        objects = [row[3] for row in rows if row[2] == "object"]
        equal([unescape(cell) for cell in objects], [b"/" + name])
        json.loads(run("report", "--format", "json", path).out)


def test_info():
    """info: hosts, kernels, commands, events, files"""
    for name in EVIL:
        out = printed("info", recorded(name))
        shown = [line for line in out.splitlines() if "host" in line]
        assert any(unescape(line).endswith(name) or name in unescape(line) for line in shown), out


def test_messages():
    """messages on standard error"""
    for name in EVIL:
        if b"/" in name:
            continue
        result = run("dump", os.path.join(SCRATCH.name.encode(), b"none-" + name).decode(
            "utf-8", "surrogateescape"))
        equal(result.code, 1)
        shows_itself(result.err)
        assert b"none-" + name in unescape(result.err), result


def test_every_character():
    """every character of Unicode: shown if it can be, escaped if not"""
    characters = [chr(n) for n in range(1, 0x110000) if not 0xd800 <= n < 0xe000 and n != 0x20]
    words = ["".join(characters[n:n + 2048]).encode() for n in range(0, len(characters), 2048)]
    packed = [struct.pack("<I", len(word) + 1) + word + b"\0" for word in words]
    features = {CMDLINE: struct.pack("<I", len(packed)) + b"".join(packed)}
    path = scratch("all.data", perfdata.perf_data([perfdata.sample(None)], features=features))
    out = run("info", path).out
    shows_itself(out)
    found = b"".join(unescape(out).split())
    assert b"".join(b"".join(words).split()) in found
    shown = set(out)
    for character in characters:
        if unicodedata.category(character)[0] in "LNPSM" and character != "\\":
            assert character in shown, hex(ord(character))


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
