# SPDX-License-Identifier: BSD-3-Clause
"""
What otf2-print writes, to a line "REGION SAMPLES" for each region: samples of the plugin's metric are
put into the region that their thread was in at their time. Values of asynchronous metrics are in
locations of their own, which the name of their thread's location ends.
"""

import bisect
import collections
import re
import sys

ENTER = re.compile(r"^(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: \"([^\"]*)\"")
METRIC = re.compile(r"^METRIC\s+(\d+)\s+(\d+)\s+(.*)$")


def main():
    spans = collections.defaultdict(lambda: [(0, "-")])
    stacks = collections.defaultdict(list)
    samples = []
    for line in sys.stdin:
        found = ENTER.match(line)
        if found:
            kind, thread, time, region = found.groups()
            if kind == "ENTER":
                stacks[thread].append(region)
            else:
                stacks[thread].pop()
            spans[thread].append((int(time), stacks[thread][-1] if stacks[thread] else "-"))
            continue
        found = METRIC.match(line)
        if found and " samples" in found[3]:
            samples.append((found[1], int(found[2]), found[3]))
    regions = collections.Counter()
    for thread, time, _ in samples:
        span = spans[thread]
        regions[span[bisect.bisect_right(span, (time, chr(0x10ffff))) - 1][1]] += 1
    for region, count in sorted(regions.items()):
        print(region, count)


main()
