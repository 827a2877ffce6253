#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the dlfilter and precis.py refuse and complain of; precis.py as a module."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from perf import SCRIPT, SRCDIR, dlfilter, loading_environment, perf, script, tap  # noqa: E402
import command  # noqa: E402

OP = command.recording("zen4-op")
# How each payload of OP begins: its size, caps; and with a capability word of 0
PAYLOAD_START = bytes.fromhex("44000000 ff0b0000")
NO_CAPS_START = bytes.fromhex("44000000 00000000")


def marked(text, column, message, err):
    """The message, the text, and a mark under the column."""
    lines = err.splitlines()
    found = [number for number, line in enumerate(lines) if message in line]
    assert found, err
    number = found[0]
    assert "column %d:" % column in lines[number], err
    tap.equal(lines[number + 1], "  " + text)
    tap.equal(lines[number + 2], " " * (column + 1) + "^")


def test_filter_refuses():
    """dlfilter: a wrong argument stops perf with the reason"""
    for argument, message in (
            ("only=2", "only: 0 or 1, not '2'"),
            ("reasons=yes", "reasons: 0 or 1"),
            ("format=json", "format: text or csv"),
            ("cpuid=AMD", "cpuid: 'AMD' is not like AuthenticAMD,25,17,1"),
            ("perf-capabilities=no", "perf-capabilities: 'no' is no hexadecimal number"),
            ("os-release", "os-release: needs a value"),
            ("fields", "fields: needs a value"),
            ("o=/nonexistent/file", "o=/nonexistent/file: No such file or directory"),
            ("whatever=1", "no option 'whatever=1'; --dlarg help")):
        code, out, err = dlfilter(OP, argument)
        assert code != 0 and not out and "precis-dlfilter: " + message in err, (argument, err)


def test_filter_marks():
    """dlfilter: errors in lists and expressions have their column"""
    for name, text, column, message in (
            ("fields", "ip,nonsense,op", 4, "'nonsense'"),
            ("fields", "ip,,op", 4, "''"),
            ("filter", "op == load && dc_mis > 2", 15, "'dc_mis'"),
            ("filter", "mem_level == DRUM", 14, "'DRUM'")):
        code, out, err = dlfilter(OP, name + "=" + text)
        assert code != 0 and not out, err
        marked(text, column, message, err)


def test_filter_help():
    """dlfilter: help lists every option"""
    err = dlfilter(OP, "help")[2]
    for option in ("fields=", "filter=", "only=1", "format=", "reasons=1", "cpuid=", "os-release=",
                   "perf-capabilities=", "old-fetch=1", "o=FILE"):
        assert "  " + option in err, option


def test_filter_output():
    """dlfilter: o=FILE takes the fields, perf's lines stay on stdout"""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "fields.csv")
        code, out, err = dlfilter(OP, "fields=ip", "format=csv", "o=" + path, also=("-F", "ip"))
        assert code == 0, err
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
    tap.equal(lines[0], "ip")
    tap.equal(len(lines) - 1, len(out.splitlines()))


def test_script_refuses():
    """precis.py: a wrong argument stops perf with the reason"""
    for options, message in (
            (("--fields", "ip,nonsense"), "precis.py: no field is named 'nonsense'"),
            (("--cpuid", "AMD"), "precis.py: cpuid: 'AMD' is not like"),
            (("--perf-capabilities", "no"), "invalid hexadecimal number value: 'no'"),
            (("--perf-capabilities=-1",), "invalid hexadecimal number value: '-1'"),
            (("--perf-capabilities", "1" + 16 * "0"), "invalid hexadecimal number value: '1000"),
            (("--format", "json"), "--format"),
            (("-o", "/nonexistent/file"), "No such file or directory")):
        code, out, err = script(OP, *options)
        assert code != 0 and not out and message in err, (options, err)
    code, out, err = script(OP, "--filter", "op == load && dc_mis > 2")
    assert code != 0 and not out, err
    marked("op == load && dc_mis > 2", 15, "'dc_mis'", err)


