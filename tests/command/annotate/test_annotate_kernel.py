#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis annotate: code of the kernel, by a program that is linked where a kernel is and recorded as if
it had been loaded elsewhere: of its vmlinux, of a copy of its memory, of the kernel that runs here.
"""
import functools
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import perfdata
import tap
from command import good, run
from tap import Skip, equal
from test_annotate import annotated, extent, objdump, program, same_mnemonic, segment, there, tool

KERNEL, ANY_PID = 1, 0xffffffff
LINKED, SLIDE = 0xffffffff81000000, 0x12400000
MODULE = 0xffffffffc0123000
NO_CODE = "code of the kernel, which is in no file here"

SOURCE = """
static long table[64];

__attribute__((noinline)) long do_sum(long n)
{
	long sum = 0;
	while (n--)
		sum += table[n & 63] * 3;
	return sum;
}

__attribute__((noinline)) long do_other(long n)
{
	table[n & 63] = n;
	return n / 7;
}

long start(long n)
{
	return do_sum(n) + do_other(n);
}
"""
FUNCTIONS = ("do_sum", "do_other", "start")


def vmlinux():
    return program("vmlinux", (
        "-g", "-O2", "-ffreestanding", "-fno-pie", "-no-pie", "-nostdlib", "-static", "-mcmodel=kernel",
        "-fcf-protection=none", "-Wl,--build-id", "-Wl,-e,start", "-Wl,-Ttext-segment=%#x" % LINKED,
        "-Wl,--defsym=_text=%#x" % LINKED), SOURCE)


@functools.lru_cache(maxsize=None)
def build_id(path):
    for line in tool("readelf", "-n", path).splitlines():
        if "Build ID:" in line:
            return line.split()[-1]
    raise AssertionError(path)


def kernel_mmap(name, start, length, reference=0):
    name = name.encode() + b"\0" * (8 - len(name) % 8)
    return perfdata.record(1, struct.pack("<IIQQQ", ANY_PID, 0, start, length, reference) + name, KERNEL)


def build_id_record(digits):
    name = b"[kernel.kallsyms]"
    name += b"\0" * (64 - len(name))
    return perfdata.record(67, struct.pack("<I", ANY_PID) + bytes.fromhex(digits).ljust(20, b"\0") +
                           struct.pack("<BBH", 20, 0, 0) + name, KERNEL | 1 << 15)


def kernel_sample(address, n):
    return perfdata.sample(perfdata.op_payload(rip=address), ip=address, time=1000 + n, misc=KERNEL)


def recorded(name, addresses, digits):
    """Where the program was linked plus the slide"""
    records = [kernel_mmap("[kernel.kallsyms]_text", LINKED + SLIDE, 1 << 24, LINKED + SLIDE),
               kernel_mmap("/lib/modules/6.1/kernel/fs/ext4.ko", MODULE, 0x4000)]
    if digits:
        records.append(build_id_record(digits))
    where = there(name)
    os.makedirs(os.path.dirname(where), exist_ok=True)
    with open(where, "wb") as file:
        file.write(perfdata.perf_data(records + [kernel_sample(*one) for one in
                                                 zip(addresses, range(len(addresses)))]))
    return where


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def kallsyms(path, module=()):
    """The list of the recorded start, in which functions end where the next one begins"""
    rows = sorted([(LINKED + SLIDE, "_text", "")] + [
        (extent(path, name)[0] + SLIDE, name, "") for name in FUNCTIONS] + list(module))
    return "".join("%016x T %s%s\n" % (at, name, "\t[%s]" % owner if owner else "")
                   for at, name, owner in rows).encode()


def cached(directory, digits, path, name):
    with open(path, "rb") as file:
        write(os.path.join(directory, ".build-id", digits[:2], digits[2:] + name), file.read())
    return directory


def kernel_recording(digits):
    path = vmlinux()
    data = recorded("kernel.data", [extent(path, "do_sum")[0] + SLIDE] * 3, digits)
    write(there("kallsyms"), kallsyms(path))
    return path, data, ("--kallsyms", there("kallsyms"))


def rows_of(table):
    return [(int(row["row"], 16), row["instruction"]) for row in table["rows"] if row["length"]]


def expect_texts(found, expected):
    for (_, text), (_, other) in zip(found, expected):
        assert same_mnemonic(text, other), (text, other)


def expect_code(path, table):
    """Addresses are the recorded ones; behind a function there is what fills up to the next."""
    start, length = extent(path, "do_sum")
    expected = objdump(path, start, length)
    found = rows_of(table)
    equal([at for at, _ in found[:len(expected)]], [at + SLIDE for at, _ in expected])
    expect_texts(found, expected)
    targets = [int(row["target"], 16) for row in table["rows"] if row["target"]]
    assert targets and all(start + SLIDE <= at < start + SLIDE + length for at in targets), targets


def needed():
    built.need("elfutils")
    built.need("zydis")


def test_vmlinux():
    """code and lines of the vmlinux that a build-id cache or a debug directory has"""
    needed()
    digits = build_id(vmlinux())
    path, data, words = kernel_recording(digits)
    for option, name in (("--buildid-dir", "/elf"), ("--debug-dir", ".debug")):
        directory = cached(there("cache" + name.strip("/.")), digits, path, name)
        document = annotated("do_sum", option, directory, *words, data)
        expect_code(path, document["annotate_ops"])
        rows = document["annotate_ops"]["rows"]
        equal(rows[0]["samples"], 3)
        told = tool("addr2line", "-e", path, *["%#x" % (int(row["row"], 16) - SLIDE) for row in rows])
        source = SOURCE.split("\n")
        for row, line in zip(rows, told.splitlines()):
            number = line.split(" ")[0].rpartition(":")[2]
            if number.isdigit() and int(number):
                equal((row["line"], row["source"]), (int(number),
                                                     source[int(number) - 1].expandtabs(8)), row)
        told = good("report", "--by", "line", option, directory, *words, data)
        assert "vmlinux.c:" in told, told


def test_other_build():
    """of another build, or where the build is not known, there is none, and that is said"""
    needed()
    path, data, words = kernel_recording("12" * 20)
    others = cached(there("others"), build_id(path), path, "/elf")
    wrong = cached(there("wrong"), "12" * 20, path, "/elf")
    unknown = recorded("unknown.data", [extent(path, "do_sum")[0] + SLIDE], None)
    for file, directory in ((data, others), (data, wrong), (unknown, others)):
        table = annotated("do_sum", "--buildid-dir", directory, *words, file)["annotate_ops"]
        assert not any(row["length"] for row in table["rows"]), table
        assert any(NO_CODE in note for note in table["notes"]), table["notes"]


def kcore(parts, claimed=None):
    """ET_CORE with these (address, bytes)"""
    offset = 64 + 56 * len(parts)
    headers = body = b""
    for address, data in parts:
        size = len(data) if claimed is None else claimed
        headers += struct.pack("<IIQQQQQQ", 1, 7, offset + len(body), address, 0, size, size, 4096)
        body += data
    return (b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56,
                                                   len(parts), 0, 0, 0) + headers + body)


def code_of(path, function):
    start, length = extent(path, function)
    address, place = segment(path)
    with open(path, "rb") as file:
        file.seek(start - address + place)
        return start, file.read(length)


def directory_recording(name, core, module=()):
    path = vmlinux()
    addresses = [extent(path, "do_sum")[0] + SLIDE] * 3 + [at for at, _, _ in module]
    recorded(os.path.join(name, "data"), addresses, build_id(path))
    write(os.path.join(there(name), "kcore_dir/kallsyms"), kallsyms(path, module))
    write(os.path.join(there(name), "kcore_dir/kcore"), core)
    return there(name)


def test_memory():
    """memory beside the recording is believed before a file: a kernel patches itself; and has modules"""
    needed()
    path = vmlinux()
    start, code = code_of(path, "do_sum")
    digits = build_id(path)
    patched = b"\x0f\x1f\x44\0\0" + code[5:] # what ftrace puts where a call was
    core = kcore([(start + SLIDE, patched), (MODULE + 0x100, code_of(path, "do_other")[1])])
    data = directory_recording("memory", core, [(MODULE + 0x100, "ext4_do", "ext4")])
    cache = cached(there("cache"), digits, path, "/elf")
    table = annotated("do_sum", "--buildid-dir", cache, data)["annotate_ops"]
    found = rows_of(table)
    equal(found[0][0], start + SLIDE)
    assert found[0][1].startswith("nop"), found[0]
    table = annotated("ext4_do", data)["annotate_ops"]
    expected = objdump(path, *extent(path, "do_other"))
    assert len(rows_of(table)) >= len(expected), table
    expect_texts(rows_of(table), expected)


def test_damaged_memory():
    """a copy of memory that is cut off, or lies about its sizes: its vmlinux, or nothing, and no harm"""
    needed()
    path = vmlinux()
    start, code = code_of(path, "do_sum")
    core = kcore([(start + SLIDE, code)])
    cores = [core[:n] for n in range(0, len(core), 7)]
    cores += [kcore([(start + SLIDE, code)], claimed) for claimed in (1 << 63, (1 << 64) - 1, 0, 3)]
    for n, one in enumerate(cores):
        data = directory_recording("damaged", one)
        rows = [row for row in annotated("do_sum", data)["annotate_ops"]["rows"] if row["length"]]
        assert len(rows) <= len(code), n
        for row in rows:
            assert start + SLIDE <= int(row["row"], 16) < start + SLIDE + len(code), row
    cache = cached(there("cache"), build_id(path), path, "/elf")
    data = directory_recording("damaged", core[:40])
    expect_code(path, annotated("do_sum", "--buildid-dir", cache, data)["annotate_ops"])


def test_damaged_vmlinux():
    """a vmlinux that is cut off anywhere, or has no such symbol"""
    needed()
    digits = build_id(vmlinux())
    path, data, words = kernel_recording(digits)
    with open(path, "rb") as file:
        whole = file.read()
    stripped = there("stripped")
    tool("strip", "-o", stripped, path)
    with open(stripped, "rb") as file:
        variants = [file.read()]
    variants += [whole[:n] for n in range(64, len(whole), len(whole) // 60)]
    for n, one in enumerate(variants):
        directory = there("cut")
        write(os.path.join(directory, ".build-id", digits[:2], digits[2:], "elf"), one)
        done = run("annotate", "--format", "json", "do_sum", "--buildid-dir", directory, *words, data)
        equal((done.code, done.err), (0, ""), n)
        assert n or NO_CODE in done.out or "nothing known of that place" in done.out, done.out


def read_running(address, length):
    """By another reader of /proc/kcore"""
    with open("/proc/kcore", "rb", buffering=0) as file:
        header = struct.unpack("<HHIQQQIHHHHHH", file.read(64)[16:])
        file.seek(header[4])
        for line in range(header[9]):
            file.seek(header[4] + 56 * line)
            kind, _, offset, start, _, size, _, _ = struct.unpack("<IIQQQQQQ", file.read(56))
            if kind == 1 and start <= address < start + size:
                file.seek(offset + address - start)
                return file.read(length)
    raise AssertionError("%#x" % address)


def running_function(name):
    with open("/proc/kallsyms", encoding="ascii", errors="replace") as file:
        rows = [line.split() for line in file]
    wanted = {words[2]: int(words[0], 16) for words in rows if words[2] in (name, "_text")}
    if not wanted.get(name) or not wanted.get("_text"):
        raise Skip("addresses of the kernel are hidden")
    return wanted["_text"], wanted[name]


def running_build_id():
    with open("/sys/kernel/notes", "rb") as file:
        notes = file.read()
    at = notes.index(b"GNU\0")
    return notes[at + 4:at + 24].hex()


def running_recording(text, function, slide):
    """Of the kernel that runs here, at another start of which it was elsewhere"""
    where = there("running.data")
    with open(where, "wb") as file:
        file.write(perfdata.perf_data([
            kernel_mmap("[kernel.kallsyms]_text", text + slide, 1 << 26, text + slide),
            build_id_record(running_build_id()), kernel_sample(function + slide, 0)]))
    return where


def running_code(text, function, slide, *options):
    """Of the function, at its recorded addresses, and as objdump has what another reader has of it"""
    table = annotated("wake_up_process", *options, running_recording(text, function, slide))["annotate_ops"]
    rows = [row for row in table["rows"] if row["length"]]
    assert rows, table["notes"]
    length = int(rows[-1]["row"], 16) + rows[-1]["length"] - function - slide
    code = there("running.bin")
    write(code, read_running(function, length))
    expected = [line.split("\t")[0].strip(" :") for line in tool(
        "objdump", "-D", "-b", "binary", "-m", "i386:x86-64", "-w",
        "--adjust-vma=%#x" % (function + slide), code).splitlines() if "\t" in line]
    equal([int(row["row"], 16) for row in rows], [int(at, 16) for at in expected])
    return [row["instruction"] for row in rows]


def test_running_kernel():
    """code of the kernel that runs here, if it is the recorded one"""
    needed()
    if not os.access("/proc/kcore", os.R_OK):
        raise Skip("no /proc/kcore that can be read")
    text, function = running_function("wake_up_process")
    empty = there("empty")
    os.makedirs(empty, exist_ok=True)
    here = running_code(text, function, 0, "--buildid-dir", empty)
    equal(len(running_code(text, function, SLIDE, "--buildid-dir", empty)), len(here))
    # perf record leaves a list of the kernel in its cache: of the start at which it first did so
    digits = running_build_id()
    with open("/proc/kallsyms", encoding="ascii", errors="replace") as file:
        listed = [line.split(" ", 1) for line in file if "[" not in line]
    write(os.path.join(there("listed"), ".build-id", digits[:2], digits[2:], "kallsyms"), "".join(
        "%016x %s" % (int(at, 16) + 2 * SLIDE & (1 << 64) - 1, rest) for at, rest in listed).encode())
    for slide in 0, SLIDE:
        equal(len(running_code(text, function, slide, "--buildid-dir", there("listed"))), len(here))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
