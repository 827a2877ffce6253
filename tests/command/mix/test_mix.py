#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis mix against a program of which it is known what each instruction does and how often it ran."""
import csv
import functools
import io
import json
import os
import random
import re
import resource
import shlex
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), HERE]

import built
import known_program as known
import perfdata
import tap
from command import SHARED, good, run, usage
from known_files import SCRATCH, kept, program, recorded, there
from known_program import ANY, BLOCKS, CYCLES, INSTRUCTIONS, SAMPLE, TAKEN, USER
from quick import FEW
from tap import Skip, equal

SEEDS = 24 if FEW else 80
MEASURES = {"executions": lambda does: 1, "flops": lambda does: does.flops,
            "bytes_read": lambda does: does.read, "bytes_written": lambda does: does.written}


def page(*arguments):
    return json.loads(good("mix", "--format", "json", "--top", "0", *arguments))


def rows(table, *keys):
    """of a table, without its sum; by their names, or by these columns"""
    found = {}
    for row in table["rows"]:
        if row["row"] != "all":
            found[tuple(row[key] for key in keys) if keys else row["row"]] = row
    return found


def sum_row(table):
    return next(row for row in table["rows"] if row["row"] == "all")


def holds(row, name, truth):
    return row[name + "_low"] <= truth <= row[name + "_high"]


def near(row, name, truth, within):
    assert abs(row[name] - truth) <= within * truth, (name, row[name], truth)


def test_mnemonics():
    """mnemonics: executions, FLOPs and bytes are what the program does, within 4%"""
    execution, _ = program()
    found = rows(page(recorded())["mnemonics"])
    truth = execution.sums(known.mnemonic)
    equal(set(found) - {"syscall"}, set(truth) - {"syscall"})
    for name, measure in MEASURES.items():
        sums = execution.sums(known.mnemonic, measure)
        for mnemonic, row in found.items():
            if truth[mnemonic] > 1000:
                near(row, name, sums[mnemonic], 0.04 if truth[mnemonic] > 10000 else 0.15)
    for mnemonic, row in found.items():
        if truth[mnemonic] > 10000:
            assert abs(row["share"]["value"] - truth[mnemonic] / execution.executed) < 0.01, (mnemonic, row)


def test_totals():
    """totals: instructions, FLOPs, bytes, FLOP per byte, with intervals that hold"""
    execution, _ = program()
    head = page(recorded())
    truths = {"instructions": execution.executed, "flops": execution.total(lambda does: does.flops),
              "bytes_read": execution.total(lambda does: does.read),
              "bytes_written": execution.total(lambda does: does.written)}
    for name, truth in truths.items():
        near(head, name, truth, 0.04)
        assert holds(head, name, truth), (name, truth, head[name + "_low"], head[name + "_high"])
    ratio = truths["flops"] / (truths["bytes_read"] + truths["bytes_written"])
    assert abs(head["flops_per_byte"] - ratio) < 0.02 * ratio, head
    assert holds(head, "flops_per_byte", ratio), head


def test_intervals():
    """intervals: of many recordings they hold as often as they say"""
    execution, path = program()
    truth = execution.sums(known.mnemonic)
    held = judged = 0
    for seed in range(SEEDS):
        data = known.recording(execution, path, samples=1500, stacks=1500, seed=seed + 7)
        for mnemonic, row in rows(page(kept("seed.data", data))["mnemonics"]).items():
            if truth[mnemonic] > 0.001 * execution.executed:
                share = row["share"]
                judged += 1
                held += share["low"] <= truth[mnemonic] / execution.executed <= share["high"]
    assert judged > 10 * SEEDS and held >= 0.9 * judged, (held, judged)


