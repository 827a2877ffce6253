# SPDX-License-Identifier: BSD-3-Clause
"""Small perf.data files, made byte by byte: right ones, and ones that are wrong in one place.

Independent of the library's own writer on purpose. Layout:
tools/perf/Documentation/perf.data-file-format.txt of Linux.
"""
import struct

IP, TID, TIME, ID, CPU, RAW = 1 << 0, 1 << 1, 1 << 2, 1 << 6, 1 << 7, 1 << 10
IDENTIFIER = 1 << 16
SAMPLE_TYPE = IP | TID | TIME | ID | CPU | RAW
IBS_OP_TYPE, IBS_FETCH_TYPE = 10, 9
RECORD_LOST, RECORD_THROTTLE, RECORD_UNTHROTTLE, RECORD_SAMPLE, RECORD_LOST_SAMPLES = 2, 5, 6, 9, 13
RECORD_COMPRESSED = 81
HOSTNAME, OSRELEASE, VERSION, NRCPUS, CPUID, TOTAL_MEM, EVENT_DESC = 3, 4, 5, 7, 9, 10, 12
CPU_TOPOLOGY = 13
NUMA_TOPOLOGY, PMU_MAPPINGS, GROUP_DESC, CACHE, MEM_TOPOLOGY, CLOCKID = 14, 16, 17, 20, 22, 23
COMPRESSED, CLOCK_DATA, HYBRID_TOPOLOGY, E_MACHINE, CLN_SIZE = 27, 29, 30, 33, 34
ATTR_BYTES = 128
COUNTS_OPS = 1 << 19
SAMPLE_ID_ALL = 1 << 18

ZEN4 = "AuthenticAMD,25,17,1"


def attr(kind=IBS_OP_TYPE, sample_type=SAMPLE_TYPE, period=100000, config=None):
    """By ops, the count of which is random, so that samples that are all alike are in step with nothing."""
    if config is None:
        config = COUNTS_OPS if kind == IBS_OP_TYPE else 0
    head = struct.pack("<IIQQQQQ", kind, ATTR_BYTES, config, period, sample_type, 0, SAMPLE_ID_ALL)
    return head.ljust(ATTR_BYTES, b"\0")


def string(text):
    data = text.encode("utf-8", "surrogateescape") + b"\0"
    data += b"\0" * (-len(data) % 64)
    return struct.pack("<I", len(data)) + data


def strings(*texts):
    return struct.pack("<I", len(texts)) + b"".join(map(string, texts))


def pmu_mappings(pmus):
    return struct.pack("<I", len(pmus)) + b"".join(
        struct.pack("<I", kind) + string(name) for kind, name in pmus)


def event_desc(events):
    body = struct.pack("<II", len(events), ATTR_BYTES)
    for event_attr, ids, name in events:
        body += event_attr + struct.pack("<I", len(ids)) + string(name)
        body += b"".join(struct.pack("<Q", n) for n in ids)
    return body


def record(kind, body, misc=0):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def finished_round():
    """A record that says nothing: a data section of no bytes would mean that the recorder died."""
    return record(68, b"")


def op_payload(caps=0xbff, ctl=0x6b000f186a, rip=0x401000, data=0x21e002a, data2=3,
               data3=0x901961cd60085, lin=0x7ffff7fc27d8, phys=0x1f197d8, target=0):
    """A load that missed to DRAM, with a TLB miss, on Zen 4."""
    payload = struct.pack("<I7Q", caps, ctl, rip, data, data2, data3, lin, phys)
    return payload + (struct.pack("<Q", target) if caps & 1 << 5 else b"")


def sample(raw, ident=1, ip=0x401000, pid=100, tid=101, time=1000000000, cpu=0, misc=2):
    body = struct.pack("<QIIQQII", ip, pid, tid, time, ident, cpu, 0)
    if raw is not None:
        raw += b"\0" * (-(len(raw) + 4) % 8)
        body += struct.pack("<I", len(raw)) + raw
    return record(RECORD_SAMPLE, body, misc)


def compressed_zeros(count, kind=200, size=65528):
    """
    'count' records of that type and size that are all zeros, as one zstd stream in COMPRESSED records:
    for each its header as it is, then a block of one byte many times (RFC 8878, 3.1.1.2).
    """
    def block(form, length):
        return struct.pack("<I", length << 3 | form << 1)[:3]

    one = block(0, 8) + struct.pack("<IHH", kind, 0, size) + block(1, size - 8) + b"\0"
    stream = b"\x28\xb5\x2f\xfd\x00\x38" + one * count  # magic, and a window of 128 KiB
    while len(stream) % 8:
        stream += block(0, 0)
    return [record(RECORD_COMPRESSED, stream[at:at + 65520]) for at in range(0, len(stream), 65520)]


def perf_data(records, events=None, features=None, size_of_data=None):
    """events: [(attr, [id, ...], name)]; features: {number: payload}"""
    if events is None:
        events = [(attr(), [1], "ibs_op//")]
    if features is None:
        features = {
            HOSTNAME: string("host"), OSRELEASE: string("6.1.0"), CPUID: string(ZEN4),
            EVENT_DESC: event_desc(events),
            PMU_MAPPINGS: pmu_mappings([(IBS_OP_TYPE, "ibs_op"), (IBS_FETCH_TYPE, "ibs_fetch")]),
        }
    ids, attrs, at = b"", b"", 104
    for event_attr, event_ids, _ in events:
        packed = b"".join(struct.pack("<Q", n) for n in event_ids)
        attrs += event_attr + struct.pack("<QQ", at + len(ids), len(packed))
        ids += packed
    attrs_at = at + len(ids)
    data_at = attrs_at + len(attrs)
    data = b"".join(records)
    bits = [0, 0, 0, 0]
    table, sections = b"", b""
    sections_at = data_at + len(data) + 16 * len(features)
    for number in sorted(features):
        bits[number // 64] |= 1 << number % 64
        table += struct.pack("<QQ", sections_at + len(sections), len(features[number]))
        sections += features[number]
    header = b"PERFILE2" + struct.pack(
        "<12Q", 104, ATTR_BYTES + 16, attrs_at, len(attrs), data_at,
        len(data) if size_of_data is None else size_of_data, 0, 0, *bits)
    return header + ids + attrs + data + table + sections
