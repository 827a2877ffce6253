#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report: a sample counts for its period, as sums of what perf script prints have it."""
import collections
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
from command import SHARED, good, recording, run
from tap import Skip, equal

PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
PERIOD = 1 << 8
FREQUENCY = 1 << 10
KERNEL = 0xffff800000000000
ALL = ("--top", "1000000", "--no-symbols", "--format", "json")


def report(*arguments):
    return json.loads(run("report", *ALL, *arguments).out)


# --- perf script ---

# Samples of a group's leader, which perf script tells as those of each member
GROUPS = ("GrapheneOS_platform_system_extras__perf_with_add_counter.data",)


def script(path):
    """(event, pid, address) of each sample, and its period."""
    done = subprocess.run([PERF, "script", "-G", "-F", "pid,event,ip,period", "--no-itrace", "-i",
                           path], capture_output=True, text=True, errors="replace", check=False)
    for line in done.stdout.splitlines():
        words = line.split()
        assert len(words) == 4 and words[2].endswith(":"), (path, line)
        address = int(words[3], 16)
        owner = "kernel" if address >= KERNEL else int(words[0])
        yield (words[2], owner, address), int(words[1])


def rows_of_script(path):
    """Address, number of samples and share of each place, event by event."""
    samples, weights = collections.Counter(), collections.Counter()
    every = collections.Counter()
    for place, period in script(path):
        samples[place] += 1
        weights[place] += period
        every[place[0]] += period
    return sorted((place[2], samples[place], "%.7f" % (weight / every[place[0]]))
                  for place, weight in weights.items())


def rows_of_report(found):
    return sorted((int(row["address"], 16), row["samples"], "%.7f" % row["share"]["value"])
                  for name, table in found.items() if name.startswith("top_")
                  for row in table["rows"])


def close(found, expected):
    """Printed digits may be rounded otherwise."""
    return len(found) == len(expected) and all(
        a[:2] == b[:2] and abs(float(a[2]) - float(b[2])) < 2e-7
        for a, b in zip(found, expected))


def is_weighed(found):
    return '"effective_n"' in json.dumps(found)


def check_file(path):
    """
    So many samples of which the report and perf script say the same; 0: there is nothing to compare. perf
    script does not know which samples of IBS have an address of their own.
    """
    found = report(path)
    if not is_weighed(found) or "top_instructions" in found or "top_fetches" in found:
        return 0
    expected = rows_of_script(path)
    if not expected:
        return 0
    rows = rows_of_report(found)
    assert close(rows, expected), "%s: %r" % (path, [(a, b) for a, b in zip(rows, expected)
                                                     if a != b][:3])
    return sum(samples for _, samples, _ in rows)


def has_chains(path):
    done = subprocess.run([PERF, "evlist", "-v", "-i", path], capture_output=True, text=True,
                          errors="replace", check=False)
    return "CALLCHAIN" in done.stdout


def test_recordings_of_others():
    """places of recordings with a frequency weigh what perf script's periods sum up to"""
    if not PERF:
        raise Skip("no perf")
    paths = sorted(glob.glob(os.path.join(SHARED, "perfdata/*perf*"))) if SHARED else []
    paths += sorted(glob.glob(os.path.join(SHARED, "recordings/*.data"))) if SHARED else []
    if not paths:
        raise Skip("PRECIS_SHARED has no recordings")
    compared = {path: check_file(path) for path in paths
                if os.path.isfile(path) and os.path.basename(path) not in GROUPS}
    some = [path for path, samples in compared.items() if samples]
    with_chains = [path for path in some if has_chains(path)]
    print("# %d samples of %d recordings, %d of these with call chains" %
          (sum(compared.values()), len(some), len(with_chains)))
    # Some of both are compressed.
    without = "zstd" in os.environ.get("PRECIS_WITHOUT", "").split()
    assert len(some) >= 14 and len(with_chains) >= 3 - without and sum(compared.values()) >= 5000, compared


# --- recordings that are made here ---

def attr(period, flags=0, sample_type=perfdata.SAMPLE_TYPE):
    body = bytearray(perfdata.attr(period=period, sample_type=sample_type))
    struct.pack_into("<Q", body, 40, perfdata.SAMPLE_ID_ALL | flags)
    return bytes(body)


def sample(payload, period, ident=1, ip=0x401000):
    """With a period behind the CPU"""
    body = struct.pack("<QIIQQIIQ", ip, 100, 101, 10**9, ident, 0, 0, period)
    payload += b"\0" * (-(len(payload) + 4) % 8)
    return perfdata.record(perfdata.RECORD_SAMPLE,
                           body + struct.pack("<I", len(payload)) + payload, 2)


def made(name, records, events):
    path = os.path.join(SCRATCH.name, name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, events))
    return path


LOAD = perfdata.op_payload()
BRANCH = perfdata.op_payload(data=0x2a002a | 1 << 37, data3=0)
OWN = [(attr(4000, FREQUENCY, perfdata.SAMPLE_TYPE | PERIOD), [1], "ibs_op//")]


def loads_of(*paths):
    return {row["row"]: row for row in report(*paths)["summary"]["rows"]}["loads"]["share"]