def changed(change, work):
    """Run work(path) on a changed copy of a recording."""
    with open(OP, "rb") as file:
        content = change(file.read())
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "perf.data")
        with open(path, "wb") as file:
            file.write(content)
        return work(path)


def test_undecodable():
    """samples that cannot be decoded are counted, and told at the end"""
    def break_payloads(content):
        return content.replace(PAYLOAD_START, NO_CAPS_START)

    count = perf("script", "-i", OP, "-F", "ip")[1].count("\n")
    code, out, err = changed(break_payloads, lambda path: dlfilter(path, "fields=op,cpu",
                                                                   "only=1"))
    assert code == 0, err
    assert set(out.splitlines()) == {"cpu=0"}, out[:200]
    assert "ibs_op//: %d of %d samples cannot be decoded" % (count, count) in err, err
    code, out, err = changed(break_payloads, lambda path: script(path, "--fields", "op,cpu"))
    assert code == 0, err
    assert set(out.splitlines()) == {"cpu=0"}, out[:200]
    assert "ibs_op//: %d samples cannot be decoded" % count in err, err


def python(program, **variables):
    """Run a program that can import precis; its stdout."""
    environment = dict(loading_environment(), PYTHONPATH=os.path.dirname(SCRIPT), **variables)
    return subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200, env=environment, text=True)


PAYLOAD = """
import struct
# caps of Zen 4; a load that missed to DRAM in 500 cycles
op = struct.pack("<I8Q", 0xbff, 3 << 17, 0x401000, 600 << 16 | 20, 3,
                 500 << 32 | 1 << 20 | 1 << 17 | 1 << 7 | 1, 0x7000, 0, 0)
"""


def test_module():
    """precis.py as a module: values, reasons, filters"""
    done = python(PAYLOAD + """
import precis
decoder = precis.Decoder(cpuid="AuthenticAMD,25,17,1")
values = decoder.decode(op)
assert decoder.kind == precis.IBS_OP and decoder.error is None
assert values["mem_level"] == "DRAM" and values["dcache_miss_latency"] == 500, values
assert values["dcache_miss"] is True and values["addr"] == 0x7000, values
assert "branch_taken" not in values
assert decoder.reasons()["branch_taken"][0] == "NOT_APPLICABLE"
assert not set(values) & set(decoder.reasons())
assert len(values) + len(decoder.reasons()) == len(precis.fields)
assert precis.Filter("dc_miss_lat == 500").match(decoder)
assert not precis.Filter("dc_miss_lat > 500").match(decoder)
assert precis.find("DataSrc").name == "mem_level"
assert decoder.decode(b"") == {} and decoder.kind == precis.OTHER
assert decoder.decode(op[:40], precis.IBS_OP) == {} and decoder.error
assert decoder.decode(bytes(4), precis.IBS_FETCH) == {} and decoder.error
for wrong in (lambda: precis.find("no"), lambda: precis.Filter("ip >"),
              lambda: precis.Decoder(cpuid="x")):
    try:
        wrong()
    except precis.Error:
        continue
    raise AssertionError("accepted")
print("fine")
""")
    tap.equal((done.stdout, done.returncode), ("fine\n", 0), done.stderr)


# As perf gives it to process_event(): a load of 400 cycles from DRAM, of mem-loads on Skylake
PEBS_EVENT = """
import struct
PRECISE, SAMPLE_TYPE = 2 << 15, 1 << 0 | 1 << 3 | 1 << 14 | 1 << 15
attr = struct.pack("<IIQQQQQ", 4, 64, 0x1cd, 1000, SAMPLE_TYPE, 0, PRECISE) + bytes(16)
event = {"attr": attr, "ev_name": "cpu/mem-loads,ldlat=30/P", "raw_buf": b"",
         "sample": {"ip": 0x401000, "addr": 0x7000, "weight": 400, "datasrc": 0x11a69101042}}
"""


