# SPDX-License-Identifier: BSD-3-Clause
"""
The samples of one process of a recording, as a recording of its own: for what compares recordings,
where the guest made one of all seeds. By the layout that perf writes: attributes, then records, then
the table of features.
"""

import struct

SAMPLE = 9
IP, TID, IDENTIFIER = 1 << 0, 1 << 1, 1 << 16
HEADER = struct.Struct("<8sQQQQQQQQ")  # magic, size, attr size, attrs, data, event types
SECTION = struct.Struct("<QQ")
FEATURES_AT, FEATURES_BYTES = 72, 32


def _records(data, pid, pid_at):
    """What is no sample, and samples of that process"""
    at, kept = 0, []
    while at < len(data):
        kind, size = struct.unpack_from("<I2xH", data, at)
        if kind != SAMPLE or struct.unpack_from("<I", data, at + pid_at)[0] == pid:
            kept.append(data[at:at + size])
        at += size
    return b"".join(kept)


def of_process(path, pid, to):
    """The process stands behind the event's ID, if that comes first, and the address."""
    with open(path, "rb") as file:
        whole = file.read()
    magic, *_, start, size, _, _ = HEADER.unpack_from(whole)
    assert magic == b"PERFILE2", path
    # one attribute is enough to see how samples begin
    attrs = struct.unpack_from("<Q", whole, 24)[0]
    sample_type = struct.unpack_from("<Q", whole, attrs + 24)[0]
    assert sample_type & (IP | TID) == IP | TID, hex(sample_type)
    records = _records(whole[start:start + size], pid, 24 if sample_type & IDENTIFIER else 16)
    features = sum(bin(byte).count("1") for byte in whole[FEATURES_AT:FEATURES_AT + FEATURES_BYTES])
    table = b""
    for number in range(features):
        offset, length = SECTION.unpack_from(whole, start + size + number * SECTION.size)
        table += SECTION.pack(offset - size + len(records), length)
    head = bytearray(whole[:start])
    struct.pack_into("<Q", head, 48, len(records))
    with open(to, "wb") as file:
        file.write(bytes(head) + records + table + whole[start + size + len(table):])
