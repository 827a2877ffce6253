#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_words.py DIRECTORY: what the kernel made of a sample's registers (perf_mem_data_src, the
weight), as stock perf prints it, and what precis makes of them: the same latency, and data is remote
in both or in neither. So it is also of recordings that have only the kernel's words.

Linux 6.1 calls the caches of another core complex of the same node remote (ibs.c: one hop): those are
left out.
"""

import json
import os
import re
import sys

from scenario import PERF, PRECIS, done, equal, ok, output, steps

WORDS = re.compile(r"^ *[0-9a-f]+ \|OP ([^|]*)\|LVL ([^|]*)\|SNP .* (\d+) +([0-9a-f]+)$")


def captured(path):
    """What samples of IBS have in that file, by perf: {"IP", "RAW", ...}; nothing if there are none"""
    found = re.search(r"^ibs_op\b.*\bsample_type: ([A-Z_|]+)", output(PERF, "evlist", "-v", "-i", path),
                      re.M)
    return set(found[1].split("|")) if found else set()


def perf_words(path):
    """(operation, level, weight, ip) of each sample"""
    found = []
    for line in output(PERF, "script", "-F", "ip,weight,data_src", "-i", path).splitlines():
        match = WORDS.match(line)
        if match:
            found.append((match[1], match[2], int(match[3]), int(match[4], 16)))
    return found


def dumped(path):
    lines = output(PRECIS, "dump", "--format", "json", "-F",
                   "ip,op,mem_level,mem_remote,dcache_miss_latency", path)
    return [json.loads(line) for line in lines.splitlines()]


def check(name, path, has_registers):
    words, ours = perf_words(path), dumped(path)
    equal([int(sample["ip"], 16) for sample in ours], [ip for _, _, _, ip in words],
          "%s: precis has the samples that perf has" % name)
    pairs = list(zip(ours, words))
    told = [(sample, word) for sample, word in pairs
            if isinstance(sample.get("dcache_miss_latency"), int)]
    wrong = [pair for pair in told if pair[0]["dcache_miss_latency"] != pair[1][2]]
    ok(told and not wrong, "%s: %d latencies are perf's weights" % (name, len(told)), *wrong[:3])
    if has_registers:
        silent = [pair for pair in pairs if pair[1][2] and pair not in told]
        ok(not silent, "%s: where perf has a weight there is a latency" % name, *silent[:3])
    places = [(sample["mem_remote"] != "local", "Remote" in word[1]) for sample, word in pairs
              if "mem_remote" in sample and sample["mem_level"] != "near_cache" and
              word[0] == "LOAD"]
    ok(all(ours == theirs for ours, theirs in places),
       "%s: of %d loads perf says, too, whether they were remote" % (name, len(places)),
       *[pair for pair in places if pair[0] != pair[1]][:3])
    return set(places)


def main(directory):
    seen, kinds = set(), set()
    for step in steps(directory):
        path = os.path.join(directory, step.name + ".data")
        has = captured(path) if os.path.exists(path) else set()
        if {"WEIGHT", "DATA_SRC"} <= has:
            seen |= check(step.name, path, "RAW" in has)
            kinds.add("RAW" in has)
    equal(kinds, {False, True}, "there are recordings with the registers and without")
    equal(seen, {(False, False), (True, True)}, "there are remote and local ones")
    return done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
