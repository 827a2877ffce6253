# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings made byte by byte, for what perf record of today does not write: perf_event_attr of any
size, version 1, the other byte order.
"""

import os
import struct

from recordings import ADDR, BRANCH_STACK, CPU, DATA_SRC, IP, PERIOD, PHYS_ADDR, REGS_INTR, \
    REGS_USER, TID, TIME, WEIGHT_STRUCT

IDENTIFIER = 1 << 16
SAMPLE_TYPE = IDENTIFIER | IP | TID | TIME | ADDR | CPU | PERIOD | BRANCH_STACK | REGS_USER | \
    WEIGHT_STRUCT | DATA_SRC | REGS_INTR | PHYS_ADDR

# Members of perf_event_attr that lie behind its first 64 bytes: where, and what they are here
BRANCH_SAMPLE_TYPE = (0x48, 1 << 3 | 1 << 17)  # ANY, HW_INDEX: one more word in each stack
SAMPLE_REGS_USER = (0x50, 0x107)
SAMPLE_REGS_INTR = (0x60, 0x181)
KNOWN_BYTES = 144

IDS = (41, 42)
SAMPLES = 40
SAMPLE, HEADER_ATTR = 9, 64
DIR_FORMAT = 24
FIRST_IP = 0x401000
TURNS = 3
MAGIC, MAGIC1 = b"PERFILE2", b"PERFFILE"


def member(name, size):
    """A member's value in an attr of that size: 0 if it has no place there"""
    offset, number = name
    return number if offset + 8 <= size else 0


def attr(size, config):
    """A perf_event_attr. What lies behind the members that are known is not 0."""
    whole = bytearray(max(size, KNOWN_BYTES))
    struct.pack_into("<IIQQQQQ", whole, 0, 1, size, config, 100000, SAMPLE_TYPE, 0, 1 << 18)
    for offset, number in (BRANCH_SAMPLE_TYPE, SAMPLE_REGS_USER, SAMPLE_REGS_INTR):
        struct.pack_into("<Q", whole, offset, number)
    whole[KNOWN_BYTES:] = bytes([0xa5]) * (len(whole) - KNOWN_BYTES)
    return bytes(whole[:size])


def time_of(n):
    """Some are of one time, some out of order."""
    return 5000 + 10 * ((n ^ 5) // 3)


def sample(n, size):
    """Sample n, as the kernel writes it for such an attr"""
    user, intr = member(SAMPLE_REGS_USER, size), member(SAMPLE_REGS_INTR, size)
    body = struct.pack("<QQIIQQIIQ", IDS[n % 2], FIRST_IP + n, 100, 101 + n % 3, time_of(n),
                       0x7f0000000000 + n, n % 4, 0, 1000 + n)
    branches = n % 3
    body += struct.pack("<Q", branches)
    if member(BRANCH_SAMPLE_TYPE, size):
        body += struct.pack("<Q", n)
    for i in range(branches):
        body += struct.pack("<QQQ", 0x402000 + n, 0x403000 + i, 1 + i % 2 | n << 4 | n % 7 << 20)
    for mask, first in ((user, 0x1000), (None, 0), (intr, 0x2000)):
        if mask is None:
            body += struct.pack("<IHHQ", 300 + n, 20 + n, n, 0x68100142 | n % 2 << 5)
        elif mask:
            count = bin(mask).count("1")
            body += struct.pack("<%dQ" % (1 + count), 2, *(first + n + i for i in range(count)))
        else:
            body += struct.pack("<Q", 0)
    body += struct.pack("<Q", 0x10000000 + n)
    return struct.pack("<IHH", SAMPLE, 2, 8 + len(body)) + body


def samples(size):
    return b"".join(sample(n, size) for n in range(SAMPLES))


def turn_of(members):
    """In which file of directory() a sample lies"""
    return (members["ip"] - FIRST_IP) % TURNS


def directory(size, path):
    """
    data, data.0 and data.1 take turns, so that samples of one time lie in several of them. Each is
    in order, as what comes out of one ring buffer is.
    """
    ordered = sorted(range(SAMPLES), key=time_of)
    turns = [b"".join(sample(n, size) for n in ordered if n % TURNS == turn)
             for turn in range(TURNS)]
    os.mkdir(path)
    for name, contents in (("data", seekable(size, data=turns[0], feature=(DIR_FORMAT, 1))),
                           ("data.0", turns[1]), ("data.1", turns[2])):
        with open(os.path.join(path, name), "wb") as out:
            out.write(contents)


def seekable(size, magic=MAGIC, data=None, feature=None):
    """@param feature  (bit, the one u64 that its section holds)"""
    ids_at, attrs_at = 104, 104 + 8 * len(IDS)
    attrs = b"".join(attr(size, config) + struct.pack("<QQ", ids_at + 8 * config, 8)
                     for config in range(len(IDS)))
    data = samples(size) if data is None else data
    head = magic + struct.pack("<12Q", 104, size + 16, attrs_at, len(attrs), attrs_at + len(attrs),
                               len(data), 0, 0, 1 << feature[0] if feature else 0, 0, 0, 0)
    recording = head + struct.pack("<%dQ" % len(IDS), *IDS) + attrs + data
    if feature:
        recording += struct.pack("<QQQ", len(recording) + 16, 8, feature[1])
    return recording


def pipe(size, magic=MAGIC):
    stream = magic + struct.pack("<Q", 16)
    for config, identifier in enumerate(IDS):
        body = attr(size, config) + struct.pack("<Q", identifier)
        stream += struct.pack("<IHH", HEADER_ATTR, 0, 8 + len(body)) + body
    return stream + samples(size)


def swapped(recording, head_bytes):
    """
    The header's words as a machine of the other byte order writes them. The magic of version 1 is a
    string, the same everywhere; that of version 2 is a number.
    """
    magic = recording[:8] if recording.startswith(MAGIC1) else recording[:8][::-1]
    return magic + b"".join(recording[at:at + 8][::-1] for at in range(8, head_bytes, 8)) + \
        recording[head_bytes:]
