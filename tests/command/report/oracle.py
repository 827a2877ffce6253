# SPDX-License-Identifier: BSD-3-Clause
"""A second implementation of `precis report`, from the lines of `precis dump --format json`."""
import collections
import functools
import json
import math
import operator

NORMAL = 1.959963984540054 # the 97.5% quantile of the normal distribution
Z = NORMAL
LOADS = ("load", "load_store")
MEMORY = LOADS + ("store", "prefetch")
KINDS = ("load", "store", "load_store", "prefetch", "branch", "other")
PIPELINE = ("tag_to_retire", "tag_to_completion", "completion_to_retire")
PAGES = {4096: "/4K", 16384: "/16K", 1 << 21: "/2M", 1 << 30: "/1G"}


def samples(text):
    return [json.loads(line) for line in text.splitlines()]


def is_fetch(sample):
    return sample["reasons"].get("op") == "NOT_APPLICABLE: a field of ibs_op"


def is_pebs(sample):
    return sample["reasons"].get("page_size") == "NOT_SUPPORTED: PEBS does not measure it"


def has_words(sample):
    """An IBS sample without registers, of which perf's words tell something."""
    return (sample["reasons"].get("tag_to_completion", "").startswith("NOT_CAPTURED: no raw") and
            "perf_data_src" in sample)


def is_op(sample):
    return not is_pebs(sample) and ("op" in sample or has_words(sample))


def kind_of(sample):
    return sample.get("op", "not reported")


class Number(int):
    """A number of a sample, and what the sample weighs."""
    def __new__(cls, value, weight):
        number = super().__new__(cls, value)
        number.weight = weight
        return number


def weight_of(item):
    """The period of a sample or of whose number it is; 0: not known."""
    weight = getattr(item, "weight", 0) if isinstance(item, int) else item.get("period", 0)
    return weight if weight <= 1 << 40 else 0


def weights_of(whole):
    """None where samples are counted: they all weigh the same, or what some weigh is not known."""
    weights = [weight_of(item) for item in whole]
    return None if len(set(weights)) < 2 or 0 in weights else weights


def interval(k, n):
    """
    Roots of (|k/n - p| - 1/2n)^2 = z^2 p (1 - p) / n, solved for p as they stand: the lower one
    with the share moved down by half a sample, the upper one with it moved up.
    """
    def roots(share):
        a = 1 + Z * Z / n
        b = -(2 * share + Z * Z / n)
        root = math.sqrt(max(0.0, b * b - 4 * a * share * share))
        return (-b - root) / (2 * a), (-b + root) / (2 * a)
    return (roots((k - 0.5) / n)[0] if k else 0.0, roots((k + 0.5) / n)[1] if k < n else 1.0)


def widen(z):
    """
    From here on intervals are made with that number of standard errors: NORMAL, or more. None: samples
    are in step with a loop, and there are none.
    """
    global Z
    Z = z


IN_STEP = {"no_interval": "in step"}


def upper_end(part, rest, squares, squares_of_rest, most):
    """
    Of sums of weights and of their squares: with half of the heaviest sample moved from the rest into
    the part, the larger root of (share - p)^2 = z^2 V p (1 - p) / (share (1 - share)) for p.
    """
    moved = min(most / 2, rest)
    square = min(most * moved, squares_of_rest)
    all_of, value = part + rest, (part + moved) / (part + rest)
    if value >= 1:
        return 1.0
    variance = ((1 - value) ** 2 * (squares + square) +
                value ** 2 * (squares_of_rest - square)) / all_of ** 2
    n = min(all_of ** 2 / (squares + squares_of_rest), value * (1 - value) / variance)
    a, b = 1 + Z * Z / n, -(2 * value + Z * Z / n)
    return (-b + math.sqrt(b * b - 4 * a * value * value)) / (2 * a)


