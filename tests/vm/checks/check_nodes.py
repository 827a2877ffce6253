#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_nodes.py DIRECTORY: on two NUMA nodes with a CPU each, the nodes of CPUs and of memory in
precis report --by node, --by memory_node and in the matrix of both are those on which instructions ran
and data was, which the module counted one by one, by what the kernel says of a CPU and of a page: the
95% intervals of shares hold the exact ones as often as such that do so in 95 of 100 cases would by chance,
all together and of each row by itself. The module's own totals are those that the workload states.
"""

import json
import os
import re
import sys

import chances
from check_by import Tally, differences
from check_estimates import truths
from scenario import PRECIS, check_each, equal, ok, output, steps, totals

SEEDS = 40
NODES = 2
NO_DATA = "NOT_APPLICABLE"
# nodes TURNS: accesses of each turn to the memory of the thread's own node, and to the other's
OWN, OTHER = 60, 20
BESIDE = 16  # accesses of a thread besides: to its stack, on either node


def cells_of(exact):
    """{(node of the CPU, node of the data or NO_DATA): ops}"""
    found = {}
    for key, counts in exact.items():
        match = re.fullmatch(r"node:(\d+)/memory:(\w+)", str(key))
        if match:
            memory = NO_DATA if match[2] == "none" else int(match[2])
            found[int(match[1]), memory] = counts["ops"]
    return found


def share_of(cells, **wanted):
    """Of the ops with that node or memory among all"""
    part = sum(ops for (node, memory), ops in cells.items()
               if wanted.get("node", node) == node and wanted.get("memory", memory) == memory)
    return part / sum(cells.values())


def tables(path, pid, keys):
    return json.loads(output(PRECIS, "report", "--no-symbols", "--pid", str(pid), "--by", keys,
                             "--columns", "share", "--format", "json", path))


def memory_of(row):
    return row.get("memory_node_reason", row["memory_node"])


def by_one(path, pid, cells, nodes, memories):
    for row in tables(path, pid, "node")["by_ops"]["rows"]:
        nodes.add("node %s" % row["node"], row["share"], share_of(cells, node=row["node"]))
    for row in tables(path, pid, "memory_node")["by_ops"]["rows"]:
        memory = memory_of(row)
        memories.add("memory %s" % memory, row["share"], share_of(cells, memory=memory))


def by_both(path, pid, cells, tally):
    """The matrix: with what all of a row and of a column have"""
    for row in tables(path, pid, "node,memory_node")["by_ops_nodes"]["rows"]:
        node = {} if row["row"] == "all" else {"node": row["node"]}
        for name, cell in row.items():
            match = re.fullmatch(r"memory_node_(?:(\d+)|(\w+))", name)
            if match:
                memory = match[2] or int(match[1])
                tally.add("node %s, memory %s" % (node.get("node", "all"), memory), cell,
                          share_of(cells, memory=memory, **node))


def is_known(cells, turns):
    """As the workload states it"""
    for node in range(NODES):
        for memory in range(NODES):
            stated = (OWN if node == memory else OTHER) * (turns >> node)
            if not stated <= cells.get((node, memory), 0) <= stated + BESIDE:
                return False
    return True


def check(step, directory):
    path = os.path.join(directory, step.name + ".data")
    seeds = truths(os.path.join(directory, step.name + ".truth"))
    equal(len(seeds), SEEDS, "%s: seeds" % step.name)
    exact = [totals(directory, step.name, seed) for seed in range(len(seeds) + 1)]
    equal(exact[-1]["other_nodes"]["ops"], 0, "%s: no other nodes" % step.name)
    turns = int(step.command.split()[-1])
    nodes, memories, matrix, unlike = Tally(), Tally(), Tally(), []
    for number, (pid, counts) in enumerate(seeds):
        cells = cells_of(differences(exact[number], exact[number + 1]))
        if not is_known(cells, turns) or sum(cells.values()) != counts["ops"]:
            unlike.append(cells)
        by_one(path, pid, cells, nodes, memories)
        by_both(path, pid, cells, matrix)
    ok(not unlike, "%s: the exact totals are what the workload states, and add up" % step.name,
       *unlike[:1])
    for name, tally, rows, alike in (("nodes of CPUs", nodes, NODES, chances.SHARES),
                                     ("nodes of memory", memories, NODES + 1, chances.SHARES),
                                     ("cells of the matrix", matrix, (NODES + 1) ** 2, chances.SUMS)):
        equal(len(tally.found), rows, "%s: %s: rows" % (step.name, name))
        tally.judge("%s: %s (modeled)" % (step.name, name), len(seeds), alike)


def main(directory):
    return check_each(steps(directory), check, directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
