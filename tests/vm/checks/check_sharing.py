#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_sharing.py DIRECTORY: who got lines from whom, in precis sharing of recordings, is what threads did.
Three count it. The program knows of each turn which lines are whose; the module watches each access, and who
wrote the line before; and of the modeled caches and their states come the data sources of loads, which precis
sees of some. The first two are to agree exactly, and of the third the model counts what it told: on AMD all
transfers to loads; on Intel those to the first thread that loads, since others have the line from the L3 then.

The 95% intervals of all transfers, of true and of false ones, and of each pair of threads, hold what the data
sources told as often as such that do so in 95 of 100 cases would by chance. Of threads that share nothing
nothing is told, but, where IBS has lines of their own come from the L3, transfers of writers that are not
known; of true sharing no false one, and the other way round; and over all seeds sums, and the matrix of all of
them, are as near to the truth as samples of that number are by chance. Of a queue of so many lines that most
are in no sample of a store, how many transfers there were, who got them and that no pair is told but the one
that is are judged as those of others, and the writer is known of as many as stock perf prints a load that hit a
modified line of and a store to that line. Where threads take turns, each gets as many lines as it is told to,
though not from whom.
Loads of which the kernel says that they hit a modified line (HITM), as stock perf prints
it, are those of which precis does.
"""
import collections
import json
import math
import os
import re
import sys

import chances
from check_by import Tally
from check_estimates import truths
from scenario import PERF, PRECIS, check_each, equal, ok, output, steps

FEW = bool(os.environ.get("PRECIS_FEW_REPETITIONS"))
SEEDS = 3 if FEW else 8 # as scenario_sharing.sh has them
PRIVATE = ("none", "large")
PERIOD = re.compile(r"period=(\d+)") # that of loads, where there are several
LEAST = 150 * SEEDS / 8 # transfers sampled, of all seeds of a pattern: of eight a bias of a third would be seen
DEVIATIONS = 4 # of a sum, from what is expected
UNKNOWN = 0.4 # of so much at the most the writer is not known, but for …
QUEUE = "queue"
NOISE = 2 # times what chance makes of the matrix: who wrote is sampled, too, and not known of all


def program_truth(path):
    """{process: {(from, to): (loads, loads of what was stored)}}, of what is not 0"""
    found = collections.defaultdict(dict)
    with open(path, encoding="ascii") as lines:
        for line in lines:
            pid, writer, reader, loads, true = map(int, line.split())
            found[pid].update({(writer, reader): (loads, true)} if loads else {})
    return found


def model_truth(path):
    """{process: {(from, to): counts}}, and accesses that are not among them"""
    found, untold, pid = {}, 0, None
    with open(path, encoding="ascii") as lines:
        for line in lines:
            first, *words = line.split()
            if first == "process":
                pid = int(words[0])
                found[pid] = {}
            elif first == "untold":
                untold += int(words[0])
            else:
                pair = {key: int(value) for key, value in (word.split("=") for word in [first, *words])}
                found[pid][pair.pop("from"), pair.pop("to")] = pair
    return found, untold


def told_of(counts):
    return counts["modified"] + counts["owned"]


def sums(pairs, what):
    return sum(map(what, pairs.values()))


def period_of(step):
    return int(PERIOD.search(step.command)[1])


def expansion(step):
    """What a period says of what a sample stands for: IBS counts from a random number below 128"""
    if "ibs_op" not in step.pmus():
        return 1
    return period_of(step) * step.total("ibs_op", "tagged") / step.stepper["steps"]


def check_truths(step, directory, seeds):
    """What program and module count, and what data sources tell of it. @return that of the module"""
    is_amd = "ibs_op" in step.pmus()
    program = program_truth(os.path.join(directory, step.name + ".program"))
    model, untold = model_truth(os.path.join(directory, step.name + ".model"))
    equal(untold, 0, "%s: the module has seen all accesses" % step.name)
    equal([{pair: (counts["loads"], counts["true_loads"]) for pair, counts in model[pid].items()} for pid in seeds],
          [program[pid] for pid in seeds], "%s: transfers are those that the program knows of" % step.name)
    every = sum(sums(model[pid], lambda counts: counts["loads"]) for pid in seeds)
    told = sum(sums(model[pid], told_of) for pid in seeds)
    owned = sum(sums(model[pid], lambda counts: counts["owned"]) for pid in seeds)
    if step.name in PRIVATE:
        equal(every, 0, "%s: there is no transfer" % step.name)
        return model
    ok(every > 1000, "%s: there are transfers: %d" % (step.name, every))
    if is_amd or step.name != "all":
        equal(told, every, "%s: data sources tell of all of them" % step.name)
    else:
        ok(0.2 * every < told < 0.6 * every, "%s: data sources tell of those to the first who loads: %d of %d" %
           (step.name, told, every))
    equal(owned > 0, is_amd and step.name == "all", "%s: state O is AMD's, where several load" % step.name)
    return model


class Told:
    """What precis sharing says of a process"""

    def __init__(self, path, pid):
        told = json.loads(output(PRECIS, "sharing", "--no-symbols", "--access-bytes", "8", "--format", "json", "--top",
                                 "1000", "--pid", str(pid), path))
        self.parties = told.get("sharing_parties", {"rows": []})["rows"]
        tids = {row["row"]: row["id"] for row in self.parties}
        self.sums = {row["row"]: row for row in told["sharing"]["rows"]}
        self.pairs = {(tids[str(row["from"])], tids[str(row["to"])]): row
                      for row in told.get("sharing_pairs", {"rows": []})["rows"]}

    def transfers(self, row="all"):
        return self.sums[row]["transfers"] if row in self.sums else 0


def interval(row, of):
    return {"low": row[of + "_low"], "high": row[of + "_high"]}


def tids_of(pairs):
    return sorted({tid for pair in pairs for tid in pair})


def add_pairs(told, model, factor, tally):
    """Of each pair by the order of its threads"""
    tids = tids_of(model)
    for pair in told.pairs.keys() & model.keys():
        row, is_true, exact = told.pairs[pair], model[pair]["true_loads"] > 0, factor * told_of(model[pair])
        tally.add("%d to %d" % tuple(tids.index(tid) + 1 for tid in pair), interval(row, "transfers"), exact)
        tally.add("true", interval(row, "true"), exact if is_true else 0)
        tally.add("false", interval(row, "false"), 0 if is_true else exact)


def add_readers(told, model, factor, tally):
    """What each thread got, from whomever: also of writers that are not known. In step with a loop: no interval"""
    tids = tids_of(model)
    for row in told.parties:
        exact = factor * sum(told_of(counts) for pair, counts in model.items() if pair[1] == row["id"])
        reach = interval(row, "received")
        if reach["low"] is not None:
            reach["high"] += row["writer_unknown"]
        tally.add("thread %d" % (tids.index(row["id"]) + 1), reach, exact)


def check_reader(name, told, model):
    """The one that loads got all, whether or not it is known from whom"""
    (_, reader), = model
    equal({row["id"]: row["received"] + row["writer_unknown"] for row in told.parties},
          {row["id"]: told.transfers() if row["id"] == reader else 0 for row in told.parties},
          "%s: the thread that loads got all of them" % name)


def check_words(name, path):
    kernel = sum("|OP LOAD|" in line and "|SNP HitM|" in line
                 for line in output(PERF, "script", "-F", "data_src", "-i", path).splitlines())
    ours = [json.loads(line) for line in output(PRECIS, "dump", "--format", "json", "-F", "op,mem_snoop",
                                                path).splitlines()]
    found = sum(sample["op"] == "load" and sample.get("mem_snoop") == "modified" for sample in ours)
    equal(found, kernel, "%s: as many loads hit a modified line by the kernel's words" % name)
    equal(kernel > 0, name != "none", "%s: loads of which the kernel tells that" % name)


def check_private(name, told):
    """IBS' DataSrc does not tell the L3 from other caches of the core complex: what comes from there is told"""
    equal([each.pairs for each in told], [{}] * SEEDS, "%s: no thread is told to have got another one's lines" % name)
    every, unknown = ([each.transfers(row) for each in told] for row in ("all", "of a writer not known"))
    equal(unknown, every, "%s: and of no transfer a writer" % name)
    equal([number > 0 for number in every], [name == "large"] * SEEDS,
          "%s: transfers are told where lines come from the L3, and only there" % name)