class Whole:
    """Samples, or numbers of samples, with what shares of them are made from"""
    def __init__(self, items):
        weights = weights_of(items)
        self.n, self.is_weighted = len(items), bool(weights)
        if weights:
            self.sum, self.most = sum(weights), max(weights)
            self.squares = sum(weight ** 2 for weight in weights)

    def share(self, count, weight, inside):
        """Of a part: how many, what they weigh, and the sum of squares of that"""
        if self.is_weighted:
            return self.weighted_share(count, weight, inside)
        if Z is None:
            return {"value": count / self.n, "low": None, "high": None, "n": self.n} | IN_STEP
        low, high = interval(count, self.n)
        effective = {} if Z == NORMAL else {"effective_n": self.n * (NORMAL / Z) ** 2}
        return {"value": count / self.n, "low": low, "high": high, "n": self.n} | effective

    def share_of(self, part):
        weights = [weight_of(item) for item in part]
        return self.share(len(part), sum(weights), sum(weight ** 2 for weight in weights))

    def weighted_share(self, count, weight, inside):
        rest, outside = self.sum - weight, self.squares - inside
        if Z is None:
            return {"value": weight / self.sum, "low": None, "high": None, "n": self.n,
                    "effective_n": self.sum ** 2 / self.squares} | IN_STEP
        effective = self.sum ** 2 / self.squares * (NORMAL / Z) ** 2
        low, high = None, None
        if effective >= 30:
            low = 1 - upper_end(rest, weight, outside, inside, self.most) if count else 0.0
            high = upper_end(weight, rest, inside, outside, self.most) if count < self.n else 1.0
        return {"value": weight / self.sum, "low": low, "high": high, "n": self.n,
                "effective_n": effective}


def share(part, whole):
    """Of samples, or of numbers of samples"""
    if not whole:
        return None
    return Whole(whole).share_of(part)


def by_values(numbers):
    """
    By value, in their order: the numbers, and the sum of squares of what they weigh, which is known of
    all values together alone.
    """
    groups, weights = grouped(numbers, int), weights_of(numbers)
    alike = {value: sum(map(weight_of, group)) ** 2 / len(group) for value, group in groups.items()}
    factor = sum(weight ** 2 for weight in weights) / sum(alike.values()) if weights else 0
    return [(value, groups[value], alike[value] * factor) for value in sorted(groups)]


def shares_of_values(numbers):
    whole = Whole(numbers)
    return {value: whole.share(len(group), sum(map(weight_of, group)), squares)
            for value, group, squares in by_values(numbers)}


def share_of_true(numbers):
    return share([number for number in numbers if number], numbers)


def rank(ordered, percent):
    """
    Nearest rank, by counting: the first value that has enough values up to it. None beyond 16 bits,
    where the report tells none.
    """
    weights = weights_of(ordered) or [1] * len(ordered)
    all_of, reached = sum(weights), 0
    for value, weight in zip(ordered, weights):
        reached += weight
        if reached * 100 >= percent * all_of:
            return value if value < 1 << 16 else None
    return None


def mean(numbers):
    weights = weights_of(numbers) or [1] * len(numbers)
    return sum(map(operator.mul, numbers, weights)) / sum(weights)


ENDS = tuple("latency_%s_%s" % (name, end) for name in ("median", "p95", "p99")
             for end in ("low", "high"))


def shares_up_to(ordered):
    """Of each value the share of samples that have no larger one, with its interval."""
    whole, count, weight, inside = Whole(ordered), 0, 0, 0
    for value, group, squares in by_values(ordered):
        count += len(group)
        weight += sum(map(weight_of, group))
        inside += squares
        yield value, whole.share(count, weight, inside)


def ends(ordered):
    """
    By Woodruff: the least value up to which the share may be the percentage, and the least up to
    which it may not be less. Where the share of none may be the percentage there is no lower one.
    """
    found = dict.fromkeys(ENDS)
    if Z is None:
        return found
    none = Whole(ordered).share(0, 0, 0)["high"]
    for value, figure in shares_up_to(ordered):
        for name, at in (("median", 0.5), ("p95", 0.95), ("p99", 0.99)):
            for end, other in (("low", "high"), ("high", "low")):
                key = "latency_%s_%s" % (name, end)
                if found[key] is None and figure[other] is not None and figure[other] >= at and \
                        value < 1 << 16 and (end == "high" or none < at):
                    found[key] = value
    return found


def bisected(function, low, high):
    """Where a function that rises is 0"""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return high


@functools.lru_cache(maxsize=None)
def student(degrees):
    """The 97.5% quantile, by Simpson's rule over the density"""
    def density(x):
        return math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) -
                        (degrees + 1) / 2 * math.log1p(x * x / degrees)) / \
            math.sqrt(degrees * math.pi)

    def up_to(t, steps=200):
        inner = sum((4 if n % 2 else 2) * density(t * n / steps) for n in range(1, steps))
        return (density(0) + inner + density(t)) * t / steps / 3
    return bisected(lambda t: up_to(t) - 0.475, 0, 4)


