# SPDX-License-Identifier: BSD-3-Clause
"""
The registers of samples as stock perf prints them, and what they say: decoded here a second time,
from the layout of IBS in AMD's manuals, into the counts and distributions that the module keeps
over all instructions (model/totals.c), under the same names.
"""

import collections
import os
import re

from scenario import PERF, output

# What perf report -D calls the registers
PERF_NAMES = {
    "ibs_op_ctl": "IbsOpCtl", "IbsOpRip": "IbsOpRip", "ibs_op_data": "IbsOpData",
    "ibs_op_data2": "IbsOpData2", "ibs_op_data3": "IbsOpData3", "IbsDCLinAd": "IbsDcLinAd",
    "IbsDCPhysAd": "IbsDcPhysAd", "IbsBrTarget": "IbsBrTarget", "ibs_op_data4": "IbsOpData4",
    "ibs_fetch_ctl": "IbsFetchCtl", "IbsFetchLinAd": "IbsFetchLinAd",
    "IbsFetchPhysAd": "IbsFetchPhysAd", "ic_ibs_ext_ctl": "IbsFetchCtlExtd",
}
REGISTER = re.compile(r"(%s):\t([0-9a-f]{16})( |$)" % "|".join(PERF_NAMES))
FIRST = ("ibs_op_ctl", "ibs_fetch_ctl")

# enum vm_level of model/model.h
(NONE, L1, MISS_BUFFER, L2, L3, NEAR_CACHE, FAR_CACHE, DRAM, FAR_DRAM, PMEM, EXTENSION, PEER,
 MMIO) = range(13)
# enum vm_kind
LOAD, STORE, LOAD_STORE, PREFETCH, BRANCH, OTHER = range(6)

# IbsOpData2.DataSrc of Zen 4, with RmtNode
SOURCES = {(0, 0): MISS_BUFFER, (1, 0): L3, (2, 0): NEAR_CACHE, (3, 0): DRAM, (3, 1): FAR_DRAM,
           (5, 1): FAR_CACHE, (6, 0): PMEM, (7, 0): MMIO, (8, 0): EXTENSION, (12, 0): PEER}


def perf_samples(path):
    """The registers that stock perf prints, sample by sample"""
    found = []
    for line in output(PERF, "report", "-D", "-i", path).splitlines():
        match = REGISTER.match(line)
        if match:
            if match[1] in FIRST:
                found.append({})
            found[-1][PERF_NAMES[match[1]]] = int(match[2], 16)
    return found


def bits(value, low, width=1):
    return value >> low & ((1 << width) - 1)


class Totals:
    """
    Counts by name, and distributions (value: how often) by name and number: of all instructions, as
    the module writes them (exact_totals()), or of samples (sampled_totals()).
    """

    def __init__(self):
        self.count = collections.Counter()
        self.distribution = collections.defaultdict(collections.Counter)


def exact_totals(directory, name):
    """What a step that is an estimate (guest/steps.sh) left: all seeds together"""
    totals = Totals()
    with open(os.path.join(directory, name + ".truth"), encoding="ascii") as lines:
        first, *_, last = [dict(word.split("=") for word in line.split()) for line in lines]
    for key, value in last.items():
        if key not in ("seed", "pid"):
            totals.count[key] = int(value) - int(first.get(key, 0))
    with open(os.path.join(directory, name + ".histograms"), encoding="ascii") as lines:
        for line in lines:
            key, *words = line.split()
            for word in words:
                value, _, times = word.partition("=")
                totals.distribution[key][int(value)] = int(times)
    return totals


def kind_of(data, data3):
    load, store = bits(data3, 0), bits(data3, 1)
    if bits(data3, 21):
        return PREFETCH
    if load or store:
        return LOAD_STORE if load and store else LOAD if load else STORE
    return BRANCH if bits(data, 37) else OTHER


def load_level(data2, data3):
    """None: a combination that means nothing"""
    if not bits(data3, 7):
        return L1
    if not bits(data3, 20):
        return L2
    return SOURCES.get((bits(data2, 0, 3) | bits(data2, 6, 2) << 3, bits(data2, 4)))


