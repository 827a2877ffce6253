#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis report --by node,memory_node: the nodes of CPUs against those of the memory, from what precis dump
prints of each sample and what the recording says of nodes.
"""
import collections
import json
import os
import random
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import oracle
import perfdata
import tap
from command import good, recording, run
from oracle import weight_of
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
BLOCK = 1 << 20
PERIOD = 1 << 8


def topologies(cpus, blocks):
    """cpus: {node: list}; blocks: {node: [block, ...]}"""
    numa = struct.pack("<I", len(cpus)) + b"".join(
        struct.pack("<IQQ", node, 1000, 10) + perfdata.string(text) for node, text in cpus.items())
    memory = struct.pack("<QQQ", 1, BLOCK, len(blocks))
    for node, numbers in blocks.items():
        words = [0] * (max(numbers) // 64 + 1)
        for number in numbers:
            words[number // 64] |= 1 << number % 64
        memory += struct.pack("<QQQ", node, len(numbers), 64 * len(words)) + \
            struct.pack("<%dQ" % len(words), *words)
    return {perfdata.NUMA_TOPOLOGY: numa, perfdata.MEM_TOPOLOGY: memory}


def made(name, count, cpus, blocks, periods=None):
    """Samples on any CPU of 8, of data in any of 100 blocks, of all weights or one"""
    rng = random.Random(name)
    sample_type = perfdata.SAMPLE_TYPE | (PERIOD if periods else 0)
    events = [(perfdata.attr(sample_type=sample_type), [1], "ibs_op//")]
    records = []
    for n in range(count):
        # without a physical address now and then: IbsDcPhyAddrValid is bit 18 of data3
        data3 = 0x901961cd60085 & ~(1 << 18 if n % 11 == 0 else 0)
        raw = perfdata.op_payload(phys=rng.randrange(100) * BLOCK + 64, data3=data3)
        raw += b"\0" * (-(len(raw) + 4) % 8)
        body = struct.pack("<QIIQQII", 0x401000, 1, 1, n, 1, rng.randrange(8), 0)
        if periods:
            body += struct.pack("<Q", rng.choice(periods))
        records.append(perfdata.record(perfdata.RECORD_SAMPLE, body + struct.pack("<I", len(raw)) + raw, 2))
    features = {
        perfdata.HOSTNAME: perfdata.string("host"), perfdata.OSRELEASE: perfdata.string("6.1.0"),
        perfdata.CPUID: perfdata.string(perfdata.ZEN4), perfdata.EVENT_DESC: perfdata.event_desc(events),
        perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")]),
        **topologies(cpus, blocks)}
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, events, features))
    return path


def numbers(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def nodes_of(sample, cpus, blocks):
    """As columns call them"""
    cpu = [node for node, text in cpus.items() if sample["cpu"] in numbers(text)]
    if "phys_addr" not in sample:
        return (cpu or [None])[0], "memory_node_" + re.match(r"\w+", sample["reasons"]["phys_addr"]).group()
    block = int(sample["phys_addr"], 16) // BLOCK
    memory = [node for node, found in blocks.items() if block in found]
    return (cpu or [None])[0], "memory_node_%s" % (memory[0] if memory else "unknown")


def matrix(*arguments):
    return json.loads(good("report", "--no-symbols", "--format", "json", *arguments))["by_ops_nodes"]


def same(found, wanted):
    return all(abs(found[name] - wanted[name]) < 2e-6 if isinstance(wanted[name], float)
               else found[name] == wanted[name] for name in wanted)


TWO = {0: "0-2,6", 1: "3-5"}, {0: range(40), 1: range(50, 90)}
GAPS = {0: "0,7", 4: "1-3"}, {0: range(20), 2: range(20, 40), 7: range(40, 100)}


def check(path, cpus, blocks, *arguments):
    samples = [s for s in oracle.samples(good("dump", "--format", "json", "--reasons", "-F", "all", path))
               if oracle.is_op(s)]
    cells = collections.defaultdict(list)
    for sample in samples:
        cpu, memory = nodes_of(sample, cpus, blocks)
        for place in ((cpu, memory), (cpu, "share"), ("all", memory), ("all", "share")):
            cells[place].append(sample)
    table = matrix("--by", "node,memory_node", *arguments, path)
    rows = {row["row"] if row["row"] == "all" else row["node"]: row for row in table["rows"]}
    equal(set(rows), {cpu for cpu, _ in cells})
    columns = {name for _, name in cells}
    compared = 0
    for cpu, row in rows.items():
        equal({name for name in row if name.startswith("memory_node") or name == "share"}, columns)
        for name in columns:
            wanted = oracle.share(cells[cpu, name], samples)
            assert same(row[name], wanted), (cpu, name, row[name], wanted)
            compared += 1
    return compared, table


def test_shares():
    """each cell, and all of each row and column: shares with their intervals, and what is not known"""
    compared = 0
    for name, (cpus, blocks) in (("two", TWO), ("gaps", GAPS)):
        for periods in (None, (1000, 90000, 1500)):
            path = made(name + str(bool(periods)), 3000, cpus, blocks, periods)
            compared += check(path, cpus, blocks)[0]
    print("# %d shares" % compared)
    assert compared > 60, compared
    equal(sorted(name for name in matrix("--by", "node,memory_node", path)["rows"][0]
                 if name.startswith("memory_node_")),
          ["memory_node_0", "memory_node_2", "memory_node_7", "memory_node_NOT_APPLICABLE"])


def test_order():
    """the same by either key first; no such table of other keys"""
    path = made("order", 2000, *TWO)
    equal(matrix("--by", "memory_node,node", path), matrix("--by", "node,memory_node", path))
    for keys in ("node", "memory_node", "node,memory_node,op", "node,op"):
        found = json.loads(good("report", "--no-symbols", "--format", "json", "--by", keys, path))
        assert "by_ops_nodes" not in found, keys
    two = matrix("--by", "node,memory_node", "--top", "1", path)
    equal(two, matrix("--by", "node,memory_node", path))


def test_text():
    """rows of CPUs, columns of memory; what is not known says why"""
    text = good("report", "--no-symbols", "--by", "node,memory_node", made("text", 2000, *GAPS),
                env={**os.environ, "COLUMNS": "200"})
    part = text[text.index("by nodes: of the CPU in rows, of the memory in columns"):].splitlines()
    assert part[1].split() == ["node", "0", "node", "2", "node", "7", "no", "memory_node:", "NOT_APPLICABLE",
                               "all", "memory", "CPU"], part[1]
    equal([line.split("]")[-1].strip() for line in part[2:6]],
          ["node 0", "node 4", "no node: not recorded", "all"])
    text = good("report", "--no-symbols", "--by", "node,memory_node", recording("skylake-loads_phys"))
    assert "no memory_node: NOT_CAPTURED" in text.split("by nodes:")[1], text


def test_several():
    """several recordings and threads"""
    paths = [made("first", 1500, *TWO), made("second", 2500, *TWO)]
    both = matrix("--by", "node,memory_node", *paths)["rows"]
    equal(both[-1]["share"]["n"], 4000)
    path = made("large", 70000, *TWO)
    one = good("report", "--no-symbols", "--by", "node,memory_node", "--format", "json", path)
    equal(good("report", "--no-symbols", "--by", "node,memory_node", "--format", "json", "--jobs", "2", path),
          one)


def test_many():
    """more nodes than a table has columns: the rest is one"""
    cpus = {0: "0-7"}
    blocks = {node: [node] for node in range(100)}
    path = made("many", 4000, cpus, blocks)
    table = matrix("--by", "node,memory_node", path)
    row = table["rows"][-1]
    shares = [cell["value"] for name, cell in row.items() if name.startswith("memory_node_")]
    equal(len(shares), 31)
    assert abs(sum(shares) - 1) < 1e-4, shares
    assert row["memory_node_others"]["value"] > 0.5, row


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
