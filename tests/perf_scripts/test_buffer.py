#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis.py says of raw PEBS records what `precis dump --pebs-format` says."""
import functools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perf import SCRIPT, SRCDIR, loading_environment, tap  # noqa: E402

sys.path.insert(0, os.path.join(SRCDIR, "tests/command/dump"))
import test_pebs  # noqa: E402
from command import run  # noqa: E402
from quick import some  # noqa: E402
from test_pebs import OFFSET, SAPPHIRE_RAPIDS, SKYLAKE, adaptive, ds_area, fixed  # noqa: E402

HERE = sys.modules[__name__]
CPUS = {"netburst32": "15,2,0", "netburst64": "15,4,0", "0": "6,15,0", "1": "6,58,9",
        "2": "6,60,3", "3": "6,85,4", "4": "6,143,8", "5": "6,173,1", "6": "6,189,1",
        "arch": "19,1,0"}
# For each line of arguments prints what that buffer has, a JSON object for each sample as precis dump does, then
# its faults, then a line that ends it
READER = """
import json, sys
import precis
for line in sys.stdin:
    how = json.loads(line)
    for name in ("data", "area"):
        if name in how:
            how[name] = open(how[name], "rb").read()
    buffer = precis.PebsBuffer(**how)
    try:
        for sample in buffer:
            reasons = {name: ": ".join(why) for name, why in sample.reasons().items()}
            assert not set(reasons) & set(sample) and len(reasons) + len(sample) == len(precis.fields)
            print(json.dumps(dict(sample, reasons=reasons)))
    except precis.Error as error:
        assert buffer.errors and buffer.errors[0][1] in str(error), error
        print(json.dumps({"error": str(error), "errors": buffer.errors}))
    print("end", flush=True)
"""


def environment():
    return dict(loading_environment(), PYTHONPATH=os.path.dirname(SCRIPT))


