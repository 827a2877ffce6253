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
import tap
from command import good, run, usage
from known_files import SCRATCH, kept, program, recorded, there
from known_program import ANY, BLOCKS, CYCLES, INSTRUCTIONS, SAMPLE, TAKEN, USER
from mix_page import holds, near, page, rows, rules, sum_row
from quick import FEW
from tap import Skip, equal

SEEDS = 24 if FEW else 80
MEASURES = {"executions": lambda does: 1, "flops": lambda does: does.flops,
            "bytes_read": lambda does: does.read, "bytes_written": lambda does: does.written}


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


# Category, ISA set, packed, width, element, memory, access, size, branch, locked: by the manual, names by XED and precis-mix(1)
GENERAL = ("none", "none", "none")
PACKED, SCALAR = ("packed", "256", "f64"), ("scalar", "128", "f64")
NO_MEMORY = ("none", "none")
PLAIN = ("none", "not locked")
CLASSES = {
    "movl": ("DATAXFER", "I86", *GENERAL, *NO_MEMORY, "32", *PLAIN),
    "callq": ("CALL", "I86", *GENERAL, "write", "write 8", "64", "call", "not locked"),
    "retq": ("RET", "I86", *GENERAL, "read", "read 8", "64", "return", "not locked"),
    "decl": ("BINARY", "I86", *GENERAL, *NO_MEMORY, "32", *PLAIN),
    "testb": ("LOGICAL", "I86", *GENERAL, *NO_MEMORY, "8", *PLAIN),
    "jne": ("COND_BR", "I86", *GENERAL, *NO_MEMORY, "64", "conditional", "not locked"),
    "je": ("COND_BR", "I86", *GENERAL, *NO_MEMORY, "64", "conditional", "not locked"),
    "lock": ("BINARY", "I86", *GENERAL, "read+write", "read 4, write 4", "32", "none", "locked"),
    "vmovupd (%rsi),": ("DATAXFER", "AVX", *PACKED, "read", "read 32", "none", *PLAIN),
    "vmovupd %ymm0,": ("DATAXFER", "AVX", *PACKED, "write", "write 32", "none", *PLAIN),
    "vaddpd": ("AVX", "AVX", *PACKED, *NO_MEMORY, "none", *PLAIN),
    "movsd": ("DATAXFER", "SSE2", *SCALAR, "read", "read 8", "none", *PLAIN),
    "mulsd": ("SSE", "SSE2", *SCALAR, "read", "read 8", "none", *PLAIN),
    "addsd": ("SSE", "SSE2", *SCALAR, *NO_MEMORY, "none", *PLAIN),
}
DIMENSIONS = ("category", "isa_set", "packed", "width", "element", "memory", "access", "size", "branch", "locked")


def classes_of(does):
    return next(classes for text, classes in CLASSES.items() if (does.text + " ").startswith(text + " "))


def test_dimensions():
    """--by: what each dimension says of an instruction, as many executions of each class as the program has"""
    execution, _ = program()
    for number, dimension in enumerate(DIMENSIONS):
        truth = {}
        for block, count in execution.counts.items():
            for does in BLOCKS[block] if block != "end" else ():
                name = classes_of(does)[number]
                truth[name] = truth.get(name, 0) + count
        found = rows(page("--by", dimension, recorded())["mix"])
        equal({name for name in found if found[name]["executions"] > 1000}, {name for name in truth if truth[name] > 1000}, dimension)
        for name, count in truth.items():
            if count > 1000:
                near(found[name], "executions", count, 0.04 if count > 10000 else 0.15)


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
        words = "a cutoff learnt on Ivy Bridge, with some 1100 blocks of programs that are not SPEC's; of other " \
                "cores none is known" if training else "the cutoff that --cutoff says"
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


def test_selection():
    """--pid, --time and --filter choose samples"""
    whole = page(recorded())
    equal(page("--pid", str(known.PID), recorded())["instruction_samples"], whole["instruction_samples"])
    failed = run("mix", "--pid", "1", recorded())
    assert failed.code == 1 and "no sample" in failed.err, failed
    half = page("--time", ",0.000021005", recorded())["instruction_samples"]
    equal(half, 2001)


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


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
