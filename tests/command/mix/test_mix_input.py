#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What of recordings precis mix counts and what it refuses: events, processes, code that changes, damage."""
import json
import os
import random
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]

import built
import known_program as known
import perfdata
import tap
from command import SHARED, good, run
from known_files import SCRATCH, kept, program, recorded, there
from known_program import ANY, BLOCKS, CYCLES, INSTRUCTIONS, SAMPLE, TAKEN, USER
from mix_page import near, page, rows, rules, sum_row
from quick import FEW
from tap import Skip, equal


def test_copies():
    """copies of the newest entry are left out: the mix is as right as without them"""
    execution, _ = program()
    head = page(recorded("copied", copies=0.25))
    equal(head["newest_is_copied"], True)
    for mnemonic, row in rows(head["mnemonics"]).items():
        truth = execution.sums(known.mnemonic)[mnemonic]
        if truth > 50000:
            near(row, "executions", truth, 0.04)


def test_relative():
    """stacks by cycles alone: shares, and no number of executions; with instruction samples both"""
    execution, path = program()
    truth = execution.sums(known.mnemonic)
    alone = page(recorded("cycles", samples=0, kind=CYCLES))
    equal((alone["instructions"], alone["instructions_reason"]), (None, "NOT_CAPTURED"))
    for mnemonic, row in rows(alone["mnemonics"]).items():
        equal(row["executions"], None, mnemonic)
        if truth[mnemonic] > 50000:
            assert abs(row["share"]["value"] - truth[mnemonic] / execution.executed) < 0.012, row
    before = kept("before.sde", b"before\n")
    failed = run("mix", "--format", "sde", "-o", before, recorded("cycles", samples=0, kind=CYCLES))
    assert failed.code == 1 and "numbers of executions" in failed.err, failed
    with open(before, encoding="ascii") as file:
        equal(file.read(), "before\n", "what was there before")
    # Of code that is not known instruction samples have the number, and stacks nothing
    unknown = page("--symfs", SCRATCH.name + "/nowhere", recorded("scaled", kind=CYCLES, unit=37))
    near(unknown, "instructions", execution.executed, 0.01)
    # Cycles, 37 for each taken branch: instruction samples tell how many branches they are
    scaled = recorded("scaled", kind=CYCLES, unit=37)
    near(page(scaled), "instructions", execution.executed, 0.04)
    near(page("--method", "lbr", scaled), "instructions", execution.executed, 0.04)


def test_synthesized():
    """stacks that perf made of a trace: no kinds of branches are named, and all are there"""
    execution, _ = program()
    truth = execution.sums(known.mnemonic)
    path = recorded("traced", samples=0, kind=CYCLES, stack_type=0)
    found = page(path)
    equal([event["made_of"] for event in found["events"]], [None, "a trace"])
    for mnemonic, row in rows(found["mnemonics"]).items():
        if truth[mnemonic] > 50000:
            assert abs(row["share"]["value"] - truth[mnemonic] / execution.executed) < 0.012, row
    assert "which perf made of a trace" in " ".join(good("mix", path).split())
    equal([event["made_of"] for event in page(recorded())["events"]], [None, None])


def off_by(found, truth):
    """of all instructions, which are said to be of another mnemonic"""
    executed = sum(truth.values())
    return sum(abs(row["executions"] - truth[mnemonic]) for mnemonic, row in found.items()) / executed


def test_biased():
    """windows that wait for a branch: it is said, and the joint estimate is less wrong than LBR"""
    execution, _ = program()
    truth = execution.sums(known.mnemonic)
    path = recorded("biased", bias=0.5, samples=400)
    head = page(path)
    assert head["is_biased"] and "bias" in rules(head), head["findings"]
    # The call that windows wait for ends the block of the first function's call, and that of the second's
    assert re.search(r"most often at the branch _start\+0x\w+ \(known\): ", rules(head)["bias"]["sentence"]), head
    assert 1 <= head["biased_branches"] <= 2, head
    starts = {execution.addresses[block, 0] for block in ("outer", "second")}
    table = page("--blocks", "100", path)
    base = known.segment(program()[1])
    biased = {int(row["offset"], 16) - base[2] + base[0] for row in table["blocks"]["rows"] if row["biased"]}
    assert biased and biased <= starts, (biased, starts)
    assert "windows of branch stacks prefer its branch" in good("mix", "--blocks", "100", path)
    equal((page(recorded())["is_biased"], page(recorded())["biased_branches"]), (False, 0))
    equal({row["biased"] for row in page("--blocks", "9", recorded("samples", stacks=0))["blocks"]["rows"]}, {None})
    errors = {method: off_by(rows(page("--method", method, path)["mnemonics"]), truth)
              for method in ("joint", "lbr")}
    assert errors["joint"] < 0.05 and errors["joint"] < 0.5 * errors["lbr"], errors


