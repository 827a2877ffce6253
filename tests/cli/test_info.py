#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis info: of recordings, and of machines that are made of files."""
import json
import os
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
DEVICES = "sys/bus/event_source/devices"
EVERYTHING = "000001ffffffffff"  # CapEff of root


def scratch(name, data):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def info(path, *options):
    return json.loads(good("info", "--format", "json", *options, path))


# Recordings

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
    """an event without IBS says what it has"""
    found = info(recording("skylake-loads_phys"))
    equal(found["cores"], [])
    event = found["events"][0]
    equal((event["kind"], event["remarks"]),
          ("other", ["no IBS event: perf's generic fields only"]))
    assert "perf_data_src" in event["decoded"] and "op" not in event["decoded"]
    assert {"pmu": "cpu", "name": "max_precise", "value": "3"} in found["pmu_caps"]


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
    equal(found["events"][0]["remarks"], [])


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


# Machines

def machine(vendor="AuthenticAMD", family=25, model=17, flags="fpu ibs", release="6.8.0-40-generic",
            paranoid="2", capabilities="0", pmus=None):
    """A directory that looks like a machine."""
    root = tempfile.mkdtemp(dir=SCRATCH.name)
    files = {
        "proc/cpuinfo": "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\n"
                        "model name\t: A CPU\nstepping\t: 1\nflags\t\t: %s\n\nprocessor\t: 1\n"
                        % (vendor, family, model, flags),
        "proc/sys/kernel/osrelease": release + "\n",
        "proc/self/status": "Name:\tprecis\nCapEff:\t%s\n" % capabilities,
    }
    if paranoid is not None:
        files["proc/sys/kernel/perf_event_paranoid"] = paranoid + "\n"
    if pmus is None:
        pmus = {"ibs_op": ("cnt_ctl", "l3missonly", "swfilt"), "ibs_fetch": ("rand_en", "swfilt")}
    for name, formats in pmus.items():
        files["%s/%s/type" % (DEVICES, name)] = "10\n"
        for word in formats:
            path = word if "/" in word else "format/" + word
            path, _, text = path.partition("=")
            files["%s/%s/%s" % (DEVICES, name, path)] = text + "\n"
    for name, text in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    return root


def judged(**how):
    root = machine(**how)
    text = good("info", "--sysroot", root)
    found = json.loads(good("info", "--sysroot", root, "--format", "json"))
    for check in found["checks"]:
        assert check["verdict"] == "yes" or check["advice"] or check["name"] == "CPUID", check
        assert check["finding"].split()[0] in text, check
    found["verdicts"] = {check["name"]: check["verdict"] for check in found["checks"]}
    found["findings"] = {check["name"]: check["finding"] for check in found["checks"]}
    return found


def test_this_machine():
    """this machine: whatever it is, an answer"""
    assert "\nprecise sampling here: " in good("info")
    json.loads(good("info", "--format", "json"))


def test_zen4_root():
    """Zen 4, Linux 6.8, root: everything"""
    found = judged(capabilities=EVERYTHING)
    equal((found["ibs_op"], found["ibs_fetch"], found["ibs_system_wide"], found["ibs_per_task"]),
          (True, True, True, True))
    assert set(found["verdicts"].values()) == {"yes"}, found
    assert "Zen 4" in found["findings"]["CPU"]
    assert " -a " in found["command"] and "--raw-samples" in found["command"]


def test_zen4_user():
    """Zen 4, perf_event_paranoid 2 with swfilt: own processes, user space only"""
    found = judged()
    equal((found["ibs_op"], found["ibs_system_wide"], found["ibs_per_task"]), (True, False, True))
    assert "swfilt=1" in found["command"] and " -a " not in found["command"], found["command"]
    equal(found["verdicts"]["privileges"], "limited")


def test_zen4_user_without_swfilt():
    """Zen 4, perf_event_paranoid 2 without swfilt: nothing, and why"""
    found = judged(pmus={"ibs_op": ("cnt_ctl",), "ibs_fetch": ("rand_en",)})
    equal((found["ibs_op"], found["ibs_fetch"], found["command"]), (False, False, None))
    equal((found["verdicts"]["user only"], found["verdicts"]["kernel samples"]), ("limited", "no"))
    equal(judged(pmus={"ibs_op": ("cnt_ctl",)}, paranoid="1")["ibs_per_task"], True)


