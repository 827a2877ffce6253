#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis info: of machines, which are made of files, and of the precise events that they have."""
import json
import os
import struct
import sys
import tempfile

import built
import tap
from command import good, run
from tap import equal

HERE = sys.modules[__name__]
SCRATCH = tempfile.TemporaryDirectory()
DEVICES = "sys/bus/event_source/devices"
EVERYTHING = "000001ffffffffff"  # CapEff of root


def machine(vendor="AuthenticAMD", family=25, model=17, flags="fpu ibs", release="6.8.0-40-generic",
            paranoid="2", capabilities="0", pmus=None, msrs=()):
    """A directory that looks like a machine. 'msrs': (CPU, bytes at 345h of its MSRs)"""
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
    for number, registers in msrs:
        files["dev/cpu/%d/msr" % number] = bytes(0x345) + registers
    for name, content in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
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


INTEL = {"vendor": "GenuineIntel", "family": 6, "model": 143, "flags": "fpu"}


def test_intel():
    """Intel: PEBS, if there is any"""
    found = judged(pmus={"cpu": ("caps/max_precise=3", "events/mem-loads=x",
                                 "events/mem-loads-aux=x")}, **INTEL)
    equal((found["pebs"], found["pebs_memory"], found["ibs_op"]), (True, True, False))
    equal(found["findings"]["CPU"],
          "GenuineIntel, family 6h, model 8Fh, stepping 1h: Golden Cove (server) (cpu)")
    equal(found["findings"]["PEBS"], "cpu: PEBS, precise level 3")
    equal(found["findings"]["memory events"],
          "cpu: mem-loads, which needs mem-loads-aux (0x8203) before it in its group")
    equal(found["findings"]["latencies"], "cpu: instruction_latency, cache_latency")
    equal([found["verdicts"][name] for name in ("CPU", "PEBS", "memory events", "latencies",
                                                "retire latency")],
          ["yes", "yes", "yes", "yes", "unknown"])
    assert "perf mem record" in found["command"]
    found = judged(pmus={"cpu": ("caps/max_precise=3",)}, **INTEL)
    equal((found["pebs"], found["pebs_memory"], found["verdicts"]["memory events"]),
          (True, False, "no"))
    assert found["command"].startswith("perf record -e cycles:P"), found["command"]
    found = judged(pmus={"cpu": ("caps/max_precise=0",)}, **INTEL)
    equal((found["pebs"], found["verdicts"]["PEBS"]), (False, "no"))
    found = judged(pmus={"cpu": ()}, **INTEL)
    equal((found["pebs"], found["verdicts"]["PEBS"]), (False, "no"))
    found = judged(pmus={}, **dict(INTEL, flags="fpu hypervisor"))
    equal((found["verdicts"]["hypervisor"], found["verdicts"]["PEBS"], found["command"]),
          ("no", "no", None))
    found = judged(pmus={"cpu": ("caps/max_precise=3",)}, paranoid="3", **INTEL)
    equal((found["pebs"], found["command"]), (False, None))


def test_intel_retire_latency():
    """the kernel that hands out retire latency, the core that measures it"""
    pmus = {"cpu": ("caps/max_precise=3", "events/mem-loads=x")}
    for model, release, verdict in ((143, "6.2.0", "limited"), (143, "6.3.0", "unknown"),
                                    (143, "5.19", "limited"), (143, "7.0", "unknown"),
                                    (85, "6.8", "no"), (0xdd, "6.19", "yes")):
        found = judged(pmus=pmus, release=release, **dict(INTEL, model=model))
        equal(found["verdicts"]["retire latency"], verdict, (model, release))


def msr(value):
    return struct.pack("<Q", value) + b"\xff" * 8


PDCM = dict(INTEL, flags="fpu pdcm")
MEMORY = ("caps/max_precise=3", "events/mem-loads=x")