def test_refused():
    """call stacks, some kinds of branches, cycles without stacks: refused by name"""
    execution, path = program()
    for stack, words in ((ANY | USER | known.CALL_STACK, "one of calls"), (1 << 4 | USER, "some kinds of branches")):
        data = known.recording(execution, path, samples=0, stacks=50, stack_type=stack)
        result = run("mix", kept("refused.data", data))
        assert result.code == 1 and words in result.err and not result.out.strip(), result
    events = [(known.event(CYCLES), 1)]
    samples = [record for _, record in known.draw_samples(execution, 50, 1)]
    result = run("mix", kept("cycles_only.data", known.file_of(events, samples, path)))
    assert result.code == 1 and "does not count instructions" in result.err, result


def test_unknown():
    """without the binary all is unknown, for its reason, and adds up to what was counted"""
    execution, _ = program()
    found = page("--symfs", SCRATCH.name + "/nowhere", recorded())
    known_rows = {row["row"]: row for row in found["known"]["rows"]}
    equal(known_rows["all"]["counted"], execution.executed)
    equal(known_rows["known"]["counted"], execution.executed)
    equal(known_rows["known"]["streams"], 4000 * 15)
    equal([known_rows["code that is known"][name] for name in ("samples", "counted", "streams")], [0, 0, 0])
    near(found, "instructions", execution.executed, 0.01)
    # What they did is not nothing, but not known
    equal(found["unknown_share"], 1)
    for name in ("flops", "bytes_read", "bytes_written"):
        equal((found[name], found[name + "_reason"]), (None, "unknown instruction"))
        equal({row[name] for row in found["mnemonics"]["rows"]}, {None})
    text = good("mix", "--symfs", SCRATCH.name + "/nowhere", recorded())
    assert re.search(r"^  FLOPs +- \(unknown instruction\)$", text, re.M), text
    names = list(rows(found["mnemonics"]))
    assert names[0].startswith("unknown: file not found"), names
    assert "unknown" in rules(found), found["findings"]


def test_patched():
    """kernel code that is patched while it is recorded is what it was at each time"""
    program()
    text, kernel = 0xffffffff81000000, 1
    address, nop, jump = text + 0x1230, b"\x0f\x1f\x44\x00\x00", b"\xe9\x10\x00\x00\x00"

    def end(time):
        return struct.pack("<IIQQ", 0, 0, time, 1)

    def poke(time, old, new):
        body = struct.pack("<QHH", address, len(old), len(new)) + old + new
        return perfdata.record(20, body + bytes(-len(body) % 8) + end(time), kernel)

    name = b"[kernel.kallsyms]_text\0".ljust(24, b"\0")
    mapped = struct.pack("<IIQQQ", 0xffffffff, 0, text, 0x1000000, text) + name + end(0)
    records = [perfdata.record(1, mapped, kernel)]
    for first, count in ((1000, 30), (3000, 50), (5000, 21)):
        records += [known.sample(1, address, first + n, 1000, misc=kernel) for n in range(count)]
        records += [poke(first + 1000, *((nop, jump) if first == 1000 else (jump, nop)))] if first < 5000 else []
    events = [(known.event(INSTRUCTIONS), 1)]
    data = kept("patched.data", known.file_of_records(events, records))
    found = rows(page("--method", "ebs", "--by", "mnemonic,mode", data)["mix"], "mnemonic", "mode")
    equal({key: row["executions"] for key, row in found.items()},
          {("nop", "kernel"): 51000, ("jmp", "kernel"): 50000})


