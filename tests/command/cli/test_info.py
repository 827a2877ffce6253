#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis info: of recordings."""
import csv
import io
import json
import os
import resource
import struct
import sys
import tempfile

import perfdata
import tap
from command import good, recording, run
from perfdata import op_payload, perf_data, sample
from tap import equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()


def scratch(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def info(path, *options):
    return json.loads(good("info", "--format", "json", *options, path))


def test_recording():
    """a recording's machine, events and counts"""
    found = info(recording("zen4-op_l3"))
    equal(found["cpuid"], "AuthenticAMD,25,17,1")
    equal(found["cores"], ["Zen 4"])
    equal(found["os_release"], "6.1.0-56-cloud-amd64")
    equal(found["command"][:2], ["/usr/bin/perf", "record"])
    equal(found["pmus"]["ibs_op"], 10)
    assert {"pmu": "ibs_op", "name": "zen4_ibs_extensions", "value": "1"} in found["pmu_caps"]
    event = found["events"][0]
    equal((event["name"], event["pmu"], event["kind"], event["kind_source"]),
          ("ibs_op/cnt_ctl=1,l3missonly=1/", "ibs_op", "ibs_op", "the recording's PMU mappings"))
    equal((event["period"], event["config"]), (100000, "0x90000"))
    equal(event["sample_type"], ["IP", "TID", "TIME", "ID", "CPU", "RAW"])
    equal(event["samples"], found["samples"])
    equal(found["records"]["SAMPLE"], found["samples"])
    assert "tlb_refill_latency" in event["decoded"]
    assert any("l3missonly" in remark for remark in event["remarks"])
    equal(len(good("dump", recording("zen4-op_l3")).splitlines()), found["samples"])


def flat(name, value, section):
    """What CSV has of a value of JSON: the manual's rule. (section, row, column, value), in order"""
    def walk(path, value):
        if isinstance(value, dict):
            for key, inside in value.items():
                yield from walk(path + [key], inside)
        elif isinstance(value, list):
            for number, inside in enumerate(value):
                yield from walk(path + [str(number)] * isinstance(inside, dict), inside)
        else:
            place = path if len(path) > 1 else [section] + path
            yield (place[0], place[1], ".".join(place[2:]) or "value", value)
    return walk([name], value)


def as_cell(value):
    """A value of JSON in CSV; names may be escaped, numbers are not"""
    return str(value).lower() if isinstance(value, bool) else str(value)


def lines_of(text):
    rows = list(csv.reader(io.StringIO(text)))
    equal(rows[0], ["section", "row", "column", "value", "n", "low", "high", "unit", "reason"])
    return rows[1:]


def check_csv(options, section):
    """CSV and JSON of one thing"""
    rows = lines_of(good("info", "--format", "csv", *options))
    found = json.loads(good("info", "--format", "json", *options))
    losses = found.pop("losses", None)
    expected = [line for name, value in found.items() for line in flat(name, value, section)]
    cells = [tuple(row[:4]) for row in rows if row[0] != "losses"]
    equal([cell[:3] for cell in cells], [line[:3] for line in expected])
    for row, line in zip([row for row in rows if row[0] != "losses"], expected):
        if line[3] is None:
            assert row[3] == "" and row[8], row
        else:
            assert row[8] == "", row
            value = as_cell(line[3])
            assert row[3] == value or "\\" in row[3], (row, value)
    if losses:
        told = {(row["row"], name) for row in losses["rows"] for name in row if name != "row"}
        equal({(row[1], row[2]) for row in rows if row[0] == "losses" and row[2] != "note"}, told)
    return rows


def test_csv():
    """csv has each value that json has, in its order, and says why one is absent"""
    for name in ("zen4-mix-op", "zen4-fetch", "spr-mix-loads", "skylake-loads_phys"):
        rows = check_csv([recording(name)], "recording")
        assert ["recording", "bytes", "value", str(os.path.getsize(recording(name))), "", "", "",
                "bytes", ""] in rows
    units = {row[7] for row in rows}
    assert {"bytes", "KiB", "ns"} <= units, units


def test_csv_machine():
    """csv of a machine likewise"""
    rows = check_csv([], "machine")
    checks = [row for row in rows if row[0] == "checks" and row[2] == "verdict"]
    equal([row[1] for row in checks], [str(n) for n in range(len(checks))])


def test_too_much():
    """a header that tells of more caches than any machine has: memory stays bounded, and it is said"""
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        raise tap.Skip("an address space that is limited has no room for sanitizers")
    count = 60000
    cache = struct.pack("<IIII", 1, 64, 64, 8) + b"".join(map(perfdata.string, ("Data", "32K", "0")))
    features = {perfdata.CACHE: struct.pack("<II", 1, count) + cache * count}
    path = scratch("caches.data", perf_data([perfdata.finished_round()], features=features))
    limit = 192 << 20
    for form in ("text", "json", "csv"):
        result = run("info", "--format", form, path,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        equal(result.code, 1, form)
        assert "more than 262144" in result.err, result.err
        if form == "json":
            found = json.loads(result.out)["caches"]
            assert 20000 < len(found) < count, len(found)
        if form == "text":  # a sum is one line: nothing of it is left out
            assert "caches         60000 times L1 Data" in result.out, result


def test_text_says_the_same():
    """text has what json has"""
    text = " ".join(good("info", recording("zen4-fetch")).split())
    found = info(recording("zen4-fetch"))
    event = found["events"][0]
    for word in (found["cpuid"] + ": Zen 4", found["os_release"], " ".join(found["command"]),
                 "SAMPLE %d" % found["samples"], event["name"], " ".join(event["sample_type"]),
                 " ".join(event["decoded"]), "payload layout of Linux 5.10 and later"):
        assert word in text, (word, text)


def test_frequency():
    """a frequency is no period"""
    event = info(recording("zen4-freq"))["events"][0]
    equal((event.get("frequency"), event.get("period")), (2000, None))


def test_throttled():
    """throttling is counted, and told in the text"""
    found = info(recording("zen4-throttled"))
    rows = {row["row"]: row for row in found["losses"]["rows"]}
    event = rows["ibs_op//"]
    assert event["throttled"] > 0 and event["throttled_ns"] > event["longest_ns"] > 0
    equal(found["records"]["THROTTLE"], event["throttled"])
    equal({**rows["CPU 0, ibs_op//"], "row": None, "cpu": None}, {**event, "row": None})
    assert "the kernel throttled sampling" in good("info", recording("zen4-throttled"))


def test_losses():
    """what was lost is told; that nothing was, only where that is known"""
    equal([row["row"] for row in info(recording("zen4-own-pertask"))["losses"]["rows"]][-1],
          "buffers of all events")
    for read_format, version, said in (
            (1 << 4, b"6.1.192", "no record was lost: the kernel's counter"),
            (1 << 4, b"6.0.1", "no buffer reported a loss; what one lost after"),
            (0, b"6.1.192", "no buffer reported a loss; what one lost after")):
        attr = bytearray(perfdata.attr())
        struct.pack_into("<Q", attr, 32, read_format)
        data = perf_data([sample(op_payload())], events=[(bytes(attr), [1], "ibs_op//")], features={
            perfdata.VERSION: b"\x40\0\0\0" + version.ljust(64, b"\0")})
        notes = info(scratch("losses", data))["losses"]["notes"]
        assert notes[0].startswith(said), (read_format, version, notes)
        equal(notes[1:], ["sampling was never throttled"])
    attr = bytearray(perfdata.attr())
    struct.pack_into("<Q", attr, 40, 1 << 27 | perfdata.SAMPLE_ID_ALL)
    data = perf_data([sample(op_payload())], events=[(bytes(attr), [1], "ibs_op//")])
    assert "overwritten" in info(scratch("overwritten", data))["losses"]["notes"][0]


def counting(read_format, ids, sample_type=perfdata.SAMPLE_TYPE):
    """An event with that read_format"""
    attr = bytearray(perfdata.attr(sample_type=sample_type))
    struct.pack_into("<Q", attr, 32, read_format)
    return bytes(attr), ids, "ibs_op//"


def kernel_record(kind, body, time, ident=1, cpu=0):
    return perfdata.record(kind, body + struct.pack("<IIQQII", 1, 1, time, ident, cpu, 0))


VERSION_61 = {perfdata.VERSION: b"\x40\0\0\0" + b"6.1".ljust(64, b"\0")}


def test_only_events_with_samples():
    """an event that sampled nothing takes no knowledge away"""
    events = [counting(1 << 4, [1]), counting(0, [2])]
    notes = info(scratch("two", perf_data([sample(op_payload())], events, VERSION_61)))["losses"]
    assert notes["notes"][0].startswith("no record was lost"), notes
    notes = info(scratch("none", perf_data([perfdata.finished_round()], events,
                                           VERSION_61)))["losses"]
    assert notes["notes"][0].startswith("no buffer reported"), notes


def test_two_views():
    """what buffers report and what counters say is not added up"""
    records = [sample(op_payload()),
               kernel_record(perfdata.RECORD_LOST, struct.pack("<QQ", 1, 30), 50),
               kernel_record(perfdata.RECORD_LOST_SAMPLES, struct.pack("<Q", 33), 0)]
    losses = info(scratch("views", perf_data(records, [counting(1 << 4, [1])])))["losses"]
    row = losses["rows"][0]
    equal((row["lost"], row["counted"], row["lost_samples"]), (30, 33, 0))
    assert losses["notes"][0].startswith("33 records did not fit"), losses["notes"]
    assert losses["notes"][1].startswith("lost is what the buffers"), losses["notes"]
    assert not [note for note in losses["notes"] if note.startswith("no ")][1:], losses["notes"]


def test_share_of_time():
    """how much of the time an event was throttled"""
    records = [sample(op_payload(), time=1000)]
    for kind, time in ((perfdata.RECORD_UNTHROTTLE, 1100), (perfdata.RECORD_THROTTLE, 2000),
                       (perfdata.RECORD_UNTHROTTLE, 2500), (perfdata.RECORD_THROTTLE, 8500)):
        records.append(kernel_record(kind, struct.pack("<QQQ", time, 1, 1), time))
    records.append(sample(op_payload(), time=9000))
    losses = info(scratch("share", perf_data(records)))["losses"]
    row = losses["rows"][0]
    names = ("throttled", "throttled_ns", "throttled_percent", "longest_ns", "open", "open_ns",
             "unfinished", "unmatched")
    equal([row[name] for name in names], [2, 1000, 12.5, 500, 1, 500, 0, 1])
    assert any("1 spans of throttling were open" in note for note in losses["notes"])
    assert any("0 spans without a recorded end and 1 without" in note for note in losses["notes"])


def test_losses_without_a_cpu():
    """what says of no CPU is in no row of a CPU"""
    sample_type = perfdata.SAMPLE_TYPE & ~perfdata.CPU
    records = [perfdata.record(perfdata.RECORD_LOST, struct.pack("<QQIIQQ", 1, 9, 1, 1, 5, 1))]
    losses = info(scratch("nocpu", perf_data(records, [counting(0, [1], sample_type)])))["losses"]
    equal([(row["row"], row["lost"]) for row in losses["rows"]], [("ibs_op//", 9)])


def test_losses_of_many_cpus():
    """the CPUs that lost most are listed, the others counted"""
    records = [perfdata.record(perfdata.RECORD_LOST, struct.pack(
        "<QQIIQQII", 1, 10 + cpu, 1, 1, 5, 1, cpu, 0)) for cpu in range(40)]
    losses = info(scratch("cpus", perf_data(records)))["losses"]
    equal([row["row"] for row in losses["rows"]][:3],
          ["ibs_op//", "CPU 39, ibs_op//", "CPU 38, ibs_op//"])
    equal([row["lost"] for row in losses["rows"]],
          [sum(range(10, 50))] + list(range(49, 39, -1)))
    assert any("10 rows of a CPU that lost most, of 40" in note for note in losses["notes"])
    text = good("info", scratch("cpus", perf_data(records)))
    assert "1180 records did not fit into the ring buffers" in " ".join(text.split())


def test_broken_losses():
    """of a broken recording nobody knows what it lost"""
    records = [sample(op_payload()), sample(op_payload())]
    data = perf_data(records)
    result = run("info", "--format", "json", scratch("half", data[:data.rindex(records[1]) + 9]))
    equal(result.code, 1)
    assert "the recording is broken" in json.loads(result.out)["losses"]["notes"][0]


def test_other_events():
    """an event that is neither IBS nor PEBS says what it has"""
    found = info(scratch("other", perf_data([sample(op_payload())],
                                            [(perfdata.attr(1), [1], "cpu-clock")])))
    event = found["events"][0]
    equal((event["kind"], event["pebs"]), ("other", None))
    assert "neither IBS nor" in event["remarks"][0], event["remarks"]
    assert "op" not in event["decoded"]


def test_pebs_recording():
    """a recording of an Intel CPU: its core, what the event is, its words"""
    found = info(recording("skylake-loads_phys"))
    equal(found["cores"], ["Skylake (server)"])
    event = found["events"][0]
    equal((event["kind"], event["kind_source"]), ("pebs", "a precise event of an Intel CPU"))
    equal(event["pebs"], {"core": "Skylake (server)", "core_type": None, "record_format": "3",
                          "event": "load_latency", "ldlat": 31})
    equal(len(event["remarks"]), 1)
    assert "of more than 31 cycles" in event["remarks"][0], event["remarks"]
    assert {"op", "mem_level", "load_latency"} <= set(event["decoded"]), event["decoded"]
    assert {"pmu": "cpu", "name": "max_precise", "value": "3"} in found["pmu_caps"]
    text = " ".join(good("info", recording("skylake-loads_phys")).split())
    for words in (": Skylake (server) CPUs", "decoded as pebs: by a precise event of an Intel CPU",
                  "PEBS Skylake (server), record format 3; load latency: loads with"):
        assert words in text, (words, text)
    assert "IBS" not in text.replace("IBS does not measure it", ""), text


ADDR, WEIGHT, DATA_SRC, WEIGHT_STRUCT = 1 << 3, 1 << 14, 1 << 15, 1 << 24
ALL_WORDS = ADDR | DATA_SRC | WEIGHT_STRUCT
LOAD_WORD = 0x2 | 1 << 5 | 1 << 34  # a load, L1 hit


def pebs(config, words, config1=0, kind=4, precise=2, ident=1):
    """A precise event and a sample of it"""
    sample_type = perfdata.SAMPLE_TYPE & ~perfdata.RAW | words
    attr = bytearray(perfdata.attr(kind, sample_type=sample_type, config=config))
    struct.pack_into("<Q", attr, 40, perfdata.SAMPLE_ID_ALL | precise << 15)
    struct.pack_into("<Q", attr, 56, config1)
    body = struct.pack("<QIIQ", 0x401000, 100, 101, 1000)
    body += struct.pack("<Q", 0x7000) if words & ADDR else b""
    body += struct.pack("<QII", ident, 0, 0)
    body += struct.pack("<IHH", 40, 50, 0) if words & (WEIGHT | WEIGHT_STRUCT) else b""
    body += struct.pack("<Q", LOAD_WORD) if words & DATA_SRC else b""
    return (bytes(attr), [ident], "cpu"), perfdata.record(perfdata.RECORD_SAMPLE, body, 2)


def info_of_pebs(event, cpuid="GenuineIntel,6,143,8", release="6.8.0", pmus=((4, "cpu"),)):
    features = {perfdata.CPUID: perfdata.string(cpuid),
                perfdata.OSRELEASE: perfdata.string(release),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings(list(pmus))}
    path = scratch("pebs", perf_data([event[1]], [event[0]], features))
    good("info", path)
    return info(path)["events"][0]


def test_pebs_words():
    """what was not recorded, and the option that records it"""
    for words, config, expected in (
            (ALL_WORDS, 0x1cd, []),
            (ADDR | WEIGHT_STRUCT, 0x1cd, ["no data sources (DATA_SRC"]),
            (DATA_SRC | WEIGHT_STRUCT, 0x1cd, ["no data addresses (ADDR): record with -d"]),
            (WEIGHT_STRUCT, 0x1cd, ["no data addresses (ADDR), no data sources (DATA_SRC"]),
            (ADDR | DATA_SRC, 0x1cd, ["no latencies (WEIGHT_STRUCT): record with -W",
                                      "no retire_latency: "]),
            (ADDR | DATA_SRC | WEIGHT, 0x1cd, ["WEIGHT has no room", "no retire_latency: "]),
            # no latency event: nothing to miss but the retirement's
            (ADDR | DATA_SRC, 0x81d0, ["no retire_latency: "]),
            # no event of memory at all
            (WEIGHT_STRUCT, 0xc0, [])):
        remarks = info_of_pebs(pebs(config, words))["remarks"]
        ours = [text for text in remarks if text.startswith(("no ", "WEIGHT "))]
        if words & WEIGHT_STRUCT:  # whether the CPU measures it stands in a register alone
            expected = expected + ["no retire_latency: whether this machine measures it"]
        equal(len(ours), len(expected), (hex(config), ours))
        for text, start in zip(ours, expected):
            assert text.startswith(start), (text, start)


def test_pebs_advice():
    """info advises to record addresses where the reason is that they were not recorded, only there"""
    known, unknown, no_memory = (
        "NOT_CAPTURED(perf's sample does not have it)",
        "NOT_CAPTURED(the event is not known: what it records is not either)",
        "NOT_APPLICABLE(the event records no memory access)")
    for cpuid in ("GenuineIntel,6,60,3", "GenuineIntel,6,85,4", "GenuineIntel,6,143,8"):
        for kind, config, name, reason in (
                (4, 0x1cd, "load_latency", known),
                (0, 0, "other", no_memory),      # cycles:P
                (0, 4, "other", no_memory),      # branches:P
                (4, 0xc0, "other", no_memory),
                (3, 0, None, unknown)):          # L1-dcache-loads:P: by the kernel's own table
            event = pebs(config, 0, kind=kind)
            found = info_of_pebs(event, cpuid)
            equal(found["pebs"]["event"], name, (cpuid, kind, hex(config)))
            equal(any("record with -d" in text for text in found["remarks"]), reason is known,
                  (cpuid, kind, hex(config), found["remarks"]))
            equal(good("dump", "--reasons", "-F", "addr", os.path.join(SCRATCH.name, "pebs")),
                  "addr=%s\n" % reason)


def test_pebs_kernel():
    """a kernel that does not hand out retire latency; a core that has none"""
    remarks = info_of_pebs(pebs(0x1cd, ALL_WORDS), release="6.2.9")["remarks"]
    assert "no retire_latency: kernels before 6.3 do not record it" in remarks, remarks
    remarks = info_of_pebs(pebs(0x1cd, ALL_WORDS), "GenuineIntel,6,85,4", "6.2.9")["remarks"]
    equal([text for text in remarks if "retire" in text], [])


def test_pebs_events():
    """each event by core and config; the threshold of loads alone; skid"""
    for cpuid, config, name in (
            ("GenuineIntel,6,143,8", 0x1cd, "load_latency"),
            ("GenuineIntel,6,143,8", 0x2cd, "store_latency"),
            ("GenuineIntel,6,58,9", 0x2cd, "precise_store"),
            ("GenuineIntel,6,85,4", 0x81d0, "data_la_load"),
            ("GenuineIntel,6,85,4", 0x82d0, "data_la_store"),
            ("GenuineIntel,6,85,4", 0x83d0, "data_la_other"),
            ("GenuineIntel,6,85,4", 0xc0, "other"),
            ("GenuineIntel,6,26,5", 0x100b, "load_latency"),
            ("GenuineIntel,6,250,0", 0x1cd, None)):
        event = info_of_pebs(pebs(config, ALL_WORDS, 77), cpuid)
        equal((event["pebs"]["event"], event["pebs"]["ldlat"]),
              (name, 77 if name == "load_latency" else None), (cpuid, hex(config)))
        equal(any("77 cycles" in text for text in event["remarks"]), config in (0x1cd, 0x100b))
    # WEIGHT alone is enough where there is but one latency
    remarks = info_of_pebs(pebs(0x1cd, ADDR | DATA_SRC | WEIGHT), "GenuineIntel,6,85,4")["remarks"]
    equal(remarks, [])
    # what is not settled: of the core, of the model
    for cpuid, doubt in (("GenuineIntel,6,143,8", "the format"), ("GenuineIntel,6,85,4", None),
                         ("GenuineIntel,6,157,1", "Linux has no events of it")):
        remarks = info_of_pebs(pebs(0x1cd, ALL_WORDS), cpuid)["remarks"]
        equal([text.split(": ", 1)[1] for text in remarks if text.startswith("what no source")],
              [doubt] if doubt else [], cpuid)
    remarks = info_of_pebs(pebs(0x1cd, ALL_WORDS, precise=1))["remarks"]
    assert any("precise_ip 1" in text for text in remarks), remarks
    # generic events: none of the hardware's is of memory accesses, those of caches may be
    equal(info_of_pebs(pebs(0, ALL_WORDS, kind=0))["pebs"]["event"], "other")
    equal(info_of_pebs(pebs(0, ALL_WORDS, kind=3))["pebs"]["event"], None)


def events_of_pebs(configs, cpuid, pmus=((4, "cpu"),)):
    """Several events: (config, kind, precise) each"""
    made = [pebs(config, ALL_WORDS, kind=kind, precise=precise, ident=n + 1)
            for n, (config, kind, precise) in enumerate(configs)]
    features = {perfdata.CPUID: perfdata.string(cpuid), perfdata.OSRELEASE: perfdata.string("6.8"),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings(list(pmus))}
    path = scratch("group", perf_data([record for _, record in made],
                                      [event for event, _ in made], features))
    good("info", path)
    return info(path)["events"]


def test_pebs_auxiliary():
    """the event that load latency needs beside it: named, and missed where it is not"""
    lacks = [[text for text in event["remarks"] if "0x8203 (mem-loads-aux)" in text]
             for event in events_of_pebs([(0x1cd, 4, 2)], "GenuineIntel,6,143,8")]
    equal(len(lacks[0]), 1, lacks)
    for cpuid, configs, missing in (
            ("GenuineIntel,6,143,8", [(0x8203, 4, 2), (0x1cd, 4, 2)], []),
            ("GenuineIntel,6,143,8", [(0x8203, 4, 0), (0x1cd, 4, 2)], []),
            ("GenuineIntel,6,143,8", [(0x1cd, 4, 2), (0x8203, 4, 2)], [0]),
            ("GenuineIntel,6,143,8", [(0x8203, 9, 0), (0x1cd, 4, 2)], [1]),
            ("GenuineIntel,6,143,8", [(0x2cd, 4, 2)], []),
            ("GenuineIntel,6,173,1", [(0x1cd, 4, 2)], []),
            ("GenuineIntel,6,85,4", [(0x1cd, 4, 2)], [])):
        found = events_of_pebs(configs, cpuid)
        equal([n for n, event in enumerate(found)
               if any("0x8203 (mem-loads-aux)" in text for text in event["remarks"])], missing,
              (cpuid, configs))
    found = events_of_pebs([(0x8203, 4, 2), (0x1cd, 4, 2)], "GenuineIntel,6,207,2")
    equal([event["pebs"]["event"] for event in found], ["auxiliary", "load_latency"])
    # the weight of its samples is no latency
    latencies = {"cache_latency", "instruction_latency"}
    equal([latencies & set(event["decoded"]) for event in found], [set(), latencies])
    text = " ".join(good("info", os.path.join(SCRATCH.name, "group")).split())
    assert "auxiliary event, which load latency needs beside it" in text, text
    # elsewhere the number is that of another event
    found = events_of_pebs([(0x8203, 4, 2)], "GenuineIntel,6,173,1")
    equal(found[0]["pebs"]["event"], "other")


def test_pebs_hybrid():
    """the PMU says which of a hybrid CPU's cores; without it nobody does"""
    pmus = ((4, "cpu_core"), (8, "cpu_atom"))
    cpuid = "GenuineIntel,6,151,2"
    event = info_of_pebs(pebs(0x1cd, ALL_WORDS), cpuid, pmus=pmus)
    equal((event["pebs"]["core"], event["pebs"]["core_type"]), ("Golden Cove", "P"))
    event = info_of_pebs(pebs(0x5d0, ALL_WORDS, kind=8), cpuid, pmus=pmus)
    equal((event["pebs"]["core"], event["pebs"]["core_type"], event["pebs"]["event"]),
          ("Gracemont", "E", "load_latency"))
    event = info_of_pebs(pebs(0x1cd, ALL_WORDS), cpuid, pmus=())
    equal((event["pebs"]["core"], event["pebs"]["event"]), (None, None))
    assert event["remarks"][0].startswith("which of the CPU's kinds of core"), event["remarks"]
    event = info_of_pebs(pebs(0x1cd, ALL_WORDS), "GenuineIntel,6,250,2")
    assert event["remarks"][0].startswith("Intel CPU of an unknown model"), event["remarks"]
    equal(info(os.path.join(SCRATCH.name, "pebs"))["cores"], [])
    info_of_pebs(pebs(0x1cd, ALL_WORDS), cpuid)
    equal(info(os.path.join(SCRATCH.name, "pebs"))["cores"], ["Golden Cove", "Gracemont"])
    text = " ".join(good("info", os.path.join(SCRATCH.name, "pebs")).split())
    assert ": Golden Cove (P), Gracemont (E) " in text, text


def test_no_raw():
    """IBS without --raw-samples says so"""
    sample_type = perfdata.SAMPLE_TYPE & ~perfdata.RAW
    events = [(perfdata.attr(sample_type=sample_type), [1], "ibs_op//")]
    path = scratch("noraw", perf_data([sample(None)], events))
    result = run("info", "--format", "json", path)
    equal(result.code, 0)
    event = json.loads(result.out)["events"][0]
    assert "no raw payload" in event["remarks"][0] and "--raw-samples" in event["remarks"][0], event
    assert "op" not in event["decoded"] and "ip" in event["decoded"]


def test_unknown_cpu():
    """an unknown CPU: the candidates, and the option that helps"""
    features = {perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(10, "ibs_op")])}
    path = scratch("nocpu", perf_data([sample(op_payload())], features=features))
    result = run("info", "--format", "json", path)
    equal(result.code, 0)
    remark = json.loads(result.out)["events"][0]["remarks"][0]
    assert "give --cpuid" in remark and "Zen 4" in remark and "Bulldozer" not in remark, remark
    found = json.loads(run("info", "--format", "json", "--cpuid", perfdata.ZEN4, path).out)
    equal([remark for remark in found["events"][0]["remarks"] if "cpuid" in remark], [])


