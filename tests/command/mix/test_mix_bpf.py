#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis mix and BPF programs: their code is in the recording, as perf record wrote it, or why it is not."""
import ctypes
import json
import os
import platform
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]

import built
import known_program as known
import perfdata
import tap
from command import good
from known_files import kept, there
from tap import Skip, equal

KERNEL, ARCH, BPF_PROG_INFO, KSYMBOL = 1, 6, 25, 17
AT = 0xffffffffc0123000
INFO_BYTES = 232  # of struct bpf_prog_info
PERIOD = 1000


def program_info(functions, arrays=1 << 0 | 1 << 3 | 1 << 4):
    """struct perf_bpil of a program; 'functions': [(address, code)]"""
    code = b"".join(code for _, code in functions)
    code_at, starts_at = 0, (len(code) + 7) & ~7
    lengths_at = starts_at + 8 * len(functions)
    data = code.ljust(starts_at, b"\0") + b"".join(struct.pack("<Q", start) for start, _ in functions)
    data += b"".join(struct.pack("<I", len(code)) for _, code in functions)
    data += bytes(-len(data) % 8)
    info = bytearray(INFO_BYTES)
    struct.pack_into("<I", info, 16, len(code))
    struct.pack_into("<Q", info, 24, code_at)
    struct.pack_into("<IIQQ", info, 104, len(functions), len(functions), starts_at, lengths_at)
    return struct.pack("<IIQ", len(info), len(data), arrays) + bytes(info) + data


def section(*programs):
    return struct.pack("<I", len(programs)) + b"".join(programs)


def ksymbol(address, length, name):
    body = struct.pack("<QIHH", address, length, 1, 0) + name.encode().ljust(24, b"\0")
    return perfdata.record(KSYMBOL, body + known.trailer(1), KERNEL)


def recorded(name, symbols, addresses, bpf, arch="x86_64"):
    """a recording of samples at these addresses"""
    events = [(known.event(known.INSTRUCTIONS), [1], "instructions")]
    features = {perfdata.CPUID: perfdata.string(known.HASWELL), ARCH: perfdata.string(arch),
                perfdata.EVENT_DESC: perfdata.event_desc(events), BPF_PROG_INFO: bpf}
    records = [ksymbol(*symbol) for symbol in symbols]
    records += [known.sample(1, address, 1000 + n, PERIOD, misc=KERNEL) for n, address in enumerate(addresses)]
    return kept(name, perfdata.perf_data(records, events, features))


def page(*arguments):
    return json.loads(good("mix", "--format", "json", "--top", "0", *arguments))


def mnemonics(path):
    found = page("--method", "ebs", "--by", "function,mnemonic", path)["mix"]["rows"]
    return {(row["function"], row["mnemonic"]): row["executions"] for row in found
            if row["row"] != "all" and row["executions"]}


FIRST, SECOND = b"\xb8\x07\x00\x00\x00\x48\x83\xc0\x05\xc3", b"\x31\xc0\xc3"  # mov, add, ret; xor, ret
SYMBOLS = (AT, len(FIRST), "bpf_prog_1_first"), (AT + 0x100, len(SECOND), "bpf_prog_2_second")
FUNCTIONS = (AT, FIRST), (AT + 0x100, SECOND)


def test_functions():
    """each function of a program has the code that the recording has of it"""
    built.need("zydis")
    addresses = [AT, AT + 5, AT + 9] * 20 + [AT + 0x100, AT + 0x102] * 30
    found = mnemonics(recorded("bpf.data", SYMBOLS, addresses, section(program_info(FUNCTIONS))))
    one, other = "bpf_prog_1_first (bpf_prog_1_first)", "bpf_prog_2_second (bpf_prog_2_second)"
    equal(found, {(one, "mov"): 20000, (one, "add"): 20000, (one, "ret"): 20000,
                  (other, "xor"): 30000, (other, "ret"): 30000})


def whys(*how, **more):
    return {row["reason"] for row in page(recorded("why.data", SYMBOLS, [AT] * 30, *how, **more))["known"]["rows"]
            if row["samples"] and row["row"] not in ("all", "known")}