def kernel_of_changes(changes):
    """A recording of a kernel that changes the first bytes of its text: (how many bytes were there, and are) each"""
    text = 0xffffffff81000000
    mapped = struct.pack("<IIQQQ", 0xffffffff, 0, text, 0x1000000, text) + b"[kernel.kallsyms]_text\0".ljust(24, b"\0")
    records = [perfdata.record(1, mapped + struct.pack("<IIQQ", 0, 0, 0, 1), 1)]
    for before, after in changes:
        body = struct.pack("<QHH", text, before, after) + bytes(before + after + -(before + after + 4) % 8)
        records.append(perfdata.record(20, body + struct.pack("<IIQQ", 0, 0, 10, 1), 1))
    records += [known.sample(1, text, 1000 + n, 1000, misc=1) for n in range(20)]
    return known.file_of_records([(known.event(INSTRUCTIONS), 1)], records)


def test_not_kept():
    """changes of the kernel's code that there is no room for, and jitdumps that are damaged, are told"""
    program()
    good("mix", kept("changes.data", kernel_of_changes([(5, 5)] * 300)))
    failed = run("mix", kept("changes.data", kernel_of_changes([(n, 5) for n in range(6, 306)])))
    assert failed.code == 1 and re.search(r": 44 changes of the kernel's code are too many", failed.err), failed
    path = there("damaged/jit-%d.dump" % known.PID)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    records = known.mapping(path, 0x700000, 4096, 0)
    records += [known.sample(1, 0x7f0000001000, 1000 + n, 1000) for n in range(20)]
    data = kept("damaged.data", known.file_of_records([(known.event(INSTRUCTIONS), 1)], records))
    good("mix", data)  # it is not there, which is the reason of its code
    known.jitdump(path, known.PID, 0x7f0000001000, b"\x48\xff\xc0\xc3", b"made")
    good("mix", data)
    with open(path, "r+b") as file:
        file.seek(40 + 40)  # the number of bytes of the function's code
        file.write(b"\xff" * 8)
    failed = run("mix", data)
    assert failed.code == 1 and ": 1 jitdumps are damaged" in failed.err, failed