def transformed(t, skew):
    """Hall's cubic, of which the truth is asked where it is Student's quantile"""
    return t + skew * t ** 2 / 3 + skew ** 2 * t ** 3 / 27 + skew / 6


MEAN_ENDS = ("latency_mean_low", "latency_mean_high")


def ends_of_mean(ordered):
    """The interval that statistics/mean.h states, from distances of each value to the mean"""
    names, weights, middle = MEAN_ENDS, weights_of(ordered), mean(ordered)
    if Z is None or ordered[-1] >= 1 << 16 or ordered[0] == ordered[-1]:
        return dict.fromkeys(names)
    rows = [(value - middle, value, sum(map(weight_of, group)) if weights else len(group),
             squares if weights else len(group)) for value, group, squares in by_values(ordered)]
    whole = sum(row[2] for row in rows)
    dependence = (Z / NORMAL) ** 2
    if sum(row[1] * row[2] for row in rows) ** 2 < \
            60 * dependence * sum(row[1] ** 2 * row[3] for row in rows):
        return dict.fromkeys(names)
    variance, thirds = (sum(row[0] ** power * row[2] for row in rows) / whole for power in (2, 3))
    effective = sum(weights) ** 2 / sum(weight ** 2 for weight in weights) if weights \
        else len(ordered)
    n = min(effective, variance * whole ** 2 / sum(row[0] ** 2 * row[3] for row in rows)) / dependence
    if n < 30:
        return dict.fromkeys(names)
    error, skew = math.sqrt(variance / (n - 1)), thirds / variance ** 1.5 / math.sqrt(n)
    t = [bisected(lambda x, at=at: transformed(x, skew) - at, -1000, 1000)
         for at in (student(n - 1), -student(n - 1))]
    half = (max(weights) if weights else 1) / 2 / whole
    return {names[0]: middle - error * t[0] - half * (middle - ordered[0]),
            names[1]: middle - error * t[1] + half * (ordered[-1] - middle)}


def latency(values):
    ordered = sorted(values)
    if not ordered:
        return dict.fromkeys(("latency_mean", "latency_median", "latency_p95", "latency_p99",
                              "latency_max") + ENDS + MEAN_ENDS) | {"latency_n": 0}
    return {"latency_n": len(ordered), "latency_mean": mean(ordered),
            "latency_median": rank(ordered, 50), "latency_p95": rank(ordered, 95),
            "latency_p99": rank(ordered, 99), "latency_max": ordered[-1], **ends(ordered),
            **ends_of_mean(ordered)}


def is_told(numbers):
    """Is any percentile of these known?"""
    return bool(numbers) and rank(sorted(numbers), 50) is not None


def values(population, field):
    return [Number(s[field], weight_of(s)) for s in population if field in s]


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


def has_figure(row, tells_shares):
    """Where shares are told, no samples of none that could be are no figure."""
    return any(value is not None and (value or isinstance(value, dict) or not tells_shares)
               for column, value in row.items() if column not in ("latency_n", "of"))


def remaining(table):
    """The rows that are printed: those with a figure, if any tells what the table is about."""
    shares = bool(table.coverage) or any(isinstance(value, dict) for row in table.rows.values()
                                         for value in row.values())
    rows = {name: dict(row) for name, row in table.rows.items()
            if name.startswith("all ") or has_figure(row, shares)}
    for row in rows.values():
        if "of" in row and row["share"] is None:
            row["of"] = None
    told = [name for name, row in rows.items() if not name.startswith("all ") and
            (name.split("/")[-1] != "not reported" or row.get("latency_mean") is not None)]
    return rows if told or not table.coverage else {}


def grouped(population, name_of):
    groups = collections.defaultdict(list)
    for sample in population:
        groups[name_of(sample)].append(sample)
    return groups


def table_of_ops(ops):
    table = Table()
    for kind, group in grouped(ops, kind_of).items():
        table.rows[kind] = {"samples": len(group), "share": share(group, ops)}
    table.rows["all ops"] = {"samples": len(ops), "share": None}
    if any("op" not in s for s in ops):
        table.covers(ops, "op")
    return table


def source_of(sample):
    level = sample.get("mem_level", "not reported")
    return level + "/" + sample["mem_remote"] if "mem_remote" in sample else level


def table_of_sources(population, every, with_latency):
    table = Table()
    for name, group in grouped(population, source_of).items():
        table.rows[name] = {"samples": len(group), "share": share(group, population)}
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
        table.rows[row] = {"samples": len(group), "share": share(group, population),
                           **latency(values(group, refill))}
    table.rows[every] = {"samples": len(population), "share": None,
                         **latency(values(population, refill))}
    table.covers(population, level, page, refill)
    return table