def test_intel_capabilities():
    """IA32_PERF_CAPABILITIES where it can be read, or why not"""
    pmus = {"cpu": MEMORY + ("caps/pmu_name=sapphire_rapids", "caps/branches=32")}
    found = judged(pmus=pmus, release="6.8.0", msrs=[(0, msr(0x2b5c5))], **PDCM)
    equal(found["perf_capabilities"], [{"pmu": "cpu", "value": "0x2b5c5", "reason": None}])
    equal(found["findings"]["capabilities"],
          "cpu: 0x2b5c5: PEBS records of format 5, LBR format 0x5, PERF_METRICS, retire latency "
          "(this core is known to write another)")
    equal((found["verdicts"]["capabilities"], found["verdicts"]["retire latency"]),
          ("limited", "yes"))
    equal(found["findings"]["PEBS"],
          "cpu: PEBS, precise level 3, sapphire_rapids to Linux, 32 branches")
    for value, words, retire in (
            (0x1f4c5, "format 4, LBR format 0x5, adaptive records, PERF_METRICS, PEBS output to PT",
             "no"),
            (0x204c5, "format 4, LBR format 0x5, retire latency", "yes"),
            (0xffffffffffffffff & ~0xb00, "format 4, LBR format 0x3f, adaptive records, "
             "PERF_METRICS, PEBS output to PT, retire latency", "yes"),
            (0, "format 0, LBR format 0x0 (this core is known", "no"),
            (0x700, "of an unknown format (7), LBR", "no"),
            (0xf00, "of format arch, LBR", "no")):
        found = judged(pmus=pmus, release="6.8.0", msrs=[(0, msr(value))], **PDCM)
        assert words in found["findings"]["capabilities"], (hex(value), found["findings"])
        equal(found["verdicts"]["retire latency"], retire, hex(value))
    found = judged(pmus=pmus, release="6.2.0", msrs=[(0, msr(0x204c5))], **PDCM)
    equal(found["verdicts"]["retire latency"], "limited")


def test_intel_capabilities_unread():
    """the reason where the register cannot be read"""
    pmus = {"cpu": MEMORY}
    for how, reason in ((dict(msrs=[(0, msr(0x204c5))], **INTEL), "no flag pdcm"),
                        (PDCM, "/dev/cpu/0/msr: No such file or directory"),
                        (dict(msrs=[(1, msr(0x204c5))], **PDCM), "/dev/cpu/0/msr: No such file"),
                        (dict(msrs=[(0, b"1234567")], **PDCM), "/dev/cpu/0/msr: Input/output"),
                        (dict(msrs=[(0, b"")], **PDCM), "/dev/cpu/0/msr: Input/output")):
        found = judged(pmus=pmus, release="6.8.0", **how)
        equal((found["verdicts"]["capabilities"], found["verdicts"]["retire latency"]),
              ("unknown", "unknown"), reason)
        capability, = found["perf_capabilities"]
        equal(capability["value"], None)
        assert reason in capability["reason"], capability
        assert reason in found["findings"]["capabilities"], found["findings"]
    found = judged(capabilities=EVERYTHING)
    equal((found["perf_capabilities"], found["verdicts"].get("capabilities")), ([], None))


def test_intel_capabilities_hybrid():
    """each kind of core has its own register, on its own CPUs"""
    pmus = {"cpu_core": MEMORY + ("./cpus=0-15",), "cpu_atom": MEMORY + ("./cpus=16-23",)}
    values = [(0, msr(0x5c5)), (16, msr(0x205c5))]
    found = judged(pmus=pmus, release="6.8.0", msrs=values, **dict(PDCM, model=0xaa))
    equal([row["value"] for row in found["perf_capabilities"]], ["0x5c5", "0x205c5"])
    equal((found["verdicts"]["capabilities"], found["verdicts"]["retire latency"]),
          ("yes", "limited"))
    equal(found["findings"]["retire latency"],
          "cpu_core: not measured (IA32_PERF_CAPABILITIES[17]); "
          "cpu_atom: measured (IA32_PERF_CAPABILITIES[17])")
    found = judged(pmus=pmus, release="6.8.0", msrs=values[1:], **dict(PDCM, model=0xaa))
    equal((found["verdicts"]["capabilities"], found["verdicts"]["retire latency"]),
          ("limited", "unknown"))
    assert "/dev/cpu/0/msr" in found["perf_capabilities"][0]["reason"], found
    found = judged(pmus=pmus, release="6.8.0", msrs=[(0, msr(0x5c5)), (16, msr(0x5c5))],
                   **dict(PDCM, model=0xaa))
    equal(found["verdicts"]["retire latency"], "no")


