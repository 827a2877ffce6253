#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The dlfilter, precis.py and `precis dump` say the same of every sample of every recording."""
import functools
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perf import dlfilter, perf, recordings, rows, script, tap  # noqa: E402
import command  # noqa: E402
from quick import some  # noqa: E402

# What perf does not hand on: to a filter before 6.3; to a script, the record's misc, and
# before 6.12 var2_w, and what is made of these.
NOT_IN_FILTERS = {"perf_weight3", "retire_latency"}
NOT_IN_SCRIPTS = {"ip_exact", "perf_weight2", "instruction_latency", "perf_weight3",
                  "retire_latency", "data_page_size", "code_page_size", "cgroup"}
FILTERS = (
    "dcache_miss_latency > 200 && mem_level == DRAM",
    "op == load && !(tlb_level == L1)",
    "missing(addr) || branch_mispredicted",
    "fetch_latency > 20 and not icache_miss",
    'event == "ibs_op//" && cpumode == user',
    "load_latency > 300 && mem_level == DRAM",
    "cache_latency > 60 && mem_snoop == hit",
)


def readable(path):
    """Whether both can read it: precis refuses some kinds of file that perf reads."""
    return command.run("dump", "--format", "csv", "-F", "ip", path).code == 0


@functools.lru_cache(maxsize=None)
def files():
    found = [path for path in recordings() if readable(path)]
    assert found, "no recording"
    return found


@functools.lru_cache(maxsize=None)
def dump(path, *options):
    """Of a file that stays as it is"""
    return command.run("dump", "--format", "csv", "-F", "all", *options, path).out


def dumped(path, *options):
    return rows(dump(path, *options))


@functools.lru_cache(maxsize=None)
def header(path, name):
    """perf tells it to people, not to filters and scripts."""
    text = perf("report", "-i", path, "--header-only")[1]
    found = re.search(r"^# %s : (.*)" % name, text, re.M)
    return found.group(1) if found else None


def told(path, options):
    """What the header says and these options do not: (name, value) of each"""
    found = [("cpuid", header(path, "cpuid")), ("os-release", header(path, "os release"))]
    return [(name, value) for name, value in found
            if value and not any(name in option for option in options)]


def filtered(path, *options):
    options = ["%s=%s" % pair for pair in told(path, options)] + list(options)
    code, out, err = dlfilter(path, "format=csv", "fields=all", *options)
    assert code == 0, err
    return rows(out)


def scripted(path, *options):
    options = ["--%s=%s" % pair for pair in told(path, options)] + list(options)
    code, out, err = script(path, "--format", "csv", "--fields", "all", *options)
    assert code == 0, err
    return rows(out)


def compare(found, expected, names, path):
    """@param names  columns that are not compared"""
    kept = [name for name in (expected[0] if expected else ()) if name not in names]
    found, expected = (sorted([row[name] for name in kept] for row in table)
                       for table in (found, expected))
    tap.equal(len(found), len(expected), path + ": samples")
    for one, other in zip(found, expected):
        assert one == other, "%s at time %s: %r" % (path, dict(zip(kept, other)).get("time"), {
            name: pair for name, *pair in zip(kept, one, other) if pair[0] != pair[1]})


def test_filter_prints():
    """dlfilter: all fields of all samples, or why they are absent, as in `precis dump`"""
    for path in files():
        compare(filtered(path, "reasons=1"), dumped(path, "--reasons"), NOT_IN_FILTERS, path)


def test_script_prints():
    """precis.py: all fields of all samples, or why they are absent, as in `precis dump`"""
    for path in files():
        compare(scripted(path, "--reasons"), dumped(path, "--reasons"), NOT_IN_SCRIPTS, path)


def test_empty_cells():
    """without reasons the cells of absent fields are empty"""
    path = command.recording("zen4-op")
    expected = dumped(path)
    assert any(text == "" for text in expected[0].values())
    compare(filtered(path), expected, NOT_IN_FILTERS, path)
    compare(scripted(path), expected, NOT_IN_SCRIPTS, path)


def kept_by_dump(path, expression):
    result = command.run("dump", "--format", "csv", "-F", "all", "--filter", expression, path)
    # An event that the recording does not have is an error there: here no sample is of it.
    return rows(result.out) if result.code == 0 else []