def test_every_cell():
    """of few samples, too, each share, number, sum and ratio of the joint estimate has an interval that it is in"""
    for how in ({"samples": 30, "stacks": 30}, {"samples": 40, "stacks": 0}, {"samples": 0, "stacks": 12}):
        for by in ("mnemonic", "block", "function,packed,memory"):
            path, without = recorded("few%d" % how["samples"], **how), 0
            for row in rows(page("--by", by, path)["mix"], *by.split(",")).values():
                share = row["share"]
                assert share["low"] <= share["value"] <= share["high"], (how, by, row)
                for name in (*MEASURES, "flops_per_byte"):
                    if row[name] is not None:
                        assert row[name + "_low"] <= row[name] + 1 and row[name] <= row[name + "_high"] + 1, (how, by, row)
                    without += row["executions_low"] == row["executions_high"]
            equal(without, 0, (how, by))
    # Blocks that no sample met are among them
    found = page("--blocks", "99", recorded("few30", samples=30, stacks=30))["blocks"]["rows"]
    assert any(row["source"] == "what runs around it" for row in found), found


def test_text_intervals():
    """--intervals: text has those of CSV and JSON"""
    asked = ("--by", "mnemonic", recorded())
    text = good("mix", "--intervals", *asked)
    for mnemonic, row in rows(page(*asked)["mix"]).items():
        line = re.search(r"^  %s +(.*)$" % mnemonic, text, re.M).group(1)
        numbers = {name: re.escape("%d [%.0f,%.0f]" % (row[name], row[name + "_low"], row[name + "_high"]))
                   for name in ("executions", "flops")}
        assert re.search("%s +%s( |$)" % tuple(numbers.values()), line), (line, row)
    assert re.search(r"^  mulsd .*\d\.\d+ \[\d\.\d+,\d\.\d+\]", "\n".join(
        good("mix", "--intervals", "--by", "mnemonic", "-o", "/dev/stdout", recorded()).split("\n")), re.M), text
    assert not re.search(r"^  all .*\d \[", good("mix", *asked), re.M)


def test_adds_up():
    """rows add up to what was counted, whatever the dimensions"""
    for by in ("mnemonic", "function,packed", "module,mode,extension", "block", "form", "branch,locked",
               "process,thread", "line", "width,element,access", "isa_set,memory,size"):
        table = page("--by", by, recorded())["mix"]
        keys = by.split(",")
        equal(len(rows(table, *keys)) + 1, len(table["rows"]), "rows of " + by)
        # In CSV, too, each row has a name of its own
        equal(len({row["row"] for row in table["rows"]}), len(table["rows"]), "names of rows of " + by)
        whole = sum_row(table)
        for measure in MEASURES:
            parts = sum(row[measure] for row in rows(table, *keys).values())
            assert abs(parts - whole[measure]) <= len(table["rows"]), (by, measure, parts, whole[measure])
        assert abs(sum(row["share"]["value"] for row in rows(table, *keys).values()) - 1) < 1e-4, by


def test_by():
    """--by: functions, packed and scalar, extensions, blocks are those of the program"""
    execution, _ = program()
    functions = {"packed": "packed (known)", "scalar": "scalar (known)"}
    truth = {}
    for block, count in execution.counts.items():
        for does in BLOCKS[block]:
            name = functions.get(block.split("_")[0], "_start (known)")
            key = name, does.extension.upper()
            truth[key] = truth.get(key, 0) + count
    found = rows(page("--by", "function,extension", recorded())["mix"], "function", "extension")
    for key, count in truth.items():
        if count > 1000:
            near(found[key], "executions", count, 0.04 if count > 10000 else 0.15)
    packed = rows(page("--by", "packed", recorded())["mix"])
    near(packed["packed"], "flops", execution.sums(lambda does: does.extension,
                                                   lambda does: does.flops)["avx"], 0.04)
    near(packed["scalar"], "executions", 3 * execution.counts["scalar_loop"], 0.04)
    locked = rows(page("--by", "locked", recorded())["mix"])
    near(locked["locked"], "executions", execution.counts["scalar_odd"], 0.05)
    threads = rows(page("--by", "thread", recorded())["mix"])
    equal(list(threads), ["known (4712)"])