def check(step, directory):
    path = os.path.join(directory, step.name + ".data")
    seeds = [pid for pid, _ in truths(os.path.join(directory, step.name + ".truth"))]
    equal(len(seeds), SEEDS, "%s: seeds" % step.name)
    model = check_truths(step, directory, seeds)
    check_words(step.name, path)
    told = [Told(path, pid) for pid in seeds]
    if step.name in PRIVATE:
        check_private(step.name, told)
        return
    factor, tally, unreal = expansion(step), Tally(), []
    for pid, each in zip(seeds, told):
        tally.add("all", interval(each.sums["all"], "transfers"), factor * sums(model[pid], told_of))
        if step.name == QUEUE:
            check_reader(step.name, each, model[pid])
        else:
            add_readers(each, model[pid], factor, tally)
        if step.name != "ring":
            add_pairs(each, model[pid], factor, tally)
            unreal += each.pairs.keys() - model[pid].keys()
    equal(unreal, [], "%s: no pair is told that is none" % step.name)
    tally.judge("%s (modeled)" % step.name, SEEDS, chances.SUMS)
    other = "true sharing" if step.name == "false" else "false sharing"
    equal([each.transfers(other) for each in told], [0] * SEEDS, "%s: nothing is called %s" % (step.name, other))
    check_sums(step.name, path, told, [model[pid] for pid in seeds], factor, period_of(step))