def test_filter_keeps():
    """dlfilter: keeps what `precis dump --filter` keeps"""
    kept = 0
    for path in files():
        for expression in some(FILTERS):
            expected = kept_by_dump(path, expression)
            kept += len(expected)
            compare(filtered(path, "filter=" + expression), expected, NOT_IN_FILTERS,
                    path + ": " + expression)
    assert kept > 100, "these filters test nothing: %d samples kept" % kept


def test_script_keeps():
    """precis.py: keeps what `precis dump --filter` keeps"""
    for name in ("zen4-op", "zen4-fetch", "skylake-loads_phys"):
        path = command.recording(name)
        for expression in some(FILTERS):
            compare(scripted(path, "--filter", expression), kept_by_dump(path, expression),
                    NOT_IN_SCRIPTS, path + ": " + expression)


def test_cpuid():
    """cpuid changes what is decoded: errata of a Zen 3 server take fields away"""
    path = command.recording("zen4-op")
    model = "AuthenticAMD,25,1,1"
    expected = dumped(path, "--reasons", "--cpuid", model)
    assert any("ERRATUM" in row.values() for row in expected), "no erratum"
    options = ("format=csv", "fields=all", "reasons=1")
    found = rows(dlfilter(path, *options, "cpuid=" + model)[1])
    compare(found, expected, NOT_IN_FILTERS, path)
    options = ("--format", "csv", "--fields", "all", "--reasons")
    compare(rows(script(path, *options, "--cpuid", model)[1]), expected, NOT_IN_SCRIPTS, path)


def test_pebs():
    """Intel: what the kernel's words say of accesses is there with the cpuid, not without"""
    path = command.recording("skylake-loads_phys")
    names = ("op", "addr", "mem_level", "tlb_level", "load_latency")
    for found in (filtered(path), scripted(path)):
        assert found and all(row[name] for row in found for name in names), found[:1]
        assert {row["mem_level"] for row in found} > {"DRAM"}, "always the same"
    plain = rows(dlfilter(path, "format=csv", "fields=all")[1])
    assert plain and not any(row["mem_level"] or row["load_latency"] for row in plain)
    assert all(row["addr"] and row["perf_weight"] for row in plain)
    compare(plain, rows(script(path, "--format", "csv", "--fields", "all")[1]), NOT_IN_SCRIPTS,
            path)


def test_pebs_core():
    """Intel: what a weight means depends on the core"""
    path = command.recording("skylake-loads_phys")
    model = "GenuineIntel,6,143,8"
    expected = dumped(path, "--reasons", "--cpuid", model)
    assert any(row["cache_latency"].isdigit() for row in expected), "no difference"
    compare(rows(dlfilter(path, "format=csv", "fields=all", "reasons=1", "cpuid=" + model)[1]),
            expected, NOT_IN_FILTERS, path)
    compare(rows(script(path, "--format", "csv", "--fields", "all", "--reasons", "--cpuid",
                        model)[1]), expected, NOT_IN_SCRIPTS, path)


def test_pebs_machine():
    """Intel: kernel and IA32_PERF_CAPABILITIES say the same of retire latency everywhere"""
    path = command.recording("spr-loads")
    measured = ("6.8.0-40-generic", "20000")
    reasons = set()
    for release, capabilities in (measured, ("6.8", "0x1ffff"), ("6.2.9", "20000"), ("6.8", None)):
        options = [("os-release", release), ("perf-capabilities", capabilities)]
        options = [(name, value) for name, value in options if value]
        words = ["--%s=%s" % option for option in options]
        expected = dumped(path, "--reasons", *words)
        tables = (filtered(path, "reasons=1", *("%s=%s" % option for option in options)),
                  scripted(path, "--reasons", *words))
        for table, names in zip(tables, (NOT_IN_FILTERS, NOT_IN_SCRIPTS)):
            compare(table, expected, names, path)
            if (release, capabilities) == measured:  # this perf keeps it back, or is new enough
                assert {row["retire_latency"] for row in table} <= {"NOT_CAPTURED", "0"}, table[0]
            else:
                compare(table, expected, names - {"retire_latency"}, path)
        reasons |= {row["retire_latency"] for row in expected}
    tap.equal(reasons, {"0", "NOT_SUPPORTED", "NOT_CAPTURED"})