def test_not_known():
    """no code of a program that has none, of two at one address, of a machine that is not known: a reason"""
    built.need("zydis")
    reason = {"a BPF program, whose bytes are not recorded"}
    whole = program_info(FUNCTIONS)
    equal(whys(section(whole)), {None})
    equal(whys(section(whole, whole)), {None})
    equal(whys(section(program_info((), 0), whole)), {None})
    for bpf in (b"", section(), section(program_info(FUNCTIONS, 1 << 3 | 1 << 4)), section(program_info(())),
                section(whole, program_info(((AT - 2, FIRST),))), section(whole, program_info(((AT + 4, FIRST),))),
                section(program_info(((AT - 0x100, bytes(0x101)),)), whole)):
        equal(whys(bpf), reason, bpf)
    equal(whys(section(whole), arch="s390x"), reason)


def test_damaged():
    """a section that is cut off, or says what it does not hold, gives what is before that, or nothing"""
    built.need("zydis")
    whole = section(program_info(FUNCTIONS), program_info(((AT + 0x200, SECOND),)))
    for cut in range(0, len(whole), 5):
        good("mix", recorded("cut.data", SYMBOLS, [AT] * 5, whole[:cut]))
    for at in range(4, len(whole) - 4, 4):
        for value in (0xffffffff, 0x7fffffff, 1):
            broken = bytearray(whole)
            struct.pack_into("<I", broken, at, value)
            good("mix", recorded("broken.data", SYMBOLS, [AT] * 5, bytes(broken)))


NAME = b"precis%d" % (os.getpid() % 1000000)


def load():
    """a program of three instructions in the kernel. @return its descriptor, and its name"""
    code = b"".join(struct.pack("<BBhi", *words) for words in ((0xb7, 0, 0, 7), (0x07, 0, 0, 5), (0x95, 0, 0, 0)))
    buffers = [ctypes.create_string_buffer(text) for text in (code, b"GPL")]
    attr = struct.pack("<IIQQIIQII", 1, len(code) // 8, *map(ctypes.addressof, buffers), 0, 0, 0, 0, 0)
    attr = (attr + NAME).ljust(128, b"\0")
    return ctypes.CDLL(None, use_errno=True).syscall(321, 5, ctypes.create_string_buffer(attr, 128), 128), NAME.decode()


def test_stock_perf():
    """what stock perf records of a program that the kernel has: its code, from its first instruction to its last"""
    built.need("zydis")
    if not shutil.which("perf") or platform.machine() != "x86_64":
        raise Skip("no perf, or another machine")
    program, tag = load()
    if program < 0:
        raise Skip("no BPF program can be loaded here")
    path = there("stock.data")
    done = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", path, "--", "true"], capture_output=True,
                          check=False)
    os.close(program)
    features = dict(sections(path)) if not done.returncode else {}
    functions = [line for line in good("dump", "--records=KSYMBOL", path).splitlines() if "type=bpf" in line] \
        if features else []
    if BPF_PROG_INFO not in features or len(features[BPF_PROG_INFO]) < 300 or not functions:
        raise Skip("perf record tells nothing of BPF programs here")
    for line in functions:
        words = dict(word.split("=", 1) for word in line.split() if "=" in word)
        start, length, name = int(words["addr"], 16), int(words["length"]), words["name"]
        found = mnemonics(recorded("stock-mix.data", [(start, length, name[:20])], [start] * 30,
                                   features[BPF_PROG_INFO]))
        # Its own three instructions; the last one is a return, or a jump to where the kernel has all returns
        if name.endswith(tag):
            assert {"mov", "add", "leave"} <= {mnemonic for _, mnemonic in found}, (line, found)
            return
    raise AssertionError("not the program's: %r" % functions)


def sections(path):
    """(number, payload) of a recording's features"""
    with open(path, "rb") as file:
        data = file.read()
    size, _, _, _, at, length = struct.unpack_from("<6Q", data, 8)
    bits = struct.unpack_from("<4Q", data, 72)
    assert size == 104
    table = at + length
    for number in range(256):
        if bits[number // 64] >> number % 64 & 1:
            start, count = struct.unpack_from("<QQ", data, table)
            yield number, data[start:start + count]
            table += 16


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