def python(program, *arguments):
    done = subprocess.run([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200, env=environment(), text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.lru_cache(maxsize=None)
def reader():
    """One process for all buffers; what it has to complain of is the test's."""
    return subprocess.Popen([sys.executable, "-c", READER], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, env=environment(), text=True)


def read(how):
    """The objects that the reader prints"""
    process = reader()
    process.stdin.write(json.dumps(how) + "\n")
    process.stdin.flush()
    lines = []
    for line in process.stdout:
        if line == "end\n":
            return lines
        lines.append(json.loads(line))
    raise AssertionError("the reader ended with exit code %d at %r" % (process.wait(), how))


def number(value):
    """dump prints some numbers in hexadecimal."""
    return int(value, 16) if isinstance(value, str) and value.startswith("0x") else value


def compare(how, *options):
    """Both read the same; the samples, and the offsets of faults as dump prints them."""
    lines = read(how)
    faults = lines.pop() if lines and "error" in lines[-1] else None
    result = run("dump", "--format", "json", "--reasons", "-F", "all", *options, how["data"])
    expected = [{name: number(value) for name, value in json.loads(line).items()}
                for line in result.out.splitlines()]
    tap.equal(lines, expected, repr(options))
    tap.equal(faults is not None, result.code != 0, result.err)
    if faults:
        at = OFFSET.search(result.err)
        tap.equal(OFFSET.search(faults["error"]).groups(), at.groups(), result.err)
        tap.equal(faults["errors"][0][0], int(at[2]), result.err)
        assert faults["errors"][0][1] in result.err, (faults, result.err)
    return lines


def test_every_format():
    """random records of each format, of each kind of event"""
    for seed, form in enumerate(test_pebs.FORMATS):
        path, made = test_pebs.make(form, 40, seed)
        for event in some(("load-latency", "store", "load-or-store", "0x82d0")):
            lines = compare({"data": path, "form": form, "cpuid": "GenuineIntel," + CPUS[form],
                             "event": int(event, 0) if event[0] == "0" else event},
                            "--pebs-format", form, "--cpu", CPUS[form], "--event", event)
            tap.equal(len(lines), len(made), form)
        compare({"data": path, "form": form}, "--pebs-format", form)


def test_every_event():
    """each name of an event means what it means to the command"""
    names = json.loads(python("import json, precis; print(json.dumps(precis.PEBS_EVENTS))"))
    tap.equal(sorted(names), ["load", "load-latency", "load-or-store", "other", "precise-store",
                              "store", "store-latency"])
    for form, cpu in (("1", "6,58,9"), ("3", "6,85,4"), ("4", "6,151,2")):
        path, _ = test_pebs.make(form, 20, 3)
        for name in some(names):
            for core in ("p", "E") if form == "4" else (None,):
                more = ("--core-type", core) if core else ()
                compare({"data": path, "form": form, "cpuid": "GenuineIntel," + cpu,
                         "event": name, "core_type": core},
                        "--pebs-format", form, "--cpu", cpu, "--event", name, *more)


def test_capabilities():
    """retire latency by the capabilities"""
    path = test_pebs.scratch("retire.ds", adaptive())
    for bits in (1 << 17, 0x1ffff):
        line, = compare({"data": path, "form": "4", "cpuid": "GenuineIntel,6,143,8",
                         "perf_capabilities": bits},
                        *SAPPHIRE_RAPIDS, "--perf-capabilities", hex(bits))
        tap.equal(line.get("retire_latency"), 7 if bits >> 17 else None)


def test_faults():
    """what cannot be read: what precedes it and what follows is there, then an error says where"""
    for form in test_pebs.FORMATS:
        path, _ = test_pebs.make(form, 3, 6)
        data = test_pebs.read(path)
        for cut in (len(data) - 1, len(data) // 2, 0):
            compare({"data": test_pebs.scratch("cut", data[:cut]), "form": form},
                    "--pebs-format", form)
    orphan = (1 << 62 | 80).to_bytes(8, "little") + bytes(72)  # a Memory group without Basic
    path, _ = test_pebs.make("arch", 3, 8)
    path = test_pebs.scratch("orphans", orphan + test_pebs.read(path) + orphan)
    tap.equal(len(compare({"data": path, "form": "arch"}, "--pebs-format", "arch")), 3)


def test_area():
    """the DS area: which of the data are records, and what it says wrongly"""
    path = test_pebs.scratch("area.ds", b"".join(fixed(latency=n) for n in (1, 2, 3)))
    area, start = test_pebs.scratch("area"), 0xfffffe0000010000
    how = {"data": path, "form": "3", "cpuid": "GenuineIntel,6,85,4", "event": "load-latency",
           "area": area}
    for content, base, count in ((ds_area(start, start + 400, start + 600), None, 2),
                                 (ds_area(start + 200, start + 600), start, 2),
                                 (ds_area(start, start + 304), None, 1),
                                 (ds_area(start + 200, start + 504), start, 1),
                                 (ds_area(start, start + 1000), None, 3),
                                 (ds_area(start + 200, start + 1000), start, 2),
                                 (ds_area(start, start, start + 600), start + 8, 0)):
        test_pebs.scratch("area", content)
        more = ("--ds-base", hex(base)) if base else ()
        tap.equal(len(compare(dict(how, base=base), *SKYLAKE, "--ds-area", area, *more)), count)


def test_reader_ends():
    """the process that read all these buffers ends well"""
    process = reader()
    process.stdin.close()
    tap.equal(process.wait(), 0)


def test_refused():
    """what cannot be meant"""
    tap.equal(python("""
import struct
import precis
def area(base, index, maximum):
    return struct.pack("<8Q", 0, 0, 0, 0, base, index, maximum, maximum)
for words, message in (
        (("", "7"), "format: "), (("", "3", "AuthenticAMD,25,1,1"), "cpuid: "),
        (("", "3", None, "loads"), "event: "), (("", "3", None, None, "x"), "core_type: "),
        (("", "3", None, None, None, None, None, 1), "base: needs the area"),
        (("", "arch", None, None, None, None, area(0, 0, 0)), "have no DS area"),
        (("", "3", None, None, None, None, b""), "area: truncated"),
        (("", "3", None, None, None, None, area(8, 408, 208)), "index is beyond the maximum"),
        (("", "3", None, None, None, None, area(208, 8, 408)), "index is below the base"),
        (("", "3", None, None, None, None, area(8, 208, 208), 16), "begins before the data")):
    try:
        precis.PebsBuffer(words[0].encode(), *words[1:])
    except precis.Error as error:
        assert message in str(error), (message, error)
        continue
    raise AssertionError(words)
print("fine")
"""), "fine\n")


def test_samples():
    """samples stay what they are while the next ones are read; filters apply to them"""
    tap.equal(python("""
import sys
import precis
data = bytes.fromhex(sys.argv[1])
buffer = precis.PebsBuffer(data, "3", "GenuineIntel,6,85,4", "load-latency")
samples = list(buffer)
assert [sample["load_latency"] for sample in samples] == [300, 9], samples
assert [sample.offset for sample in samples] == [0, 200]
assert samples[0]["mem_level"] == "L1" and samples[1]["mem_level"] == "DRAM", samples
assert samples[0]["addr"] == 0x7f0012345678 and "addr" not in samples[1]
assert samples[1].reasons()["addr"][0] == "NOT_APPLICABLE"
assert samples[0].reasons()["time"] == ("NOT_CAPTURED", "no part of a PEBS record")
chosen = precis.Filter("load_latency > 9")
assert [chosen.match(sample) for sample in samples] == [True, False]
assert samples[0].text(precis.find("addr")) == "0x7f0012345678"
assert list(buffer) == samples and buffer.errors == []
print("fine")
""", (fixed() + fixed(address=0, source=0xa | 1 << 4, latency=9)).hex()), "fine\n")


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