def test_errata():
    """the errata of the recording's CPU, for the event's unit"""
    found = info(recording("zen4-own-pertask"), "--cpuid", "AuthenticAMD,25,1,1")
    equal([event["errata"] for event in found["events"][:2]],
          [["AMD-1293"], ["AMD-1197", "AMD-1238", "AMD-1347"]])


def test_kind_by_payload():
    """without PMU mappings the payload tells what an event is"""
    path = scratch("nomap", perf_data([sample(op_payload())],
                                      [(perfdata.attr(4242), [1], "odd")], features={}))
    event = json.loads(run("info", "--format", "json", path).out)["events"][0]
    equal((event["kind"], event["kind_source"]),
          ("ibs_op", "size and control bits of its first payload"))


def numbers(layout, *values):
    return struct.pack("<" + layout, *values)


SYSTEM = {
    perfdata.NRCPUS: numbers("II", 2, 2),
    perfdata.TOTAL_MEM: numbers("Q", 16384),
    perfdata.CPU_TOPOLOGY: (perfdata.strings("0-1") + perfdata.strings("0", "1")
                            + numbers("4I", 7, 0, 8, 0xffffffff)
                            + perfdata.strings("0-1") + numbers("2I", 3, 4)),
    perfdata.NUMA_TOPOLOGY: numbers("IIQQ", 1, 5, 1000, 10) + perfdata.string("0-1"),
    perfdata.GROUP_DESC: numbers("I", 1) + perfdata.string("{a,b}") + numbers("II", 0, 2),
    perfdata.CACHE: numbers("II", 1, 2) + 2 * (
        numbers("4I", 1, 64, 128, 4) + perfdata.string("Data") + perfdata.string("32K")
        + perfdata.string("0-1")),
    perfdata.MEM_TOPOLOGY: numbers("8Q", 1, 4096, 1, 5, 66, 66, 0x8000000000000006, 3),
    perfdata.CLOCKID: numbers("Q", 1),
    perfdata.COMPRESSED: numbers("5I", 0, 1, 2, 3, 4096),
    perfdata.CLOCK_DATA: numbers("IIQQ", 1, 4, 1700000000000000005, 12000000034),
    perfdata.HYBRID_TOPOLOGY: (numbers("I", 2) + perfdata.string("cpu_core")
                               + perfdata.string("0") + perfdata.string("cpu_atom")
                               + perfdata.string("1")),
    perfdata.E_MACHINE: numbers("II", 62, 0),
    perfdata.CLN_SIZE: numbers("I", 64),
}


