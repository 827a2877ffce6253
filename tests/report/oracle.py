# SPDX-License-Identifier: BSD-3-Clause
"""A second implementation of `precis report`, from the lines of `precis dump --format json`."""
import collections
import json
import math

Z = 1.959963984540054
LOADS = ("load", "load_store")
MEMORY = LOADS + ("store", "prefetch")
KINDS = ("load", "store", "load_store", "prefetch", "branch", "other")
PIPELINE = ("tag_to_retire", "tag_to_completion", "completion_to_retire")
PAGES = {4096: "/4K", 16384: "/16K", 1 << 21: "/2M", 1 << 30: "/1G"}


def samples(text):
    return [json.loads(line) for line in text.splitlines()]


def is_fetch(sample):
    return sample["reasons"].get("op") == "NOT_APPLICABLE: a field of ibs_op"


def wilson(k, n):
    """Roots of (k/n - p)^2 = z^2 p (1 - p) / n, solved for p as they stand."""
    a = 1 + Z * Z / n
    b = -(2 * k / n + Z * Z / n)
    c = (k / n) ** 2
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def share(k, n):
    if not n:
        return None
    low, high = wilson(k, n)
    return {"value": k / n, "low": low, "high": high, "n": n}


def rank(ordered, percent):
    """Nearest rank, by counting: the first value that has enough values up to it."""
    for i, value in enumerate(ordered, 1):
        if i * 100 >= percent * len(ordered):
            return value
    return None


def latency(values):
    ordered = sorted(values)
    if not ordered:
        return dict.fromkeys(("latency_mean", "latency_median", "latency_p95", "latency_p99",
                              "latency_max"), None, ) | {"latency_n": 0}
    return {"latency_n": len(ordered), "latency_mean": sum(ordered) / len(ordered),
            "latency_median": rank(ordered, 50), "latency_p95": rank(ordered, 95),
            "latency_p99": rank(ordered, 99), "latency_max": ordered[-1]}


def values(population, field):
    return [s[field] for s in population if field in s]


def coverage(population, field):
    absent = collections.Counter(s["reasons"][field] for s in population if field not in s)
    return {"field": field, "present": len(population) - sum(absent.values()),
            "of": len(population), "absent": dict(absent)}


class Table:
    def __init__(self):
        self.rows, self.coverage = {}, {}

    def covers(self, population, *fields):
        for field in fields:
            if population:
                self.coverage[field] = coverage(population, field)


def grouped(population, name_of):
    groups = collections.defaultdict(list)
    for sample in population:
        groups[name_of(sample)].append(sample)
    return groups


def table_of_ops(ops):
    table = Table()
    for kind, group in grouped(ops, lambda s: s["op"]).items():
        table.rows[kind] = {"samples": len(group), "share": share(len(group), len(ops))}
    table.rows["all ops"] = {"samples": len(ops), "share": None}
    return table


def source_of(sample):
    level = sample.get("mem_level", "not reported")
    return level + "/" + sample["mem_remote"] if "mem_remote" in sample else level


def table_of_sources(population, every, with_latency):
    table = Table()
    for name, group in grouped(population, source_of).items():
        table.rows[name] = {"samples": len(group), "share": share(len(group), len(population))}
        if with_latency:
            table.rows[name].update(latency(values(group, "dcache_miss_latency")))
    table.rows[every] = {"samples": len(population), "share": None}
    table.covers(population, "mem_level")
    if with_latency:
        table.rows[every].update(latency(values(population, "dcache_miss_latency")))
        table.covers(population, "mem_remote", "dcache_miss_latency")
    return table


def table_of_tlb(population, every, level, page, refill):
    table = Table()

    def name(sample):
        return sample.get(level, "not reported") + PAGES.get(sample.get(page), "")

    for row, group in grouped(population, name).items():
        table.rows[row] = {"samples": len(group), "share": share(len(group), len(population)),
                           **latency(values(group, refill))}
    table.rows[every] = {"samples": len(population), "share": None,
                         **latency(values(population, refill))}
    table.covers(population, level, page, refill)
    return table


def table_of_buffers(memory):
    table = Table()
    counted = values(memory, "miss_buffers_open")
    for count, n in collections.Counter(counted).items():
        table.rows[str(count)] = {"samples": n, "share": share(n, len(counted))}
    table.rows["all counted"] = {"samples": len(counted), "share": None}
    table.covers(memory, "miss_buffers_open")
    return table


def table_of_allocation(memory):
    table = Table()
    known = values(memory, "miss_buffer_allocated")
    own = sum(known)
    table.rows = {
        "its own": {"samples": own, "share": share(own, len(known))},
        "another miss's": {"samples": len(known) - own,
                           "share": share(len(known) - own, len(known))},
        "all misses": {"samples": len(known), "share": None}}
    table.covers(memory, "miss_buffer_allocated")
    return table


def table_of_pipeline(ops):
    table = Table()
    groups = grouped(ops, lambda s: s["op"])
    groups["all ops"] = ops
    for kind, group in groups.items():
        for field in PIPELINE:
            table.rows[kind + "/" + field] = latency(values(group, field))
    table.covers(ops, *PIPELINE)
    return table


def table_of_branches(ops):
    table = Table()
    branches = [s for s in ops if "branch_taken" in s]
    groups = {
        "taken": [s for s in branches if s["branch_taken"]],
        "not taken": [s for s in branches if not s["branch_taken"]],
        "returns": [s for s in branches if s.get("branch_return")],
        "fused with a compare": [s for s in branches if s.get("fused_branch")],
        "all branches": branches}
    for name, group in groups.items():
        missed = values(group, "branch_mispredicted")
        if not group and name != "all branches":
            continue
        table.rows[name] = {
            "samples": len(group),
            "share": None if name == "all branches" else share(len(group), len(branches)),
            "mispredicted_samples": sum(missed) if missed else None,
            "mispredicted": share(sum(missed), len(missed))}
    table.covers(ops, "branch_taken", "fused_branch")
    return table


