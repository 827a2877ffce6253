# SPDX-License-Identifier: BSD-3-Clause
"""
One recording, as the library and as stock perf read it: every sample, every member.

What perf is known to do otherwise than say what stands in the file is done here, too, and thereby
held against perf each time:

- Of an event that reads counters (PERF_SAMPLE_READ), perf script prints a sample for each counter
  that moved since it was read last, under that counter's event's name, and as period how far it
  moved (deliver_sample_value() of tools/perf/util/session.c). perf report -D prints the sample
  once.
- Of a branch stack that holds calls (--call-graph lbr), perf report -D prints addresses alone:
  where the first branch went, then where each came from (branch_stack__printf()).
- Of samples of one time in several files of a directory, perf has those first whose file readdir()
  names first (perf_data__open_dir()): any order.
- perf before 6.2 does not read the third member of WEIGHT_STRUCT on x86 (retire latency): 0.
- CPU and time stand before each sample of perf report -D if one event has them (all ones where
  another has none); a page size of 0 is "N/A".
"""

import os
from collections import Counter
from itertools import groupby

import recordings as r

U64 = (1 << 64) - 1
# perf report -D prints these of samples that have none, too, or beside what is compared
ALWAYS_PRINTED = {"bytes", "ip", "pid", "tid", "period", "addr", "regs_user_mask",
                  "regs_intr_mask"}
GROUP, FORMAT_ID, ENABLED, RUNNING, LOST = 8, 4, 1, 2, 16
REPORTED = 4

# enum perf_branch_type in perf's words (tools/perf/util/branch.c); 15 is followed by another word
BRANCH_TYPES = ("", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET",
                "COND_CALL", "COND_RET", "ERET", "IRQ", "SERROR", "NO_TX")

# field of perf script: bits of sample_type, one of which it needs; member of our sample
SCRIPT = {
    "pid": (r.TID, "pid"), "tid": (r.TID, "tid"), "cpu": (r.CPU, "cpu"), "time": (r.TIME, "time"),
    "period": (r.PERIOD, "period"), "addr": (r.ADDR, "addr"), "data_src": (r.DATA_SRC, "data_src"),
    "weight": (r.WEIGHT | r.WEIGHT_STRUCT, "weight"), "ins_lat": (r.WEIGHT_STRUCT, "var2"),
    "retire_lat": (r.WEIGHT_STRUCT, "var3"), "ip": (r.IP, "ip"),
    "brstack": (r.BRANCH_STACK, "branches"), "phys_addr": (r.PHYS_ADDR, "phys_addr"),
}


def settle(samples):
    """Those of one time in an order that depends on nothing but their bytes"""
    return [sample for _, same in groupby(samples, key=lambda sample: sample[0])
            for sample in sorted(same)]


def signed(number):
    """A pid as perf prints it"""
    return number - (1 << 32) if number >> 31 else number


def branch_words(branch):
    """A branch as perf script has it"""
    start, end, flags = branch
    kind = flags >> 20 & 15
    return (start, end, "M" if flags & 1 else "P" if flags & 2 else "-", "X" if flags & 4 else "-",
            "A" if flags & 8 else "-", flags >> 4 & 0xffff,
            BRANCH_TYPES[kind] if kind < len(BRANCH_TYPES) else None)


def counters(words, read_format):
    """read_format's words -> ([("enabled", ns), ("running", ns)], [(id, value, lost)])"""
    words = list(words)
    group = bool(read_format & GROUP)
    if group:
        count, first = words.pop(0), None
    else:
        count, first = 1, words.pop(0)
    times = [(name, words.pop(0)) for bit, name in ((ENABLED, "enabled"), (RUNNING, "running"))
             if read_format & bit]
    values = []
    for _ in range(count):
        number = words.pop(0) if group else first
        identifier = words.pop(0) if read_format & FORMAT_ID else 0
        values.append((identifier, number, words.pop(0) if read_format & LOST else 0))
    return times, values