def test_few_unknown():
    """few samples of unknown code stand for all that they were counted for"""
    execution, path = program()
    for count in (2, 5, 20):
        samples = [record for _, record in known.draw_samples(execution, count, count)]
        data = known.file_of([(known.event(INSTRUCTIONS), 1)], samples, path)
        found = page("--symfs", SCRATCH.name + "/nowhere", kept("few.data", data))
        near(found, "instructions", count * (execution.executed // count), 0.02)


def test_processes():
    """--by process: of two that run different code of one file, each has what it ran"""
    execution, path = program()
    records, truth = [], {}
    for n in range(3000):
        pid, block = (100, "packed_loop") if n % 3 else (200, "scalar_next")
        number = n % len(BLOCKS[block])
        tid = pid + 1 + n % 2
        records.append(known.sample(1, execution.addresses[block, number], 2000 + n, 1000, pid=pid, tid=tid))
        truth[tid] = truth.get(tid, 0) + 1000
        truth[pid] = truth.get(pid, 0) + 1000
    where = known.segment(path)
    maps = [record for pid in (100, 200) for record in known.mapping(path, *where, pid=pid, tid=pid)]
    events = [(known.event(INSTRUCTIONS), 1)]
    path = kept("processes.data", known.file_of_records(events, maps + records))
    found = rows(page("--by", "process,block", "--method", "ebs", path)["mix"], "process", "block")
    hot = {process: max((row for (of, _), row in found.items() if of == process),
                        key=lambda row: row["executions"]) for process in ("known (100)", "known (200)")}
    equal((hot["known (100)"]["block"], hot["known (200)"]["block"]),
          ("packed+0x5 (known)", "scalar+0x1a (known)"))
    alone = rows(page("--by", "process", path, "--method", "ebs")["mix"])
    for pid in (100, 200):
        assert abs(alone["known (%d)" % pid]["executions"] - truth[pid]) <= 1, (alone, truth)
    threads = rows(page("--by", "thread", path, "--method", "ebs")["mix"])
    found = {int(name.split("(")[1][:-1]): row["executions"] for name, row in threads.items()}
    equal(set(found), {101, 102, 201, 202})
    assert all(abs(found[tid] - truth[tid]) <= 1 for tid in found), (found, truth)


def test_jitdump():
    """functions of jitdumps by their names, whichever processes come later; --symfs, --no-symbols are for them, too"""
    program()
    at, records, kinds = 0x7f0000001000, [], {"inc": b"\x48\xff\xc0", "dec": b"\x48\xff\xc8", "not": b"\x48\xf7\xd0"}
    # The first process has a number above the others': what is found by number moves what is known of it
    for pid, (mnemonic, code) in zip((5000, 4000, 3000), kinds.items()):
        path, start = there("dumps/jit-%d.dump" % pid), 1000 + 1000 * len(records)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        known.jitdump(path, pid, at, 3 * code + b"\x75\xf5\xc3", mnemonic.encode() + b"_loop")
        records += known.mapping(path, 0x700000, 4096, 0, pid=pid, tid=pid)
        records += [known.sample(1, at + 3 * (n % 3), start + n, 1000, pid=owner, tid=owner)
                    for owner in (pid, 5000) for n in range(100)]
    data = kept("jit.data", known.file_of_records([(known.event(INSTRUCTIONS), 1)], records))

    def counts(*options):
        table = page("--method", "ebs", "--by", "process,function,mnemonic", *options, data)["mix"]
        return {(row["process"][-5:-1], row["function"].split(" ")[0], row["mnemonic"]): row["executions"]
                for row in rows(table, "process", "function", "mnemonic").values() if row["executions"]}

    # Blocks have a jump behind these three
    found = counts()
    for pid, mnemonic, samples in (("5000", "inc", 400), ("4000", "dec", 100), ("3000", "not", 100)):
        equal(found.pop((pid, mnemonic + "_loop", mnemonic)), samples * 1000 * 3 // 4)
        equal(found.pop((pid, mnemonic + "_loop", "jnz")), samples * 1000 // 4)
    equal(found, {})
    for options in (("--no-symbols",), ("--symfs", there("root"))):
        assert all(mnemonic.startswith("unknown: ") for _, _, mnemonic in counts(*options)), options
    os.makedirs(os.path.dirname(there("root") + there("dumps")), exist_ok=True)
    os.rename(there("dumps"), there("root") + there("dumps"))
    assert all(mnemonic.startswith("unknown: ") for _, _, mnemonic in counts())
    equal({mnemonic for _, _, mnemonic in counts("--symfs", there("root"))}, set(kinds) | {"jnz"})


def test_mapped_anew():
    """what is mapped where another file was is that from then on, and not what was there before"""
    execution, path = program()
    start, length, offset = known.segment(path)
    records = known.mapping(path, start, length, offset)
    address = execution.addresses["packed_loop", 0]
    records += [known.sample(1, address, 1000 + n, 1000) for n in range(30)]
    other = struct.pack("<IIQQQIIQQII", known.PID, known.PID, start, length, 0, 0, 0, 0, 0, 5, 2)
    other += (there("nowhere") + "\0").encode().ljust(128, b"\0")
    records += [perfdata.record(10, other + known.trailer(1, 2000), 2)]
    records += [known.sample(1, address, 3000 + n, 1000) for n in range(50)]
    events = [(known.event(INSTRUCTIONS), 1)]
    head = page("--method", "ebs", kept("anew.data", known.file_of_records(events, records)))
    found = {row["row"]: (row["samples"], row["counted"]) for row in head["known"]["rows"]}
    # Sums are of what is known, and what is not is told
    equal((round(head["unknown_share"], 3), head["bytes_read"]), (0.625, 30000 // 5 * 32))
    text = good("mix", "--method", "ebs", there("anew.data"))
    assert "62.5% of instructions: FLOPs and bytes are those of the others" in text, text
    assert "FLOPs and bytes are of instructions that are known" in text, text
    equal((found["code that is known"], found["nowhere"]), ((30, 30000), (50, 50000)))


def test_ops():
    """IBS ops: how many ops instructions have is learnt, outcomes of branches are the flow's"""
    execution, path = program()
    truth = execution.sums(known.mnemonic)
    found = page(kept("ops.data", known.ops_recording(execution, path)))
    equal((found["events"][0]["counts"], found["stacks"]), ("micro-ops", 0))
    # No stack tells of either
    equal((found["newest_is_copied"], found["is_biased"]), (None, None))
    for mnemonic, row in rows(found["mnemonics"]).items():
        if truth[mnemonic] > 50000:
            near(row, "executions", truth[mnemonic], 0.05)
    near(found, "instructions", execution.executed, 0.05)


def test_ops_without_address():
    """ops whose address is not valid are in no code, and counted"""
    execution, path = program()
    found = page(kept("invalid.data", known.ops_recording(execution, path, count=1000, invalid=30)))
    table = {row["row"]: (row["samples"], row["counted"]) for row in found["known"]["rows"]}
    period = table["all"][1] // 1000
    equal(table["all"], (1000, 1000 * period))
    equal(table["samples without an address"], (30, 30 * period))
    equal(table["code that is known"], (970, 970 * period))


def test_ops_refused():
    """IBS ops by cycles, and those that a filter has chosen, are no mix"""
    execution, path = program()
    records, _ = known.draw_ops(execution, 50, 1)
    for config, words in ((0, "counts cycles"), (1 << 19 | 1 << 16, "missed the L3")):
        events = [(perfdata.attr(config=config), [1], "ibs_op//")]
        features = {perfdata.CPUID: perfdata.string(perfdata.ZEN4), perfdata.EVENT_DESC: perfdata.event_desc(events),
                    perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")])}
        where = known.mapping(path, *known.segment(path), end=bytes(8))
        result = run("mix", kept("cycles.data", perfdata.perf_data(where + records, events, features)))
        assert result.code == 1 and words in result.err, result


def counted_by(cpuid, kind, pmus=(), arch=None, precise=3):
    """what the page says that an event counts"""
    execution, path = program()
    events = [(known.event(kind, precise=precise), 1), (known.event(INSTRUCTIONS), 2)]
    samples = [known.sample(1 + n % 2, execution.addresses["outer", 0], 1000 + n, 100) for n in range(40)]
    data = known.file_of(events, samples, path, cpuid, pmus=pmus, arch=arch)
    return page(kept("event.data", data))["events"][0]["counts"]


def test_events():
    """events are taken by what their codes count on each vendor's cores, and not by their names"""
    raw, cache = 4, 3
    for cpuid, kind, counts in ((known.HASWELL, (raw, 0x1c0), "instructions"),
                                (known.HASWELL, (raw, 0x100), "instructions"),
                                (known.HASWELL, (raw, 0x20c4), "taken branches"),
                                (known.HASWELL, (raw, 0xc4), "neither"), (known.HASWELL, (raw, 0x80c4), "neither"),
                                (known.HASWELL, (raw, 0xc0c4), "neither"),
                                (known.HASWELL, (raw, 0x10000c0), "neither"),
                                (known.HASWELL, (cache, 0x100), "neither"),
                                (perfdata.ZEN4, (raw, 0xc0), "instructions"),
                                (perfdata.ZEN4, (raw, 0xc4), "taken branches"),
                                (perfdata.ZEN4, (raw, 0x20c4), "neither"), (perfdata.ZEN4, (raw, 0x76), "neither")):
        found = counted_by(cpuid, kind)
        assert found.startswith(counts), (cpuid, kind, found)


def test_events_of_ibs():
    """AMD's core events that the kernel gives to IBS where they are asked for with precise_ip, and not without"""
    raw = 4
    for cpuid, kind, precise, counts in ((perfdata.ZEN4, (raw, 0xc1), 1, "micro-ops"),
                                         (perfdata.ZEN4, (raw, 0xc1), 2, "micro-ops"),
                                         ("HygonGenuine,24,0,1", (raw, 0xc1), 1, "micro-ops"),
                                         (perfdata.ZEN4, (raw, 0xc1), 0, "neither"),
                                         (perfdata.ZEN4, (raw, 0x1c1), 1, "neither"),
                                         (perfdata.ZEN4, (raw, 0x76), 1, "neither"),
                                         (known.HASWELL, (raw, 0xc1), 1, "neither")):
        found = counted_by(cpuid, kind, precise=precise)
        assert found.startswith(counts), (cpuid, kind, precise, found)
    execution, path = program()
    samples = [record for _, record in known.draw_samples(execution, 4000, 1)]
    # Each instruction of the program is one op
    found = page(kept("r0c1.data", known.file_of([(known.event((raw, 0xc1), precise=1), 1)], samples, path,
                                                 perfdata.ZEN4)))
    truth = execution.sums(known.mnemonic)
    equal(found["instruction_samples"], 4000)
    near(found, "instructions", execution.executed, 0.05)
    for mnemonic, row in rows(found["mnemonics"]).items():
        if truth[mnemonic] > 50000:
            near(row, "executions", truth[mnemonic], 0.1)
    for kind in ((raw, 0x76), CYCLES):
        failed = run("mix", kept("r076.data", known.file_of([(known.event(kind, precise=1), 1)], samples, path,
                                                            perfdata.ZEN4)))
        assert failed.code == 1 and "it is IBS by cycles" in failed.err and "record r0c1:p" in failed.err, failed
        failed = run("mix", kept("r076.data", known.file_of([(known.event(kind, precise=0), 1)], samples, path,
                                                            perfdata.ZEN4)))
        assert failed.code == 1 and "does not count instructions" in failed.err, failed


def test_events_of_aarch64():
    """Arm's own number of instructions, by its PMU or raw; Apple's cores have other numbers"""
    raw, own, neoverse, apple = 4, 8, "0x00000000410fd4f0", "0x00000000610f0230"
    cores = ((own, "armv8_pmuv3_0"),)
    for cpuid, kind, pmus, arch, counts in ((neoverse, (raw, 8), (), "aarch64", "instructions"),
                                            (neoverse, (own, 8), cores, "aarch64", "instructions"),
                                            (neoverse, (own, 8), ((own, "armv8_cortex_a72"),), "aarch64", "instructions"),
                                            (neoverse, (own, 8), ((own, "arm_cmn_0"),), "aarch64", "neither"),
                                            (neoverse, (own, 0x1b), cores, "aarch64", "neither"),
                                            (neoverse, (raw, 0x21), (), "aarch64", "neither"),
                                            (apple, (raw, 8), (), "aarch64", "neither"),
                                            (known.HASWELL, (raw, 8), (), "x86_64", "neither")):
        found = counted_by(cpuid, kind, pmus, arch, precise=0)
        assert found.startswith(counts), (cpuid, kind, pmus, arch, found)


# A CPU of each core that precis-record --mix has events of, by the name that the kernel has for it


CORES = {"sandybridge": "6,42", "ivybridge": "6,58", "haswell": "6,60", "broadwell": "6,61", "skylake": "6,85",
         "icelake": "6,106", "sapphire_rapids": "6,143", "granite_rapids": "6,173", "alderlake_hybrid": "6,151",
         "meteorlake_hybrid": "6,170", "lunarlake_hybrid": "6,189", "goldmont": "6,92", "goldmont_plus": "6,122",
         "gracemont": "6,190", "crestmont": "6,175"}


def test_recorded_events():
    """what precis-record --mix records on each core is what is taken here"""
    with open(os.path.join(HERE, "../../../perf_scripts/record/precis-record"), encoding="utf-8") as script:
        recorded_there = re.findall(r"^(cpu\w*) (\w+) (\S+) (event=0xc4\S*)$", script.read(), re.M)
    assert len(recorded_there) > 15, recorded_there
    for pmu, core, *asked in recorded_there:
        kind = 10 if pmu == "cpu_atom" else 4
        for text, counts in zip(asked, ("instructions", "taken branches")):
            terms = {name: int(value, 16) for name, value in re.findall(r"(\w+)=(0x\w+)", text)}
            if terms:
                found = counted_by("GenuineIntel,%s,1" % CORES[core],
                                   (kind, terms["event"] | terms.get("umask", 0) << 8), [(kind, pmu)])
                equal(found, counts, "%s %s %s" % (pmu, core, text))


def test_stale():
    """another binary than ran: streams that it cannot have had are counted, and named"""
    execution, path = program()
    with open(path, "rb") as file:
        code = bytearray(file.read())
    where, _, offset = known.segment(path)
    # Of the loop's instruction before its end: jmp -2 where the jump falls through
    at = execution.addresses["scalar_odd", 0] - where + offset
    code[at:at + 2] = b"\xeb\xfe"
    os.makedirs(there("changed") + os.path.dirname(path), exist_ok=True)
    with open(there("changed") + path, "wb") as file:
        file.write(code)
    found = page("--symfs", there("changed"), recorded())
    assert "scalar" in rules(found)["stale"]["sentence"], found["findings"]
    equal(list(rows(found["stale"])), ["scalar (known)"])


def test_other_build():
    """a binary that is not the one that ran, by its build id, tells nothing: all is under that reason"""
    built.need("zydis")
    built.need("elfutils")
    path, ran = there("rebuilt"), bytes(range(1, 21))
    start = known.build_chain(path, 200, "0x" + ran.hex())
    events = [(known.event(INSTRUCTIONS), [1], "instructions")]
    samples = [known.sample(1, start + 4 * (n % 200), 1000 + n, 100) for n in range(400)]
    for build_id, row in ((ran, "code that is known"), (ran[::-1], "rebuilt")):
        maps = known.mapping(path, *known.segment(path), build_id=build_id)
        table = page(kept("rebuilt.data", perfdata.perf_data(maps + samples, events)))["known"]
        found = {row["row"]: (row["samples"], row["reason"]) for row in table["rows"]}
        equal(found[row], (400, None if build_id == ran else "file is not the recorded build"))
        equal(found["all"][0], 400)


def test_order():
    """however records stand in the file: they are taken in the order of their times"""
    execution, path = program()

    def arranged(how):
        return page(kept("order.data", known.recording(execution, path, samples=500, stacks=500, arrange=how)))

    straight = arranged(list)
    assert straight["instruction_samples"] == 500 and straight["stacks"] == 500, straight
    for how in (lambda records: records[::-1], lambda records: records[2:] + records[:2],
                lambda records: records[:2] + records[600:] + records[2:600],
                lambda records: records[:-2] + records[:-3:-1]):
        equal(arranged(how), straight)


def test_pipe():
    """standard input, and several recordings with a page each"""
    with open(recorded(), "rb") as file:
        piped = json.loads(good("mix", "--format", "json", "--top", "0", "-", stdin=file))
    equal(rows(piped["mnemonics"]), rows(page(recorded())["mnemonics"]))
    both = page(recorded(), recorded("stacks", samples=0))
    equal(rows(both["mnemonics_2"]), rows(page(recorded("stacks", samples=0))["mnemonics"]))


def test_hostile():
    """a damaged file ends in an error or in what can be read, and in nothing worse"""
    with open(recorded("short", samples=60, stacks=60), "rb") as file:
        data = file.read()
    chance = random.Random(5)
    for _ in range(20 if FEW else 200):
        broken = bytearray(data)
        for _ in range(chance.randrange(1, 6)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        result = run("mix", "--by", "function,form", kept("broken.data", bytes(broken)))
        assert result.code in (0, 1), result
    for length in range(0, len(data), max(1, len(data) // (10 if FEW else 60))):
        assert run("mix", kept("cut.data", data[:length])).code in (0, 1)


def test_absurd_stacks():
    """stacks with addresses that are none, and backward: counted by what is wrong with them"""
    execution, path = program()
    chance = random.Random(9)
    samples = []
    for n in range(400):
        stack = [(chance.getrandbits(64), chance.getrandbits(64)) for _ in range(16)]
        samples.append(known.sample(2, execution.addresses["outer", 0], 1000 + n, 100, stack))
    events = [(known.event(INSTRUCTIONS), 1),
              (known.event(TAKEN, SAMPLE | known.BRANCH_STACK, stack=ANY), 2)]
    found = page(kept("absurd.data", known.file_of(events, samples, path)))
    equal(sum_row(found["streams"])["streams"], 400 * 15)
    assert any("no address" in name for name in rows(found["streams"])), found["streams"]


def test_rings():
    """stacks of user space alone, by the event's :u: what came back from the kernel is no branch of the code there"""
    execution, path = program()
    kernel, stacks, chance = 0xffffffff81000000, 300, random.Random(4)
    samples = []
    for n in range(stacks):
        at = chance.randrange(16, len(execution.jumps))
        stack = execution.jumps[at - 16:at][::-1]
        stack.insert(3, (kernel, stack[2][0]))  # an interrupt's return to the branch
        samples.append(known.sample(2, stack[0][1], 1000 + n, 100, stack))
    for flags, kept_of_each, rings in ((1 << 5, 15, 0), (0, 15, 1)):
        events = [(known.event(INSTRUCTIONS), 1),
                  (known.event(TAKEN, SAMPLE | known.BRANCH_STACK, stack=ANY, precise=2, flags=flags), 2)]
        found = rows(page(kept("rings.data", known.file_of(events, samples, path)))["streams"])
        equal(found["kept"]["streams"], stacks * kept_of_each)
        equal(sum(row["streams"] for name, row in found.items() if "in the kernel" in name), stacks * rings)


def test_not_frozen():
    """stacks that the interrupt's branches are in, where both rings are recorded: a finding says so"""
    execution, path = program()
    kernel, chance = 0xffffffff81000000, random.Random(6)
    for late, is_told in ((0, False), (3, False), (60, True), (100, True)):
        samples = []
        for n in range(100):
            at = chance.randrange(16, len(execution.jumps))
            stack = execution.jumps[at - 16:at][::-1]
            if n < late:  # in the midst of the interrupt, or at its begin
                stack = [(kernel + 64, kernel + 128)][n % 2:] + [(stack[0][1], kernel)] + stack[:-2]
            elif n % 2:  # back from a system call
                stack = [(kernel, stack[0][1])] + stack[:-1]
            samples.append(known.sample(2, execution.jumps[at - 1][1], 1000 + n, 100, stack))
        # In the kernel it is what ran
        samples.append(known.sample(2, kernel, 2000, 100, [(kernel + 64, kernel + 128)] * 16, misc=1))
        events = [(known.event(INSTRUCTIONS), 1),
                  (known.event(TAKEN, SAMPLE | known.BRANCH_STACK, stack=ANY, precise=2), 2)]
        found = page(kept("late.data", known.file_of(events, samples, path)))
        equal(found["events"][1]["not_frozen"], late)
        equal("not_frozen" in rules(found), is_told)
        if is_told:
            assert rules(found)["not_frozen"]["sentence"].startswith("%d%% of branch stacks of user mode" % late)


def test_real_recordings():
    """recordings of others: stacks are counted, copies found, and reasons told where there is no code"""
    path = os.path.join(SHARED, "perfdata/google_autofdo__propeller_sample_1.perfdata1")
    if not SHARED or not os.path.exists(path):
        raise Skip("no recordings in PRECIS_SHARED")
    result = run("mix", "--format", "json", path)
    found = json.loads(result.out)
    equal((found["stacks"], found["newest_is_copied"], found["is_biased"]), (3732, True, True))
    # Of user space alone, by the event's :u: what came back from the kernel is no end of a stream
    equal((sum_row(found["streams"])["streams"], found["events"][0]["other_ring"]), (115692 - 5, 5))
    assert abs(found["bias_excess"] - 0.21) < 0.01 and abs(found["bias_baseline"] - 0.02) < 0.01, found
    others = ("GrapheneOS_platform_system_extras__lbr_perf_lbr.data",
              "google_perf_data_converter__perf.data.branch_stack_hw_index",
              "google_perf_data_converter__perf.data.raw_callgraph_branch-3.4")
    for name in others:
        result = run("mix", "--format", "json", os.path.join(SHARED, "perfdata", name))
        assert result.code in (0, 1) and json.loads(result.out)["known"], result


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