def test_module_pebs():
    """precis.py as a module: what the kernel made of a PEBS record"""
    done = python(PEBS_EVENT + """
import precis
decoder = precis.Decoder(cpuid="GenuineIntel,6,85,4")
assert decoder.kind_of(event) == precis.PEBS and precis.kind_of(event) is None
values = decoder.decode(b"", decoder.kind_of(event), event)
assert decoder.kind == precis.PEBS and decoder.error is None
assert (values["op"], values["mem_level"], values["load_latency"]) == ("load", "DRAM", 400), values
assert values["addr"] == 0x7000 and values["ip"] == 0x401000, values
assert decoder.reasons()["cache_latency"][0] == "NOT_SUPPORTED"
assert len(values) + len(decoder.reasons()) == len(precis.fields)
assert precis.Filter("load_latency == 400").match(decoder)
event["sample"]["datasrc"] = 1 << 0 | 1 << 5  # op: not available; level too
values = decoder.decode(b"", precis.PEBS, event)
assert "mem_level" not in values and values["load_latency"] == 400, values
split = precis.Decoder(cpuid="GenuineIntel,6,143,8")
values = split.decode(b"", precis.PEBS, event)
assert values["cache_latency"] == 400 and "load_latency" not in values, values
assert split.reasons()["instruction_latency"][0] == "NOT_CAPTURED"
for other in (precis.Decoder(), precis.Decoder(cpuid="AuthenticAMD,25,17,1")):
    assert other.kind_of(event) is None
for change in ({"ev_name": "uncore_imc_0/event=1/"}, {"attr": attr[:0x28] + bytes(24)},
               {"attr": struct.pack("<I", 2) + attr[4:]},
               {"ev_name": "named", "attr": struct.pack("<I", 12) + attr[4:]}):
    assert decoder.kind_of(dict(event, **change)) != precis.PEBS, change
assert decoder.kind_of(dict(event, ev_name="named")) == precis.PEBS
values = decoder.decode(b"", precis.OTHER, event)
assert values["addr"] == 0x7000 and "load_latency" not in values, values
print("fine")
""")
    tap.equal((done.stdout, done.returncode), ("fine\n", 0), done.stderr)


def test_module_retire_latency():
    """precis.py as a module: a retire latency that perf never hands on is no 0"""
    done = python(PEBS_EVENT + """
import precis
struct_type = SAMPLE_TYPE & ~(1 << 14) | 1 << 24
event["attr"] = attr[:0x18] + struct.pack("<Q", struct_type) + attr[0x20:]
event["sample"]["ins_lat"] = 20
for options, start in (({}, "NOT_CAPTURED kernels before 6.3"),
                       ({"os_release": "6.8.0"}, "NOT_CAPTURED whether this machine"),
                       ({"os_release": "6.2", "perf_capabilities": 1 << 17},
                        "NOT_CAPTURED kernels before 6.3"),
                       ({"os_release": "6.3", "perf_capabilities": 0},
                        "NOT_SUPPORTED this machine does not"),
                       ({"os_release": "6.3", "perf_capabilities": 1 << 17},
                        "NOT_CAPTURED perf does not hand it on")):
    decoder = precis.Decoder(cpuid="GenuineIntel,6,143,8", **options)
    values = decoder.decode(b"", precis.PEBS, event)
    assert values["instruction_latency"] == 20 and "retire_latency" not in values, values
    found = " ".join(decoder.reasons()["retire_latency"])
    assert found.startswith(start), (options, found)
print("fine")
""")
    tap.equal((done.stdout, done.returncode), ("fine\n", 0), done.stderr)


def test_no_library():
    """precis.py: says where it looked for a libprecis that is not there"""
    done = python("import precis", PRECIS_LIBRARY="/nonexistent/libprecis.so")
    if done.returncode == 0:
        raise tap.Skip("a libprecis is installed")
    assert "PRECIS_LIBRARY" in done.stderr and "/nonexistent/libprecis.so" in done.stderr