def test_system():
    """the recording's machine: CPUs, memory, caches, clock, groups"""
    path = scratch("system", perf_data([sample(op_payload())], features=SYSTEM))
    found = info(path)
    expected = {
        "e_machine": {"machine": 62, "flags": "0x0"},
        "topology": {"packages": ["0-1"], "dies": ["0-1"], "cores": ["0", "1"],
                     "cpus": [{"cpu": 0, "socket": 0, "die": 3, "core": 7},
                              {"cpu": 1, "socket": None, "die": 4, "core": 8}]},
        "hybrid_pmus": [{"pmu": "cpu_core", "cpus": "0"}, {"pmu": "cpu_atom", "cpus": "1"}],
        "total_memory_kib": 16384,
        "numa_nodes": [{"node": 5, "cpus": "0-1", "total_kib": 1000, "free_kib": 10}],
        "memory_nodes": [{"node": 5, "block_bytes": 4096,
                          "blocks": [{"first": 1, "last": 2}, {"first": 63, "last": 65}]}],
        "caches": 2 * [{"level": 1, "type": "Data", "capacity": "32K", "line_bytes": 64,
                        "sets": 128, "ways": 4, "cpus": "0-1"}],
        "cache_line_bytes": 64,
        "clock_resolution_ns": 1,
        "clock": {"clock_id": 4, "clock_ns": 12000000034, "wall_ns": 1700000000000000005},
        "compression": {"type": 1, "level": 2, "ratio": 3, "buffer_bytes": 4096},
        "groups": [{"name": "{a,b}", "leader": 0, "members": 2}],
        "broken_features": [],
    }
    for key, value in expected.items():
        equal(found[key], value, key)
    text = " ".join(good("info", path).split())
    for words in ("programs for e_machine 62,", "topology packages 1, dies 1, cores 2 ",
                  "kinds of core cpu_core: CPUs 0 cpu_atom: CPUs 1 ", "memory 16384 KiB",
                  "NUMA nodes 5: 1000 KiB, 10 of them free; CPUs 0-1 ",
                  "memory blocks node 5: 5 of 4096 bytes each",
                  "caches 2 times L1 Data, 32K, 4 ways, lines of 64 bytes",
                  "cache line 64 bytes", "clock resolution 1 ns",
                  "2023-11-14 22:13:20.000000005 UTC was 12.000000034 s of clock 4",
                  "compression zstd, level 2, ratio 3", "groups {a,b}: 2 events from event 0 on"):
        assert words in text, (words, text)


