# SPDX-License-Identifier: BSD-3-Clause
"""Side files of the recorder of objects, by hand as precis-objects(5) has them; times are the recording's."""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import perfdata

MAGIC, CHUNK_MAGIC, EVENTS, DEFINITIONS, ALLOC, NAME = b"PRECISOB", 0x4b435250, 1, 2, 1, 9
STRING, COUNTER = 2, 2
RECORD_FORK, RECORD_TIME_CONV = 7, 79
WORD = (1 << 64) - 1


def checksum(chunk):
    total = len(chunk)
    for word, in struct.iter_unpack("<Q", chunk):
        total = (total ^ word) * 0x9e3779b97f4a7c15 & WORD
        total ^= total >> 29
    return (total ^ total >> 32) & 0xffffffff


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def chunk(kind, payload, tid=0, time=0, count=0):
    def head(total):
        return struct.pack("<IHHIIIIQQII", CHUNK_MAGIC, kind, 0, len(payload), total, tid, 0, time,
                           time, count, 0) + bytes(120 - 48)

    padded = payload + b"\0" * (-len(payload) % 8)
    return head(checksum(head(0) + padded)) + padded


def named(pid, start, size, name, time=0):
    """The file of a process that has named one object"""
    header = struct.pack("<8s6I5Q4I", MAGIC, 1, 408, pid, 0, COUNTER, 0, time, time, 0, 0, 0, 16, 0, 0, 0)
    header += bytes(32) + b"/bin/made".ljust(256, b"\0") + bytes(32)
    string = varint(STRING) + varint(1) + varint(len(name)) + name.encode()
    event = varint(NAME) + varint(start // 16 * 2 << 1) + varint(size) + varint(1) + varint(0)
    return header + chunk(DEFINITIONS, string) + chunk(EVENTS, event, pid, time, 1)


def written(path, whole):
    with open(path, "wb") as file:
        file.write(whole)
    return path


def counter_is_time():
    """A counter's ticks are the recording's nanoseconds."""
    return perfdata.record(RECORD_TIME_CONV, struct.pack("<5QBB6x", 0, 1, 0, 0, 0, 1, 0))


def mapped(pid, path, time=1):
    """By which a recording names the file: a page of it, which can be executed"""
    path = path.encode()
    body = struct.pack("<IIQQQIIQQII", pid, pid, 0x7f0000000000, 4096, 0, 0, 0, 0, 0, 5, 2)
    body += path + b"\0" * (8 - len(path) % 8) + accesses.sample_id(pid, pid, time)
    return perfdata.record(accesses.RECORD_MMAP2, body, accesses.USER)


def forked(pid, parent, time):
    body = struct.pack("<IIIIQ", pid, parent, pid, parent, time) + accesses.sample_id(pid, pid, time)
    return perfdata.record(RECORD_FORK, body)