def test_share():
    """a share of events, with its effective number of samples; text says both"""
    path = made("own", [sample(LOAD, 100)] * 90 + [sample(BRANCH, 300)] * 30, OWN)
    share = loads_of(path)
    equal((share["value"], share["n"]), (0.5, 120))
    equal(round(share["effective_n"], 6), round((9000 + 9000)**2 / (90 * 100**2 + 30 * 300**2), 6))
    assert share["low"] < 0.42 and share["high"] > 0.58, share
    text = good("report", "--all", "--no-symbols", path)
    assert "120 ops, eff. 90" in text, text
    assert "weigh each by its period" in " ".join(text.split()), text


def test_few():
    """fewer than 30 effective samples have no interval"""
    path = made("few", [sample(LOAD, 1)] * 90 + [sample(BRANCH, 300)] * 29, OWN)
    share = loads_of(path)
    equal((share["low"], share["high"]), (None, None))
    assert "[too few]" in good("report", "--all", "--no-symbols", path)
    # What they were selected by is so of all of them, however few
    path = made("few loads", [sample(LOAD, 1)] * 90 + [sample(LOAD, 300)] * 20, OWN)
    text = good("report", "--all", "--no-symbols", "--filter", "op == load", path)
    assert re.search(r"^  loads +100\.00% +110 ops, eff\. 21$", text, re.M), text


def test_alike():
    """periods that are all the same weigh nothing"""
    path = made("alike", [sample(LOAD, 100)] * 30 + [sample(BRANCH, 100)] * 90, OWN)
    share = loads_of(path)
    assert "effective_n" not in share and share["value"] == 0.25, share


def test_events():
    """two events with a period each: a sample counts for its event's; so in two recordings"""
    plain = perfdata.sample
    events = [(attr(1000), [1], "ibs_op//"), (attr(3000), [2], "ibs_op//")]
    path = made("events", [plain(LOAD)] * 60 + [plain(BRANCH, ident=2)] * 60, events)
    equal(loads_of(path)["value"], 0.25)
    first = made("first", [plain(LOAD)] * 60, [(attr(1000), [1], "ibs_op//")])
    second = made("second", [plain(BRANCH)] * 60, [(attr(3000), [1], "ibs_op//")])
    equal(loads_of(first, second), loads_of(path))


def test_latencies():
    """means and percentiles are of events, too: by own periods, and by those of two events"""
    slow = perfdata.op_payload(data3=(0x901961cd60085 & ~(0xffff << 32)) | 500 << 32)
    fast = perfdata.op_payload(data3=(0x901961cd60085 & ~(0xffff << 32)) | 50 << 32)
    events = [(attr(10), [1], "ibs_op//"), (attr(90), [2], "ibs_op//")]
    for path in (made("latencies", [sample(slow, 10)] * 80 + [sample(fast, 90)] * 40, OWN),
                 made("two", [perfdata.sample(slow)] * 80 + [perfdata.sample(fast, ident=2)] * 40,
                      events)):
        row = {row["row"]: row for row in report(path)["load_sources"]["rows"]}["all loads"]
        equal((row["latency_n"], row["latency_median"], row["latency_p95"]), (120, 50, 500))
        equal(round(row["latency_mean"], 6), round((80 * 10 * 500 + 40 * 90 * 50) / 4400, 6))


def test_order():
    """the top instructions are those with the most events"""
    path = made("order", [sample(LOAD, 10, ip=0x401000)] * 60 +
                [sample(perfdata.op_payload(rip=0x402000), 1000, ip=0x402000)] * 40, OWN)
    rows = report(path)["top_instructions"]["rows"]
    equal([row["address"] for row in rows], ["0x402000", "0x401000"])
    equal(round(rows[0]["share"]["value"], 9), round(40000 / 40600, 9))


def test_unknown():
    """samples of which no period is known count one each, and it is said"""
    path = made("unknown", [perfdata.sample(LOAD)] * 30 + [perfdata.sample(BRANCH)] * 90,
                [(attr(4000, FREQUENCY), [1], "ibs_op//")])
    share = loads_of(path)
    assert share["value"] == 0.25 and "effective_n" not in share, share
    assert "each counts as one" in " ".join(report(path)["summary"]["notes"])
    mixed = made("mixed", [sample(LOAD, 100)] * 30 + [sample(BRANCH, 300)] * 30 +
                 [sample(BRANCH, 1 << 60)] * 60, OWN)
    equal(loads_of(mixed)["value"], 0.25)
    summary = report(mixed)["summary"]
    assert "each sample counts as one" in " ".join(summary["notes"]), summary["notes"]
    events = [(attr(1000), [1], "ibs_op//"), (attr(1 << 50), [2], "ibs_op//")]
    equal(loads_of(made("huge", [perfdata.sample(LOAD)] * 30 +
                        [perfdata.sample(BRANCH, ident=2)] * 90, events))["value"], 0.25)


def test_many_periods():
    """more different periods than are told apart: what the last ones stand for is not known"""
    events = [(attr(1000 + n), [n + 1], "ibs_op//") for n in range(70)]
    records = [perfdata.sample(LOAD if n % 2 else BRANCH, ident=n + 1) for n in range(70)]
    share = loads_of(made("many", records, events))
    equal((share["value"], share["n"], "effective_n" in share), (0.5, 70, False))
    share = loads_of(made("some", records[:40], events))
    assert "effective_n" in share, share


def test_jobs():
    """several threads weigh as one does"""
    path = recording("zen4-freq")
    equal(run("report", *ALL, "--jobs", "2", path).out, run("report", *ALL, path).out)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