def test_groups():
    """--groups: classes of a user's own, of what is in two of them together"""
    execution, _ = program()
    groups = kept("groups", b"# mine\nsums: addsd vaddpd\nfloat: ADDSD, MULSD\n")
    found = rows(page("--by", "group", "--groups", groups, recorded())["mix"])
    equal(set(found), {"none", "sums", "float", "sums + float"})
    near(found["sums + float"], "executions", execution.counts["scalar_loop"], 0.04)
    bad = run("mix", "--groups", kept("bad", b"sums: addsd\nfloat: nosuch\n"), recorded())
    assert bad.code == 2 and re.search(r"bad:2:\d+: ", bad.err), bad
    assert run("mix", "--groups", there("absent"), recorded()).code == 1


def naive_ebs(execution):
    """the published formula on the samples that the file has: samples * period / length"""
    counts = {}
    for _, record in known.draw_samples(execution, 4000, 1):
        address, period = (struct.unpack_from("<Q", record, at)[0] for at in (8, 40))
        block = execution_block(execution, address)
        counts[block] = counts.get(block, 0) + period / len(BLOCKS[block])
    return counts


def execution_block(execution, address):
    if not hasattr(execution, "of"):
        execution.of = {where: block for (block, _), where in execution.addresses.items()}
    return execution.of[address]


def naive_lbr(execution):
    """likewise of stacks: each of n streams adds period / n to all blocks that it runs along"""
    order = list(BLOCKS)
    starts = {execution.addresses[block, 0]: block for block in BLOCKS}
    counts = {}
    for _, record in known.draw_stacks(execution, 4000, 1001):
        period = struct.unpack_from("<Q", record, 40)[0]
        entries = [struct.unpack_from("<QQ", record, 56 + 24 * n) for n in range(16)]
        for newer, older in zip(entries, entries[1:]):
            first, last = order.index(starts[older[1]]), order.index(execution_block(execution, newer[0]))
            for block in order[first:last + 1]:
                counts[block] = counts.get(block, 0) + period / 15
    return counts


def test_methods():
    """--method: EBS and LBR are the published formulas, to the last count; the rule is one of them"""
    execution, _ = program()
    address = {block: execution.addresses[block, 0] for block in BLOCKS}
    naive = {"ebs": naive_ebs(execution), "lbr": naive_lbr(execution)}
    naive["rule"] = {block: naive["lbr" if len(BLOCKS[block]) <= 4 else "ebs"].get(block, 0)
                     for block in BLOCKS}
    for method, counts in naive.items():
        found = page("--method", method, *(("--cutoff", "4") if method == "rule" else ()), "--by", "block,mnemonic",
                     recorded())["mix"]
        executions = {}
        for row in found["rows"]:
            if row["row"] != "all":
                executions.setdefault(row["block"], []).append(row["executions"])
        for block, count in counts.items():
            base = {"packed": "packed", "scalar": "scalar"}.get(block.split("_")[0], "_start")
            first = {"packed": "packed", "scalar": "scalar", "_start": "start"}[base]
            offset = address[block] - address[first]
            name = "%s+0x%x (known)" % (base, offset) if offset else base + " (known)"
            if count:
                times = [BLOCKS[block][n].mnemonic for n in range(len(BLOCKS[block]))]
                least = min(executions[name])
                assert abs(least - count) <= 1, (method, block, least, count, times)


def test_cutoff():
    """the rule's cutoff, and what it was learnt with, where it is the published one"""
    for options, cutoff, training in ((("--method", "rule"), 18, "Ivy Bridge"), (("--compare",), 18, "Ivy Bridge"),
                                      (("--compare", "--cutoff", "4"), 4, None)):
        found = page(*options, recorded())
        equal((found["cutoff"], (found["cutoff_training"] or "")[:10] or None), (cutoff, training))
        text = " ".join(good("mix", *options, recorded()).split())
        words = "a cutoff learnt on Ivy Bridge" if training else "the cutoff that --cutoff says"
        assert "blocks of up to %d instructions, samples for longer ones: %s" % (cutoff, words) in text, text
    assert "cutoff" not in page(recorded())