def test_intel_hybrid():
    """each kind of core of a hybrid CPU has its own PMU, and its own abilities"""
    events = ("caps/max_precise=3", "events/mem-loads=x", "events/mem-stores=x")
    found = judged(pmus={"cpu_core": events, "cpu_atom": events}, **dict(INTEL, model=151))
    assert "Golden Cove (cpu_core), Gracemont (cpu_atom)" in found["findings"]["CPU"], found
    equal(found["findings"]["memory events"],
          "cpu_core: mem-stores mem-loads, which needs event (0x8203) before it in its group: "
          "this kernel has no mem-loads-aux; cpu_atom: mem-stores mem-loads")
    equal(found["verdicts"]["memory events"], "limited")
    found = judged(pmus={"cpu_core": events + ("events/mem-loads-aux=x",), "cpu_atom": events},
                   **dict(INTEL, model=151))
    equal((found["findings"]["memory events"], found["verdicts"]["memory events"]),
          ("cpu_core: mem-stores mem-loads, which needs mem-loads-aux (0x8203) before it in its "
           "group; cpu_atom: mem-stores mem-loads", "yes"))
    # Meteor Lake does without; what sysfs has is said all the same
    found = judged(pmus={"cpu_core": events, "cpu_atom": events}, **dict(INTEL, model=0xaa))
    equal((found["findings"]["memory events"], found["verdicts"]["memory events"]),
          ("cpu_core: mem-stores mem-loads; cpu_atom: mem-stores mem-loads", "yes"))
    found = judged(pmus={"cpu": events + ("events/mem-loads-aux=x",)}, **dict(INTEL, model=0xad))
    assert found["findings"]["memory events"].endswith("with mem-loads-aux as leader of their "
                                                       "group"), found
    found = judged(pmus={"cpu_core": events, "cpu_atom": ("caps/max_precise=3",)},
                   **dict(INTEL, model=151))
    equal((found["pebs_memory"], found["verdicts"]["memory events"]), (True, "limited"))
    # a PMU of cores that this model is not known to have
    found = judged(pmus={"cpu_core": events, "cpu_lowpower": events}, **dict(INTEL, model=151))
    equal((found["verdicts"]["CPU"], found["pebs"]), ("limited", True))


def test_intel_unknown():
    """a model that is not in the list: said, and what sysfs has all the same"""
    found = judged(pmus={"cpu": ("caps/max_precise=3", "events/mem-loads=x")},
                   **dict(INTEL, model=250))
    equal((found["verdicts"]["CPU"], found["pebs"], found["verdicts"]["latencies"],
           found["verdicts"]["retire latency"]), ("limited", True, "limited", "no"))
    # Silvermont: PEBS, but no latencies
    found = judged(pmus={"cpu": ("caps/max_precise=2",)}, **dict(INTEL, model=0x37))
    equal((found["verdicts"]["latencies"], found["findings"]["latencies"]),
          ("limited", "cpu: none"))


# Precise events

HAS_LIBPFM = "libpfm" not in built.WITHOUT
SKYLAKE = {"vendor": "GenuineIntel", "family": 6, "model": 94, "flags": "fpu",
           "pmus": {"cpu": ("caps/max_precise=3", "caps/branches=32", "events/mem-loads=x",
                            "events/mem-stores=x")}}


def events(*arguments):
    """The two tables: {(PMU, event): (level, source)} of the events, core: row of the levels"""
    found = json.loads(good("info", "--events", "--format", "json", *arguments))
    rows = {(row["pmu"], row["row"]): (row["level"], row["source"]) for row in found["events"]["rows"]}
    return rows, {row["row"]: row for row in found["levels"]["rows"]}, found["events"]["notes"]


def test_events_here():
    """precise events of this machine: whatever it has, an answer; the levels of all cores"""
    _, levels, notes = events()
    assert any(note.startswith("level: ") for note in notes), notes
    equal(len(levels), 16 + 38)
    text = good("info", "--events")
    assert "\nHow precise events can be, by core\n" in text
    good("info", "--events", "--format", "csv")


def test_events_levels():
    """levels by core: none, some, not known"""
    _, levels, _ = events()
    equal({core: levels[core]["level"] for core in (
        "Zen 4", "NetBurst", "Nehalem", "Sandy Bridge", "Ivy Bridge", "Silvermont", "Skylake",
        "Gracemont", "Palm Cove", "Panther Cove")},
          {"Zen 4": 2, "NetBurst": 0, "Nehalem": 2, "Sandy Bridge": 2, "Ivy Bridge": 3, "Silvermont": 2,
           "Skylake": 3, "Gracemont": 3, "Palm Cove": None, "Panther Cove": None})
    assert "does not know" in levels["Palm Cove"]["besides"]


def test_events_zen4():
    """Zen 4: what goes to IBS, at the levels that Linux accepts for it"""
    rows, _, notes = events("--sysroot", machine())
    equal(rows, {("ibs_fetch", "ibs_fetch//"): (2, "sysfs"), ("ibs_op", "ibs_op//"): (2, "sysfs"),
                 ("ibs_op", "ibs_op/cnt_ctl=1/"): (2, "sysfs"),
                 ("cpu", "cpu-cycles"): (2, "sysfs: ibs_op"), ("cpu", "r0076"): (2, "sysfs: ibs_op"),
                 ("cpu", "r00c1"): (2, "sysfs: ibs_op")})
    assert any("libpfm4 has no table for this CPU" in note for note in notes), notes


