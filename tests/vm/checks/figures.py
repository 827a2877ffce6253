# SPDX-License-Identifier: BSD-3-Clause
"""
The figures of precis report's tables, each as what it is of counts and distributions
(registers.Totals): of those of samples it is what the report must print, of the exact ones what it
estimates.
"""

import collections
import math
import os
import sys

import registers as r

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../command/report"))
import oracle  # noqa: E402

KINDS = {r.LOAD: "load", r.STORE: "store", r.LOAD_STORE: "load_store", r.PREFETCH: "prefetch",
         r.BRANCH: "branch", r.OTHER: "other"}
LEVELS = {r.L1: "L1", r.MISS_BUFFER: "LFB", r.L2: "L2", r.L3: "L3/local",
          r.NEAR_CACHE: "near_cache/local", r.FAR_CACHE: "far_cache/remote_node",
          r.DRAM: "DRAM/local", r.FAR_DRAM: "DRAM/remote_node", r.PMEM: "PMEM/local",
          r.EXTENSION: "CXL/local", r.PEER: "peer_agent/local", r.MMIO: "IO/local"}
# Rows of the key figures that are of levels
SUMMARY_LEVELS = {
    "loads from the L2": (r.L2,), "loads from an outstanding miss": (r.MISS_BUFFER,),
    "loads from the L3": (r.L3,), "loads from another core complex": (r.NEAR_CACHE,),
    "loads from a far node's cache": (r.FAR_CACHE,), "loads from DRAM": (r.DRAM, r.FAR_DRAM),
    "loads from persistent memory": (r.PMEM,), "loads from extension memory": (r.EXTENSION,),
    "loads from MMIO": (r.MMIO,),
}
PAGES = ("4K", "2M", "1G")
PERCENTILES = {"median": (1, 2), "p95": (95, 100), "p99": (99, 100)}
ENDS = tuple(name + end for name in PERCENTILES for end in ("_low", "_high"))
MEAN_ENDS = ("mean_low", "mean_high")
Z = 1.959963984540054

# part of whole: numbers
Share = collections.namedtuple("Share", "part whole")


class Figures:
    """{(section, row, column): a Share, a number, or (a name and a distribution)}"""

    def __init__(self, totals):
        self.totals = totals
        self.found = {}

    def share(self, section, row, part, whole, column="share", samples="samples"):
        self.found[section, row, column] = Share(part, whole)
        if samples:
            self.found[section, row, samples] = part

    def latencies(self, section, row, distribution):
        for name in ("median", "p95", "p99", "max", "mean", "n") + ENDS + MEAN_ENDS:
            self.found[section, row, "latency_" + name] = (name, distribution)

    def summarized(self, field, row, distribution):
        for name in ("median", "p95", "p99", "n") + ENDS:
            self.found["summary_" + field, row, name] = (name, distribution)

    def union(self, *names):
        total = collections.Counter()
        for name in names:
            total.update(self.totals.distribution[name])
        return total

    def loads(self):
        count, levels = self.totals.count, [level for level in LEVELS if level != r.L1]
        for level, row in LEVELS.items():
            self.share("load_sources", row, count["load_levels[%d]" % level], count["loads"])
            self.latencies("load_sources", row, self.union("load_level[%d]" % level))
            self.share("prefetch_sources", row, count["prefetch_levels[%d]" % level],
                       count["prefetches"])
        self.found["prefetch_sources", "all prefetches", "samples"] = count["prefetches"]
        self.found["load_sources", "all loads", "samples"] = count["loads"]
        every = self.union(*("load_level[%d]" % level for level in levels))
        self.latencies("load_sources", "all loads", every)
        self.share("summary", "loads that miss the L1", count["load_l1_misses"], count["loads"],
                   samples=None)
        self.summarized("dcache_miss_latency", "loads that miss the L1", every)
        for row, levels in SUMMARY_LEVELS.items():
            self.share("summary", row, sum(count["load_levels[%d]" % level] for level in levels),
                       count["loads"], samples=None)
            self.summarized("dcache_miss_latency", row,
                            self.union(*("load_level[%d]" % level for level in levels)))

    def stores(self):
        """A table in which nothing is told is left out."""
        count = self.totals.count
        told = {level: count["store_levels[%d]" % level] for level in (r.L1, r.L2, r.MISS_BUFFER)}
        if not sum(told.values()):
            return
        for level, number in told.items():
            self.share("store_sources", LEVELS[level], number, count["stores"])
        self.share("store_sources", "not reported", count["stores"] - sum(told.values()),
                   count["stores"])
        self.found["store_sources", "all stores", "samples"] = count["stores"]

    def kinds(self):
        count = self.totals.count
        for number, row in KINDS.items():
            ops = sum(self.union("tag_to_retire[%d]" % number).values())
            self.share("ops", row, ops, count["ops"])
            for table in ("tag_to_retire", "tag_to_completion", "completion_to_retire"):
                self.latencies("pipeline_" + table, row, self.union("%s[%d]" % (table, number)))
        self.found["ops", "all ops", "samples"] = count["ops"]
        for table in ("tag_to_retire", "tag_to_completion", "completion_to_retire"):
            every = self.union(*("%s[%d]" % (table, number) for number in KINDS))
            self.latencies("pipeline_" + table, "all ops", every)
            if table == "tag_to_retire":
                self.summarized(table, "all ops", every)
        for row, name in (("loads", "loads"), ("stores", "stores"),
                          ("retired branches", "branches")):
            self.share("summary", row, count[name], count["ops"], samples=None)

    def translations(self, section, name, whole, summaries):
        """Of data that was walked for the page's size is not told."""
        walks = ["%s[%d]" % (name, 6 + page) for page in range(3)] + [name + "[walk]"]
        rows = {"%s/%s" % (level, PAGES[page]): ["%s[%d]" % (name, 3 * number + page)]
                for number, level in enumerate(("L1", "L2", "walk")) for page in range(3)}
        if section == "dtlb":
            rows = {row: names for row, names in rows.items() if not row.startswith("walk")}
            rows["walk"] = walks
        for row, names in rows.items():
            distribution = self.union(*names)
            self.share(section, row, sum(distribution.values()), whole)
            self.latencies(section, row,
                           collections.Counter() if row.startswith("L1/") else distribution)
        refills = self.union(*walks, *("%s[%d]" % (name, 3 + page) for page in range(3)))
        every = "all accesses" if section == "dtlb" else "all fetches"
        self.latencies(section, every, refills)
        self.found[section, every, "samples"] = whole
        for row, of in zip(summaries, (refills, self.union(*walks))):
            self.share("summary", row, sum(of.values()), whole, samples=None)
            self.summarized("tlb_refill_latency" if section == "dtlb" else "itlb_refill_latency",
                            row, of)

    def buffers(self):
        count, open_ = self.totals.count, self.union("miss_buffers[0]")
        for number in range(1, 64):
            self.share("miss_buffers", str(number), open_[number], sum(open_.values()))
        self.found["miss_buffers", "all counted", "samples"] = sum(open_.values())
        own, misses = count["misses_own_buffer"], count["misses"]
        self.share("miss_buffer_allocation", "its own", own, misses)
        self.share("miss_buffer_allocation", "another miss's", misses - own, misses)
        self.found["miss_buffer_allocation", "all misses", "samples"] = misses
        self.share("summary", "misses with their own buffer", own, misses, samples=None)

    def branches(self):
        count = self.totals.count
        for row, number, missed in (
                ("taken", count["taken"], count["taken_mispredicted"]),
                ("not taken", count["branches"] - count["taken"],
                 count["mispredicted"] - count["taken_mispredicted"]),
                ("returns", count["returns"], count["returns_mispredicted"])):
            self.share("branches", row, number, count["branches"])
            self.share("branches", row, missed, number, "mispredicted", "mispredicted_samples")
        self.found["branches", "all branches", "samples"] = count["branches"]
        self.share("branches", "all branches", count["mispredicted"], count["branches"],
                   "mispredicted", "mispredicted_samples")
        self.share("summary", "branches mispredicted", count["mispredicted"], count["branches"],
                   samples=None)

    def fetches(self):
        count, whole = self.totals.count, self.totals.count["fetches"]
        latency = self.union("fetch[0]")
        for row, number in (("completed", whole), ("given up", 0), ("killed", 0)):
            self.share("fetch", row, number, whole)
            self.latencies("fetch", row, latency if number else collections.Counter())
        self.found["fetch", "all fetches", "samples"] = whole
        self.latencies("fetch", "all fetches", latency)
        self.summarized("fetch_latency", "all fetches", latency)
        self.share("summary", "fetches completed", whole, whole, samples=None)
        for row, name, summary in (
                ("opcache_miss", "op_cache_misses", "fetches that miss the op cache"),
                ("icache_miss", "ic_misses", "fetches that miss the L1I"),
                ("fetch_l2_miss", "ic_l2_misses", None), ("fetch_l3_miss", "ic_l3_misses", None)):
            self.share("fetch_misses", row, count[name], whole)
            if summary:
                self.share("summary", summary, count[name], whole, samples=None)