def test_system_absent():
    """what the recording does not have is null, never 0"""
    found = info(scratch("nosystem", perf_data([sample(op_payload())])))
    for key in ("e_machine", "topology", "hybrid_pmus", "total_memory_kib", "numa_nodes",
                "memory_nodes", "caches", "cache_line_bytes", "clock_resolution_ns", "clock",
                "compression", "groups"):
        equal(found[key], None, key)


def test_system_broken():
    """each section of the machine cut short is named, and the others are there"""
    for feature, payload in SYSTEM.items():
        if feature == perfdata.NRCPUS:
            continue
        features = dict(SYSTEM)
        features[feature] = payload[:-1]
        path = scratch("brokensystem", perf_data([sample(op_payload())], features=features))
        found = info(path)
        equal(len(found["broken_features"]), 1, feature)
        name = found["broken_features"][0]["feature"]
        assert "feature %s: " % name in good("info", path), name
        equal(found["samples"], 1)


def test_hybrid():
    """generic events of a CPU with cores of several kinds name their PMU"""
    events = [(perfdata.attr(kind, config=config), [n], "") for n, (kind, config) in enumerate(
        ((0, 4 << 32), (3, 8 << 32 | 1), (0, 0), (1, 8 << 32), (0, 99 << 32), (0, 10 << 32)), 1)]
    features = {perfdata.CPUID: perfdata.string("GenuineIntel,6,186,3"),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings(
                    [(4, "cpu_core"), (8, "cpu_atom"), (1, "software"), (10, "ibs_op")])}
    found = info(scratch("hybrid", perf_data([perfdata.finished_round()], events, features)))
    equal([(event["pmu"], event["kind"]) for event in found["events"]],
          [("cpu_core", "other"), ("cpu_atom", "other"), (None, "other"), ("software", "other"),
           (None, "other"), ("ibs_op", "other")])


def test_broken():
    """a broken recording: what could be read, and the line that says where it broke"""
    records = [sample(op_payload(), cpu=n) for n in range(3)]
    data = perf_data(records)
    path = scratch("cut", data[:data.index(records[2]) + 8])
    result = run("info", "--format", "json", path)
    equal(result.code, 1)
    equal(json.loads(result.out)["samples"], 2)
    assert "offset 0x" in result.err


def test_hostile_strings():
    """strings with controls and bad UTF-8 leave JSON valid and the terminal alone"""
    data = perf_data([sample(op_payload())], features={
        perfdata.HOSTNAME: b"\x40\0\0\0" + b'\x1b[2J"\\\xff\xc3\xa9\xed\xa0\x80'.ljust(64, b"\0")})
    path = scratch("strings", data)
    result = run("info", "--format", "json", path)
    equal(json.loads(result.out)["hostname"], '\x1b[2J"\\\ufffd\u00e9\ufffd\ufffd\ufffd')
    assert "\x1b" not in run("info", path).out


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