def table_of_buffers(memory):
    table = Table()
    counted = values(memory, "miss_buffers_open")
    for count, found in shares_of_values(counted).items():
        table.rows[str(count)] = {"samples": counted.count(count), "share": found}
    table.rows["all counted"] = {"samples": len(counted), "share": None}
    table.covers(memory, "miss_buffers_open")
    return table


def table_of_allocation(memory):
    table = Table()
    known = values(memory, "miss_buffer_allocated")
    own = sum(known)
    table.rows = {
        "its own": {"samples": own, "share": share_of_true(known)},
        "another miss's": {"samples": len(known) - own,
                           "share": share([n for n in known if not n], known)},
        "all misses": {"samples": len(known), "share": None}}
    table.covers(memory, "miss_buffer_allocated")
    return table


def table_of_pipeline(ops, field):
    table = Table()
    groups = grouped(ops, kind_of)
    groups["all ops"] = ops
    for kind, group in groups.items():
        table.rows[kind] = latency(values(group, field))
    table.covers(ops, field)
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
            "share": None if name == "all branches" else share(group, branches),
            "mispredicted_samples": sum(missed) if missed else None,
            "mispredicted": share_of_true(missed)}
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
        table.rows[name] = {"samples": len(group), "share": share(group, fetches),
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
                             "share": share_of_true(known), "of": len(known)}
        table.covers(fetches, field)
    return table


def mode_of(sample):
    mode = sample.get("cpumode")
    return (mode, sample.get("pid") if mode == "user" else None)


def top_places(population, field):
    """Without symbols: samples and latencies by process and address."""
    table = collections.defaultdict(lambda: ([], []))
    for sample in population:
        if "ip" not in sample or has_words(sample) and not sample["ip_exact"]:
            continue
        group, numbers = table[mode_of(sample) + (int(sample["ip"], 16),)]
        group.append(sample)
        numbers += values([sample], field)
    return dict(table)


def sum_of(numbers, whole):
    """Each times what it weighs, where samples are not counted one by one."""
    if whole.is_weighted:
        return sum(number * weight_of(number) for number in numbers)
    return sum(numbers)


def in_order(places, whole):
    """What their samples weigh, and by how many these are, the heaviest first"""
    return sorted(((sum(map(weight_of, group)) if whole.is_weighted else len(group), len(group))
                   for group, _ in places.values()), reverse=True)


def tables(population):
    """All tables but those of the top instructions, by their names in JSON."""
    ops = list(filter(is_op, population))
    fetches = [s for s in population if is_fetch(s)]
    loads = [s for s in ops if kind_of(s) in LOADS]
    stores = [s for s in ops if kind_of(s) == "store"]
    prefetches = [s for s in ops if kind_of(s) == "prefetch"]
    memory = [s for s in ops if kind_of(s) in MEMORY]
    found = {}
    if ops:
        found["ops"] = table_of_ops(ops)
        for field in PIPELINE:
            found["pipeline_" + field] = table_of_pipeline(ops, field)
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
    return share_of_true(known)


def summary(population):
    """Of the key figures: the shares."""
    ops = list(filter(is_op, population))
    fetches = [s for s in population if is_fetch(s)]
    loads = [s for s in ops if kind_of(s) in LOADS]
    memory = [s for s in ops if kind_of(s) in MEMORY and "tlb_level" in s]
    itlb = [s for s in fetches if "itlb_level" in s]
    found = {}
    if ops:
        found["loads"] = share(loads, ops)
        tagged = [s for s in ops if not has_words(s)]
        found["retired branches"] = share(values(tagged, "branch_taken"), tagged)
        found["branches mispredicted"] = flag(ops, "branch_mispredicted")
    if loads:
        found["loads that miss the L1"] = flag(loads, "dcache_miss")
        for level, group in grouped(loads, lambda s: s.get("mem_level")).items():
            if level in LEVEL_ROWS:
                found[LEVEL_ROWS[level]] = share(group, loads)
    if memory:
        walks = [s for s in memory if s["tlb_level"] == "walk"]
        missed = [s for s in memory if s["tlb_level"] in ("L2", "walk")]
        told = all(s["tlb_level"] != "L1_or_L2" for s in memory)
        found["accesses that miss the L1 DTLB"] = (share(missed, memory) if told
                                                   else None)
        found["accesses that walk page tables"] = share(walks, memory)
    if values(ops, "miss_buffer_allocated"):
        found["misses with their own buffer"] = flag(ops, "miss_buffer_allocated")
    if fetches:
        done = [s for s in fetches if s.get("fetch_completed")]
        found["fetches completed"] = share(done, fetches)
        found["fetches that miss the L1I"] = flag(fetches, "icache_miss")
    if itlb:
        missed = [s for s in itlb if s["itlb_level"] != "L1"]
        found["fetches that miss the L1 ITLB"] = share(missed, itlb)
    return found