def test_compare():
    """--compare: what each method says is what it says alone"""
    together = page("--compare", recorded())
    for method in ("joint", "rule", "lbr", "ebs"):
        alone = rows(page("--method", method, recorded())["mnemonics"])
        for mnemonic, row in rows(together["compared"]).items():
            if mnemonic in alone:
                equal(row[method], alone[mnemonic]["share"], (method, mnemonic))
    for row in rows(together["compared"]).values():
        difference = row["lbr"]["value"] - row["joint"]["value"]
        assert abs(row["lbr_less_joint"]["value"] - difference) < 2e-6, row


def test_blocks():
    """--blocks: the hottest ones, with their instructions and what they rest on"""
    execution, _ = program()
    found = page("--blocks", "2", recorded())
    first, second = (found["blocks"]["rows"][n] for n in (0, 1))
    near(first, "executions", execution.counts["packed_loop"], 0.05)
    assert holds(first, "executions", execution.counts["packed_loop"]), first
    near(second, "executions", execution.counts["scalar_loop"], 0.05)
    equal((first["instructions"], first["source"]), (5, "samples and stacks"))
    text = [row["instruction"].split()[0] for row in found["code"]["rows"]]
    equal(text, ["vmovupd", "vaddpd", "vmovupd", "dec", "jne"])
    equal([row["row"] for row in found["code"]["rows"]],
          ["0x%x" % execution.addresses["packed_loop", n] for n in range(5)])
    alone = page("--blocks", "1", recorded("stacks", samples=0))
    equal(alone["blocks"]["rows"][0]["source"], "stacks")
    nothing = page("--blocks", "1", "--symfs", SCRATCH.name + "/nowhere", recorded("stacks", samples=0))["blocks"]
    equal(nothing["rows"], [])
    assert "in code that is known" in nothing["notes"][0], nothing


def test_bounds():
    """what a mask may leave out and what REP repeats: figures are bounds, and it is said which; others are exact"""
    built.need("zydis")
    built.need("elfutils")
    path = there("bounds")
    start = known.assembled(path, [".text", ".globl _start", "_start:", "vaddpd %zmm0, %zmm1, %zmm2{%k1}",
                                   "vmulpd (%rsi), %ymm1, %ymm2", "rep movsq", "jmp _start"])["_start"]
    samples = [known.sample(1, start + at, 1000 + n, 1000) for n, at in enumerate((0, 6, 10, 13) * 25)]
    path = kept("bounds.data", known.file_of([(known.event(INSTRUCTIONS), 1)], samples, path))
    exact, masked, repeated = "exact", "at most that many", "of one iteration"
    found = rows(page("--by", "mnemonic,width", path)["mix"], "mnemonic", "width")
    for key, flops, is_of, read, are in ((("vaddpd", "512"), 8, masked, 0, exact),
                                         (("vmulpd", "256"), 4, exact, 32, exact),
                                         (("movsq", "none"), 0, exact, 8, repeated),
                                         (("jmp", "none"), 0, exact, 0, exact)):
        row = found[key]
        equal((row["flops"], row["bytes_read"]), (25000 * flops, 25000 * read), key)
        assert row["flops_are"].startswith(is_of) and row["bytes_are"].startswith(are), (key, row)
    text = good("mix", "--by", "mnemonic", path)
    assert re.search(r"^  vaddpd .* masked$", text, re.M) and re.search(r"^  movsq .* repeated$", text, re.M), text
    assert not re.search(r"^  vmulpd .*(masked|repeated)$", text, re.M), text
    assert "masked: at most so many" in text and "repeated: at least so many" in text, text
    assert "at most so many" not in good("mix", recorded())