class Comparison:
    """
    Of one recording with one perf. 'wrong' is a list of words, 'values' a count.
    stock_perf.Refusal is raised if that perf does not read the recording.
    """

    def __init__(self, reading, ordered, perf, path, work):
        """@param ordered  the same in the order of times"""
        self.reading, self.ordered, self.perf, self.path = reading, ordered, perf, path
        self.values, self.wrong, self.fields, self.remarks = 0, [], Counter(), []
        self.names = self.event_names()
        self.dump()
        self.script()
        self.raw_sizes(work)

    def differ(self, what):
        if len(self.wrong) <= REPORTED:
            self.wrong.append(what)

    def count(self, name, number=1):
        self.values += number
        self.fields[name] += number

    def event_names(self):
        """
        Names of each event: precis' own, and that of perf evlist if it is another one. perf makes a
        name up of the attr where the recording has none, and evlist does so in pipe mode before it
        has seen the recording's.
        """
        mine = [event["name"] for event in self.reading.events]
        perfs = self.perf.event_names(self.path)
        if not perfs and len(mine) == 1:
            self.remarks.append("perf evlist names no event")
            return [mine]
        if len(perfs) != len(mine):
            self.differ("perf has %d events (%s), precis %d (%s)" % (
                len(perfs), " ".join(perfs), len(mine), " ".join(mine)))
            return [[name] for name in mine]
        return [[name] if name == other else [name, other] for name, other in zip(mine, perfs)]

    def judge_names(self, used):
        """@param used  names in lines of perf script"""
        for mine, *others in self.names:
            if not others or mine in used:
                self.count("name")
            elif mine.startswith("event-"):
                self.remarks.append("no name in the recording: perf calls it %s" % others[0])
            else:
                self.differ("event %s: perf calls it %s" % (mine, others[0]))

    # perf report -D

    def dump(self):
        perfs = self.perf.dump(self.path)
        mine = self.reading.samples
        if len(mine) != len(perfs):
            self.differ("precis has %d samples, perf report -D %d" % (len(mine), len(perfs)))
        self.order(perfs)
        ours = {}
        for sample in mine:
            ours.setdefault(sample["bytes"], []).append(sample)
        for perfs_sample in perfs:
            same = ours.get(perfs_sample["bytes"])
            if not same:
                self.differ("a sample of perf's that precis has not: %s" % perfs_sample)
                continue
            sample = same.pop()
            self.count("bytes")
            if "error" in sample:
                self.differ("precis cannot take apart what perf reads: %s" % sample)
                continue
            self.members(sample, perfs_sample)
        for left in ours.values():
            for sample in left:
                self.differ("a sample of precis' that perf has not: %s" % sample)

    def order(self, perfs):
        self.count("order", len(perfs))
        mine = [(s.get("time", U64), s["bytes"]) for s in self.ordered.samples]
        theirs = [(s["leading"][-1] if s["leading"] else U64, s["bytes"]) for s in perfs]
        if os.path.isdir(self.path):
            mine, theirs = settle(mine), settle(theirs)
        wrong = next((n for n, (a, b) in enumerate(zip(mine, theirs)) if a[1] != b[1]), None)
        if wrong is not None:
            self.differ("sorted, sample %d is that of time %s; perf's: %s" % (
                wrong, mine[wrong][0], theirs[wrong][0]))

    def members(self, sample, perfs):
        event = self.reading.event_of(sample)
        mine = self.as_dumped(sample, event)
        for name, number in mine.items():
            if name not in perfs:
                self.differ("%s: perf does not print it (precis: %s)" % (name, number))
            elif number != perfs[name]:
                self.differ("%s of the sample at time %s: precis %s, perf %s" % (
                    name, sample.get("time"), number, perfs[name]))
            self.count(name, max(len(number), 1) if isinstance(number, list) else 1)
        for name in perfs:
            if name not in mine and name not in ALWAYS_PRINTED:
                self.differ("%s: precis does not have it (perf: %s)" % (name, perfs[name]))

    def as_dumped(self, sample, event):
        """Our sample, member by member as perf report -D has it"""
        mine = {"misc": sample["misc"],
                "leading": self.leading(sample)}
        for name in ("ip", "period", "addr", "weight", "var2", "var3", "data_src", "phys_addr",
                     "transaction", "data_page_size", "code_page_size", "stack_dynamic"):
            if name in sample:
                mine[name] = sample[name]
        if "var3" in mine and not self.perf.has_retire_latency:
            mine["var3"] = 0
        for name in ("pid", "tid"):
            if name in sample:
                mine[name] = signed(sample[name])
        if "callchain" in sample:
            mine["callchain"] = list(sample["callchain"])
        for name in ("regs_user", "regs_intr"):
            if sample.get(name + "_abi"):
                mine[name] = list(sample[name])
        if "read" in sample:
            mine["read"] = self.read_lines(sample["read"], event["read_format"])
        if "branches" in sample:
            mine.update(self.branch_lines(sample["branches"], event))
        return mine

    def leading(self, sample):
        """CPU and time in front: of every sample, if any event has them"""
        return tuple(sample.get(name, absent) for bit, name, absent in
                     ((r.CPU, "cpu", (1 << 32) - 1), (r.TIME, "time", U64))
                     if any(event["sample_type"] & bit for event in self.reading.events))

    @staticmethod
    def read_lines(words, read_format):
        times, values = counters(words, read_format)
        return times + values

    @staticmethod
    def branch_lines(branches, event):
        if event["branch_sample_type"] >> 11 & 1:  # PERF_SAMPLE_BRANCH_CALL_STACK
            return {"branch_callstack": [end for _, end, _ in branches[:1]] +
                                        [start for start, _, _ in branches]}
        return {"branches": [(start, end, flags >> 4 & 0xffff, "M" if flags & 1 else " ",
                              "P" if flags & 2 else " ", "A" if flags & 8 else " ",
                              "T" if flags & 4 else " ") for start, end, flags in branches]}

    # perf script -F

    def script_fields(self, event):
        return {field for field, (bits, _) in SCRIPT.items() if event["sample_type"] & bits and
                (field != "retire_lat" or self.perf.has_retire_latency)}

    def script(self):
        """Compared as sets: the order is that of perf report -D"""
        used, theirs = set(), Counter()
        events = [(name, event["type"], self.script_fields(event))
                  for names, event in zip(self.names, self.reading.events) for name in names]
        known, first = {}, {}  # by name, as several events may have the same
        for names, (n, event) in zip(self.names, enumerate(self.reading.events)):
            for name in names:
                first.setdefault(name, first.get(names[0], n))
                known.setdefault(name, set()).update(self.script_fields(event))
        printed = {}
        for sample in self.perf.script(self.path, events) if self.reading.samples else ():
            name = sample.pop("event")
            used.add(name)
            # what perf prints for want of another event's is not this one's
            sample = {field: number for field, number in sample.items() if field in known[name]}
            printed.setdefault(first[name], set()).update(sample)
            theirs[(first[name], tuple(sorted(sample.items())))] += 1
        ours = Counter()
        for n, sample in self.as_scripted():
            n = first[self.names[n][0]]
            sample = {field: sample[field] for field in printed.get(n, ()) if field in sample}
            ours[(n, tuple(sorted(sample.items())))] += 1
            for field in sample:
                self.count("-F " + field)
        self.judge_names(used)
        for left, word in ((ours - theirs, "precis"), (theirs - ours, "perf script")):
            for n, sample in sorted(left, key=repr)[:REPORTED]:
                self.differ("only %s has: %s %s" % (word, self.names[n][0], dict(sample)))

    def as_scripted(self):
        """(event's number, {field: value}) of each line that perf script should print"""
        last = {}
        owner = {identifier: n for n, event in enumerate(self.reading.events)
                 for identifier in event["ids"]}
        for sample in self.ordered.samples:
            if "event" not in sample:
                continue  # reported where the samples are taken apart
            event = self.reading.event_of(sample)
            fields = {field: sample[member] for field, (_, member) in SCRIPT.items()
                      if member in sample}
            for name in ("pid", "tid"):
                if name in fields:
                    fields[name] = signed(fields[name])
            if "brstack" in fields:
                fields["brstack"] = tuple(map(branch_words, fields["brstack"]))
            if "read" not in sample:
                yield sample["event"], fields
                continue
            _, values = counters(sample["read"], event["read_format"])
            for identifier, number, _ in values:
                if not event["read_format"] & FORMAT_ID:
                    identifier = sample.get("id", sample.get("identifier"))
                step = (number - last.get(identifier, 0)) & U64
                last[identifier] = number
                if step and identifier in owner:
                    yield owner[identifier], dict(fields, period=step)

    # perf script -s

    def raw_sizes(self, work):
        """Tracepoints apart: their handlers get fields, not bytes."""
        events = self.reading.events
        if any(s.get("raw_size") is not None and events[s["event"]]["type"] == 2
               for s in self.reading.samples):
            self.remarks.append("RAW of tracepoints: perf hands no sizes out")
        wanted = [s for s in self.reading.samples if "raw_size" in s and "event" in s and
                  events[s["event"]]["type"] != 2]
        if not wanted or any("read" in s for s in wanted):
            return
        perfs = Counter(self.perf.raw_sizes(self.path, work))
        mine = Counter((s.get("time", 0), s.get("pid", -1), s.get("tid", -1), s["ip"],
                        s["raw_size"]) for s in wanted)
        self.count("raw_size", len(wanted))
        for sample in sorted(mine - perfs)[:REPORTED]:
            self.differ("RAW as only precis has it: (time, pid, tid, ip, bytes) %s" % (sample,))
