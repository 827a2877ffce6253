#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --save: what is told of files that were saved is what is told of the recordings, byte by byte; and
damaged files are refused, whatever is in them.

The oracle is the report of the recordings themselves, all at once.
"""
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../dump"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import built
import tap
import test_pebs
import test_report_buffer as buffer
import test_report_lifetimes as lifetimes
import test_report_offcpu as offcpu
import test_report_units as units
from command import PRECIS, SHARED, SRCDIR, kib_of, recording, run, usage
from quick import FEW, some
from saved_files import (FORMATS, HEADER, PART, contents, grouped, lies, parts_of, same, saved, summed, there,
                         told)
from tap import Skip, equal

RANDOM = random.Random(7)
RECORDINGS = sorted(glob.glob(os.path.join(SRCDIR, "tests/recordings/*.perf.data")))
FORMS = sorted(path for path in glob.glob(os.path.join(SRCDIR, "tests/recordings/forms/*"))
               if "zstd" not in path or "zstd" not in built.WITHOUT)
GOLDEN = os.path.join(SRCDIR, "tests/command/report/saved")
VERSION = 7 # SAVING_VERSION of analysis/saving/saving.h
# How each file there was saved, of two recordings, and how it is told
GOLDEN_OPTIONS = {"version-1.saved": ["report", "--no-symbols", "--all"],
                  "version-1-by.saved": ["report", "--by", "symbol,instruction"],
                  "version-1-object.saved": ["report", "--by", "object"],
                  "version-2-member.saved": ["report", "--by", "type,member"],
                  "version-3-member.saved": ["report", "--by", "type,member"],
                  "version-4-member.saved": ["report", "--filter", "addr < 0x600000000000", "--by", "type,member"],
                  "version-5-object.saved": ["report", "--by", "phase,object"],
                  "version-6-sharing.saved": ["sharing", "--time", "0%-10%"],
                  "version-1-sharing.saved": ["sharing", "--time", "0%-25%"],
                  "version-1-dump.saved": ["report", "--pebs-format", "3", "--cpu", "6,85,4", "--event", "load-latency"]}


def test_alone():
    """of each recording, in each form of perf.data: the same report"""
    for path in RECORDINGS + FORMS:
        same([path])


def test_together():
    """of all recordings together, and of those of one CPU"""
    same(RECORDINGS)
    same(FORMS)
    same([path for path in RECORDINGS if "zen4" in path])
    # the one that was cut short does not know which kernel it was of, the other brings that one's symbols along
    forms = [os.path.join(SRCDIR, "tests/recordings/forms", name) for name in ("died", "directory")]
    for paths in (forms, forms[::-1]):
        same(paths)


def test_options():
    """with options that select, sort and tell apart"""
    paths = [recording(name) for name in ("zen4-op", "zen4-own-pertask", "zen4-throttled")]
    for options in (["--filter", "mem_level == DRAM"], ["--time", "10%-60%"], ["--cpu", "0-3"],
                    ["--sort", "latency"], ["--sort", "tlb", "--top", "33"], ["--no-symbols"],
                    ["--event", "ibs_op//"], ["--cpuid", "AuthenticAMD,25,17,1"], ["--all"]):
        if options == ["--all"]: # of the page, not of what was counted
            equal(told("--all", *map(saved, paths)), told("--all", *paths))
        else:
            same(paths, *options)


def test_by():
    """told apart by each key"""
    built.need("elfutils")
    for keys in some(("symbol", "line", "instruction", "dso", "comm", "node", "memory_node", "page", "cache_line",
                      "object", "memory", "type", "member", "element", "allocation", "tag", "phase", "object,member",
                      "level,symbol", "cgroup", "caller", "stack", "event", "time", "time:20ms", "op,mem_level",
                      "tid,pid", "node,memory_node", "symbol,instruction")):
        same(RECORDINGS, "--by", keys, formats=("json",))
    same(RECORDINGS, "--by", "symbol", "--sort", "cycle_share", "--columns", "samples,share,trend,p99,remote,DRAM")


def test_again():
    """what was saved can be saved again, beside others and recordings: the same bytes as of all at once"""
    grouped(RECORDINGS)
    grouped(FORMS)
    grouped([recording(name) for name in ("zen4-op", "spr-loads", "zen4-mix-op")], "--by", "symbol,level")
    # the first has samples at a few places of the program, the others at those of others, too
    grouped([recording(name) for name in ("zen4-freq", "zen4-throttled", "zen4-op")], "--by", "instruction",
            "--top", "1000", "--symfs", os.path.join(SRCDIR, "tests/recordings/symfs"))
    one, both, other = (units.recording("a_one", units.CYCLES), units.recording("a_both", units.CYCLES, units.OPS),
                        units.recording("a_other", units.OPS))
    for paths in ([both, one, other], [one, both, other], [other, both, one]):
        grouped(paths, "--no-symbols")
    for path in RECORDINGS + FORMS: # alone it is what it was
        first = saved(path)
        equal(contents(saved(first)), contents(first))


def test_objects():
    """told apart by what the recorder of objects knows: its files, the program and the recordings are not needed"""
    built.need("elfutils")
    paths = [lifetimes.recorded("s_all")[0], lifetimes.recorded("s_some", options="interval=4k")[0]]
    for keys in some(("object", "allocation", "tag", "type", "member", "element", "memory,object",
                      "object,member", "symbol,type", "tag,instruction", "phase,object")):
        expected = [told("--format", form, "--by", keys, *paths, recording("zen4-op")) for form in FORMATS]
        files = [saved(path, "--by", keys) for path in paths]
        for path in paths:
            os.rename(os.path.dirname(path), os.path.dirname(path) + ".away")
        for form, report in zip(FORMATS, expected):
            equal(told("--format", form, "--by", keys, *files, recording("zen4-op")), report)
        both = there("objects.saved")
        equal(run("report", "--save", both, "--by", keys, *files).code, 0)
        equal(told("--by", keys, both, recording("zen4-op")), expected[0])
        for path in paths:
            os.rename(os.path.dirname(path) + ".away", os.path.dirname(path))
    text = " ".join(told("--by", "object", *paths)[1].split())
    equal(text.count("objects of process"), 2, text) # of each recording its own
    assert "of its blocks some are recorded" in text and "make_one" in text, text
    assert "types of blocks are known by the variable" in " ".join(told("--by", "type", *paths)[1].split())


def test_shared():
    """recordings of others"""
    paths = sorted(glob.glob(os.path.join(SHARED, "recordings/*.perf.data"))) if SHARED else []
    if not paths:
        raise Skip("no recordings of others")
    same(paths)
    same(paths, "--by", "symbol,level", formats=("json",))
    same(paths, "--by", "instruction", formats=("csv",))


def test_without_binaries():
    """symbols of saved reports need neither recordings nor binaries"""
    paths = []
    binaries = there("symfs")
    shutil.copytree(os.path.join(SRCDIR, "tests/recordings/symfs"), binaries)
    options = ["--symfs", binaries]
    for name in ("zen4-op", "zen4-mix-op"):
        paths.append(there(name))
        shutil.copy(recording(name), paths[-1])
    for by in ([], ["--by", "symbol"], ["--by", "instruction"], ["--by", "symbol", "--no-demangle"]):
        expected = told("--format", "json", *options, *by, *paths)
        files = [saved(path, *options, *by) for path in paths]
        for path in (binaries, *paths):
            os.rename(path, path + ".away")
        equal(told("--format", "json", *options, *by, *files), expected)
        for path in (binaries, *paths):
            os.rename(path + ".away", path)
    assert "symbol" in expected[1]


def test_mixed():
    """beside recordings, and several in one file: in whatever order they come"""
    a, b, c, d = (recording(name) for name in ("zen4-op", "spr-loads", "zen4-mix-op", "zen4-freq"))
    both = there("both.saved")
    equal(run("report", "--save", both, b, c).code, 0)
    for form in FORMATS:
        expected = told("--format", form, a, b, c, d)
        equal(told("--format", form, a, both, d), expected)
        equal(told("--format", form, saved(a), both, saved(d)), expected)
        equal(told("--format", form, a, saved(b), c, saved(d)), expected)
    equal(told("--jobs", "3", both), told(b, c))


def test_units():
    """cycles and micro-ops: told apart, whichever file they are of"""
    one, other, both = (units.recording("s_one", units.CYCLES), units.recording("s_other", units.OPS),
                        units.recording("s_both", units.CYCLES, units.OPS, units.OTHER))
    for paths in ([one], [other], [both], [one, other], [other, one], [both, one], [recording("spr-loads"), both],
                  [one, other, both]):
        same(paths, "--no-symbols")
    with open(other, "rb") as file:
        piped = there("piped.saved")
        subprocess.run([PRECIS, "report", "--no-symbols", "--save", piped, "-"], check=True,
                       stdin=subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE).stdout)
    assert "read once" in usage("report", "--no-symbols", saved(one, "--no-symbols"), piped)


ORPHAN = (1 << 62 | 80).to_bytes(8, "little") + bytes(72) # of architectural PEBS: a group without a record


def test_dumps():
    """dumps of PEBS buffers, of each format, whole and broken, with a DS area that is not needed any more"""
    for seed, form in enumerate(test_pebs.FORMATS):
        how = ["--pebs-format", form, "--cpu", buffer.CPUS[form], "--event", "load-latency"]
        paths = [test_pebs.make(form, 20 + 30 * n, seed + n)[0] for n in (1, 2)]
        whole = contents(paths[0])
        paths[0] = there("dump")
        with open(paths[0], "wb") as file:
            file.write(whole)
        paths.append(there("cut-dump"))
        with open(paths[-1], "wb") as file: # a record that cannot be read, one that is cut off
            file.write((ORPHAN if form == "arch" else b"") + whole[:-7])
        same(paths, *how)
        same(paths[:1], *how, "--by", "instruction", formats=("json",))
        same(paths[:1], *how, "--filter", "load_latency > 100", formats=("text",))
        grouped(paths, *how)
        said = usage("report", *how[:2], "--event", "store", saved(paths[0], *how))
        assert "saved with --cpu" in said, said
    assert "saved with" in usage("report", saved(paths[0], *how))
    path = test_pebs.scratch("area.ds", b"".join(test_pebs.fixed(latency=latency) for latency in (1, 2, 3)))
    area = test_pebs.scratch("area", test_pebs.ds_area(0x1000, 0x1000 + 400))
    how = ["--pebs-format", "3", "--cpu", "6,85,4"]
    expected = told(*how, "--ds-area", area, path)
    equal(expected[0], 0)
    file = saved(path, *how, "--ds-area", area)
    os.remove(area)
    equal(told(*how, "--ds-area", area, file), expected)
    equal(told(*how, file)[1], expected[1].replace(" --ds-area=" + area, "")) # of the commands that it names
    assert "samples 2 " in expected[1], expected


def test_off_cpu():
    """tasks off the CPU"""
    traced = offcpu.by_tracepoint("s_traced", offcpu.TIMES)
    recorded = offcpu.by_records("s_recorded", [
        offcpu.comm(500, 100, "other"), offcpu.record(offcpu.SWITCH, 1000, 100),
        offcpu.record(offcpu.SWITCH, 3000, 100, misc=offcpu.OUT), offcpu.record(offcpu.SWITCH, 7000, 100)])
    for paths in ([traced], [recorded], [traced, recorded], [recorded, traced]):
        same(paths, "--no-symbols")
    assert "worker" in told(saved(traced))[1]


def test_refused():
    """other options are refused, the first by name"""
    path = recording("zen4-op")
    plain, by = saved(path), saved(path, "--by", "symbol", "--filter", "op == load")
    for arguments, words in (
            ([plain, "--by", "symbol"], "saved without --by symbol, asked for with it"),
            ([plain, "--filter", "op == load"], "saved without --filter op == load"),
            ([by], "saved with --by symbol, asked for without it"),
            ([by, "--by", "symbol", "--filter", "op == store"],
             "saved with --filter op == load, asked for with --filter op == store"),
            ([plain, "--sort", "latency"], "--sort latency"), ([plain, "--no-symbols"], "--no-symbols"),
            (["--save", there("again"), plain, "--by", "symbol"], "saved without --by symbol"),
            (["--save", there("again"), "--output", "x", path], "--save and --output"),
            (["--save", there("again"), "--all", path], "--save and --all"),
            (["--save", there("again"), "--event", "nothing", path], "no event 'nothing'")):
        said = usage("report", *arguments)
        assert words in said, (said, words)
        assert not os.path.exists(there("again"))
    equal(told("--filter", "op == load", "--by", "symbol", by)[0], 0) # in another order
    for command in (["diff", plain, path], ["annotate", "main", plain], ["dump", plain], ["info", plain],
                    ["export", "--format", "folded", plain]):
        result = run(*command)
        assert result.code in (1, 2) and "what precis report --save wrote" in result.err, result
    result = run("report", "--save", plain, plain)
    assert result.code == 1 and "write to another file" in result.err, result
    equal(run("report", "--save", there("again"), there("nothing")).code, 1)
    equal(os.path.exists(there("again")), False)


def test_faults():
    """what was broken when it was saved is told so, with the same exit code"""
    with open(recording("zen4-op"), "rb") as file:
        data = file.read()
    path = there("cut")
    with open(path, "wb") as file:
        file.write(data[:len(data) // 2])
    file, = same([path])
    result = run("report", file)
    equal(result.code, 1)
    assert "had faults when it was saved" in result.err, result


# --- damage ---


def told_of(data, *options):
    path = there("damaged.saved")
    with open(path, "wb") as file:
        file.write(data)
    return run("report", *options, path)


def small():
    with open(saved(recording("zen4-mix-fetch"), "--no-symbols"), "rb") as file:
        return file.read()


def test_header():
    """another version, byte order or kind of sums is refused by name"""
    data = small()
    equal(summed(data), data)
    for at, value, words in ((12, VERSION + 1, f"version {VERSION + 1} by another precis"), (12, 0, "version 0"),
                             (16, 2, "sums are of another kind"), (8, 0x0a0b0c0d, "other byte order")):
        changed = bytearray(data)
        struct.pack_into("<I", changed, at, value)
        struct.pack_into("<I", changed, 24, zlib.crc32(changed[:24]))
        result = told_of(changed)
        assert result.code == 1 and words in result.err and "offset 0x" in result.err, (words, result)


def test_cut():
    """cut anywhere: told with the offset, and nothing is printed"""
    data = small()
    places = {len(data) - 1, len(data) - PART, HEADER - 1, HEADER, *range(8, 64, 5)}
    for at, _, length in parts_of(data):
        places |= {at + 1, at + PART - 1, at + PART, at + PART + length // 2, at + PART + length - 1}
    for length in sorted(place for place in places if 8 <= place < len(data)):
        result = told_of(data[:length], "--no-symbols")
        assert result.code == 1 and "offset 0x" in result.err and not result.out, (length, result)
    result = told_of(data + b"\0", "--no-symbols")
    assert result.code == 1 and "expected the end of the file" in result.err, result


def test_flipped():
    """a changed byte is found, wherever it is: each of the beginning, and many of the rest"""
    data = small()
    places = sorted({*range(8, 140), *RANDOM.sample(range(8, len(data)), 150 if FEW else 1500)})
    for at in places:
        changed = bytearray(data)
        changed[at] ^= 1 << RANDOM.randrange(8)
        result = told_of(changed, "--no-symbols")
        assert result.code == 1 and "offset 0x" in result.err and not result.out, (at, result)


def test_parts():
    """parts that are missing, twice, unknown, in another order"""
    data = small()
    parts = [data[at:at + PART + length] for at, _, length in parts_of(data)]
    for n in range(len(parts)):
        for changed in (parts[:n] + parts[n + 1:], parts[:n] + [parts[n]] + parts[n:],
                        parts[:n] + [parts[n].replace(parts[n][:3], b"XYZ", 1)] + parts[n + 1:]):
            result = told_of(summed(data[:HEADER] + b"".join(changed)), "--no-symbols")
            assert result.code == 1 and "offset 0x" in result.err and not result.out, (n, result)


def test_lies():
    """words that lie, with right checksums: refused, or told without harm and without taking memory"""
    for name, changed in lies(small(), RANDOM, 12 if FEW else 400):
        result = told_of(changed, "--no-symbols")
        assert result.code in (0, 1, 2), (name, result)


def test_memory():
    """lengths of parts that lie take no memory"""
    data, path = small(), there("lengths.saved")
    need = kib_of("report", "--no-symbols", saved(recording("zen4-mix-fetch"), "--no-symbols"))
    for at, name, _ in parts_of(data):
        for length in (2 ** 31, 2 ** 40, 2 ** 64 - 1):
            changed = bytearray(data)
            struct.pack_into("<Q", changed, at + 16, length)
            struct.pack_into("<I", changed, at + 28, zlib.crc32(changed[at:at + 28]))
            with open(path, "wb") as file:
                file.write(changed)
            took = kib_of("report", "--no-symbols", path, is_good=False)
            assert took < need + 4096, (name, length, took, need)
            result = run("report", "--no-symbols", path)
            assert result.code == 1 and ("offset 0x" in result.err or "out of memory" in result.err), result


def test_golden():
    """files of each version are readable for ever"""
    built.need("elfutils")
    files = sorted(glob.glob(os.path.join(GOLDEN, "*.saved")))
    equal(len(files), len(GOLDEN_OPTIONS))
    for path in files:
        command, *options = GOLDEN_OPTIONS[os.path.basename(path)]
        with open(path[:-len("saved")] + "txt", encoding="utf-8") as file:
            equal(told(*options, path, command=command), (0, file.read()))
        with open(path, "rb") as file:
            data = file.read()
        version = int(os.path.basename(path).split("-")[1].split(".")[0])
        equal(data[:HEADER], b"precis\0s" + struct.pack("<IIII", 0x0d0c0b0a, version, 1, 0)
              + struct.pack("<I", zlib.crc32(data[:24])))
        names = " ".join(name for _, name, _ in parts_of(data))
        assert re.fullmatch("options( recording( events counts| dump) run(( unit events counts run){2})?){2} end",
                            names), names


def test_whole():
    """where it cannot be written nothing is left, and what was there stays"""
    path = there("kept.saved")
    with open(path, "w", encoding="utf-8") as file:
        file.write("kept")
    equal(run("report", "--save", path, "--event", "nothing", recording("zen4-op")).code, 2)
    with open(path, encoding="utf-8") as file:
        equal(file.read(), "kept")
    result = run("report", "--save", there("no/directory"), recording("zen4-op"))
    assert result.code == 1 and "no/directory" in result.err, result
    equal(subprocess.run([PRECIS, "report", "--save", "-", recording("zen4-op")], check=True,
                         capture_output=True).stdout[:8], b"precis\0s")


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"
    sys.exit(tap.main(sys.modules[__name__]))