def test_events_zen4_fetch_only():
    """without ibs_op nothing is forwarded to it"""
    rows, _, _ = events("--sysroot", machine(pmus={"ibs_fetch": ("rand_en",)}))
    equal(set(rows), {("ibs_fetch", "ibs_fetch//")})


def test_events_skylake():
    """Skylake: events of sysfs and of libpfm4, at the level that sysfs says"""
    rows, _, notes = events("--sysroot", machine(**SKYLAKE))
    for name in ("cpu-cycles", "instructions", "mem-loads", "mem-stores"):
        equal(rows.pop(("cpu", name)), (3, "sysfs"))
    if not HAS_LIBPFM:
        equal(rows, {})
        assert any("built without libpfm4" in note for note in notes), notes
        return
    equal(set(rows.values()), {(3, "libpfm4")})
    equal({pmu for pmu, _ in rows}, {"skl"})
    assert ("skl", "MEM_LOAD_RETIRED:L3_MISS") in rows
    assert ("skl", "L1D:REPLACEMENT") not in rows, "not precise"


def test_events_level_of_sysfs():
    """what sysfs says counts, not the core: a guest whose PEBS has level 2; one without"""
    less = dict(SKYLAKE, pmus={"cpu": ("caps/max_precise=2",)})
    rows, _, _ = events("--sysroot", machine(**less))
    equal({level for level, _ in rows.values()}, {2})
    rows, _, notes = events("--sysroot", machine(**dict(SKYLAKE, pmus={"cpu": ("caps/max_precise=0",)})))
    equal(rows, {})
    assert any("no PMU with PEBS" in note for note in notes), notes
    rows, _, notes = events("--sysroot", machine(**dict(SKYLAKE, pmus={})))
    equal(rows, {})


def test_events_of_pmu():
    """those of a PMU of libpfm4, with the level of its cores"""
    if not HAS_LIBPFM:
        result = run("info", "--events", "--pmu", "skl")
        equal((result.code, result.out), (1, ""))
        assert "built without libpfm4" in result.err
        return
    for pmu, level, event in (("snb", 2, "MEM_LOAD_UOPS_RETIRED:L1_HIT"),
                              ("icl", 3, "MEM_LOAD_RETIRED:L3_MISS"), ("atom", 2, None)):
        rows, _, _ = events("--pmu", pmu)
        equal({(name, *row) for (name, _), row in rows.items()}, {(pmu, level, "libpfm4")})
        assert event is None or (pmu, event) in rows, (pmu, event)
    clx, skx = (set(name for _, name in events("--pmu", pmu)[0]) for pmu in ("clx", "skx"))
    assert skx < clx, "Cascade Lake has Skylake's and those of persistent memory"
    result = run("info", "--events", "--pmu", "nonsense")
    equal((result.code, result.out, result.err),
          (1, "", "precis info: --pmu nonsense: libpfm4 has no such PMU\n"))


def test_events_without_library():
    """libpfm4 is loaded for its events alone: where it cannot be, they are not known, and all else is as ever"""
    built.need("libpfm")
    with tempfile.TemporaryDirectory() as directory:
        open(os.path.join(directory, "libpfm.so.4"), "wb").close()
        path = ":".join(filter(None, [directory, os.environ.get("LD_LIBRARY_PATH")]))
        environment = dict(os.environ, LD_LIBRARY_PATH=path)
        result = run("info", "--events", "--pmu", "skl", env=environment)
        equal((result.code, result.out, result.err),
              (1, "", "precis info: --pmu skl: libpfm.so.4 is not installed, or is another one\n"))
        result = run("info", "--events", "--sysroot", machine(**SKYLAKE), env=environment)
        equal(result.code, 0)
        assert "libpfm.so.4 is not installed" in result.out + result.err, result


def test_events_usage():
    """one thing at a time"""
    for arguments, complaint in ((("--events", "x"), "--events: takes no file"),
                                 (("--events", "--compare"), "--events and --compare: one of them"),
                                 (("--pmu", "skl"), "--pmu: only with --events")):
        result = run("info", *arguments)
        equal((result.code, result.out), (2, ""))
        assert complaint in result.err, result.err


def test_nothing_known():
    """neither /proc nor /sys: an answer all the same"""
    root = tempfile.mkdtemp(dir=SCRATCH.name)
    found = json.loads(good("info", "--sysroot", root, "--format", "json"))
    equal((found["ibs_op"], found["cpu"], found["os_release"]), (False, None, None))
    good("info", "--sysroot", root)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
