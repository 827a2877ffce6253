# SPDX-License-Identifier: BSD-3-Clause
"""A recording of page faults, written anew with one sample in the middle of each block that the recorder has, and of its life:
so blocks are counted, however seldom each one is touched."""
import csv
import io
import os
import re
import struct
import subprocess

MAGIC, ATTR_SAMPLE_TYPE = b"PERFILE2", 24
SAMPLE, FINISHED_ROUND = 9, 68
IDENTIFIER, IP_TID_TIME_ADDR = 1 << 16, 0xf


def middles(precis, side):
    """@return (process, [(time, address)]), of blocks that lived long enough for a time that is surely theirs"""
    text = subprocess.run([precis, "objects", "--events", "--no-symbols", "--format", "csv", side], capture_output=True,
                          check=True).stdout.decode()
    live, found, last = {}, [], 0
    for row in csv.DictReader(io.StringIO(text)):
        if not row["monotonic_ns"]:
            continue
        last = int(row["monotonic_ns"])
        if row["operation"] in ("alloc", "realloc-alloc"):
            live[row["address"]] = last, int(row["bytes"]), int(row["monotonic_error_ns"] or 0)
        elif row["operation"] in ("free", "realloc-free") and row["address"] in live:
            found.append((row["address"], last, *live.pop(row["address"])))
    found += [(address, last + 10 ** 6, *block) for address, block in live.items()]
    return int(re.search(r"precis-(\d+)", os.path.basename(side))[1]), sorted(
        ((begin + end) // 2, int(address, 16) + (size // 2 + 7 & ~7 if size > 8 else 0))
        for address, end, begin, size, error in found if end - begin > 4 * error + 100 and size)


def records_of(whole, at, size):
    end = at + size
    while at < end:
        kind, _, length = struct.unpack_from("<IHH", whole, at)
        yield kind, whole[at:at + length]
        at += length


def rewrite(data, path, samples):
    """The records of a recording with other samples: (process, thread, time, address, instruction; None: as in the first)"""
    with open(data, "rb") as file:
        whole = file.read()
    attributes, _, begin, size = struct.unpack_from("<QQQQ", whole, 24)
    sample_type, = struct.unpack_from("<Q", whole, attributes + ATTR_SAMPLE_TYPE)
    if whole[:8] != MAGIC or sample_type & IP_TID_TIME_ADDR != IP_TID_TIME_ADDR:
        raise ValueError("%s: not a recording of page faults" % data)
    records = list(records_of(whole, begin, size))
    form = next(record for kind, record in records if kind == SAMPLE)
    place = 8 + (8 if sample_type & IDENTIFIER else 0)
    body = [record for kind, record in records if kind not in (SAMPLE, FINISHED_ROUND)]
    for pid, tid, time, address, instruction in samples:
        record = bytearray(form)
        struct.pack_into("<IIQQ", record, place + 8, pid, tid, time, address)
        if instruction is not None:
            struct.pack_into("<Q", record, place, instruction)
        body.append(bytes(record))
    body = b"".join(body)
    head, tail = bytearray(whole[:begin]), bytearray(whole[begin + size:])
    struct.pack_into("<Q", head, 48, len(body))
    for n in range(sum(bin(bits).count("1") for bits in struct.unpack_from("<4Q", whole, 72))):
        offset, = struct.unpack_from("<Q", tail, n * 16)
        struct.pack_into("<Q", tail, n * 16, offset + len(body) - size)
    with open(path, "wb") as file:
        file.write(bytes(head) + body + bytes(tail))


def write(precis, data, side, path):
    """@return how many samples there are"""
    pid, samples = middles(precis, side)
    rewrite(data, path, [(pid, pid, time, address, None) for time, address in samples])
    return len(samples)
