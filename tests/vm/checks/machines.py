# SPDX-License-Identifier: BSD-3-Clause
"""
What model/machines.def and the head of model/placement.c state of a machine: how long each place
takes, and which place a physical address is at.
"""

import os
import re

import registers as r
from scenario import TOP

NUMBER = r"(?:0x[0-9a-f]+|\d+)"
ARRAYS = ("l1d", "l2", "l3", "l1i", "op_cache", "dtlb1", "dtlb1_large", "dtlb2", "itlb1", "itlb2")
# The columns of MEMORY()
MEMORY = (r.NEAR_CACHE, r.FAR_CACHE, r.DRAM, r.FAR_DRAM, r.PMEM, r.EXTENSION, r.PEER, r.MMIO)
MOST = 0xffff  # a counter of 16 bits

# Written down a second time, so that a slip in the table is seen, too
STATED = {
    "zen4": ({r.L2: 14, r.L3: 50, r.NEAR_CACHE: 180, r.FAR_CACHE: 380, r.DRAM: 360,
              r.FAR_DRAM: 500, r.PMEM: 700, r.EXTENSION: 600, r.PEER: 800, r.MMIO: 1300},
             {1: 7, 2: 47}, {1: 7, 2: 47}),
    "zen4_patterns": ({r.L2: 0x5555, r.L3: 0xaaaa, r.NEAR_CACHE: 0x55aa, r.FAR_CACHE: 0xaa55,
                       r.DRAM: 0x6666, r.FAR_DRAM: 0x9999, r.PMEM: 0x3333, r.EXTENSION: 0xcccc,
                       r.PEER: 0x0ff0, r.MMIO: MOST},
                      {1: 0x3333, 2: 0x9999}, {1: 0x3333, 2: 0x9999}),
}


class Machine:
    """Cycles, as registers show them: of a load by level, of refills of both TLBs by level"""

    def __init__(self, name):
        path = os.path.join(TOP, "tests/vm/model/machines.def")
        with open(path, encoding="ascii") as table:
            row = re.search(r'^VM_MACHINE\("%s",.*?(?=^VM_MACHINE|^/\*|^#|\Z)' % name, table.read(),
                            re.M | re.S)[0]
        arrays = re.search(r"ARRAYS\((.*?)\), (%s),\s+MEMORY" % NUMBER, row, re.S)
        latency = dict(zip(ARRAYS, (int(found or "0", 0) for found in re.findall(
            r"A\(%s, %s, (%s)\)|NO_ARRAY" % (NUMBER, NUMBER, NUMBER), arrays[1]))))
        walk = int(arrays[2], 0)
        memory = re.search(r"MEMORY\((.*?)\)", row, re.S)[1].split(",")
        self.load = {r.L2: latency["l2"], r.L3: latency["l3"]}
        self.load.update(zip(MEMORY, (min(int(cycles, 0), MOST) for cycles in memory)))
        self.dtlb = {1: latency["dtlb2"], 2: latency["dtlb2"] + walk}
        self.itlb = {1: latency["itlb2"], 2: latency["itlb2"] + walk}
        self.op_cache, self.l1i = latency["op_cache"], latency["l1i"]

    def stated(self):
        return self.load, self.dtlb, self.itlb


def place(physical):
    """Of a line that the L3 does not have, on a core with the extended data sources"""
    number = (physical >> 6) * 0x9e3779b97f4a7c15 % 2**64 >> 54
    frame = physical >> 21
    if number < 24:
        return r.NEAR_CACHE if number < 16 else r.FAR_CACHE
    if frame & 1:
        return r.FAR_DRAM
    if number < 28:
        return r.PEER
    return {32: r.PMEM, 34: r.EXTENSION}.get(frame % 64, r.DRAM)