LEVEL_ROWS = {"L2": "loads from the L2", "LFB": "loads from an outstanding miss",
              "L3": "loads from the L3", "local_cache": "loads from a cache of the node",
              "near_cache": "loads from another core complex",
              "far_cache": "loads from a far node's cache", "DRAM": "loads from DRAM",
              "PMEM": "loads from persistent memory", "CXL": "loads from extension memory",
              "IO": "loads from MMIO"}


def summary_latencies(population):
    """And of each latency the numbers whose percentiles stand in its table, by row."""
    ops = list(filter(is_op, population))
    fetches = [s for s in population if is_fetch(s)]
    loads = [s for s in ops if kind_of(s) in LOADS]
    found = {"tag_to_retire": {"all ops": values(ops, "tag_to_retire")}}
    found["dcache_miss_latency"] = {"loads that miss the L1": values(loads, "dcache_miss_latency")}
    for level, group in grouped(loads, lambda s: s.get("mem_level")).items():
        if level in LEVEL_ROWS:
            found["dcache_miss_latency"][LEVEL_ROWS[level]] = values(group, "dcache_miss_latency")
    found["fetch_latency"] = {"all fetches": values(fetches, "fetch_latency")}
    for who, what, group, level, field in (
            ("accesses", "DTLB", ops, "tlb_level", "tlb_refill_latency"),
            ("fetches", "ITLB", fetches, "itlb_level", "itlb_refill_latency")):
        walks = [s for s in group if s.get(level) == "walk"]
        found[field] = {who + " that miss the L1 " + what: values(group, field),
                        who + " that walk page tables": values(walks, field)}
    return found


PEBS_LATENCIES = ("load_latency", "cache_latency", "instruction_latency")
CONDITIONS = ("dcache_miss", "l2_miss", "locked", "data_blocked", "address_blocked", "line_forwarded",
              "fill_buffer_full")
ACCESSES = {"load": LOADS, "store": ("store",), "prefetch": ("prefetch",),
            "unknown": ("not reported", "other", "branch")}
EVERY = {"load": "all loads", "store": "all stores", "prefetch": "all prefetches",
         "unknown": "all unknown"}


def accesses_of(samples_of_event):
    """By kind, those of which anything is known; all others are no accesses."""
    found = {}
    for access, kinds in ACCESSES.items():
        group = [s for s in samples_of_event if kind_of(s) in kinds]
        told = any("mem_level" in s or any(f in s for f in PEBS_LATENCIES) for s in group)
        if group and (told or access != "unknown"):
            found[access] = group
    return found


def share_of_condition(group, field):
    """None where all that know say yes and some do not know."""
    known = values(group, field)
    if all(known) and len(known) < len(group):
        return None
    return share_of_true(known)


def table_of_groups(accesses, name_of, fields):
    table = Table()
    for access, group in accesses.items():
        for name, part in grouped(group, name_of).items():
            table.rows[access + "/" + name] = {"samples": len(part),
                                               "share": share(part, group)}
        table.rows[EVERY[access]] = {"samples": len(group), "share": None}
    table.covers(sum(accesses.values(), []), *fields)
    return table


def table_of_conditions(accesses):
    table = Table()
    for access, group in accesses.items():
        for field in CONDITIONS:
            known = values(group, field)
            table.rows[access + "/" + field] = {
                "samples": sum(known) if known else None,
                "share": share_of_condition(group, field), "of": len(known)}
    table.covers(sum(accesses.values(), []), *CONDITIONS)
    return table


def table_of_latency(accesses, field):
    table = Table()
    for access, group in accesses.items():
        found = {name: values(part, field) for name, part in grouped(group, source_of).items()}
        for name, numbers in found.items():
            if numbers:
                table.rows[access + "/" + name] = latency(numbers)
        if any(found.values()):
            table.rows[EVERY[access]] = latency(sum(found.values(), []))
    table.covers(sum(accesses.values(), []), field)
    return table