def outcome_of(sample):
    if sample.get("fetch_completed"):
        return "completed"
    if "fetch_completed" not in sample or "fetch_latency" not in sample:
        return "without status"
    return "given up" if "itlb_level" in sample else "killed"


def table_of_fetches(fetches):
    table = Table()
    groups = grouped(fetches, outcome_of)
    names = ["completed", "given up", "killed"] + ["without status"] * ("without status" in groups)
    for name in names:
        group = groups.get(name, [])
        table.rows[name] = {"samples": len(group), "share": share(len(group), len(fetches)),
                            **latency(values(group, "fetch_latency"))}
    table.rows["all fetches"] = {"samples": len(fetches), "share": None,
                                 **latency(values(fetches, "fetch_latency"))}
    table.covers(fetches, "fetch_completed", "fetch_latency")
    return table


def table_of_fetch_misses(fetches):
    table = Table()
    for field in ("opcache_miss", "icache_miss", "fetch_l2_miss", "fetch_l3_miss"):
        known = values(fetches, field)
        table.rows[field] = {"samples": sum(known) if known else None,
                             "share": share(sum(known), len(known)), "of": len(known)}
        table.covers(fetches, field)
    return table


def mode_of(sample):
    return (sample["cpumode"], sample.get("pid") if sample["cpumode"] == "user" else None)


def top_places(population, field):
    """Without symbols: samples and latencies by process and address."""
    table = collections.defaultdict(lambda: [0, 0, 0])
    for sample in population:
        if "ip" not in sample:
            continue
        place = table[mode_of(sample) + (int(sample["ip"], 16),)]
        place[0] += 1
        if field in sample:
            place[1] += sample[field]
            place[2] += 1
    return dict(table)


def tables(population):
    """All tables but those of the top instructions, by their names in JSON."""
    ops = [s for s in population if "op" in s]
    fetches = [s for s in population if is_fetch(s)]
    loads = [s for s in ops if s["op"] in LOADS]
    stores = [s for s in ops if s["op"] == "store"]
    prefetches = [s for s in ops if s["op"] == "prefetch"]
    memory = [s for s in ops if s["op"] in MEMORY]
    found = {}
    if ops:
        found["ops"] = table_of_ops(ops)
        found["pipeline"] = table_of_pipeline(ops)
        found["branches"] = table_of_branches(ops)
    if loads:
        found["load_sources"] = table_of_sources(loads, "all loads", True)
    if stores:
        found["store_sources"] = table_of_sources(stores, "all stores", False)
    if prefetches:
        found["prefetch_sources"] = table_of_sources(prefetches, "all prefetches", False)
    if memory:
        found["dtlb"] = table_of_tlb(memory, "all accesses", "tlb_level", "page_size",
                                     "tlb_refill_latency")
        found["miss_buffers"] = table_of_buffers(memory)
        found["miss_buffer_allocation"] = table_of_allocation(memory)
    if fetches:
        found["fetch"] = table_of_fetches(fetches)
        found["fetch_misses"] = table_of_fetch_misses(fetches)
        found["itlb"] = table_of_tlb(fetches, "all fetches", "itlb_level", "fetch_page_size",
                                     "itlb_refill_latency")
    return found


def flag(population, field):
    known = values(population, field)
    return share(sum(known), len(known))


def summary(population):
    """Of the key figures: the share, and the numbers whose percentiles stand beside it."""
    ops = [s for s in population if "op" in s]
    fetches = [s for s in population if is_fetch(s)]
    loads = [s for s in ops if s["op"] in LOADS]
    memory = [s for s in ops if "tlb_level" in s]
    itlb = [s for s in fetches if "itlb_level" in s]
    found = {}
    if ops:
        found["loads"] = (share(len(loads), len(ops)), None)
        found["retired branches"] = (share(len(values(ops, "branch_taken")), len(ops)), None)
        found["branches mispredicted"] = (flag(ops, "branch_mispredicted"), None)
        found["tag to retirement"] = (None, values(ops, "tag_to_retire"))
        found["tag to completion"] = (None, values(ops, "tag_to_completion"))
        found["completion to retirement"] = (None, values(ops, "completion_to_retire"))
    if loads:
        found["loads that miss the L1"] = (flag(loads, "dcache_miss"),
                                           values(loads, "dcache_miss_latency"))
        dram = [s for s in loads if s.get("mem_level") == "DRAM"]
        if dram:
            found["loads from DRAM"] = (share(len(dram), len(loads)),
                                        values(dram, "dcache_miss_latency"))
    if memory:
        walks = [s for s in memory if s["tlb_level"] == "walk"]
        found["accesses that walk page tables"] = (share(len(walks), len(memory)),
                                                   values(walks, "tlb_refill_latency"))
    if values(ops, "miss_buffer_allocated"):
        found["misses with their own buffer"] = (flag(ops, "miss_buffer_allocated"), None)
        found["miss buffers open (buffers)"] = (None, values(ops, "miss_buffers_open"))
    if fetches:
        done = sum(s.get("fetch_completed", False) for s in fetches)
        found["fetches completed"] = (share(done, len(fetches)), values(fetches, "fetch_latency"))
        found["fetches that miss the L1I"] = (flag(fetches, "icache_miss"), None)
    if itlb:
        missed = [s for s in itlb if s["itlb_level"] != "L1"]
        found["fetches that miss the L1 ITLB"] = (share(len(missed), len(itlb)),
                                                  values(fetches, "itlb_refill_latency"))
    return found
