# SPDX-License-Identifier: BSD-3-Clause
"""Copies of recordings that say the same samples in another way, which perf can or must read."""

import struct

HEADER = struct.Struct("<8s12Q")  # up to the features
ATTRS, DATA, FEATURES = 3, 5, 9
COMPRESSED, COMPRESSED2 = 81, 83
FEATURE_COMPRESSED, ZSTD = 27, 1
MAPPED_BYTES = 1 << 20  # no compressed record gives more than that
SIMPLEPERF = 32768  # the first type of record that only simpleperf knows
TRACEPOINT, RAW_EVENT = 2, 4


def with_other_records(recording, change):
    """The recording with change(type, misc, bytes) in the place of each record"""
    head = list(HEADER.unpack_from(recording))
    start, end = head[DATA], head[DATA] + head[DATA + 1]
    data, at = b"", start
    while at < end:
        kind, misc, size = struct.unpack_from("<IHH", recording, at)
        data += change(kind, misc, recording[at:at + size])
        at += size
    shorter = end - start - len(data)
    head[DATA + 1] = len(data)
    count = sum(bin(word).count("1") for word in head[FEATURES:FEATURES + 4])
    table = b"".join(struct.pack("<QQ", offset - shorter, size) for offset, size in
                     struct.iter_unpack("<QQ", recording[end:end + 16 * count]))
    return HEADER.pack(*head) + recording[HEADER.size:start] + data + table + \
        recording[end + 16 * count:]


def without_compressed2(recording):
    """
    Records of type 83 as type 81. Both hold a piece of the one zstd stream; 83, of perf 6.16 and
    later, says how long the piece is and fills up to a multiple of 8.
    """
    def older(kind, misc, record):
        if kind != COMPRESSED2:
            return record
        count, = struct.unpack_from("<Q", record, 8)
        return struct.pack("<IHH", COMPRESSED, misc, 8 + count) + record[16:16 + count]
    return with_other_records(recording, older)


def without_tracepoints(recording):
    """
    Events of type RAW in the place of tracepoints, of which perf wants to read the formats; and
    none of simpleperf's own records.
    """
    head = HEADER.unpack_from(recording)
    copy = bytearray(recording)
    for at in range(head[ATTRS], head[ATTRS] + head[ATTRS + 1], head[2]):
        if struct.unpack_from("<I", copy, at)[0] == TRACEPOINT:
            struct.pack_into("<I", copy, at, RAW_EVENT)
    return with_other_records(bytes(copy),
                              lambda kind, misc, record: record if kind < SIMPLEPERF else b"")


def finished(recording):
    """
    What perf record leaves when it is killed, with its records' bytes counted in the header, and
    the one feature that perf needs for reading compressed ones: COMPRESSED
    """
    head = list(HEADER.unpack_from(recording))
    at = head[DATA]
    while at + 8 <= len(recording):
        size = struct.unpack_from("<H", recording, at + 6)[0]
        if size < 8 or at + size > len(recording):
            break
        at += size
    head[DATA + 1] = at - head[DATA]
    head[FEATURES:FEATURES + 4] = [1 << FEATURE_COMPRESSED, 0, 0, 0]
    feature = struct.pack("<5I", 1, ZSTD, 1, 1, MAPPED_BYTES)
    return HEADER.pack(*head) + recording[HEADER.size:at] + \
        struct.pack("<QQ", at + 16, len(feature)) + feature
