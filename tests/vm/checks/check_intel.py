#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
check_intel.py DIRECTORY: what guest/scenario_intel.sh has left there, as TAP. Recordings are read by
stock perf (PERF, default perf), and their words compared with what the modeled PMU has delivered.
"""
import os
import re
import subprocess
import sys

from guest_log import WORDS, Tap, log_of
from papi_delivery import check

MODES = ("batch", "watermark", "thread", "sample", "overflow")
EVENTS = ("papi-slow-loads", "papi-stores", "papi-instructions", "papi-by-libpfm4",
          "papi-by-alias")
RECORDINGS = ("loads", "stores", "mem", "c2c")

SAMPLE = re.compile(r"PERF_RECORD_SAMPLE\(IP, 0x[0-9a-f]+\): -?\d+/-?\d+: (0x[0-9a-f]+|0) "
                    r"period: \d+ addr: (0x[0-9a-f]+|0)")
WEIGHT = re.compile(r"\.\.\. weight: (\d+),0x([0-9a-f]+),0x([0-9a-f]+)")
DATA_SRC = re.compile(r" \. data_src: 0x([0-9a-f]+)")


def samples_of(path):
    """Each sample's [ip, addr, data_src, weight], from perf report -D"""
    text = subprocess.run([os.environ.get("PERF", "perf"), "report", "-D", "-i", path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    samples = []
    for line in text.decode("latin-1").splitlines():
        head, weight, source = (form.search(line) for form in (SAMPLE, WEIGHT, DATA_SRC))
        if head:
            samples.append([int(head[1], 16), int(head[2], 16), None, None])
        elif weight and samples:
            samples[-1][3] = int(weight[1]) | int(weight[2], 16) << 32 | int(weight[3], 16) << 48
        elif source and samples:
            samples[-1][2] = int(source[1], 16)
    return samples


def checksum(samples):
    return sum(word * (2 * i + 1) for words in samples for i, word in enumerate(words)) % WORDS


def check_recording(tap, steps, directory, name):
    step = steps.get(name)
    path = os.path.join(directory, name + ".data")
    if not step or step.status != 0 or not os.path.exists(path):
        tap.ok(False, name + ": recorded", step.text if step else "no such step")
        return
    samples, truth = samples_of(path), step.delivered["cpu"]
    tap.ok(16 <= len(samples) == truth[0], "%s: as many samples as the PMU has delivered" % name,
           "perf %d, the model %d" % (len(samples), truth[0]))
    whole = all(None not in words for words in samples)
    tap.ok(whole and checksum(samples) == truth[1],
           "%s: with the same ip, address, data source and weights" % name,
           "perf %x, the model %x" % (checksum(samples) if whole else 0, truth[1]))


def main():
    directory = sys.argv[1]
    tap, steps = Tap(), log_of(directory)
    listing = steps["list"].text if "list" in steps else ""
    tap.ok(re.search(r"precis:::MEM_LOADS .*?:ldlat=0", listing, re.S) and
           "not here: PEBS" not in listing, "papi_native_avail: Intel's events are here", listing)
    tap.ok("IBS is AMD's" in re.sub(r"\|\n\|\s*", "", listing),
           "papi_native_avail: and AMD's are not, with the reason", listing)
    for mode in MODES:
        for threads in ("", "-threads"):
            check(tap, steps, "papi-loads-" + mode + threads, "cpu")
    for name in EVENTS:
        check(tap, steps, name, "cpu")
    if "alone" in steps:
        tap.ok(steps["alone"].status == 0 and "auxiliary event" in steps["alone"].text,
               "load latency without its auxiliary event is refused by the kernel",
               steps["alone"].text)
    for name in RECORDINGS:
        check_recording(tap, steps, directory, name)
    return tap.done()


sys.exit(main())