def figures(totals):
    """All of them"""
    all_ = Figures(totals)
    all_.kinds()
    all_.loads()
    all_.stores()
    all_.translations("dtlb", "dtlb", totals.count["dtlb_accesses"],
                      ("accesses that miss the L1 DTLB", "accesses that walk page tables"))
    all_.buffers()
    all_.branches()
    all_.fetches()
    all_.translations("itlb", "itlb", totals.count["fetches"],
                      ("fetches that miss the L1 ITLB", "fetches that walk page tables"))
    return all_.found


def percentile(distribution, name):
    """Nearest rank, as precis-report(1) has it: the smallest value that so many do not exceed"""
    numerator, denominator = PERCENTILES[name]
    rank = -(-sum(distribution.values()) * numerator // denominator)
    below = 0
    for value in sorted(distribution):
        below += distribution[value]
        if below >= rank:
            return value
    return None


def share_end(k, n, is_high):
    """Of the score interval with continuity correction"""
    if k == (n if is_high else 0):
        return k / n
    share = (k + (0.5 if is_high else -0.5)) / n
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    middle = share + Z * Z / (2 * n)
    return (middle + half if is_high else middle - half) / (1 + Z * Z / n)


def end(distribution, name):
    """The first value up to which the share may be that of the percentile, or has to be at least"""
    numerator, denominator = PERCENTILES[name.split("_")[0]]
    n, below = sum(distribution.values()), 0
    if name.endswith("_low") and n and share_end(0, n, True) >= numerator / denominator:
        return None # it may be below all samples
    for number in sorted(distribution):
        below += distribution[number]
        if share_end(below, n, name.endswith("_low")) >= numerator / denominator:
            return number
    return None


def value(figure):
    """As the report prints it: a number; None: of nothing"""
    if isinstance(figure, Share):
        return figure.part / figure.whole if figure.whole else None
    if not isinstance(figure, tuple):
        return figure
    name, distribution = figure
    if name == "n":
        return sum(distribution.values())
    if not distribution:
        return None
    if name in ENDS:
        return end(distribution, name)
    if name in MEAN_ENDS:
        return oracle.ends_of_mean(sorted(distribution.elements()))["latency_" + name]
    if name == "max":
        return max(distribution)
    if name == "mean":
        return (sum(number * times for number, times in distribution.items()) /
                sum(distribution.values()))
    return percentile(distribution, name)