def test_formats():
    """CSV and text have what JSON has; --format sde has SDE's names"""
    table = list(csv.DictReader(io.StringIO(good("mix", "--format", "csv", "--top", "0", recorded()))))
    json_rows = rows(page(recorded())["mnemonics"])
    found = {line["row"]: line["value"] for line in table
             if line["section"] == "mnemonics" and line["column"] == "executions"}
    for mnemonic, row in json_rows.items():
        equal(int(found[mnemonic]), row["executions"], mnemonic)
    for source in ({"samples": 0}, {"stacks": 0}, {"samples": 0, "kind": CYCLES}):
        path = recorded("of_one", **source)
        for asked in ((), ("--compare",)):
            printed = good("mix", "--format", "csv", *asked, path)
            assert not re.search(r"(^|,)-?(nan|inf)(,|$)", printed, re.M), (source, asked, printed)
    text = good("mix", recorded())
    assert re.search(r"^  vaddpd +[\d.]+% \[[\d.]+,[\d.]+\] +\d+ ", text, re.M), text
    sde = dict(line.split() for line in good("mix", "--format", "sde", recorded()).splitlines()
               if not line.startswith("#"))
    execution, _ = program()
    for name, truth in (("*isa-ext-AVX", 3 * execution.counts["packed_loop"]),
                        ("*elements_fp_double_4", 3 * execution.counts["packed_loop"]),
                        ("*mem-read-32", execution.counts["packed_loop"]),
                        ("*mem-write-4", execution.counts["scalar_odd"]),
                        ("ADDSD", execution.counts["scalar_loop"]), ("*total", execution.executed)):
        assert abs(int(sde[name]) - truth) < 0.05 * truth, (name, sde[name], truth)
    good("mix", "-o", there("out.json"), "--format", "json", recorded())
    with open(there("out.json"), encoding="utf-8") as file:
        assert json.load(file)["mnemonics"]["rows"]


def rules(found):
    return {finding["rule"]: finding for finding in found["findings"]}


def test_findings():
    """findings: scalar operations and where they are; sources; copies"""
    found = rules(page(recorded()))
    assert "in scalar (known)" in found["scalar"]["sentence"], found
    execution, _ = program()
    truth = 2 * execution.counts["scalar_loop"] / execution.total(lambda does: does.flops)
    assert found["scalar"]["low"] <= truth <= found["scalar"]["high"], (truth, found["scalar"])
    assert {"no_samples", "no_stacks", "copies", "unknown", "stale"}.isdisjoint(found), found
    # Its command is for a shell, and of the same samples
    with open(recorded(), "rb") as file:
        path = kept("it's a recording.data", file.read())
    of_some = ("--pid", str(known.PID), "--filter", "ip > 0")
    for options, words in (((), []), (of_some, ["--pid=%d" % known.PID, "--filter=ip > 0"])):
        command = rules(page(*options, path))["scalar"]["command"]
        equal(shlex.split(command), ["precis", "mix", *words, "--by", "function,packed,element", path])
        assert command.replace("\\", "\\\\") in good("mix", *options, path), command
    # whichever option comes last
    groups = ("--groups", kept("groups", b"sums: addsd\n"), "--by", "group")
    assert "--pid=%d " % known.PID in rules(page(*of_some, *groups, path))["scalar"]["command"]
    assert "no_stacks" in rules(page(recorded("samples", stacks=0)))
    assert "no_samples" in rules(page(recorded("stacks", samples=0)))
    assert "copies" in rules(page(recorded("copied", copies=0.25)))


def test_sources_alone():
    """stacks alone, samples alone: each gives the mix within what it can tell"""
    execution, _ = program()
    truth = execution.sums(known.mnemonic)
    for name, how in (("stacks", {"samples": 0}), ("samples", {"stacks": 0})):
        found = rows(page(recorded(name, **how))["mnemonics"])
        for mnemonic, count in truth.items():
            if count > 50000:
                near(found[mnemonic], "executions", count, 0.06)


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


def test_selection():
    """--pid, --time and --filter choose samples"""
    whole = page(recorded())
    equal(page("--pid", str(known.PID), recorded())["instruction_samples"], whole["instruction_samples"])
    failed = run("mix", "--pid", "1", recorded())
    assert failed.code == 1 and "no sample" in failed.err, failed
    half = page("--time", ",0.000021005", recorded())["instruction_samples"]
    equal(half, 2001)


