# SPDX-License-Identifier: BSD-3-Clause
"""
What otf2-print -G and otf2-print write, to a line "REGION SAMPLES" for each region: samples of the
plugin's metric are put into the region that their thread was in at their time. Values of asynchronous
metrics are in locations of their own; the definition of the metric's instance says whose they are.
"""

import bisect
import collections
import re
import sys

INSTANCE = re.compile(r"^METRIC_INSTANCE .*Recorder: \"[^\"]*\" <(\d+)>, Scope: LOCATION \"[^\"]*\" <(\d+)>")
EVENT = re.compile(r"^(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: \"([^\"]*)\"")
METRIC = re.compile(r"^METRIC\s+(\d+)\s+(\d+)\s+.* samples\" ")


def main():
    owners = {}
    spans = collections.defaultdict(lambda: [(0, "-")])
    stacks = collections.defaultdict(list)
    samples = []
    for line in sys.stdin:
        found = INSTANCE.match(line)
        if found:
            owners[found[1]] = found[2]
        found = METRIC.match(line)
        if found:
            samples.append((found[1], int(found[2])))
        found = EVENT.match(line)
        if found:
            kind, thread, time, region = found.groups()
            if kind == "ENTER":
                stacks[thread].append(region)
            else:
                stacks[thread].pop()
            spans[thread].append((int(time), stacks[thread][-1] if stacks[thread] else "-"))
    regions = collections.Counter()
    for recorder, time in samples:
        span = spans[owners[recorder]]
        regions[span[bisect.bisect_right(span, (time, chr(0x10ffff))) - 1][1]] += 1
    for region, count in sorted(regions.items()):
        print(region, count)


main()