def by_order(pairs, what, tids):
    """Of each pair by the order of its threads"""
    return collections.Counter({(tids.index(writer), tids.index(reader)): what(row)
                                for (writer, reader), row in pairs.items()})


def kernel_known(path):
    """Loads that hit a modified line of which a store is sampled, too, by the kernel's words and addresses"""
    loads, stored = [], set()
    for line in output(PERF, "script", "-F", "pid,addr,data_src", "-i", path).splitlines():
        pid, address, words = line.split(None, 2)
        of = (int(pid), int(address, 16) // 64)
        if "|OP STORE|" in words:
            stored.add(of)
        elif "|OP LOAD|" in words and "|SNP HitM|" in words:
            loads.append(of)
    return sum(of in stored for of in loads)


def check_known(name, path, known, samples, period):
    """Of which part of the sampled transfers the writer is; pairs are rounded"""
    if name != QUEUE:
        ok(1 - UNKNOWN < known < 1.01, "%s: who wrote is known of %.0f%%" % (name, 100 * known))
        return
    expected = kernel_known(path)
    ok(0 < expected < samples, "%s: stores to some lines are sampled, of others none: %d of %d transfers" % (
        name, expected, samples))
    equal(round(known * samples * period), expected * period, "%s: of these the writer is known" % name)


def check_sums(name, path, told, model, factor, period):
    """All seeds together"""
    exact, found = collections.Counter(), collections.Counter()
    for each, pairs in zip(told, model):
        tids = tids_of(pairs)
        exact.update(by_order(pairs, told_of, tids))
        found.update(by_order(each.pairs, lambda row: row["transfers"], tids))
    count, expected = sum(each.transfers() for each in told), factor * exact.total()
    samples, rest = divmod(count, period)
    equal(rest, 0, "%s: each sampled transfer stands for %d" % (name, period))
    ok(samples > LEAST and abs(count / expected - 1) < DEVIATIONS / math.sqrt(samples),
       "%s: %d transfers, %.2f times the exact %d, from %d samples (modeled)" % (name, count, count / expected,
                                                                                 expected, samples))
    check_known(name, path, found.total() / count, samples, period)
    if name == "ring":
        return
    differ = sum(abs(found[pair] / found.total() - exact[pair] / exact.total()) for pair in exact | found) / 2
    chance = math.sqrt(len(exact) / (2 * math.pi * samples))
    ok(differ < NOISE * chance, "%s: the matrix is %.3f off, chance alone %.3f (modeled)" % (name, differ, chance))


def main(directory):
    return check_each(steps(directory), check, directory)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