def tables_of_pebs_event(group):
    """The tables of one event."""
    found = {"pebs_ops": Table()}
    for kind, part in grouped(group, kind_of).items():
        found["pebs_ops"].rows[kind] = {"samples": len(part), "share": share(part, group)}
    found["pebs_ops"].rows["all samples"] = {"samples": len(group), "share": None}
    found["pebs_ops"].covers(group, "op", "ip")
    accesses = accesses_of(group)
    there = [f for f in PEBS_LATENCIES if any(f in s for s in group)]
    if accesses:
        absent = [f for f in PEBS_LATENCIES if f not in there]
        found["pebs_sources"] = table_of_groups(accesses, source_of,
                                                ["mem_level", "mem_remote"] + absent)
        found["pebs_snoops"] = table_of_groups(
            accesses, lambda s: s.get("mem_snoop", "not reported"), ["mem_snoop"])
        found["pebs_dtlb"] = table_of_groups(
            accesses, lambda s: s.get("tlb_level", "not reported"), ["tlb_level"])
        found["pebs_conditions"] = table_of_conditions(accesses)
    for field in there:
        found["pebs_" + field] = table_of_latency(accesses, field)
    if any("retire_latency" in s for s in group):
        table = found["pebs_retire_latency"] = Table()
        for kind, part in grouped(group, kind_of).items():
            if values(part, "retire_latency"):
                table.rows[kind] = latency(values(part, "retire_latency"))
        table.rows["all samples"] = latency(values(group, "retire_latency"))
        table.covers(group, "retire_latency")
    return found


def summary_of_pebs_event(group):
    found = {}
    told = [s for s in group if "op" in s]
    if len(told) < len(group):
        found["samples with an access"] = share(told, group)
    for access, names in (("load", "loads"), ("store", "stores"), ("prefetch", "prefetches")):
        part = [s for s in group if kind_of(s) in ACCESSES[access]]
        if not part:
            continue
        found[names] = share(part, told)
        if access == "load":
            for level, of_level in grouped(part, lambda s: s.get("mem_level")).items():
                if level:
                    found["loads from " + level] = share(of_level, part)
        for field, name in (("dcache_miss", "that miss the L1"), ("locked", "that are locked"),
                            ("data_blocked", "blocked by data"),
                            ("address_blocked", "blocked by address")):
            if values(part, field):
                found[names + " " + name] = share_of_condition(part, field)
        known = [s for s in part if "tlb_level" in s]
        if known:
            found[names + " that miss the STLB"] = share(
                [s for s in known if s["tlb_level"] == "walk"], known)
    return found


def latencies_of_pebs_event(group):
    """The numbers of each latency, by row."""
    found = {field: {EVERY[access]: values(part, field)
                     for access, part in accesses_of(group).items()} for field in PEBS_LATENCIES}
    found["retire_latency"] = {"all samples": values(group, "retire_latency")}
    return found


def pebs_by_table(population, numbers):
    """Samples with an address, by the name of their table: one for each event."""
    samples_of_pebs = [s for s in population if is_pebs(s)]
    known = {numbers[s.get("event")] for s in samples_of_pebs if s.get("event") in numbers}
    found = collections.defaultdict(list)
    for sample in samples_of_pebs:
        number = numbers.get(sample.get("event"))
        name = "top_pebs_rest" if number is None and known else "top_pebs"
        if len(known) > 1 and number is not None:
            name += "_%d" % number
        found[name].append(sample)
    return {name: group for name, group in found.items() if top_places(group, "load_latency")}


def pebs(population, numbers):
    """
    Tables, key figures and their latencies of all events. 'numbers': those of the events, by name;
    None is that of samples that tell none, where these are of one event.
    """
    known = [s for s in population if is_pebs(s) and s.get("event") in numbers]
    events = grouped(known, lambda s: numbers[s.get("event")])
    tables_found, summary_found, latencies = {}, {}, collections.defaultdict(dict)
    for number, group in sorted(events.items()):
        suffix = "_%d" % number if len(events) > 1 else ""
        prefix = "event %d: " % number if len(events) > 1 else ""
        for name, table in tables_of_pebs_event(group).items():
            tables_found[name + suffix] = table
        for name, figure in summary_of_pebs_event(group).items():
            summary_found[prefix + name] = figure
        for field, rows in latencies_of_pebs_event(group).items():
            latencies[field].update({prefix + name: numbers for name, numbers in rows.items()})
    return tables_found, summary_found, latencies
