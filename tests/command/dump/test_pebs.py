#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis dump --pebs-format: dumps of PEBS buffers, in every format, whole and broken."""
import csv
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))

import tap  # noqa: E402
from command import PRECIS, Result, good, recording, run, usage  # noqa: E402
from quick import FEW, some  # noqa: E402
from tap import equal  # noqa: E402

HERE = sys.modules[__name__]
BUILDDIR = os.environ.get("builddir", ".")
MAKE = os.path.join(BUILDDIR, "tests/command/dump/make_pebs")
SCRATCH = tempfile.TemporaryDirectory()
FORMATS = ("netburst32", "netburst64", "0", "1", "2", "3", "4", "5", "6", "arch")
FIXED = {"netburst32": 40, "netburst64": 144, "0": 144, "1": 176, "2": 192, "3": 200}
OFFSET = re.compile(r"offset 0x([0-9a-f]+) \((\d+)\)")
SKYLAKE = ("--pebs-format", "3", "--cpu", "6,85,4", "--event", "load-latency")
SAPPHIRE_RAPIDS = ("--pebs-format", "4", "--cpu", "6,143,8")
GPRS = 18
NULL = struct.pack("<QQ", 16, 0)
MEBI = 1 << 20


def scratch(name, data=None):
    path = os.path.join(SCRATCH.name, name)
    if data is not None:
        with open(path, "wb") as file:
            file.write(data)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def make(form, count, seed=1):
    """A file of random records, and what is in them."""
    path = scratch("%s-%d-%d.ds" % (form, count, seed))
    done = subprocess.run([MAKE, form, str(count), str(seed), path], stdout=subprocess.PIPE,
                          check=True, timeout=1200)
    return path, [json.loads(line) for line in done.stdout.splitlines()]


def piped(data, *words):
    """Run the command with bytes on its standard input."""
    done = subprocess.run([PRECIS, *words], input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200)
    assert done.returncode >= 0 and b"Sanitizer" not in done.stderr, done
    return Result(done)


def json_rows(text):
    return [json.loads(line) for line in text.splitlines()]


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def registers(form, path, *more):
    return json_rows(good("dump", "--pebs-format", form, "--registers", "--format", "json",
                          "-F", "ip", *more, path))


def compare(found, made, what):
    """Rows of --registers are the records that were made."""
    equal(len(found), len(made), what)
    for number, (row, record) in enumerate(zip(found, made)):
        for key in ("format", "groups", "words", "gprs"):
            equal(row[key], record[key], "%s, record %d, %s" % (what, number, key))
        if what != "arch":  # null records in front are no part of the record
            equal(row["bytes"], record["bytes"], "%s, record %d" % (what, number))


def fixed(address=0x7f0012345678, source=0x1, latency=300, ip=0x401000):
    """A record of format 3."""
    return struct.pack("<25Q", *range(GPRS), 1, address, source, latency, ip, 0, 0x123456789)


def adaptive(address=0x7f0012345678, source=0x8, latency=80 << 32 | 120, retire=7):
    """A record of format 4: basic and memory."""
    return struct.pack("<8Q", 64 << 48 | retire << 32 | 1, 0x401000, 1, 0x123456789, address,
                       source, latency, 0)


def ds_area(base, index, maximum=None, threshold=None, word="Q"):
    """A DS management area, without reset values."""
    maximum = index if maximum is None else maximum
    threshold = maximum if threshold is None else threshold
    return struct.pack("<8" + word, 0, 0, 0, 0, base, index, maximum, threshold)


# The registers of each group of vectors: their names, and the bytes of each
VECTORS = {"xmm": ("xmm%d", 0, 16, 16), "ymmh": ("ymmh%d", 0, 16, 16), "opmask": ("k%d", 0, 8, 8),
           "zmmh": ("zmmh%d", 0, 16, 32), "hi16_zmm": ("zmm%d", 16, 16, 64)}
METRICS = ("retiring", "bad_speculation", "frontend_bound", "backend_bound", "heavy_operations",
           "branch_mispredicts", "fetch_latency", "memory_bound")
TYPES = ("conditional", "indirect_jump", "direct_jump", "indirect_call", "direct_call", "return",
         6, 7) + ("other",) * 8
MODEL, ARCH = "model", "arch"


