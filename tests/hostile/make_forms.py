#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
make_forms.py DIRECTORY: a small recording of each form that perf.data has, for the hostile tests.

What lies in tests/recordings/forms was made with it, by perf 6.1 as root on a kernel with software
events alone. Forms that this perf cannot write are made from those that it can, or byte by byte.
"""

import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../command/cli"))
sys.dont_write_bytecode = True
import perfdata  # noqa: E402

CLOCK = "cpu-clock/period=900000/"
FAULTS = "page-faults/period=40/"
BOTH_CPUS = ["sh", "-c", "taskset -c 0 true; taskset -c 1 true"]
TRACEPOINT = "sched:sched_process_exit"

# name, options of perf record, program; "-" as output means what perf writes into a pipe
RECORDED = [
    ("seekable", ["-e", CLOCK, "-e", FAULTS], BOTH_CPUS),
    ("pipe", ["-e", CLOCK, "-e", FAULTS], BOTH_CPUS),
    ("zstd", ["-z", "-e", CLOCK, "-e", FAULTS], BOTH_CPUS),
    ("pipe-zstd", ["-z", "-e", CLOCK, "-e", FAULTS], BOTH_CPUS),
    ("directory", ["--threads", "-e", CLOCK, "-e", FAULTS], BOTH_CPUS),
    ("directory-zstd", ["-z", "--threads", "-e", CLOCK, "-e", FAULTS], BOTH_CPUS),
    ("tracepoints", ["-R", "-e", TRACEPOINT], ["true"]),
    ("pipe-tracepoints", ["-R", "-e", TRACEPOINT], ["true"]),
    ("stacks", ["-e", "{cpu-clock/period=700000/,page-faults}:S", "--call-graph", "dwarf,64",
                "--user-regs=ip,sp,bp", "-d"], ["true"]),
]

SAMPLE, COMPRESSED, COMPRESSED2 = 9, 81, 83
FINISHED_ROUND = perfdata.finished_round()
BRANCH_STACK_BITS = 1 << 17 | 1 << 19  # hw_index, counters
ALL_PARTS = (1 << 25) - 1 & ~(1 << 14)  # WEIGHT and WEIGHT_STRUCT exclude each other
READ_FORMAT = 0x1f
MODELED = {"ibs-op": "zen4-op_l3", "ibs-fetch": "zen4-fetch", "pebs-loads": "skylake-loads_phys",
           "pebs-split": "spr-loads"}


def record_with_perf(directory, name, options, program):
    path = os.path.join(directory, name)
    command = ["perf", "record", "-q", *options]
    if name.startswith("pipe"):
        with open(path, "wb") as out:
            subprocess.run([*command, "-o", "-", "--", *program], stdout=out, check=True)
    else:
        subprocess.run([*command, "-o", name, "--", *program], cwd=directory, check=True)
    for folder, _, files in os.walk(path):
        for part in files:
            if part.endswith(".old"):
                os.remove(os.path.join(folder, part))


def load(directory, name):
    with open(os.path.join(directory, name), "rb") as stream:
        return stream.read()


def save(directory, name, data):
    with open(os.path.join(directory, name), "wb") as out:
        out.write(data)


class Seekable:
    """A seekable recording, taken apart as far as is needed to put it together with other records."""

    def __init__(self, data):
        self.head = data
        self.at, self.bytes = struct.unpack_from("<QQ", data, 40)
        self.bits = struct.unpack_from("<4Q", data, 72)
        table = self.at + self.bytes
        self.sections = []
        for index in range(sum(bin(word).count("1") for word in self.bits)):
            offset, count = struct.unpack_from("<QQ", data, table + 16 * index)
            self.sections.append(data[offset:offset + count])

    def records(self):
        at = self.at
        while at < self.at + self.bytes:
            size, = struct.unpack_from("<H", self.head, at + 6)
            yield self.head[at:at + size]
            at += size

    def first_id(self):
        entry, attrs = struct.unpack_from("<QQ", self.head, 16)
        ids, = struct.unpack_from("<Q", self.head, attrs + entry - 16)
        return struct.unpack_from("<Q", self.head, ids)[0]

    def with_records(self, records, longest_section=1 << 30):
        data = b"".join(records)
        head = bytearray(self.head[:self.at])
        struct.pack_into("<Q", head, 48, len(data))
        at = len(head) + len(data) + 16 * len(self.sections)
        table, tail = b"", b""
        for section in self.sections:
            section = section[:longest_section]
            table += struct.pack("<QQ", at + len(tail), len(section))
            tail += section
        return bytes(head) + data + table + tail


def kind_of(record):
    return struct.unpack_from("<I", record)[0]


def compressed2(record):
    """A COMPRESSED record as perf 7 writes it: its size first, then padding."""
    if kind_of(record) != COMPRESSED:
        return record
    return perfdata.record(COMPRESSED2, struct.pack("<Q", len(record) - 8) + record[8:])


def version_1(data):
    """As perf of Linux 2.6.33 wrote it: another magic, and the shorter attr of its time."""
    data = bytearray(data)
    entry, attrs, total = struct.unpack_from("<QQQ", data, 16)
    short = 64 + 16
    data[:8] = b"PERFFILE"
    struct.pack_into("<Q", data, 16, short)
    struct.pack_into("<Q", data, 32, total // entry * short)
    for index in range(total // entry):
        old = bytes(data[attrs + index * entry:attrs + (index + 1) * entry])
        new = bytearray(old[:64] + old[-16:])
        struct.pack_into("<I", new, 4, 64)
        data[attrs + index * short:attrs + (index + 1) * short] = new
    return data


def pt_blocks(first):
    """The packets of a PEBS record in Intel PT, its values counted from 'first'"""
    packets = b""
    for block, items in ((4, 3), (5, 4), (1, 18), (8, 6), (0x10, 2)):
        packets += bytes((0x02, 0x63, block))  # BBP, items of 8 bytes
        for item in range(items):
            packets += struct.pack("<BQ", item << 3 | 4, first + item)  # BIP
    return packets + bytes((0x02, 0x33))  # BEP without an IP


def pt_trace():
    """PSB, PSBEND, a TSC, two records and the beginning of a third"""
    start = b"\x02\x82" * 8 + b"\x02\x23" + b"\x19" + struct.pack("<Q", 5000)[:7]
    return start + pt_blocks(0x401000) + pt_blocks(0x7fff0000) + pt_blocks(1)[:30]


def auxtrace_records(identifier):
    """Area tracing of Intel PT: what describes it, what the kernel and perf write, and its bytes."""
    payload = pt_trace()
    payload += b"\0" * (-len(payload) % 8)
    trailer = struct.pack("<IIQQ", 100, 101, 1000, identifier)  # as the attrs of "seekable" ask
    return [
        perfdata.record(70, struct.pack("<II8Q", 1, 0, 8, 0, 0, 1, 2, 3, 4, 5)),
        perfdata.record(12, struct.pack("<II", 100, 101) + trailer),
        perfdata.record(21, struct.pack("<Q", 3) + trailer),
        perfdata.record(11, struct.pack("<QQQ", 0, len(payload), 1) + trailer),
        perfdata.record(71, struct.pack("<QQQIIII", len(payload), 0, 7, 0, 101, 0, 0)) + payload,
        FINISHED_ROUND,
        perfdata.record(71, struct.pack("<QQQIIII", 0, len(payload), 8, 0, 101, 0, 0)),
        perfdata.record(72, struct.pack("<6IQQ", 1, 4, 0, 100, 101, 1, 0x401000, 1002) +
                        b"instruction trace error".ljust(64, b"\0") + struct.pack("<II", 0, 0)),
    ]


def every_part_attr():
    return struct.pack("<IIQQQQQIIQQQQIiQIHHI", 1, 128, 0, 4000, ALL_PARTS, READ_FORMAT,
                       perfdata.SAMPLE_ID_ALL, 0, 0, 0, 0, BRANCH_STACK_BITS, 7, 64, 0, 3, 0, 127,
                       0, 16).ljust(128, b"\0")


def every_part_sample(time, counts):
    """A sample with all parts of perf_event_open(2), 'counts' entries in each that has a count."""
    words = [7, 0x401000, 100 | 101 << 32, time, 0x7fff0000, 7, 8, 0, 4000]
    read = [counts, time, time] + [word for n in range(counts) for word in (n, 7 + n % 2, 0)]
    chain = [counts] + [0xfffffffffffffe00 if n == 0 else 0x401000 + n for n in range(counts)]
    raw = struct.pack("<I", 12) + b"raw payload\0"
    branches = [counts] + ([5] if counts else []) + \
        [word for n in range(counts) for word in (0x401000, 0x402000, n)] + [n for n in range(counts)]
    user = [2, 1, 2, 3] if counts else [0]
    stack = [64] + [n for n in range(8)] + [32] if counts else [0]
    last = [1 | 2 << 32 | 3 << 48, 0x1e05080021, 0] + ([2, 1, 2] if counts else [0]) + \
        [0x1000, 9, 4096, 2 << 20, 16, 1, 2]
    body = b"".join(struct.pack("<%dQ" % len(part), *part) for part in (words, read, chain))
    body += raw
    body += b"".join(struct.pack("<%dQ" % len(part), *part) for part in (branches, user, stack, last))
    return perfdata.record(SAMPLE, body, misc=2)


def sample_id(time):
    """{pid, tid, time, id, stream_id, cpu, identifier}, as the attr above asks for"""
    return struct.pack("<IIQQQIIQ", 100, 101, time, 7, 8, 0, 0, 7)


def text(words):
    words = words.encode() + b"\0"
    return words + b"\0" * (-len(words) % 8)


def every_kernel_record():
    """One of each type but SAMPLE, their times going up and down."""
    build_id = struct.pack("<BBH20s", 20, 0, 0, bytes(range(20)))
    bodies = [
        (1, 0, struct.pack("<IIQQQ", 100, 101, 0x400000, 0x1000, 0) + text("/bin/program")),
        (2, 0, struct.pack("<QQ", 7, 3)),
        (3, 1 << 13, struct.pack("<II", 100, 101) + text("program")),
        (7, 0, struct.pack("<IIIIQ", 102, 100, 102, 101, 1000)),
        (5, 0, struct.pack("<QQQ", 1000, 7, 8)),
        (6, 0, struct.pack("<QQQ", 2000, 7, 8)),
        (8, 0, struct.pack("<II", 100, 101) + struct.pack("<9Q", 2, 9, 9, 1, 7, 0, 2, 8, 5)),
        (10, 2, struct.pack("<IIQQQIIQQII", 100, 101, 0x500000, 0x1000, 0, 8, 1, 2, 3, 5, 2) +
         text("/lib/library.so")),
        (10, 1 << 14 | 2, struct.pack("<IIQQQ", 100, 101, 0x600000, 0x1000, 0) + build_id +
         struct.pack("<II", 5, 2) + text("/lib/other.so")),
        (11, 0, struct.pack("<QQQ", 0, 64, 5)),
        (12, 0, struct.pack("<II", 100, 101)),
        (13, 0, struct.pack("<Q", 4)),
        (14, 1 << 13, b""),
        (15, 1 << 13, struct.pack("<II", 100, 101)),
        (16, 0, struct.pack("<IIQ", 100, 101, 2) + struct.pack("<4Q", 4, 5, 6, 7)),
        (17, 0, struct.pack("<QIHH", 0xffffffffc0000000, 64, 1, 0) + text("bpf_prog_1")),
        (18, 0, struct.pack("<HHI8s", 1, 0, 5, b"12345678")),
        (19, 0, struct.pack("<Q", 9) + text("/system.slice")),
        (20, 0, struct.pack("<QHH", 0xffffffff81000000, 5, 5) + b"0123456789" + b"\0\0"),
        (21, 0, struct.pack("<Q", 3)),
        (22, 0, struct.pack("<QQQQ", 77, 2, 0x401000, 0x402000)),
        (4, 0, struct.pack("<IIIIQ", 102, 100, 102, 101, 3000)),
    ]
    for index, (kind, misc, body) in enumerate(bodies):
        yield perfdata.record(kind, body + sample_id(5000 + index * 37 % 100), misc)


def every_tool_record():
    """One of each type from 64 on, but those that hold other records."""
    attr = every_part_attr()
    stat_config = struct.pack("<Q4Q", 2, 0, 1, 1, 1000)
    words = [
        (64, attr + struct.pack("<QQ", 70, 71)),
        (65, struct.pack("<Q", 0) + b"cycles".ljust(64, b"\0")),
        (67, struct.pack("<i20s4s", -1, bytes(range(20)), b"") + text("[kernel.kallsyms]")),
        (69, struct.pack("<Q", 2) + struct.pack("<8Q", 7, 0, 0, 101, 8, 1, 1, 102) +
         struct.pack("<4Q", 0, 0, 0, 1)),
        (73, struct.pack("<Q", 1) + struct.pack("<Q16s", 100, b"program")),
        (74, struct.pack("<HHHH", 0, 2, 0, 1)),
        (74, struct.pack("<HHHHQ", 1, 1, 8, 0, 3)),
        (74, struct.pack("<HBBHH", 2, 0, 0, 0, 1)),
        (75, stat_config),
        (76, struct.pack("<QIIQQQ", 7, 0, 0, 1, 2, 3)),
        (77, struct.pack("<QQ", 0, 1000)),
        (78, struct.pack("<QQ", 0, 7) + text("ms")),
        (78, struct.pack("<QQd", 1, 7, 0.5)),
        (78, struct.pack("<QQ", 2, 7) + text("a name")),
        (78, struct.pack("<QQHHHH", 3, 7, 0, 2, 0, 1)),
        (79, struct.pack("<QQQ", 10, 1000, 5)),
        (79, struct.pack("<5QBB", 10, 1000, 5, 6, 7, 1, 1)),
        (80, struct.pack("<Q", perfdata.HOSTNAME) + perfdata.string("host")),
        (82, b""),
        (84, struct.pack("<64sQ", b"prog", 1) + b"key".ljust(64, b"\0") + b"value".ljust(256, b"\0")),
        (85, struct.pack("<Q", 1000) + struct.pack("<IHH9I", 1, 15, 0, *range(9))),
        (86, struct.pack("<HHIQ", 15, 0, 0, 1000) + bytes(200)),
        (999, b"of another time"),
    ]
    for kind, body in words:
        yield perfdata.record(kind, body)


def every_record():
    """All types of records and all parts of a sample, over three rounds out of order."""
    events = [(every_part_attr(), [7], "every"), (every_part_attr(), [8, 9], "other")]
    samples = [every_part_sample(5000 + (n * 61) % 100, n % 3) for n in range(4)]
    return perfdata.perf_data(
        [*every_kernel_record(), samples[0], samples[1], FINISHED_ROUND, *every_tool_record(),
         samples[2], FINISHED_ROUND, samples[3], FINISHED_ROUND], events)


def shortened(name):
    """The first records of each type of a recording, and a few samples."""
    path = os.path.join(HERE, "..", "recordings", name + ".perf.data")
    with open(path, "rb") as stream:
        recording = Seekable(stream.read())
    seen, chosen = {}, []
    for record in recording.records():
        kind = kind_of(record)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= (6 if kind == SAMPLE else 1) and len(record) < 600:
            chosen.append(record)
    return recording.with_records(chosen, longest_section=512)


def main():
    directory, = sys.argv[1:]
    os.makedirs(directory, exist_ok=True)
    for name, options, program in RECORDED:
        record_with_perf(directory, name, options, program)
    seekable = load(directory, "seekable")
    save(directory, "v1", version_1(seekable))
    recording = Seekable(seekable)
    dead = bytearray(seekable[:recording.at + recording.bytes])
    struct.pack_into("<Q", dead, 48, 0)
    save(directory, "died", dead)
    save(directory, "auxtrace", recording.with_records(
        [*auxtrace_records(recording.first_id()), *(r for r in recording.records() if kind_of(r) != SAMPLE)]))
    zstd = Seekable(load(directory, "zstd"))
    save(directory, "zstd2", zstd.with_records(compressed2(r) for r in zstd.records()))
    save(directory, "records", every_record())
    for name, original in MODELED.items():
        save(directory, name, shortened(original))


if __name__ == "__main__":
    main()