def test_pipe():
    """standard input, and several recordings with a page each"""
    with open(recorded(), "rb") as file:
        piped = json.loads(good("mix", "--format", "json", "--top", "0", "-", stdin=file))
    equal(rows(piped["mnemonics"]), rows(page(recorded())["mnemonics"]))
    both = page(recorded(), recorded("stacks", samples=0))
    equal(rows(both["mnemonics_2"]), rows(page(recorded("stacks", samples=0))["mnemonics"]))


def test_usage():
    """wrong usage is told in one line"""
    assert "did you mean 'mnemonic'" in usage("mix", "--by", "mnemonics")
    assert "at most 3" in usage("mix", "--by", "mode,module,function,line")
    assert "twice" in usage("mix", "--by", "mode,mode")
    assert "--groups" in usage("mix", "--by", "group")
    if "zydis" not in built.WITHOUT:  # or the file is refused before
        assert "without --by group" in usage("mix", "--groups", kept("unused", b"sums: addsd\n"))
    assert "expected" in usage("mix", "--method", "best")
    assert "--format sde" in usage("mix", "--format", "sde", "--compare")
    for options, said in ((("--compare", "--method", "joint"), "not with --method"),
                          (("--method", "ebs", "--compare"), "not with --method"),
                          (("--cutoff", "18"), "with --method rule or --compare"),
                          (("--cutoff", "4", "--method", "lbr"), "with --method rule or --compare"),
                          (("--syntax", "att"), "with --blocks"), (("--compare", "--syntax", "intel"), "with --blocks"),
                          (("--syntax", "intel", "--blocks", "0"), "with --blocks"),
                          (("--intervals", "--compare"), "not with --compare"),
                          (("--format", "csv", "--intervals"), "not with another --format")):
        assert said in usage("mix", *options), options
    assert "function" in good("mix", "--by", "help")


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


def test_jobs():
    """--jobs: the same bytes with 1, 2, 3, 8 threads and as many as there are CPUs, of one recording and of two"""
    built.need("zydis")
    built.need("elfutils")
    pages = (("--top", "0"), ("--compare", "--blocks", "3"), ("--format", "json", "--by", "function,packed,thread"),
             ("--format", "csv", "--method", "rule"), ("--format", "sde"))
    some, others = recorded("jobs"), chain_recording(2 * PAGE)[0]
    for paths in ((some,), (others,), (some, others)):
        for arguments in pages:
            alone = good("mix", *arguments, *paths)
            for jobs in ("1", "2", "3", "8", "0"):
                equal(good("mix", "--jobs", jobs, *arguments, *paths), alone)
    usage("mix", "--jobs", "257", some)
    usage("mix", "--jobs", "two", some)


PAGE = 1024  # blocks of the chain in 4 KiB


@functools.lru_cache(maxsize=None)
def chain_recording(blocks, hot=7, samples=6000):
    """each of many blocks once in stacks; one page of them has half of all instruction samples"""
    built.need("zydis")
    built.need("elfutils")
    path = there("chain%d" % blocks)
    start = known.build_chain(path, blocks)
    chance = random.Random(3)
    records = []
    for n, first in enumerate(range(0, blocks - 32, 31)):
        stack = [(start + 4 * block + 2, start + 4 * block + 4) for block in range(first + 31, first - 1, -1)]
        records.append((1000 + 7 * n, known.sample(2, stack[0][1], 1000 + 7 * n, 100, stack)))
    for n in range(samples):
        block = hot * PAGE + chance.randrange(PAGE) if n % 2 else chance.randrange(blocks)
        at = start + 4 * block + 2 * chance.randrange(2)
        records.append((2000 + n, known.sample(1, at, 2000 + n, 100)))
    events = [(known.event(INSTRUCTIONS, flags=1 << 5), 1),
              (known.event(TAKEN, SAMPLE | known.BRANCH_STACK, stack=ANY | USER, precise=2), 2)]
    records = [record for _, record in sorted(records)]
    return kept("chain%d.data" % blocks, known.file_of(events, records, path)), samples, (blocks - 33) // 31 + 1