def changed(path, attr_offset, value, words):
    """The bytes of a recording with one word of its first attr and some of its samples changed."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    (attrs,) = struct.unpack_from("<Q", content, 0x18)
    struct.pack_into("<Q", content, attrs + attr_offset, value)
    for old, new in words.items():
        assert struct.pack("<Q", old) in content, "no such word"
        content = content.replace(struct.pack("<Q", old), struct.pack("<Q", new))
    return content


def test_pebs_events():
    """Intel: an event that is not precise is none of PEBS; one of no access has no address"""
    path = command.recording("skylake-loads_phys")
    not_available = {0x11a69101042: 1 << 0 | 1 << 5 | 1 << 19 | 1 << 24 | 1 << 26}
    with open(path, "rb") as file:
        content = file.read()
    (attrs,) = struct.unpack_from("<Q", content, 0x18)
    (flags,) = struct.unpack_from("<Q", content, attrs + 0x28)
    for offset, value, words in ((0x28, flags & ~(3 << 15), {}), (0x08, 0xc0, not_available)):
        with tempfile.NamedTemporaryFile(suffix=".perf.data") as copy:
            copy.write(changed(path, offset, value, words))
            copy.flush()
            expected = dumped(copy.name, "--reasons")
            assert expected != dumped(path, "--reasons"), "no difference"
            compare(filtered(copy.name, "reasons=1"), expected, NOT_IN_FILTERS, copy.name)
            compare(scripted(copy.name, "--reasons"), expected, NOT_IN_SCRIPTS, copy.name)
    assert any(row["addr"] == "NOT_APPLICABLE" for row in expected), "an address for all"


def test_old_fetch():
    """payloads of ibs_fetch before Linux 5.10 on demand"""
    path = command.recording("zen4-fetch")
    expected = dumped(path, "--reasons", "--fetch-layout", "old")
    assert expected != dumped(path, "--reasons"), "no difference"
    compare(filtered(path, "reasons=1", "old-fetch=1"), expected, NOT_IN_FILTERS, path)
    compare(scripted(path, "--reasons", "--old-fetch"), expected, NOT_IN_SCRIPTS, path)
    # or by the kernel
    for release, layout in (("5.4.0-42-generic", "old"), ("5.10.3", "new")):
        expected = dumped(path, "--reasons", "--os-release", release)
        tap.equal(expected, dumped(path, "--reasons", "--fetch-layout", layout))
        compare(filtered(path, "reasons=1", "os-release=" + release), expected, NOT_IN_FILTERS,
                path)
        compare(scripted(path, "--reasons", "--os-release", release), expected, NOT_IN_SCRIPTS,
                path)
    compare(filtered(path, "reasons=1", "os-release=5.4.0-42-generic", "old-fetch=0"),
            dumped(path, "--reasons", "--fetch-layout", "new"), NOT_IN_FILTERS, path)


def test_perf_lines():
    """dlfilter: fields stand before perf's own lines, each before its own"""
    path = command.recording("zen4-op")
    code, out, err = dlfilter(path, "fields=time,op", also=("-F", "time,ip", "--ns"))
    assert code == 0, err
    lines = out.splitlines()
    plain = perf("script", "-i", path, "-F", "time,ip", "--ns")[1].splitlines()
    tap.equal(len(lines), len(plain))
    for line, own in zip(lines, plain):
        assert line.endswith(own), line
        tap.equal(line.split()[0] + ":", "time=" + own.split()[0])


def test_perf_lines_filtered():
    """dlfilter: with a filter alone, perf's lines of the samples that are kept"""
    path = command.recording("zen4-op")
    expression = "mem_level == DRAM"
    code, out, err = dlfilter(path, "filter=" + expression, also=("-F", "ip"))
    assert code == 0, err
    expected = command.good("dump", "--format", "csv", "-F", "ip", "--filter", expression, path)
    tap.equal(["0x" + line.strip() for line in out.splitlines()], expected.splitlines()[1:])


def test_perf_options():
    """dlfilter: prints only what perf's own options select"""
    path = command.recording("zen4-op")
    code, out, err = dlfilter(path, "format=csv", "fields=pid", also=("--pid", "100"))
    assert code == 0, err
    assert set(out.split()[1:]) == {"100"}, out[:200]


def test_text_is_dumps():
    """text is that of `precis dump`"""
    path = command.recording("zen4-op")
    names = "time,op,ip,mem_level,branch_taken,event"
    expected = sorted(command.good("dump", "-F", names, path).splitlines())
    for code, out, err in (dlfilter(path, "only=1", "fields=" + names),
                           script(path, "--fields", names)):
        assert code == 0, err
        lines = sorted(out.splitlines())
        tap.equal(len(lines), len(expected))
        for found, line in zip(lines, expected):
            tap.equal(found, line)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