def store_level(data3):
    """0: not told. A store has no data source"""
    if not bits(data3, 7):
        return L1
    return L2 if not bits(data3, 20) else MISS_BUFFER if bits(data3, 16) else NONE


def translation(data3):
    """3 * enum vm_tlb_level + enum vm_page, None where the page's size is not told (a walk)"""
    if not bits(data3, 2):
        return 0 + bits(data3, 4) + 2 * bits(data3, 5)
    if not bits(data3, 3):
        return 3 + bits(data3, 6) + 2 * bits(data3, 19)
    return None


def add_access(totals, kind, data2, data3):
    count, distribution = totals.count, totals.distribution
    missed = bits(data3, 7)
    refill = bits(data3, 48, 16)
    if kind in (LOAD, LOAD_STORE):
        level = load_level(data2, data3)
        count["load_levels[%s]" % level] += 1
        count["load_l1_misses"] += missed
        if missed:
            distribution["load_level[%s]" % level][bits(data3, 32, 16)] += 1
    elif kind == STORE:
        count["store_levels[%d]" % store_level(data3)] += 1
    else:
        count["prefetch_levels[%s]" % load_level(data2, data3)] += 1
    count["misses"] += missed
    count["misses_own_buffer"] += missed and not bits(data3, 16)
    if bits(data3, 26, 6):
        distribution["miss_buffers[0]"][bits(data3, 26, 6)] += 1
    if bits(data3, 17):
        place = translation(data3)
        count["dtlb_accesses"] += 1
        count["dtlb_l1_misses"] += bits(data3, 2)
        count["dtlb_walks"] += place is None
        distribution["dtlb[%s]" % ("walk" if place is None else place)][refill] += 1


def add_op(totals, data, data2, data3):
    count = totals.count
    kind = kind_of(data, data3)
    retire, rest = bits(data, 16, 16), bits(data, 0, 16)
    count["ops"] += 1
    count["loads"] += kind in (LOAD, LOAD_STORE)
    for name, number in (("load_stores", LOAD_STORE), ("stores", STORE), ("prefetches", PREFETCH)):
        count[name] += kind == number
    if bits(data, 37):
        taken, mispredicted = bits(data, 35), bits(data, 36)
        count["branches"] += 1
        count["taken"] += taken
        count["mispredicted"] += mispredicted
        count["taken_mispredicted"] += taken and mispredicted
        count["returns"] += bits(data, 34)
        count["returns_mispredicted"] += bits(data, 34) and mispredicted
    for name, cycles in (("tag_to_retire", retire), ("tag_to_completion", retire - rest),
                         ("completion_to_retire", rest)):
        totals.distribution["%s[%d]" % (name, kind)][cycles] += 1
    if kind < BRANCH:
        add_access(totals, kind, data2, data3)


def add_fetch(totals, control, extended):
    """Not what came of a fetch that no instruction was taken from: the model has none"""
    count = totals.count
    page = bits(control, 53, 2)
    level = 0 if not bits(control, 55) else 2 if bits(control, 56) else 1
    count["fetches"] += 1
    count["op_cache_misses"] += bits(control, 60)
    count["ic_misses"] += bits(control, 51)
    count["ic_l2_misses"] += bits(control, 58)
    count["ic_l3_misses"] += bits(control, 61)
    count["itlb_l1_misses"] += level > 0
    count["itlb_walks"] += level == 2
    totals.distribution["fetch[0]"][bits(control, 32, 16)] += 1
    totals.distribution["itlb[%d]" % (3 * level + page)][bits(extended, 0, 16)] += 1


def sampled_totals(samples):
    """Of Zen 4's registers"""
    totals = Totals()
    for sample in samples:
        if "IbsOpCtl" in sample:
            add_op(totals, sample["IbsOpData"], sample["IbsOpData2"], sample["IbsOpData3"])
        else:
            add_fetch(totals, sample["IbsFetchCtl"], sample["IbsFetchCtlExtd"])
    return totals
