#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
make_corpus.py BUILD-DIRECTORY RECORDINGS: seeds for the fuzz targets, made from recordings and from
tests/differential/make_recording. What lies in tests/fuzz/corpus was made with it; run it again when
a target's input changes.
"""

import glob
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = 9
# The cpuids of fuzz_ibs_payload.c that the seeds start from: Zen 2, Zen 3 (server), Zen 4, Zen 5
CPUS = {"zen2": 9, "zen3": 11, "zen4": 13, "zen5": 14}

FILTERS = [
    "dcache_miss_latency > 200 && mem_level == DRAM",
    "op == load and not (tlb_level == L1 or locked)",
    "missing(addr) || phys_addr >= 0x100000000",
    "present(branch_target) && branch_mispredicted",
    "event == \"ibs_op\" || event == 'ibs_op'",
    "time >= 1ms && time < 2s && period != 4k",
    "perf_data_src & 0x100 || IbsDcMissLat <= 18446744073709551615",
    "((((op)))) && !!!(ip == 0)",
    "page_size == 2M or page_size = 1G",
    "pid == -1",
    "locked == true and misaligned == false",
    "dc_miss_lat>200&&data_src==DRAM||tag_to_ret<5",
    "mem_level == nowhere",
    "(op == load",
    "op == load )",
    "ip > ",
]


# fuzz_pebs.c: byte 0 for a buffer of each format, and for a debug store
PEBS = {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "arch": 7, "netburst32": 8,
        "netburst64": 9}
DEBUG_STORE = 10
# Bytes of the records of one size
PEBS_SIZES = {"0": 144, "1": 176, "2": 192, "3": 200, "netburst32": 40, "netburst64": 144}
# Words of the areas that precede the reset values are 4 or 8 bytes; reset values
DS_AREAS = [(4, 1), (8, 1), (8, 4), (8, 24), (8, 48)]


def save(target, name, data):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as out:
        out.write(data)


def adaptive(groups, body, retire=0):
    """A record of format 4 to 6; body: all behind Basic."""
    return struct.pack("<IHHQQQ", groups, retire, 32 + len(body), 0x401000, 1, 1 << 40) + body


def fragment(bits, body):
    """A fragment of architectural PEBS."""
    body += bytes(-len(body) % 16)
    return struct.pack("<QQ", bits | 16 + len(body), 0) + body


def counters(gp, fixed, metrics):
    count = bin(gp).count("1") + bin(fixed).count("1") + 2 * metrics
    return struct.pack("<IIII", gp, fixed, 3 * metrics, 0) + bytes(range(8)) * count


def pebs_buffers():
    """Buffers of records: what each format can have in it, once."""
    ramp = bytes(i & 0xff for i in range(4096))
    for name, size in PEBS_SIZES.items():
        yield name, ramp[:3 * size + 8]
    memory, registers, xmm, branches = ramp[:32], ramp[:144], ramp[:256], ramp[:48]
    usual = (adaptive(0, b"") + 3 * adaptive(1, memory, 7) + adaptive(3, memory + registers) +
             adaptive(0x100000f, memory + registers + xmm + branches))
    yield "4", usual
    yield "5", usual + adaptive(0x10, counters(1, 0, 0)) + adaptive(1, memory)[:40]
    yield "6", usual + adaptive(0x30, counters(0x105, 3, 1)) + adaptive(0x20, counters(0, 0, 1))
    basic, aux = 1 << 63, 1 << 62
    lbr = struct.pack("<6Q", 0, 1, 2, 3, 4, 5)
    yield "arch", (
        fragment(0, b"") + 2 * fragment(basic | aux, ramp[:112]) +
        fragment(basic | 1 << 61 | 3 << 49, ramp[:48 + 160 + 16 + 512]) +
        fragment(basic | 1 << 31, ramp[:48]) + fragment(0, b"") +
        fragment(3 << 40 | 1 << 31, lbr + branches) +
        fragment(0x1c << 35, counters(3, 1, 1)) + fragment(aux, ramp[:64]) +
        fragment(basic | 1 << 40, ramp[:48] + lbr + 4 * branches))


def debug_stores(buffers):
    """An area of each layout, with a PEBS buffer behind it, at the addresses that it names."""
    for layout, (name, (word, resets)) in enumerate(
            zip(("netburst32", "0", "3", "4", "6"), DS_AREAS)):
        body, base = buffers[name], 0x10000
        index = base + len(body) - len(body) % PEBS_SIZES.get(name, 8)
        addresses = (base, base + 6 * word, base + 4096, base + 4096,
                     base, index, base + 8192, base + 8192)
        area = struct.pack("<8I" if word == 4 else "<8Q", *addresses) + bytes(8 * resets)
        yield name, bytes([DEBUG_STORE, layout + 5 * PEBS[name]]) + area + body


def save_pebs():
    buffers = dict(pebs_buffers())
    for name, body in buffers.items():
        save("fuzz_pebs", "buffer-" + name, bytes([PEBS[name], 3]) + body)
    for name, data in debug_stores(buffers):
        save("fuzz_pebs", "store-" + name, data)


class PerfData:
    """As much of a perf.data as is needed to cut it into pieces."""

    def __init__(self, path):
        with open(path, "rb") as stream:
            self.bytes = stream.read()
        (self.attr_size, self.attrs, self.attrs_size, self.data,
         self.data_size) = struct.unpack_from("<5Q", self.bytes, 16)

    def attr(self):
        return self.bytes[self.attrs:self.attrs + self.attr_size - 16]

    def records(self):
        at = self.data
        while at + 8 <= self.data + self.data_size:
            kind, _, size = struct.unpack_from("<IHH", self.bytes, at)
            yield kind, self.bytes[at:at + size]
            at += size

    def one_of_each(self, samples):
        """The first record of each type and the first samples."""
        seen, taken = set(), 0
        for kind, record in self.records():
            if kind == SAMPLE and taken < samples:
                taken += 1
                yield record
            elif kind not in seen and kind != SAMPLE:
                seen.add(kind)
                yield record

    def shortened(self, samples):
        """A file of few records: header, attrs and ids as they were, then features."""
        chosen = b"".join(self.one_of_each(samples))
        head = bytearray(self.bytes[:self.data])
        struct.pack_into("<Q", head, 48, len(chosen))
        table = self.data + self.data_size
        bits = sum(bin(word).count("1") for word in struct.unpack_from("<4Q", self.bytes, 72))
        sections = [struct.unpack_from("<QQ", self.bytes, table + 16 * i) for i in range(bits)]
        at = len(head) + len(chosen) + 16 * bits
        rows, tail = b"", b""
        for offset, size in sections:
            # long sections (build ids, topology) are cut: a reader must live with that
            body = self.bytes[offset:offset + min(size, 1024)]
            rows += struct.pack("<QQ", at + len(tail), len(body))
            tail += body
        return bytes(head) + chosen + rows + tail


def payload_of(record, head):
    """The raw payload of a sample that make_recording wrote."""
    size, = struct.unpack_from("<I", record, head)
    return record[head + 4:head + 4 + size]


def made(make, work):
    """Recordings with known contexts."""
    for context in CPUS:
        for kind in ("op", "fetch"):
            path = os.path.join(work, "%s-%s" % (context, kind))
            # past the corners, where registers are random
            subprocess.run([make, path, context, kind, "1040", "7"], check=True)
            yield context, kind, PerfData(path)


PSB = bytes([0x02, 0x82]) * 8
BEP, BEP_IP, OVF = b"\x02\x33", b"\x02\xb3", b"\x02\xf3"
FUP = b"\xdd" + struct.pack("<Q", 0x401000)
TSC = b"\x19" + bytes(range(7))


def block(kind, ids, item_bytes=8):
    """BBP and BIPs."""
    head = bytes([0x02, 0x63, kind | (0x80 if item_bytes == 4 else 0)])
    return head + b"".join(bytes([item << 3 | 4]) + bytes([0x11 * (item % 15) + n
                           for n in range(item_bytes)]) for item in ids)


BASIC, MEMORY = block(4, range(3)), block(5, range(4))
TRACES = {
    "record": PSB + TSC + BASIC + MEMORY + BEP_IP + FUP,
    "registers": PSB + BASIC + block(1, range(18)) + BEP,
    "registers-32": PSB + block(1, range(18), 4) + BEP,
    "lbr": PSB + BASIC + block(8, range(30)) + block(9, range(30)) + block(10, range(30)) + BEP,
    "xmm": PSB + BASIC + block(16, range(32)) + BEP,
    "overflow": PSB + BASIC + OVF + PSB + MEMORY + BEP_IP + b"\x3d\x01\x02",
    "between": PSB + BASIC + b"\x00\x59\x01\x03\x02\x03\x20\x00" + TSC + MEMORY + BEP,
    "control-flow": PSB + b"\x02\x23\x06\x2c\x4d\x01\x02\x03\x04\x99\x01\x02\x43" + bytes(6) +
                    BASIC + BEP + b"\x01\x02\x83",
    "unknown": PSB + block(31, range(3)) + b"\x05\x82" + PSB + BASIC + BEP,
}


def records(*sizes):
    """Records of these sizes, one behind the other."""
    return b"".join(struct.pack("<IHH", SAMPLE, 2, size) + bytes(size - 8) for size in sizes)


def rings():
    """fuzz_ring.c: log2 of the data's words, how it is read, head, tail, what differs, data, and
    how far the head goes on each time."""
    data = records(16, 24, 8, 40, 32, 8)
    head = struct.pack("<QQ", len(data), 0)
    around = data[64:] + data[:64]
    yield "queue", b"\x04\x00" + head + data + struct.pack("<hhh", 16, 24, 88)
    yield "queue-around", b"\x04\x00" + struct.pack("<QQ", 192, 64) + around
    yield "queue-lie", b"\x04\x00" + head + records(16) + struct.pack("<IHH", SAMPLE, 2, 12) + data
    yield "queue-ahead", b"\x04\x00" + struct.pack("<QQ", 4096, 0) + data
    yield "queue-control", b"\x04\x06" + head + struct.pack("<QQ", 8, 2**64 - 64) + data
    backward = struct.pack("<QQ", 2**64 - len(data), 0)
    yield "frozen", b"\x04\x01" + backward + data + struct.pack("<BhBhB", 63, -16, 63, -24, 2)
    yield "frozen-cut", b"\x04\x01" + struct.pack("<QQ", 2**64 - 300, 0) + data + bytes([63])


def code_seeds():
    """(name, input of fuzz_code.c): code, and what is seen in it"""
    loop = bytes.fromhex("48ffc075fbe806000000eb020f0bc3cc90c3")
    overlap = bytes.fromhex("7401f0480fb10fc3")
    vectors = bytes.fromhex("62f1f55858 17c4e27d92148f62f27d49a0048ff348a5660f38824500c3".replace(" ", ""))
    seen = struct.pack("<8H", 2, 3, 0, 17, 1, 16, 1, 0)
    for name, code in (("loop", loop), ("overlap", overlap), ("vectors", vectors), ("none", b"\x06" * 8)):
        yield name, struct.pack("<HB", len(code), 0) + code + seen
    jitdump = struct.pack("<6I2Q", 0x4a695444, 1, 40, 62, 0, 1, 0, 0)
    load = struct.pack("<IIQIIQQQQ", 0, 58 + len(loop), 1, 1, 1, 0, 0x10000, len(loop), 0) + b"f\0" + loop
    move = struct.pack("<IIQIIQQQQQ", 1, 64, 2, 1, 1, 0, 0x10000, 0x20000, len(loop), 0)
    yield "jitdump", jitdump + load + move
    # BPF_PROG_INFO of two programs whose functions overlap; two functions, one
    programs = b""
    for starts in ((0x1000, 0x1100), (0x1004,)):
        lengths = [len(loop)] * len(starts)
        info = bytearray(128)
        struct.pack_into("<I", info, 16, sum(lengths))
        struct.pack_into("<IIQQ", info, 104, len(starts), len(starts), 64, 64 + 8 * len(starts))
        data = (loop * len(starts)).ljust(64, b"\0") + struct.pack("<%dQ" % len(starts), *starts)
        data += struct.pack("<%dI" % len(starts), *lengths)
        programs += struct.pack("<IIQ", len(info), len(data), 0x19) + bytes(info) + data
    yield "bpf", struct.pack("<I", 2) + programs
    yield "groups", b"# waits\nwaits: MFENCE, lfence\nslow: DIV IDIV\n"


def run_part(data):
    """What the first recording of a file counted that precis report --save wrote"""
    at = 28
    while True:
        name, length = struct.unpack_from("<16sQ", data, at)
        if name.rstrip(b"\0") == b"run":
            return data[at + 32:at + 32 + length]
        at += 32 + length


# As the keys of fuzz_saved.c
KEYS = [[], ["--by", "symbol"], ["--by", "instruction"], ["--by", "object"], ["--by", "node"], ["--by", "type"],
        ["--by", "stack"], None]


def save_runs(build, recordings):
    for form in ("auxtrace", "ibs-fetch", "ibs-op", "pebs-loads", "stacks", "tracepoints"):
        path = os.path.join(recordings, "forms", form)
        for number, key in enumerate(KEYS):
            command = ["sharing"] if key is None else ["report", *key]
            written = subprocess.run([os.path.join(build, "precis"), *command, "--save", "-", path],
                                     capture_output=True, check=False).stdout
            data = run_part(written) if written else b""
            if 0 < len(data) < 16000 and (not key or len(data) < 8000):
                save("fuzz_saved", "%s-%s" % (form, command[-1]), bytes([number]) + data)


def mix_seeds():
    """(name, input of fuzz_mix.c): code, samples of it, stacks, branches that are ops"""
    loop = bytes.fromhex("48ffc075fbe806000000eb020f0bc3cc90c3")
    samples = b"".join(struct.pack("<BIH", 0, 1000, at) for at in (0, 3, 3, 16, 14, 0x1ff, 0xff03))
    branches = b"".join(struct.pack("<BI2H", 1, 1000, 3, to) for to in (0, 5, 0xff00))
    ring = ((3, 0), (3, 0), (17, 10), (5, 16), (3, 0), (10, 14))
    stack = struct.pack("<BI", 2 | len(ring) << 2, 500) + b"".join(struct.pack("<2H", *entry) for entry in ring)
    absurd = struct.pack("<BI", 2 | 3 << 2, 0xffffffff) + struct.pack("<6H", 0xff01, 0xff02, 3, 0xff04, 0xff05, 0)
    for name, way in (("instructions", 0), ("skid", 1), ("ops", 2), ("one-ring", 4)):
        yield name, struct.pack("<BH", way, len(loop)) + loop + samples + branches + 4 * stack + absurd
    yield "data-as-code", struct.pack("<BH", 1, 64) + b"\x06\x0e" * 32 + samples + 2 * stack
    yield "nothing", struct.pack("<BH", 0, 0)


TYPES = """
struct inner { int a; char pad[4]; unsigned bits : 3, more : 5; };
struct node { struct node *next; struct inner inner[2]; union { long number; double real; } value; double row[]; };
struct node head, *heads[4];
typedef struct node node_t;
static inline __attribute__((always_inline)) int count(node_t *node, int most)
{
	int n = 0;
	for (; node && n < most; node = node->next)
		n += node->inner[n & 1].a;
	return n;
}
int main(int argc, char **argv)
{
	struct inner here = { argc, "ab", 1, 2 };
	struct inner *volatile there = &here;
	heads[argc & 3] = (void *)argv;
	return count(&head, there->a) + count(heads[1], 3);
}
"""
# As fuzz_types.c has them
TYPES_SECTIONS = (".text", ".debug_info", ".debug_abbrev", ".debug_str", ".debug_line_str", ".debug_loclists",
                  ".debug_rnglists", ".debug_addr", ".debug_str_offsets", ".debug_types", ".debug_loc",
                  ".debug_ranges")


def section_of(path, name):
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "section")
        if subprocess.run(["objcopy", "--dump-section", name + "=" + out, path, out + ".o"], check=False,
                          stderr=subprocess.DEVNULL).returncode or not os.path.exists(out):
            return b"" # it has none
        with open(out, "rb") as file:
            return file.read()


def types_input(parts):
    return struct.pack("<I", 0x401000) + b"".join(struct.pack("<H", len(part)) + part for part in parts)


def looped(program, tag, attribute, to):
    """
    .debug_info of that program, in which such an attribute of each entry of a tag refers to the last entry so far of
    another one, or of the same: itself
    """
    info = bytearray(section_of(program, ".debug_info"))
    entry, is_tag, changed = 0, False, 0
    for line in subprocess.run(["readelf", "--debug-dump=info", program], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        begin = re.match(r" *<[0-9a-f]+><([0-9a-f]+)>: Abbrev Number: \d+ \((\w+)\)", line)
        if begin:
            entry, is_tag = int(begin[1], 16) if begin[2] == to else entry, begin[2] == tag
        refers = re.match(rf" *<([0-9a-f]+)> +{attribute} *: <0x[0-9a-f]+>", line)
        if refers and is_tag:
            struct.pack_into("<I", info, int(refers[1], 16), entry)
            changed += 1
    assert changed, (tag, attribute)
    return bytes(info)


# Types of themselves, a structure in itself, code that was inlined into itself
LOOPS = (("DW_TAG_typedef", "DW_AT_type", "DW_TAG_typedef"),
         ("DW_TAG_pointer_type", "DW_AT_type", "DW_TAG_pointer_type"),
         ("DW_TAG_array_type", "DW_AT_type", "DW_TAG_array_type"),
         ("DW_TAG_member", "DW_AT_type", "DW_TAG_structure_type"),
         ("DW_TAG_inlined_subroutine", "DW_AT_abstract_origin", "DW_TAG_inlined_subroutine"),
         ("DW_TAG_formal_parameter", "DW_AT_abstract_origin", "DW_TAG_formal_parameter"))


def types_seeds():
    """
    (name, input of fuzz_types.c): a small program's code and debug information, in several forms, and with loops in
    it
    """
    with tempfile.TemporaryDirectory() as directory:
        source, program = os.path.join(directory, "t.c"), os.path.join(directory, "t")
        with open(source, "w", encoding="utf-8") as file:
            file.write(TYPES)
        for name, flags in (("five", ["-gdwarf-5", "-O1"]), ("plain", ["-gdwarf-5", "-O0"]),
                            ("four", ["-gdwarf-4", "-O2"]), ("units", ["-gdwarf-4", "-fdebug-types-section"])):
            subprocess.run(["gcc", *flags, "-nostdlib", "-no-pie", "-static", "-Wl,-e,main,-Ttext=0x401000",
                            "-Wl,--build-id=none", "-o", program, source], check=True)
            parts = [section_of(program, part) for part in TYPES_SECTIONS]
            yield name, types_input(parts)
            for tag, attribute, to in LOOPS if name == "four" else ():
                parts[1] = looped(program, tag, attribute, to)
                yield "loop_" + tag[7:], types_input(parts)


def main():
    build, recordings = sys.argv[1:]
    shutil.rmtree(os.path.join(HERE, "corpus"), ignore_errors=True)
    for text in FILTERS:
        save("fuzz_filter", hashlib.sha1(text.encode()).hexdigest()[:12], text.encode())
    for name, trace in TRACES.items():
        save("fuzz_pebs_pt", name, b"\x06" + trace)
    save_pebs()
    for name, seed in code_seeds():
        save("fuzz_code", name, seed)
    save_runs(build, recordings)
    for name, seed in types_seeds():
        save("fuzz_types", name, seed)
    for name, seed in mix_seeds():
        save("fuzz_mix", name, seed)
    for name, ring in rings():
        save("fuzz_ring", name, ring)
    with tempfile.TemporaryDirectory() as work:
        make = os.path.join(build, "tests", "differential", "make_recording")
        for context, kind, data in made(make, work):
            unit = 1 if kind == "fetch" else 0
            samples = [record for number, record in data.records()]
            for number, record in enumerate(samples[-4:]):
                save("fuzz_ibs_payload", "%s-%s-%d" % (context, kind, number),
                     bytes([CPUS[context], unit]) + payload_of(record, 56))
            save("fuzz_perf_data", "%s-%s" % (context, kind), data.shortened(3))
    for path in sorted(glob.glob(os.path.join(recordings, "*.perf.data"))):
        name = os.path.basename(path)[:-len(".perf.data")]
        data = PerfData(path)
        attr = data.attr()
        save("fuzz_record", name, struct.pack("<H", len(attr)) + attr +
             b"".join(record for record in data.one_of_each(2) if len(record) < 600))
        short = data.shortened(2)
        if len(short) < 12000:
            save("fuzz_perf_data", name, short)


if __name__ == "__main__":
    main()