def qwords(text):
    data = bytes.fromhex(text)
    return list(struct.unpack("<%dQ" % (len(data) // 8), data))


def branch(start, end, info, layout):
    """What a branch says, by the manual's bits"""
    found = {"from": hex(start), "to": hex(end), "info": hex(info), "mispredicted": info >> 63 != 0}
    if info >> 62 & 1:
        found["in_transaction"] = True
    if info >> 61 & 1:
        found["abort"] = True
    if layout == MODEL or (layout == ARCH and info >> 60 & 1):
        found["cycles"] = info & 0xffff
    if layout == ARCH:
        found["type"] = TYPES[info >> 56 & 15]
        if info >> 32 & 0xff:
            found["counters"] = hex(info >> 32 & 0xff)
    return found


def large_groups(record, layout):
    """What --registers has to say of a record's large groups, from the bytes that it was made of"""
    found = {}
    vectors = {}
    for group, (name, first, count, size) in VECTORS.items():
        data = bytes.fromhex(record.get(group, ""))
        for n in range(count if data else 0):
            vectors[name % (first + n)] = "0x" + data[size * n:size * (n + 1)][::-1].hex()
    if vectors:
        found["vectors"] = vectors
        if record["format"] == "arch":
            vectors["xstate"] = record["xstate"]
    if "lbr_header" in record:
        words = qwords(record["lbr_header"])
        found["lbr_header"] = {"lbr_ctl": hex(words[1]), "depth": words[2],
                               "ler_from": hex(words[3]), "ler_to": hex(words[4]),
                               "ler_info": hex(words[5])}
    if "lbr" in record:
        words = qwords(record["lbr"])
        found["lbr"] = [branch(*words[n:n + 3], layout) for n in range(0, len(words), 3)]
        found["lbr_entries"] = len(words) // 3
    values = qwords(record.get("counters", ""))
    names = ["gp%d" % n for n in range(32) if record["gp"] >> n & 1]
    names += ["fixed%d" % n for n in range(32) if record["fixed"] >> n & 1]
    if names:
        found["counters"] = dict(zip(names, values))
    if record["metrics"]:
        slots, metrics = values[len(names):]
        found["metrics"] = {"slots": slots, "perf_metrics": hex(metrics),
                            **{name: metrics >> 8 * n & 255 for n, name in enumerate(METRICS)}}
    return found


GROUPS = ("vectors", "lbr_header", "lbr_entries", "lbr", "counters", "metrics")


def flat(value):
    """A value of json as csv and text have it"""
    if isinstance(value, dict):
        return ",".join("%s:%s" % (key, flat(one)) for key, one in value.items())
    if isinstance(value, list):
        return ";".join(flat(one) for one in value)
    return str(int(value) if isinstance(value, bool) else value)


def lines_of(found):
    """The large groups as text has them: a line for each item"""
    lines = []
    for group in GROUPS:
        value = found.get(group)
        if isinstance(value, dict):
            lines += [(name, flat(one)) for name, one in value.items()]
        elif isinstance(value, list):
            lines += [("lbr%d" % n, flat(one)) for n, one in enumerate(value)]
        elif value is not None:
            lines.append((group, flat(value)))
    return lines


def test_large_groups():
    """branches, vectors, counters and metrics: all of them, in every form"""
    for form, cpu, layout in (("4", "6,126,5", MODEL), ("4", "6,143,8", ARCH), ("4", "", None),
                              ("5", "", ARCH), ("6", "", ARCH), ("arch", "", ARCH)):
        path, made = make(form, 150, 11)
        how = ("dump", "--pebs-format", form, *(("--cpu", cpu) if cpu else ()), "--registers",
               "-F", "ip", path)
        expected = [large_groups(record, layout) for record in made]
        assert any("lbr" in one for one in expected), form
        found = json_rows(good(*how, "--format", "json"))
        for row, one in zip(found, expected):
            equal({name: row[name] for name in GROUPS if name in row}, one, form)
        for row, one in zip(csv_rows(good(*how, "--format", "csv")), found):
            equal([row[name] for name in GROUPS], [flat(one.get(name, "")) for name in GROUPS],
                  form)
        blocks = re.split(r"\n(?=\S)", good(*how).rstrip("\n"))
        for block, one, record in zip(blocks, found, made):
            lines = [tuple(line.split()) for line in block.split("\n")[1:]]
            equal(lines[len(record["words"]) + len(record["gprs"]):], lines_of(one), form)


def adaptive_lbr(*branches, room=4):
    """A record of format 4 with branches, and room for more."""
    entries = b"".join(struct.pack("<3Q", *one) for one in branches)
    entries += bytes(24 * (room - len(branches)))
    size = 32 + len(entries)
    return struct.pack("<4Q", size << 48 | (room - 1) << 24 | 1 << 3, 0x401000, 1, 7) + entries


def test_branches():
    """branches up to the first that was not recorded; reasons of what an INFO word does not say"""
    path = scratch("lbr.ds", adaptive_lbr((0x401000, 0x402000, 12),
                                          (0x402010, 0x401000, 1 << 63 | 0xffff), (0, 5, 6)) +
                   adaptive_lbr(room=2))
    how = ("dump", "--pebs-format", "4", "--registers", "-F", "ip", "--reasons", path)
    unknown = "NOT_CAPTURED: whether the CPU has architectural LBR is not known"
    invalid = "NOT_CAPTURED: the record says that its count is not valid"
    for cpu, cycles, kind in (("6,126,5", 12, "NOT_SUPPORTED: only architectural LBR has it"),
                              ("6,143,8", invalid, "conditional"), ("6,250,0", unknown, unknown)):
        rows = json_rows(run(*how, "--cpu", cpu, "--format", "json").out)
        equal([(row["lbr_entries"], len(row["lbr"])) for row in rows], [(4, 2), (2, 0)])
        first, second = rows[0]["lbr"]
        equal((first["from"], first["mispredicted"], second["mispredicted"]),
              ("0x401000", False, True))
        equal((first["cycles"], first["type"]), (cycles, kind), cpu)
        assert first["abort"].startswith("NOT_APPLICABLE: "), first
        text = run(*how, "--cpu", cpu).out
        assert "in_transaction:NOT_APPLICABLE(in no transaction" in text, text
        row = csv_rows(run(*how, "--cpu", cpu, "--format", "csv").out)[0]
        assert ",in_transaction:NOT_APPLICABLE,abort:NOT_APPLICABLE," in row["lbr"], row


def test_formats():
    """every format: --registers prints the words and registers that were recorded"""
    for form in FORMATS:
        path, made = make(form, 200)
        compare(registers(form, path), made, form)
        compare(registers(form.upper(), path), made, form)


def test_text_and_csv():
    """--registers: text and csv say what json says"""
    for form in FORMATS:
        path, made = make(form, 20, 2)
        how = ("dump", "--pebs-format", form, "--registers", "-F", "ip", path)
        rows = csv_rows(good(*how, "--format", "csv"))
        blocks = re.split(r"\n(?=\S)", good(*how).rstrip("\n"))
        equal((len(rows), len(blocks)), (20, 20), form)
        for record, row, block in zip(made, rows, blocks):
            words = {key: text for key, text in row.items() if "." in key and text}
            equal(words, {**{"word." + name: text for name, text in record["words"].items()},
                          **{"gpr." + name: text for name, text in record["gprs"].items()}})
            equal((row["format"], row["groups"].split()), (form, record["groups"]))
            head, *lines = block.split("\n")
            values = [tuple(line.split()) for line in lines]
            count = len(record["words"]) + len(record["gprs"])
            equal(values[:count], [*record["words"].items(), *record["gprs"].items()])
            assert head.endswith("groups=" + ",".join(record["groups"])), head


def test_no_cells():
    """--registers: json is json where a record has none of the fields"""
    path, made = make("4", 5, 3)
    found = json_rows(good("dump", "--pebs-format", "4", "--registers", "--format", "json",
                           "-F", "branch_target", path))
    compare(found, made, "4")


def test_standard_input():
    """- is standard input"""
    for form in ("3", "arch"):
        path, made = make(form, 200)
        result = piped(read(path), "dump", "--pebs-format", form, "--registers", "--format",
                       "json", "-")
        equal((result.code, result.err), (0, ""))
        compare(json_rows(result.out), made, form)
    result = piped(read(path)[:-1], "dump", "--pebs-format", form, "-")
    assert result.code == 1 and "standard input: offset" in result.err, result


def test_windows():
    """files longer than what is read at once: no record is lost or changed where two reads meet"""
    for form, count in some((("arch", 2600), ("3", 22000), ("4", 6000))):
        path, made = make(form, count, 4)
        assert os.path.getsize(path) > 4 * MEBI, (form, os.path.getsize(path))
        compare(registers(form, path), made, form)


def test_null_records():
    """more null records than a window holds, before and behind a record, in little memory"""
    path, made = make("arch", 1, 5)
    nulls = scratch("nulls", NULL * (6 * MEBI // 16 + 1))
    data = read(nulls) + read(path) + NULL + read(nulls)
    compare(registers("arch", scratch("padded", data)), made, "arch")
    result = run("dump", "--pebs-format", "arch", scratch("cut", read(nulls)[:-8]))
    assert result.code == 1 and OFFSET.search(result.err)[2] == str(len(read(nulls)) - 16), result


def test_memory():
    """memory does not grow with the file"""
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        raise tap.Skip("sanitizers need memory of their own")
    block = NULL * (MEBI // 16)
    with subprocess.Popen([PRECIS, "dump", "--pebs-format", "arch", "-"],
                          stdin=subprocess.PIPE) as process:
        for _ in range(64):
            process.stdin.write(block)
        with open("/proc/%d/status" % process.pid, encoding="ascii") as status:
            most = int(re.search(r"^VmHWM:\s*(\d+) kB", status.read(), re.M)[1])
        process.stdin.close()
        equal(process.wait(), 0)
    assert most < 32 * 1024, "%d KiB" % most


def test_fields_skylake():
    """fields of format 3, with the CPU and the event"""
    path = scratch("skylake.ds", fixed() + fixed(address=0, source=0xa | 1 << 4, latency=9))
    names = "ip,ip_exact,addr,op,mem_level,tlb_level,load_latency,cache_latency,tsc"
    equal(good("dump", *SKYLAKE, "-F", names, path),
          "ip=0x401000 ip_exact=1 addr=0x7f0012345678 op=load mem_level=L1 tlb_level=L1_or_L2 "
          "load_latency=300 tsc=4886718345\n"
          "ip=0x401000 ip_exact=1 op=load mem_level=DRAM tlb_level=walk load_latency=9 "
          "tsc=4886718345\n")
    rows = csv_rows(good("dump", *SKYLAKE, "--format", "csv", "--reasons", "-F", names, path))
    equal([row["addr"] for row in rows], ["0x7f0012345678", "NOT_APPLICABLE"])
    equal([row["cache_latency"] for row in rows], ["NOT_SUPPORTED"] * 2)
    by_cpuid = ("--cpuid", "GenuineIntel,6,85,4", "--event", "0x1cd", "--pebs-format", "3")
    for how in (by_cpuid, ("--cpu", "0x6,0x55,4", *by_cpuid[2:]), (*SKYLAKE[2:], *SKYLAKE[:2])):
        equal(csv_rows(good("dump", "--format", "csv", "--reasons", "-F", names, *how, path)), rows)
    equal(good("dump", *SKYLAKE, path).splitlines()[1],
          "ip=0x401000 op=load mem_level=DRAM tlb_level=walk load_latency=9")


def test_fields_unknown():
    """without CPU or event no word is given a meaning that it may not have"""
    path = scratch("unknown.ds", fixed())
    names = "ip,addr,op,mem_level,load_latency,time,event"
    for how, has_reason in (((), "CPU model"), (("--cpu", "6,85,4"), "event is not known")):
        row, = json_rows(good("dump", "--pebs-format", "3", *how, "--format", "json", "--reasons",
                              "-F", names, path))
        equal(row["ip"], "0x401000")
        equal(set(row["reasons"]), set(names.split(",")) - {"ip"})
        assert has_reason in row["reasons"]["mem_level"], row


def test_events():
    """--event: what an event does not record is not there"""
    path = scratch("events.ds", fixed())
    for event, expected in (("load", "op=load addr=0x7f0012345678"),
                            ("store", "op=store addr=0x7f0012345678"),
                            ("load-or-store", "addr=0x7f0012345678"),
                            ("0x82d0", "op=store addr=0x7f0012345678"),
                            ("0xc0", ""), ("OTHER", "")):
        equal(good("dump", *SKYLAKE[:4], "--event", event, "-F", "op,addr,load_latency", path),
              expected + "\n", event)


def test_fields_sapphire_rapids():
    """fields of format 4; retire latency by --perf-capabilities"""
    path = scratch("spr.ds", adaptive())
    names = "mem_level,cache_latency,instruction_latency,load_latency,retire_latency"
    how = ("dump", *SAPPHIRE_RAPIDS, "--event", "load-latency", "-F", names, path)
    plain = "mem_level=L3 cache_latency=80 instruction_latency=120"
    for more, expected in (((), ""), (("--perf-capabilities", "0x20000"), " retire_latency=7"),
                           (("--perf-capabilities", "20000"), " retire_latency=7"),
                           (("--perf-capabilities", "1ffff"), "")):
        found = good(*how, *more)
        assert found.startswith("mem_level="), found
        equal(found.split(" ", 1)[1], plain.split(" ", 1)[1] + expected + "\n", repr(more))
    row, = csv_rows(good(*how, "--format", "csv", "--reasons"))
    equal(row["retire_latency"], "NOT_CAPTURED")
    row, = csv_rows(good(*how, "--format", "csv", "--reasons", "--perf-capabilities", "0"))
    equal(row["retire_latency"], "NOT_SUPPORTED")


def test_core_type():
    """--core-type: the two cores of a hybrid CPU read a word differently"""
    path = scratch("hybrid.ds", adaptive(source=0x5))
    how = ("dump", "--pebs-format", "4", "--cpu", "6,151,2", "--event", "load-latency", "-F",
           "mem_level,mem_snoop", "--reasons", path)
    found = {good(*how, "--core-type", kind) for kind in ("p", "E")}
    equal(len(found), 2, found)
    result = run(*how)
    assert result.code == 0 and "--core-type" in result.err and "NOT_CAPTURED" in result.out, result
    result = run(*how, "--core-type", "lp-e")
    assert result.code == 0 and "no core of type LP-E" in result.err, result


def test_selection():
    """--filter, -n, -o"""
    path = scratch("selected.ds", b"".join(fixed(latency=latency) for latency in (5, 50, 500)))
    how = ("dump", *SKYLAKE, "-F", "load_latency", path)
    equal(good(*how, "--filter", "load_latency > 5 && op == load"),
          "load_latency=50\nload_latency=500\n")
    equal(good(*how, "--filter", "load_latency > 5 && op == load", "-n", "1"), "load_latency=50\n")
    assert "no event 'cycles'" in usage(*how, "--filter", 'event == "cycles"')
    equal(good(*how, "-n", "0"), "")
    target = scratch("selected.txt")
    equal(good(*how, "-o", target), "")
    equal(read(target), b"load_latency=5\nload_latency=50\nload_latency=500\n")


def test_output_is_input():
    """-o must not be the dump itself"""
    path = scratch("itself.ds", fixed())
    result = run("dump", *SKYLAKE, "-o", path, path)
    assert result.code == 1 and path in result.err and not result.out, result
    equal(read(path), fixed())


def broken(result, offset, *words):
    """One line says where and why; the exit code is 1."""
    equal(result.code, 1, repr(result))
    lines = [line for line in result.err.splitlines() if "warning: " not in line]
    equal(len(lines), 1, result.err)
    found = OFFSET.search(lines[0])
    equal((int(found[1], 16), int(found[2])), (offset, offset), lines[0])
    for word in words:
        assert word in lines[0], lines[0]


def test_cuts():
    """a dump that ends anywhere: all whole records, then where the last one begins"""
    for form in FORMATS:
        path, made = make(form, 3, 6)
        data, ends, end = read(path), [0], 0
        for record in made:
            end += record["bytes"]
            ends.append(end)
        cuts = range(0, len(data), 223 if FEW else 37)
        for cut in sorted({*cuts, *ends, *(end - 1 for end in ends[1:])}):
            result = run("dump", "--pebs-format", form, "-F", "ip", "--registers", "--format",
                         "json", scratch("cut", data[:cut]))
            whole = sum(end <= cut for end in ends) - 1
            compare(json_rows(result.out), made[:whole], form)
            if cut in ends:
                equal((result.code, result.err), (0, ""), (form, cut))
            elif form == "arch":  # a null record or a whole fragment can lie before what is cut
                assert result.code in (0, 1), result
                if result.code:
                    place = int(OFFSET.search(result.err)[2])
                    assert ends[whole] <= place < cut, (cut, result.err)
            else:
                broken(result, ends[whole], "truncated")


def test_wrong_format():
    """records of another format are refused where that can be seen, never crash"""
    for form in FORMATS:
        path, _ = make(form, 5, 7)
        for other in FORMATS:
            result = run("dump", "--pebs-format", other, "-F", "all", path)
            assert result.code in (0, 1), result
            assert result.code == 0 or OFFSET.search(result.err), result.err
    broken(run("dump", "--pebs-format", "4", scratch("wrong.ds", fixed())), 0, "format 4")
    zeros = scratch("zeros.ds", bytes(9 * MEBI))
    broken(run("dump", "--pebs-format", "6", zeros), 0, "format 6")
    broken(run("dump", "--pebs-format", "arch", zeros), 0, "format arch")


def test_behind_a_fault():
    """architectural: what is behind a record that cannot be read is printed; faults are counted"""
    path, made = make("arch", 3, 8)
    data = read(path)
    orphan = struct.pack("<QQ", 1 << 62 | 80, 0) + bytes(64)  # a Memory group without Basic
    first = made[0]["bytes"]
    mixed = data[:first] + orphan + data[first:] + orphan
    for source in (scratch("orphan.ds", mixed), "-"):
        how = ("dump", "--pebs-format", "arch", "--registers", "--format", "json", source)
        result = piped(mixed, *how) if source == "-" else run(*how)
        compare(json_rows(result.out), made, "arch")
        broken(result, first, ": 2 records could not be read, the first at")


def test_files():
    """what is no file of records"""
    result = run("dump", "--pebs-format", "3", scratch("nowhere"))
    assert result.code == 1 and "No such file or directory" in result.err, result
    result = run("dump", "--pebs-format", "3", SCRATCH.name)
    assert result.code == 1 and "Is a directory" in result.err and not result.out, result
    equal(good("dump", "--pebs-format", "3", scratch("empty", b"")), "")
    equal(good("dump", "--pebs-format", "3", "--format", "csv", "-F", "ip", scratch("empty")),
          "ip\n")


def latencies(*how):
    return re.findall(r"=(\d+)", good("dump", *SKYLAKE, "-F", "load_latency", *how))


def test_ds_area():
    """--ds-area: records from base to index; --ds-base: where in the file that is"""
    data = b"".join(fixed(latency=latency) for latency in (1, 2, 3))
    path = scratch("area.ds", data)
    base = 0xfffffe0000010000
    area = scratch("area", ds_area(base, base + 400, base + 600))
    equal(latencies(path), ["1", "2", "3"])
    equal(latencies("--ds-area", area, path), ["1", "2"])
    equal(latencies("--ds-area", area, "--ds-base", hex(base), path), ["1", "2"])
    scratch("area", ds_area(base + 200, base + 600))
    equal(latencies("--ds-area", area, "--ds-base", hex(base), path), ["2", "3"])
    equal(latencies("--ds-area", area, "--ds-base", str(base), path), ["2", "3"])
    equal(piped(data, "dump", *SKYLAKE, "-F", "load_latency", "--ds-area", area, "--ds-base",
                hex(base), "-").out, "load_latency=2\nload_latency=3\n")
    scratch("area", ds_area(base, base, base + 600))
    equal(latencies("--ds-area", area, path), [])


def test_ds_area_32():
    """--ds-area of NetBurst has 32-bit words"""
    path, made = make("netburst32", 3, 9)
    area = scratch("area32", ds_area(0x1000, 0x1000 + 80, 0x1000 + 400, word="I"))
    found = registers("netburst32", path, "--ds-area", area)
    compare(found, made[:2], "netburst32")
    scratch("area32", ds_area(0x1004, 0x1004 + 40, 0x1004 + 400, word="I"))
    compare(registers("netburst32", path, "--ds-area", area), made[:1], "netburst32")


def test_ds_area_faults():
    """a DS area that cannot be right, and a dump that ends before its index"""
    path = scratch("short.ds", fixed(latency=1) + fixed(latency=2))
    area = scratch("faulty")
    base = 0x10000
    for content, words in ((ds_area(base, base - 200, base), ("index is below the base", "0xff38")),
                           (ds_area(base, base + 400, base + 200), ("beyond the maximum",)),
                           (ds_area(base, base + 200, base - 8), ("maximum is below",)),
                           (ds_area(base + 1, base + 201), ("misaligned",)),
                           (ds_area(base, base)[:60], ("truncated", "found 60 bytes")),
                           (b"", ("found 0 bytes",))):
        scratch("faulty", content)
        result = run("dump", *SKYLAKE, "--ds-area", area, path)
        equal((result.code, result.out), (1, ""))
        for word in (area, *words):
            assert word in result.err, (word, result.err)
    scratch("faulty", ds_area(base, base + 200))
    result = run("dump", *SKYLAKE, "--ds-area", area, "--ds-base", hex(base + 8), path)
    assert (result.code, result.out) == (1, "") and "not in the memory" in result.err, result
    result = run("dump", *SKYLAKE, "--ds-area", scratch("nowhere"), path)
    assert result.code == 1 and "No such file" in result.err, result
    scratch("faulty", ds_area(base, base + 600))
    result = run("dump", *SKYLAKE, "-F", "load_latency", "--ds-area", area, path)
    equal(result.out, "load_latency=1\nload_latency=2\n")
    broken(result, 400, "200 bytes of records follow")
    result = run("dump", *SKYLAKE, "-F", "load_latency", "--ds-area", area, "--ds-base",
                 hex(base - 200), path)
    equal(result.out, "load_latency=2\n")
    broken(result, 400, "400 bytes of records follow")
    scratch("faulty", ds_area(base, base + 304))
    result = run("dump", *SKYLAKE, "-F", "load_latency", "--ds-area", area, path)
    equal(result.out, "load_latency=1\n")
    broken(result, 200, "truncated")
    for content, words in ((ds_area(0, 0), "not in use"),
                           (ds_area(base, base + 400, base + 400, base - 8), "threshold")):
        scratch("faulty", content)
        result = run("dump", *SKYLAKE, "--ds-area", area, path)
        assert result.code == 0 and "warning" in result.err and words in result.err, result


def test_usage():
    """wrong calls"""
    path = scratch("usage.ds", fixed())
    for words, message in (
            (("--pebs-format", "7"), "--pebs-format: expected 0 to 6, arch, netburst32"),
            (("--pebs-format", "3", "--cpu", "0-3,7"), "--cpu: expected FAMILY,MODEL,STEPPING"),
            (("--pebs-format", "3", "--cpu", "6,143," + "8" * 80), "--cpu: expected"),
            (("--pebs-format", "3", "--cpuid", "AuthenticAMD,25,17,1"), "expected an Intel CPU"),
            (("--pebs-format", "3", "--event", "loads"), "--event: expected load-latency"),
            (("--pebs-format", "3", "--event", "0x101cd"), "--event: expected load-latency"),
            (("--pebs-format", "3", "--core-type", "x"), "--core-type: expected p, e or lp-e"),
            (("--pebs-format", "3", "--ds-base", "1"), "--ds-base needs --ds-area"),
            (("--pebs-format", "3", "--ds-base", "-1"), "--ds-base: expected an address"),
            (("--pebs-format", "arch", "--ds-area", path), "format arch have no DS area"),
            (("--pebs-format", "3", "--perf-capabilities", "xyz"), "expected a hexadecimal"),
            (("--pebs-format", "3", "--perf-capabilities", "-1"), "expected a hexadecimal"),
            (("--pebs-format", "3", "--filter", "ip >"), "--filter: column"),
            (("--pebs-format", "3", "-F", "ip,callchain"), "PEBS records have no 'callchain'"),
            (("--pebs-format", "3", "--format", "xml"), "--format: expected text, csv or json"),
            (("--core-type", "p"), "need --pebs-format"),
            (("--ds-area", path), "need --pebs-format")):
        assert message in usage("dump", *words, path), (words, message)
    for option in ("--pid=1", "--tid=1", "--time=1,2", "--sorted", "--os-release=6.1", "--records",
                   "--fetch-layout=old", "--no-symbols"):
        said = usage("dump", option, "--pebs-format", "3", path)
        assert option.split("=")[0] + " and --pebs-format exclude each other" in said, said
    said = usage("dump", "--registers", "--perf-names", "--pebs-format", "3", path)
    assert "--perf-names and --pebs-format" in said, said


def test_options_of_recordings():
    """without --pebs-format --cpu and --event select, as ever"""
    path = recording("zen4-op")
    assert good("dump", "--cpu", "0", "-n", "1", path)
    equal(good("dump", "--cpu", "6,143,8", "-n", "1", path), "")
    assert "expected a list" in usage("dump", "--cpu", "0x6", path)


def test_warnings():
    """a format that the CPU does not write, a CPU that is not known"""
    path = scratch("warned.ds", fixed())
    result = run("dump", "--pebs-format", "3", "--cpu", "6,143,8", path)
    assert result.code == 0 and "writes records of format 4, not 3" in result.err, result
    result = run("dump", "--pebs-format", "3", "--cpu", "6,250,0", path)
    assert result.code == 0 and "CPU 6,250,0 is not known" in result.err, result


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