def test_outside_perf():
    """precis.py: run without perf, it says how it is run"""
    done = subprocess.run([sys.executable, SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=1200, env=loading_environment(), text=True)
    assert done.returncode == 1 and "perf script -s" in done.stderr, done.stderr


LAYOUT = """
#include <stddef.h>
#include <stdio.h>
#include <precis/precis.h>
#define SHOW(type, member) \\
	printf("%s.%s %zu\\n", #type, #member, offsetof(struct precis_##type, member))
int main(void)
{
	SHOW(sample, payload_error); SHOW(sample, event_kind); SHOW(sample, present);
	SHOW(sample, wanted); SHOW(sample, registers); SHOW(sample, value);
	SHOW(field_info, unit); SHOW(field_info, meaning);
	SHOW(filter, fields); SHOW(filter, step); SHOW(filter_error, message);
	printf("sample %zu\\nfilter %zu\\nfield_info %zu\\nfilter_error %zu\\ncpu %zu\\n",
	       sizeof(struct precis_sample), sizeof(struct precis_filter),
	       sizeof(struct precis_field_info), sizeof(struct precis_filter_error),
	       sizeof(struct precis_cpu));
	printf("ibs_op %zu\\nibs_fetch %zu\\npebs %zu\\nperf_words %zu\\npebs_machine %zu\\n",
	       sizeof(struct precis_ibs_op), sizeof(struct precis_ibs_fetch),
	       sizeof(struct precis_pebs), sizeof(struct precis_perf_words),
	       sizeof(struct precis_pebs_machine));
	printf("pebs_buffer %zu\\nds %zu\\n", sizeof(struct precis_pebs_buffer),
	       sizeof(struct precis_ds));
	SHOW(pebs_buffer, offset); SHOW(pebs_buffer, records); SHOW(ds, pebs); SHOW(ds, gp_reset);
	SHOW(sample, access_whys); SHOW(pebs, unknown_groups); SHOW(pebs, gpr);
	SHOW(perf_words, weight_var3); SHOW(pebs_machine, cpu); SHOW(pebs_machine, has_config);
	SHOW(pebs_machine, config); SHOW(pebs_machine, records_retire_latency);
	return sizeof(struct precis_ibs_context) > 65536 ||
	       sizeof(struct precis_pebs_context) > 32768;
}
"""


def test_layout():
    """precis.py: its structures are those of the headers"""
    with tempfile.TemporaryDirectory() as directory:
        source, binary = (os.path.join(directory, name) for name in ("layout.c", "layout"))
        with open(source, "w", encoding="ascii") as file:
            file.write(LAYOUT)
        subprocess.run(os.environ.get("CC", "cc").split() +
                       ["-I" + os.path.join(SRCDIR, "libdecode/include"), source, "-o", binary],
                       check=True)
        expected = subprocess.run([binary], stdout=subprocess.PIPE, check=True, text=True).stdout
    done = python("""
import ctypes, precis
structures = {"sample": precis._Sample, "filter": precis._Filter, "field_info": precis._FieldInfo,
              "filter_error": precis._FilterError, "cpu": precis._Cpu, "ibs_op": precis._Op,
              "ibs_fetch": precis._Fetch, "pebs": precis._Pebs, "perf_words": precis._PerfWords,
              "pebs_machine": precis._PebsMachine, "pebs_buffer": precis._PebsBuffer,
              "ds": precis._Ds}
for line in %r.split("\\n"):
    what = line.split(" ")[0]
    name, _, member = what.partition(".")
    if member:
        print(what, getattr(structures[name], member).offset)
    elif name:
        print(what, ctypes.sizeof(structures[name]))
""" % expected)
    tap.equal(done.stdout, expected, done.stderr)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
