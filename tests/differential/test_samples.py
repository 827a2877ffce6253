#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Recordings, read by stock perf script and by precis dump: the same number of samples, and in each
the same time, period, ip, addr, phys_addr, page sizes, all three parts of the weight (weight,
ins_lat, retire_lat) and data_src, this one also in perf's words. Latencies of the sample are those
weights.

The recordings are those that come with precis, those below PRECIS_SHARED that have any of these
words, and one that is made here: all of them, and the transaction word, with values of every size.

Where precis has no value (a data address that the hardware marked invalid), perf prints 0. Where
the hardware marked the instruction's address invalid, perf prints that of the interrupt: the sample
must not claim that this is exact, and there is nothing to compare.

PRECIS_SEED chooses the values of the recording that is made.
"""

import glob
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))

import perfdata
from differential import ENVIRONMENT, PERF, PRECIS, SHARED, TOP, Lines, done, need, note, ok, skip
from oracles import programs
from recordings import NO_ZSTD
from stock_perf import Perf, page_bytes
from wording import SHOWN, texts_of, wording_of

# In the order in which perf script prints them; data_src apart, since text follows it
FIELDS = ["time", "period", "addr", "weight", "ins_lat", "retire_lat", "ip", "phys_addr",
          "data_page_size", "code_page_size"]
APART = "data_src"
UNKNOWN = -1  # in place of an ip that precis does not have
NAMES = {"weight": "perf_weight", "ins_lat": "perf_weight2", "retire_lat": "perf_weight3",
         "data_src": "perf_data_src"}
HEXADECIMAL = {"addr", "ip", "phys_addr", "data_src"}
PAGES = {"data_page_size", "code_page_size"}
# A field of the sample, where it is there, is that part of the weight
LATENCIES = {"load_latency": "weight", "cache_latency": "weight", "instruction_latency": "ins_lat",
             "retire_latency": "retire_lat"}
MISSING = re.compile(r"Cannot print '(\w+)' field")
WORDS = re.compile(rb"ADDR|WEIGHT|DATA_SRC|PAGE_SIZE")
REPORTED = 5

MADE = "a recording of every word"
SAMPLES = 2000
(PERIOD, ADDR, DATA_SRC, TRANSACTION, PHYS_ADDR, DATA_PAGE_SIZE, CODE_PAGE_SIZE, WEIGHT_STRUCT) = (
    1 << n for n in (8, 3, 15, 17, 19, 22, 23, 24))
MADE_TYPE = perfdata.IP | perfdata.TID | perfdata.TIME | perfdata.ID | perfdata.CPU | PERIOD | \
    ADDR | DATA_SRC | TRANSACTION | PHYS_ADDR | DATA_PAGE_SIZE | CODE_PAGE_SIZE | WEIGHT_STRUCT
MEM_LOADS = 0x1cd
PRECISE_IP = 2 << 15
HOPS = 43  # first bit of mem_hops, of which perf prints "(null)" beyond its table


def make(path, source):
    """Load latency samples of a Sapphire Rapids, of random words"""
    def number(bits):
        """Of any length"""
        return source.getrandbits(source.randrange(bits + 1))

    attr = bytearray(perfdata.attr(4, MADE_TYPE, config=MEM_LOADS))
    struct.pack_into("<Q", attr, 40, perfdata.SAMPLE_ID_ALL | PRECISE_IP)
    events = [(bytes(attr), [1], "mem-loads")]
    records = []
    for n in range(SAMPLES):
        pages = [source.choice((0, 4096, 2 << 20, 1 << 30)) for _ in range(2)]
        body = struct.pack("<QIIQQQIIQ", 0x400000 + n, 100, 101, 10 ** 9 + n, 1 + number(48), 1,
                           0, 0, 1 + number(30))
        body += struct.pack("<IHHQQQQQ", number(32), number(16), number(16), number(HOPS),
                            number(40), number(46), *pages)
        records.append(perfdata.record(perfdata.RECORD_SAMPLE, body, misc=2 | 1 << 14))
    features = {perfdata.OSRELEASE: perfdata.string("6.12.0"),
                perfdata.CPUID: perfdata.string("GenuineIntel,6,143,8"),
                perfdata.EVENT_DESC: perfdata.event_desc(events)}
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records, events, features))


def script(perf, path, fields):
    """@return the lines of perf script, with those of the fields that all events have; these"""
    fields = [field for field in fields if field != "retire_lat" or perf.has_retire_latency]
    while True:
        run = subprocess.run([perf.program, "script", "--ns", "-G", "-F", ",".join(fields), "-i",
                              path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        missing = MISSING.search(run.stderr.decode(errors="replace"))
        if run.returncode == 0 or not missing or missing.group(1) not in fields:
            lines = [line for line in run.stdout.decode().splitlines() if line.strip()]
            return (lines if run.returncode == 0 else None), fields
        fields.remove(missing.group(1))
        if fields in ([], ["time"]):
            return [], []


def number_of(field, text):
    if field == "time":
        seconds, _, nanoseconds = text.rstrip(":").partition(".")
        return int(seconds) * 1000000000 + int(nanoseconds)
    if field in PAGES:
        return page_bytes(text)
    return int(text, 16 if field in HEXADECIMAL else 10)


def precis_samples(path, work):
    names = [NAMES.get(field, field) for field in FIELDS + [APART]] + ["ip_exact", "transaction"]
    fields = ",".join(names + list(LATENCIES))
    lines = Lines([PRECIS, "dump", "--format", "json", "-F", fields, path],
                  os.path.join(work, "precis.err"))
    samples = [json.loads(line) for line in lines]
    code, errors = lines.close()
    return samples, code, errors


def described(path):
    """What perf says of a recording's events"""
    run = subprocess.run([PERF, "evlist", "-v", "-i", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=ENVIRONMENT)
    return run.stdout


def reads_groups(path):
    """perf script gives each member of a group that reads counters the counter's step as period."""
    return re.search(rb"read_format: [A-Z|_]*GROUP", described(path)) is not None


def has_words(path):
    return any(WORDS.search(types) for types in re.findall(rb"sample_type: (\S+)", described(path)))


def value(sample, field):
    """What perf prints for that sample: its own member, or 0 if there is none"""
    if field == "ip" and "ip" not in sample:
        return UNKNOWN
    mine = sample.get(NAMES.get(field, field), 0)
    return int(mine, 16) if isinstance(mine, str) else mine


def differences(mine, perfs, what):
    """Rows, which perf orders by time and precis as the file does. @return count, what differs"""
    if len(mine) != len(perfs):
        return 0, ["precis has %d samples, perf %d" % (len(mine), len(perfs))]
    wrong = ["%s: precis %s, perf %s" % (what, a, b) for a, b in zip(sorted(mine), sorted(perfs))
             if any(x not in (y, UNKNOWN) for x, y in zip(a, b))]
    return sum(x != UNKNOWN for row in mine for x in row), wrong


def compare_numbers(perf, path, samples):
    wanted = [field for field in FIELDS if field != "period" or not reads_groups(path)]
    lines, fields = script(perf, path, wanted)
    if lines is None:
        return 0, ["perf script fails"]
    perfs = [tuple(map(number_of, fields, line.split())) for line in lines]
    return differences([tuple(value(sample, field) for field in fields) for sample in samples],
                       perfs, ",".join(fields))


def compare_sources(perf, path, samples):
    """data_src as number and in words"""
    lines, fields = script(perf, path, [APART])
    if lines is None:
        return 0, ["perf script fails"]
    if not fields:
        return 0, []
    words = [value(sample, APART) for sample in samples]
    column = wording_of(perf)
    texts = [both[column][:SHOWN].rstrip() if column is not None else "" for both in
             texts_of(words)]
    perfs = []
    for line in lines:
        word, text = line.split(None, 1)
        perfs.append((int(word, 16), text.rstrip() if column is not None else ""))
    return differences(list(zip(words, texts)), perfs, APART)


def compare_transactions(perf, path, samples):
    """perf script has no field for them"""
    mine = [(value(sample, "time"), value(sample, "transaction")) for sample in samples]
    perfs = [(sample["leading"][-1], sample["transaction"]) for sample in perf.dump(path)]
    return differences(mine, perfs, "time,transaction")


def disagreeing(samples, of_all):
    """
    @param of_all  each part of a weight that is not 0 must be a latency
    @return how many latencies there are, and which are not the weight that they should be
    """
    pairs = [(name, sample[name], value(sample, part)) for sample in samples
             for name, part in LATENCIES.items() if name in sample]
    wrong = ["%s is %d, the weight %d" % pair for pair in pairs if pair[1] != pair[2]]
    parts = sum(value(sample, part) != 0 for sample in samples for part in set(LATENCIES.values()))
    if of_all and len(pairs) != parts:
        wrong.append("%d parts of weights, %d latencies" % (parts, len(pairs)))
    return len(pairs), wrong


def check(perfs, name, path, work):
    """@return values compared, samples without a valid ip"""
    samples, code, errors = precis_samples(path, work)
    if NO_ZSTD in errors:
        skip(name, "built without zstd")
        return 0, 0
    count, wrong = disagreeing(samples, name == MADE)
    wrong += ["no ip, and yet exact: %s" % sample for sample in samples
              if "ip" not in sample and sample.get("ip_exact")]
    for perf in perfs:
        comparisons = [compare_numbers, compare_sources]
        comparisons += [compare_transactions] if name == MADE else []
        for compare in comparisons:
            more, differing = compare(perf, path, samples)
            count += more
            wrong += ["perf %s: %s" % (perf.version, words) for words in differing]
    for line in wrong[:REPORTED]:
        note(line)
    if code:
        note("precis: exit code %d: %s" % (code, errors))
    ok(not wrong and not code, "%s: %d samples" % (name, len(samples)))
    return count, sum("ip" not in sample for sample in samples)


def recordings():
    folders = ((os.path.join(SHARED, "perfdata"), "*data*"),
               (os.path.join(SHARED, "recordings"), "*.perf.data"),
               (os.path.join(TOP, "tests", "recordings"), "*.perf.data"))
    return {os.path.basename(path): path for folder, pattern in folders
            for path in glob.glob(os.path.join(folder, pattern))
            if folder != folders[0][0] or has_words(path)}


def main():
    need(PERF, "nothing to compare with")
    perfs = [Perf(program) for program in programs()]
    seed = int(os.environ.get("PRECIS_SEED", "20261121"), 0)
    note("PRECIS_SEED=%d" % seed)
    compared = inexact = 0
    with tempfile.TemporaryDirectory() as work:
        made = os.path.join(work, "made")
        make(made, random.Random(seed))
        for name, path in [(MADE, made)] + sorted(recordings().items()):
            count, without_ip = check(perfs, name, path, work)
            compared += count
            inexact += without_ip
    note("%d values compared; %d samples without a valid ip" % (compared, inexact))
    done()


if __name__ == "__main__":
    main()
