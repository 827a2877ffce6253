#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis dump: formats, fields, selection, reasons, the register view."""
import csv
import io
import json
import os
import struct
import subprocess
import sys
import tempfile

import perfdata
import tap
from command import PRECIS, good, recording, run, usage
from tap import equal

HERE = sys.modules[__name__]
OP = recording("zen4-op_l3")
SCRATCH = tempfile.TemporaryDirectory()


def scratch(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def one_sample(**registers):
    payload = perfdata.op_payload(**registers)
    return scratch("one.data", perfdata.perf_data([perfdata.sample(payload)]))


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def json_rows(text):
    return [json.loads(line) for line in text.splitlines()]


def test_text():
    """text: a line for each sample, name=value, absent fields left out"""
    equal(good("dump", "-F", "event,cpu,pid,tid,time,op,mem_level,branch_taken", one_sample()),
          "event=ibs_op// cpu=0 pid=100 tid=101 time=1.000000000 op=load mem_level=DRAM\n")


def test_csv():
    """csv: header line, exact numbers, empty cell if absent"""
    equal(good("dump", "--format", "csv", "-F",
               "event,time,ip,addr,dcache_miss_latency,branch_taken,locked", one_sample()),
          "event,time,ip,addr,dcache_miss_latency,branch_taken,locked\n"
          "ibs_op//,1000000000,0x401000,0x7ffff7fc27d8,406,,0\n")


def test_csv_header_alone():
    """csv: the header line stands without samples, too"""
    path = scratch("none.data", perfdata.perf_data([perfdata.finished_round()]))
    equal(good("dump", "--format", "csv", "-F", "cpu,ip", path), "cpu,ip\n")


def test_json():
    """json: an object a line; addresses are strings, bools are bools"""
    fields = "event,time,ip,phys_addr,tlb_refill_latency,locked,branch_taken"
    equal(json_rows(good("dump", "--format", "json", "-F", fields, one_sample())),
          [{"event": "ibs_op//", "time": 1000000000, "ip": "0x401000", "phys_addr": "0x1f197d8",
            "tlb_refill_latency": 9, "locked": False}])


def test_extreme_numbers():
    """numbers of every length are exact, in text, csv and json"""
    values = sorted({0, 1} | {10 ** n + d for n in range(1, 20) for d in (-1, 0, 1)} |
                    {2 ** n + d for n in range(1, 64) for d in (-1, 0)} | {2 ** 64 - 1})
    records = [perfdata.sample(perfdata.op_payload(rip=value or 1, lin=value), time=value)
               for value in values]
    path = scratch("numbers.data", perfdata.perf_data(records))
    rows = csv_rows(good("dump", "--format", "csv", "-F", "time,addr", path))
    equal([int(row["time"]) for row in rows], values, "decimal in csv")
    equal([row["addr"] for row in rows], [hex(value) for value in values], "hex in csv")
    rows = json_rows(good("dump", "--format", "json", "-F", "time,addr", path))
    equal([row["time"] for row in rows], values, "decimal in json")
    text = good("dump", "-F", "time", path).splitlines()
    equal(text, ["time=%d.%09d" % divmod(value, 10 ** 9) for value in values], "seconds in text")


def test_signed():
    """pid -1 is printed as such"""
    path = scratch("pid.data", perfdata.perf_data(
        [perfdata.sample(perfdata.op_payload(), pid=2 ** 32 - 1, tid=2 ** 31)]))
    equal(good("dump", "-F", "pid,tid", path), "pid=-1 tid=-2147483648\n")


def test_all_formats_agree():
    """text, csv and json of all fields say the same of every recording"""
    for name in ("zen4-op_l3", "zen4-fetch", "zen4-own-pertask", "skylake-loads_phys"):
        path = recording(name)
        rows = csv_rows(good("dump", "--format", "csv", "-F", "all", path))
        objects = json_rows(good("dump", "--format", "json", "-F", "all", path))
        lines = good("dump", "-F", "all", path).splitlines()
        equal(len(rows), len(objects), name)
        equal(len(rows), len(lines), name)
        for row, item, line in zip(rows, objects, lines):
            present = {key: value for key, value in row.items() if value != ""}
            flat = {key: str(int(value)) if isinstance(value, bool) else str(value)
                    for key, value in item.items()}
            equal(flat, present, name)
            time = "%d.%09d" % divmod(int(present["time"]), 10 ** 9) if "time" in present else ""
            words = dict(present, time=time) if time else present
            equal(line, " ".join("%s=%s" % pair for pair in words.items()), name)


def test_names_with_commas():
    """an event's name is quoted in csv and json, its controls are escaped in text and csv"""
    name = 'odd,"name"\n\x1b[31m'
    path = scratch("name.data", perfdata.perf_data(
        [perfdata.sample(perfdata.op_payload())], [(perfdata.attr(), [1], name)]))
    equal(csv_rows(good("dump", "--format", "csv", "-F", "event", path))[0]["event"],
          'odd,"name"\\x0a\\x1b[31m')
    equal(json_rows(good("dump", "--format", "json", "-F", "event", path))[0]["event"], name)
    equal(good("dump", "-F", "event", path), 'event=odd,"name"\\x0a\\x1b[31m\n')


def test_reasons():
    """--reasons: text NAME=REASON(detail), csv the reason, json an object"""
    path = one_sample()
    equal(good("dump", "--reasons", "-F", "op,branch_taken", path),
          "op=load branch_taken=NOT_APPLICABLE(not a retired branch)\n")
    equal(good("dump", "--reasons", "--format", "csv", "-F", "op,branch_taken", path),
          "op,branch_taken\nload,NOT_APPLICABLE\n")
    equal(json_rows(good("dump", "--reasons", "--format", "json", "-F", "branch_taken,op", path)),
          [{"op": "load", "reasons": {"branch_taken": "NOT_APPLICABLE: not a retired branch"}}])
    equal(json_rows(good("dump", "--reasons", "--format", "json", "-F", "op", path)),
          [{"op": "load", "reasons": {}}])
    equal(json_rows(good("dump", "--reasons", "--format", "json", "-F", "branch_taken", path)),
          [{"reasons": {"branch_taken": "NOT_APPLICABLE: not a retired branch"}}])


def test_every_field_or_reason():
    """--reasons -F all: each field of each sample is a value or a reason, csv and json agree"""
    catalogue = {row["name"] for row in csv_rows(good("fields", "--format", "csv"))
                 if row["kind"] == "field"}
    for name in ("zen4-op_l3", "zen4-own-pertask", "skylake-loads_phys"):
        how = ("dump", "--reasons", "-F", "all", recording(name), "--format")
        rows = csv_rows(good(*how, "csv"))
        for row, item in zip(rows, json_rows(good(*how, "json"))):
            reasons = item.pop("reasons")
            equal(set(item) | set(reasons), catalogue, name)
            assert not set(item) & set(reasons), item
            equal({key: row[key] for key in reasons},
                  {key: text.partition(": ")[0] for key, text in reasons.items()}, name)


def test_erratum_by_name():
    """a field that an erratum takes away says which"""
    path = one_sample(data3=0x901961cd70085)  # DcMissNoMabAlloc
    zen3 = ("--cpuid", "AuthenticAMD,25,1,1")
    equal(good("dump", "--reasons", "-F", "miss_buffers_open", *zen3, path),
          "miss_buffers_open=ERRATUM(AMD-1293)\n")


def test_fields_list():
    """-F: aliases, all, default, in the order given, none twice"""
    catalogue = [row["name"] for row in csv_rows(good("fields", "--format", "csv"))
                 if row["kind"] == "field"]
    header = good("dump", "--format", "csv", "-n", "0", "-F", "all", OP)
    equal(header, ",".join(catalogue) + "\n", "all")
    header = good("dump", "--format", "csv", "-n", "0", "-F", "IbsDcMissLat,cpu,all,cpu", OP)
    rest = [name for name in catalogue if name not in ("dcache_miss_latency", "cpu")]
    equal(header.strip().split(","), ["dcache_miss_latency", "cpu"] + rest, "order")
    equal(good("dump", "-n", "3", "-F", "default", OP), good("dump", "-n", "3", OP), "default")
    assert "no field is named 'nonsense'" in usage("dump", "-F", "cpu,nonsense", OP)
    assert "no field is named ''" in usage("dump", "-F", "cpu,", OP)


def test_event_selection():
    """-e: by name, by number, by PMU; repeatable"""
    path = recording("zen4-own-pertask")
    rows = csv_rows(good("dump", "--format", "csv", "-F", "event", path))
    events = [row["event"] for row in rows]
    ops = events.count("ibs_op//")
    assert 0 < ops < len(events)
    for word in ("ibs_op//", "0", "ibs_op"):
        equal(good("dump", "-e", word, "-F", "event", path), "event=ibs_op//\n" * ops, word)
    equal(len(good("dump", "-e", "0", "--event", "ibs_fetch", "-F", "event", path).splitlines()),
          len(events))
    assert "no event 'nope'; it has 'ibs_op//'" in usage("dump", "-e", "nope", path)


def selection_file():
    records = [perfdata.sample(perfdata.op_payload(), pid=10 + n, tid=20 + n, cpu=n,
                               time=1000000000 + n) for n in range(10)]
    return scratch("selection.data", perfdata.perf_data(records))


def selected(*arguments):
    out = good("dump", "-F", "cpu", *arguments, selection_file())
    return [int(line.partition("=")[2]) for line in out.splitlines()]


def test_lists():
    """--cpu, --pid, --tid take lists and ranges"""
    equal(selected("--cpu", "7,0-2,1-3"), [0, 1, 2, 3, 7])
    equal(selected("--pid", "12"), [2])
    equal(selected("--tid", "28-4000000000"), [8, 9])
    equal(selected("--cpu", "0-5", "--pid", "15-19"), [5])
    for bad in ("", "x", "1-", "3-1", "1,,2", "1,", "-1", "4294967296", "1 2"):
        assert "--cpu: expected a list" in usage("dump", "--cpu=" + bad, OP), bad


def test_time():
    """--time: both ends included, to the nanosecond, either open"""
    equal(selected("--time", "1.000000003,1.000000005"), [3, 4, 5])
    equal(selected("--time", "1.000000008,"), [8, 9])
    equal(selected("--time", ",1.000000001"), [0, 1])
    equal(selected("--time", "1,1"), [0])
    equal(selected("--time", ","), list(range(10)))
    for bad in ("", "1", "2,1", "1.,2", "1.0000000001,2", "a,b", "1,2,3", "-1,2",
                "99999999999999,"):
        assert "--time: expected START,STOP" in usage("dump", "--time=" + bad, OP), bad


def test_filter():
    """--filter selects; its fields need not be printed"""
    equal(selected("--filter", "pid > 16 && op == load"), [7, 8, 9])
    equal(selected("--filter", "missing(branch_taken) && cpu == 4"), [4])
    equal(selected("--filter", 'event == "ibs_op//" && cpu < 1'), [0])
    equal(selected("--filter", "op == store"), [])


def test_filter_error():
    """--filter: an error names the column and points at it"""
    result = run("dump", "--filter", "op == nonsense", OP)
    equal(result.code, 2)
    lines = result.err.splitlines()
    assert lines[0].startswith("precis dump: --filter: column 7: "), lines
    equal(lines[1], "precis dump: op == nonsense")
    equal(lines[2].index("^"), lines[1].index("nonsense"))


def test_no_time_no_match():
    """a sample without the field that is asked for is not selected"""
    sample_type = perfdata.IP | perfdata.ID
    body = struct.pack("<QQ", 1, 1)
    path = scratch("notime.data", perfdata.perf_data(
        [perfdata.record(perfdata.RECORD_SAMPLE, body)],
        [(perfdata.attr(1, sample_type), [1], "cpu-clock")]))
    equal(good("dump", "-F", "ip", path), "ip=0x1\n")
    equal(good("dump", "-F", "ip", "--time", ",", path), "")
    equal(good("dump", "-F", "ip", "--cpu", "0", path), "")


def test_max():
    """-n stops after N samples"""
    equal(selected("-n", "3"), [0, 1, 2])
    equal(selected("--max=0"), [])
    equal(selected("-n", "2", "--cpu", "5-9"), [5, 6])
    assert "--max: expected a number" in usage("dump", "-n", "x", OP)
    assert "--max: expected a number" in usage("dump", "-n", "-1", OP)


def test_output_file():
    """-o writes to a file what standard output would get; never over the recording"""
    path = os.path.join(SCRATCH.name, "out.csv")
    equal(good("dump", "--format", "csv", "-o", path, OP), "")
    with open(path) as file:
        equal(file.read(), good("dump", "--format", "csv", OP))
    victim = scratch("victim.data", perfdata.perf_data([perfdata.finished_round()]))
    result = run("dump", "-o", victim, victim)
    equal(result.code, 1)
    assert "is the recording itself" in result.err
    assert os.path.getsize(victim) > 104
    result = run("dump", "-o", "/nonexistent/x", OP)
    equal((result.code, result.err),
          (1, "precis dump: /nonexistent/x: No such file or directory\n"))


def test_full_disk():
    """a full disk is told and fails"""
    if not os.path.exists("/dev/full"):
        raise tap.Skip("no /dev/full")
    result = run("dump", "-o", "/dev/full", OP)
    equal(result.code, 1)
    equal(result.err, "precis dump: /dev/full: cannot write: No space left on device\n")


def test_head():
    """a reader that closes early ends it by SIGPIPE, in silence"""
    path = recording("zen4-fetch")
    with subprocess.Popen([PRECIS, "dump", "-F", "all", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, restore_signals=True) as process:
        process.stdout.readline()
        process.stdout.close()
        equal(process.stderr.read(), b"")
        assert process.wait() in (-13, 0)


def test_reader_gone():
    """where SIGPIPE is ignored a reader that closes early is no failure either"""
    path = recording("zen4-fetch")
    for command in (["dump", "-F", "all", path], ["fields"], ["report", path], ["info", path]):
        with subprocess.Popen([PRECIS] + command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              restore_signals=False) as process:
            process.stdout.close()
            equal(process.stderr.read(), b"", command)
            equal(process.wait(), 0, command)


def test_lost():
    """losses and throttling are told on standard error, the exit code is 0"""
    trailer = struct.pack("<IIQQII", 1, 1, 5, 1, 0, 0)
    lost, lost_samples = struct.pack("<QQ", 1, 7), struct.pack("<Q", 5)
    throttle = [struct.pack("<QQQ", time, 1, 1) + trailer for time in (1000000, 3500000)]
    records = [perfdata.sample(perfdata.op_payload()),
               perfdata.record(perfdata.RECORD_LOST, lost + trailer),
               perfdata.record(perfdata.RECORD_LOST_SAMPLES, lost_samples + trailer),
               perfdata.record(perfdata.RECORD_THROTTLE, throttle[0]),
               perfdata.record(perfdata.RECORD_UNTHROTTLE, throttle[1])]
    path = scratch("lost.data", perfdata.perf_data(records))
    result = run("dump", "-F", "cpu", path)
    equal((result.code, result.out), (0, "cpu=0\n"))
    equal(result.err, "precis dump: %s: lost: 7 records in the ring buffer, 5 samples in the PMU; "
                      "throttled 1 times for 2.5 ms\n" % path)


def test_registers_text():
    """--registers: every register and bit field by AMD's names"""
    out = good("dump", "--registers", "-F", "cpu", one_sample()).splitlines()
    equal(out[0], "cpu=0 caps=0xbff")
    names = [line.split()[0] for line in out[1:]]
    equal(names, ["IbsOpCtl", "IbsOpRip", "IbsOpData", "IbsOpData2", "IbsOpData3", "IbsDcLinAd",
                  "IbsDcPhysAd", "IbsBrTarget"])
    assert " 0x000901961cd60085 IbsLdOp=1 IbsStOp=0 IbsDcL1TlbMiss=1 " in out[5], out[5]
    assert out[5].endswith(" IbsDcMissLat=406 IbsTlbRefillLat=9"), out[5]


def test_registers_json():
    """--registers --format json: registers, fields, errata"""
    path = one_sample(data3=0x901961cd70085)
    row, = json_rows(good("dump", "--registers", "--format", "json",
                          "--cpuid", "AuthenticAMD,25,1,1", path))
    equal((row["event"], row["time"], row["caps"]), ("ibs_op//", 1000000000, "0xbff"))
    equal(row["IbsOpData3"], "0x000901961cd70085")
    equal(row["fields"]["IbsOpMaxCnt"], 0x186a)
    equal(row["fields"]["IbsDcMissLat"], 406)
    equal(row["errata"]["IbsL2Miss"], "AMD-1293")
    assert "IbsLdOp" not in row["errata"]
    assert "CacheHitSt" not in row["fields"]  # not on Zen 3


def test_registers_perf_names():
    """--perf-names: composed values and names of perf report -D"""
    path = one_sample(ctl=0x6b003f186a | 1 << 22, data2=0x45)
    row, = json_rows(good("dump", "--registers", "--perf-names", "--format", "json", path))
    equal(row["fields"]["MaxCnt"], (0x186a << 4) + (7 << 20))
    equal(row["fields"]["DataSrc"], 0xd)
    equal(row["ibs_op_data3"], "0x000901961cd60085")
    assert "usage" not in row
    assert "--perf-names needs --registers" in usage("dump", "--perf-names", path)


def test_registers_csv():
    """--registers --format csv: the same values as json, a column each"""
    for name in ("zen4-op_l3", "zen4-fetch"):
        path = recording(name)
        rows = csv_rows(good("dump", "--registers", "--format", "csv", path))
        objects = json_rows(good("dump", "--registers", "--format", "json", path))
        equal(len(rows), len(objects))
        for row, item in zip(rows, objects):
            fields = {key.partition(".")[2]: int(value)
                      for key, value in row.items() if "." in key and value != ""}
            equal(fields, item["fields"], name)
            registers = {key: value for key, value in item.items()
                         if key.startswith("Ibs") and isinstance(value, str)}
            equal({key: row[key] for key in registers}, registers, name)


def test_registers_of_other_events():
    """--registers: a sample without registers says so"""
    path = recording("skylake-loads_phys")
    out = good("dump", "--registers", "-F", "op,perf_weight", "-n", "1", path)
    assert out.endswith(" (no registers)\n"), out


def test_perf_capabilities():
    """--perf-capabilities: bit 17 says whether the weight's third part is a latency"""
    path = recording("skylake-loads_phys")
    how = ("--cpuid", "GenuineIntel,6,143,8", "--os-release", "6.12")
    for more, expected in (((), {"NOT_CAPTURED"}), (("--perf-capabilities", "0x20000"), {"0"}),
                           (("--perf-capabilities", "fdffff"), {"NOT_SUPPORTED"})):
        rows = csv_rows(good("dump", "--format", "csv", "--reasons", "-F", "retire_latency", *how,
                             *more, path))
        equal({row["retire_latency"] for row in rows}, expected, repr(more))
        assert run("info", *how, *more, path).code == 0
    for command in ("dump", "info", "report"):
        assert "hexadecimal number" in usage(command, "--perf-capabilities", "g", path)


def test_registers_win():
    """IBS: where the registers are, nothing comes from what the kernel made of them"""
    path = recording("zen4-own-pertask")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    at, count = struct.unpack_from("<QQ", data, 40)
    samples, end = 0, at + count
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == perfdata.RECORD_SAMPLE:
            # IP TID TIME ADDR … WEIGHT DATA_SRC: another address, and a store of 7 cycles to the L1
            struct.pack_into("<Q", data, at + 8 + 24, 0x123456789)
            struct.pack_into("<QQ", data, at + size - 16, 7, 0x4 | 0xa << 5 | 1 << 33)
            samples += 1
        at += size
    before, after = (csv_rows(good("dump", "--format", "csv", "--reasons", "-F", "all", name))
                     for name in (path, scratch("other-words", bytes(data))))
    equal(len(after), samples)
    equal({(row["perf_weight"], row["perf_data_src"]) for row in after}, {("7", "0x200000144")})
    for row, other in zip(before, after):
        changed = {name for name in row if row[name] != other[name]}
        assert changed <= {"perf_weight", "perf_data_src"}, (changed, row, other)
    assert {row["op"] for row in before} >= {"load", "store"}, before[0]


def test_options_of_recordings():
    """--cpuid, --os-release, --fetch-layout are believed; nonsense is refused"""
    path = one_sample()
    zen3 = ("--cpuid", "AuthenticAMD,0x19,0x1,0")
    equal(good("dump", "--reasons", "-F", "mem_snoop", *zen3, path).partition("(")[0],
          "mem_snoop=NOT_SUPPORTED")
    assert "--cpuid: expected VENDOR,FAMILY" in usage("dump", "--cpuid", "Zen 4", path)
    assert "--fetch-layout: expected auto, new or old" in usage("dump", "--fetch-layout", "x", path)
    fetch = recording("zen4-fetch")
    how = ("dump", "--registers", "--format", "json", "-n", "1", fetch)
    new = json_rows(good(*how))[0]
    assert "IbsFetchCtlExtd" in new
    for option in (("--fetch-layout", "old"), ("--os-release", "5.4.0-42-generic")):
        old = json_rows(good(*how, *option))[0]
        assert "IbsFetchCtlExtd" not in old and "IbsBrTarget" in old, old


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