def test_places():
    """--places: of more code what was seen least is left out and told of; what is left in is as it was"""
    path, samples, stacks = chain_recording(16 * PAGE)

    def known_of(*arguments):
        found = page(*arguments, path)
        table = {row["row"] + " " + (row["reason"] or ""): row for row in found["known"]["rows"]}
        equal((table["all "]["samples"], table["all "]["streams"]), (samples, 31 * stacks))
        left_out = [row for row in table.values() if "left out" in (row["reason"] or "")]
        return found, table["code that is known "], left_out

    whole, all_of_it, nothing = known_of("--places", "0")
    equal((all_of_it["samples"], nothing), (samples, []))
    equal(page(path), whole)
    found, inside, (outside,) = known_of("--places", str(5 * PAGE))
    equal(inside["samples"] + outside["samples"], samples)
    equal(inside["streams"] + outside["streams"], 31 * stacks)
    # Two of its pages, and all of the hot one's samples
    assert 2 * PAGE - 64 < inside["streams"] <= 2 * PAGE and inside["samples"] >= samples / 2, (inside, outside)
    assert any("left out" in row for row in rows(found["mnemonics"])), found["mnemonics"]
    equal(page("--method", "ebs", "--places", str(5 * PAGE), path)["instructions"], 100 * samples)
    by = ("--method", "ebs", "--by", "mnemonic")
    equal(rows(page(*by, "--places", str(5 * PAGE), path)["mix"])["inc"]["executions"],
          round(100 * inside["samples"] / 2))


def test_places_entered():
    """--places: code that is left out calls what is left in, which runs as often as it does"""
    built.need("zydis")
    built.need("elfutils")
    path, rounds, depth, count, chance = there("calls"), 100, 16, 3000, random.Random(11)
    lines = [".text", ".globl _start", ".balign 4096", "_start: f: incl %eax", "incl %eax", "retq"]
    for name, calls, other in (("near", 100, "far"), ("far", 1000, "near")):
        lines += [".balign 4096"] * (name == "far")
        lines += [name + ":", ".rept %d" % calls, "callq f", ".endr", "jmp " + other]
    where = known.assembled(path, lines)
    called, jumps, ran = where["f"], [], []
    for name, calls, other in (("near", 100, "far"), ("far", 1000, "near")):
        for call in range(where[name], where[name] + 5 * calls, 5):
            jumps += [(call, called), (called + 4, call + 5)]
            ran += [call, called, called + 2, called + 4]
        jumps.append((where[name] + 5 * calls, where[other]))
        ran.append(jumps[-1][0])
    records = []
    for n in range(count):
        at = chance.randrange(len(jumps))
        stack = [jumps[(at - back) % len(jumps)] for back in range(depth)]
        records.append(known.sample(2, stack[0][1], 1000 + 2 * n, rounds * len(jumps) // count, stack))
        records.append(known.sample(1, chance.choice(ran), 1001 + 2 * n, rounds * len(ran) // count))
    events = [(known.event(INSTRUCTIONS, flags=1 << 5), 1),
              (known.event(TAKEN, SAMPLE | known.BRANCH_STACK, stack=ANY | USER, precise=2), 2)]
    path = kept("calls.data", known.file_of(events, records, path))
    for places in ("0", "400"):
        found = page("--places", places, path)
        near(rows(found["mnemonics"])["inc"], "executions", 2 * 1100 * rounds, 0.05)
        equal(any("left out" in row for row in rows(found["mnemonics"])), places == "400")


def test_places_in_memory():
    """--places: memory does not grow with what is left out"""
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        raise Skip("an address space that is limited has no room for sanitizers")
    path = chain_recording(60 * PAGE)[0]
    limit = 144 << 20

    def limited(places):
        return run("mix", "--places", places, path,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    equal(limited(str(5 * PAGE)).code, 0)
    failed = limited("0")
    assert failed.code == 1 and "out of memory" in failed.err, failed


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