def test_paranoid():
    """perf_event_paranoid: each level"""
    levels = (("-1", True, True), ("0", True, True), ("1", False, True),
              ("2", False, True), ("3", False, False), ("4", False, False))
    for level, system_wide, per_task in levels:
        found = judged(paranoid=level)
        equal((found["ibs_system_wide"], found["ibs_per_task"]), (system_wide, per_task), level)
        assert level in found["findings"]["paranoid"], level
    found = judged(paranoid="3")
    equal((found["ibs_op"], found["verdicts"]["paranoid"]), (False, "no"))
    equal(judged(paranoid="3", capabilities=EVERYTHING)["ibs_op"], True)
    equal(judged(paranoid="3", capabilities="0000004000000000")["ibs_op"], True)  # CAP_PERFMON
    equal(judged(paranoid=None)["verdicts"]["paranoid"], "no")


def test_old_kernel():
    """Linux 6.1: no per-task IBS"""
    found = judged(release="6.1.0-56-amd64", capabilities=EVERYTHING)
    equal((found["ibs_op"], found["ibs_system_wide"], found["ibs_per_task"]), (True, True, False))
    equal(found["verdicts"]["per task"], "limited")
    found = judged(release="6.1.0-56-amd64", paranoid="1")
    equal(found["ibs_op"], False)
    for release, per_task in (("6.2.0", True), ("5.19.7", False), ("7.0.1", True), ("10.1", True)):
        equal(judged(release=release, paranoid="-1")["ibs_per_task"], per_task, release)
    equal(judged(release="strange", paranoid="-1")["verdicts"]["per task"], "unknown")


def test_virtual_machine():
    """a guest without IBS: the hypervisor is named, not the firmware"""
    found = judged(flags="fpu hypervisor", pmus={}, capabilities=EVERYTHING)
    equal(found["ibs_op"], False)
    names = ("CPUID", "hypervisor", "firmware", "ibs_op")
    equal({name: found["verdicts"].get(name) for name in names},
          {"CPUID": "no", "hypervisor": "no", "firmware": None, "ibs_op": "no"})


def test_firmware():
    """bare metal without the flag: the firmware"""
    found = judged(flags="fpu", pmus={}, capabilities=EVERYTHING)
    equal((found["verdicts"].get("hypervisor"), found["verdicts"]["firmware"]), (None, "no"))


def test_no_driver():
    """the CPU has IBS, the kernel no PMU"""
    found = judged(pmus={}, capabilities=EVERYTHING)
    equal((found["verdicts"]["CPUID"], found["verdicts"]["ibs_op"]), ("yes", "no"))
    equal(found["ibs_op"], False)


def test_family_without_ibs():
    """family 11h has no IBS"""
    found = judged(family=17, model=3, flags="fpu", pmus={})
    equal(found["verdicts"]["CPU"], "no")
    equal(found["verdicts"].get("firmware"), None)


def test_intel():
    """Intel: PEBS, if there is any"""
    how = {"vendor": "GenuineIntel", "family": 6, "model": 143, "flags": "fpu"}
    found = judged(pmus={"cpu": ("caps/max_precise=3", "events/mem-loads=x")}, **how)
    equal((found["pebs"], found["ibs_op"]), (True, False))
    assert "level 3, mem-loads" in found["findings"]["PEBS"], found
    assert "perf mem record" in found["command"]
    found = judged(pmus={"cpu_core": ("caps/max_precise=3",)}, **how)
    equal(found["pebs"], True)
    found = judged(pmus={"cpu": ("caps/max_precise=0",)}, **how)
    equal((found["pebs"], found["verdicts"]["PEBS"]), (False, "no"))
    found = judged(pmus={}, **dict(how, flags="fpu hypervisor"))
    equal((found["verdicts"]["hypervisor"], found["command"]), ("no", None))


def test_nothing_known():
    """neither /proc nor /sys: an answer all the same"""
    root = tempfile.mkdtemp(dir=SCRATCH.name)
    found = json.loads(good("info", "--sysroot", root, "--format", "json"))
    equal((found["ibs_op"], found["cpu"], found["os_release"]), (False, None, None))
    good("info", "--sysroot", root)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
