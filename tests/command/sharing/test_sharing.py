#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis sharing: recordings of which it is known who wrote what and who read it, in all formats."""
import csv
import io
import json
import os
import re
import struct
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import accesses
import perfdata
import tap
from accesses import (FORWARD, HITM_LOAD, L1_LOAD, L3_LOAD, PERIOD_OF_LOADS, STORE, ZEN2, ZEN3, ZEN4, comm, ibs,
                      ibs_recording, load, mmap, recording, store)
from command import good, run, usage
from tap import equal

LINE = 0x7f0000001000
OTHER = LINE + 64
A, B, C = 101, 102, 103
IBS_PERIOD = 100000


def sharing(path, *options):
    return json.loads(good("sharing", "--no-symbols", "--format", "json", *options, path))


def rows(told, table):
    return told[table]["rows"] if table in told else []


def pairs(told, key="transfers"):
    return {(row["writer"], row["reader"]): row[key] for row in rows(told, "sharing_pairs")}


def all_of(told):
    return {row["row"]: row["transfers"] for row in rows(told, "sharing")}


def names():
    return [comm(100, 100, "program"), comm(100, A, "alpha"), comm(100, B, "beta"), comm(100, C, "gamma")]


def test_pairs():
    """Loads that got a line from another cache go to who stored there, as often as their stores were sampled"""
    told = sharing(recording("pairs", names() + [store(LINE, A)] * 3 + [store(LINE, B)] + [load(LINE, C, HITM_LOAD)] * 8 +
                             [store(LINE, C)] * 5 + [load(LINE, A, HITM_LOAD)] * 6 +
                             [load(OTHER, A, HITM_LOAD)] * 2 + [load(LINE, A), load(LINE, B, L3_LOAD)]))
    expected = {("alpha (101)", "gamma (103)"): 6, ("beta (102)", "gamma (103)"): 2,
                ("gamma (103)", "alpha (101)"): 5, ("beta (102)", "alpha (101)"): 1}
    equal(pairs(told), {pair: PERIOD_OF_LOADS * count for pair, count in expected.items()})
    equal(all_of(told)["all"], 16 * PERIOD_OF_LOADS)
    equal(all_of(told)["of a writer not known"], 2 * PERIOD_OF_LOADS)
    for row in rows(told, "sharing_pairs"):
        assert row["transfers_low"] < row["transfers"] < row["transfers_high"], row
    line = rows(told, "sharing_lines")[0]
    equal((line["address"], line["transfers"], line["load_samples"], line["store_samples"], line["parties"],
           line["writers"]), (hex(LINE), 14 * PERIOD_OF_LOADS, 16, 9, 3, 3))


def test_bytes():
    """True and false sharing by the bytes that IBS tells; what meets only in part is true"""
    told = sharing(ibs_recording("bytes", [ibs(LINE + 8, A, 2, 8)] * 4 + [ibs(LINE + 32, A, 2, 16)] * 4 +
                                 [ibs(LINE + 12, B, 1, 8, (1, 0))] * 2 + [ibs(LINE + 56, C, 1, 8, (5, 1))] * 3))
    equal(pairs(told), {("thread (101)", "thread (102)"): 2 * IBS_PERIOD,
                        ("thread (101)", "thread (103)"): 3 * IBS_PERIOD})
    equal(pairs(told, "true"), {("thread (101)", "thread (102)"): IBS_PERIOD, ("thread (101)", "thread (103)"): 0})
    equal(pairs(told, "false"), {("thread (101)", "thread (102)"): IBS_PERIOD,
                                 ("thread (101)", "thread (103)"): 3 * IBS_PERIOD})
    equal(all_of(told)["true or false, not told"], 0)


def test_width():
    """Where the CPU tells no width, bytes that may meet are not told; --access-bytes assumes one"""
    path = recording("width", [store(LINE, A)] * 4 + [load(LINE + 8, B, HITM_LOAD)] * 3 + [load(LINE, C, HITM_LOAD)])
    told = all_of(sharing(path))
    equal((told["true sharing"], told["false sharing"], told["true or false, not told"]),
          (PERIOD_OF_LOADS, 0, 3 * PERIOD_OF_LOADS))
    for width, true in ((8, 1), (16, 4)):
        told = all_of(sharing(path, "--access-bytes", width))
        equal((told["true sharing"], told["false sharing"]), (true * PERIOD_OF_LOADS, (4 - true) * PERIOD_OF_LOADS))


def test_sources():
    """What comes from another cache, on each CPU that tells it; forwarded lines, too"""
    forwarded = accesses.LOAD | accesses.HIT | accesses.L3 | accesses.level(3) | FORWARD
    hit = accesses.LOAD | accesses.HIT | accesses.L3 | accesses.SNP_HIT | accesses.level(3)
    for source, count in ((HITM_LOAD, 5), (forwarded, 5), (accesses.FAR_HITM_LOAD, 5), (hit, 0), (L3_LOAD, 0),
                          (L1_LOAD, 0)):
        told = sharing(recording("source", [store(LINE, A)] + [load(LINE, B, source)] * 5))
        equal(all_of(told)["all"], count * PERIOD_OF_LOADS, hex(source))
    for source, count in (((1, 0), 5), ((1, 1), 5), ((2, 0), 5), ((5, 1), 5), ((3, 0), 0), (None, 0)):
        told = sharing(ibs_recording("source", [ibs(LINE, A, 2)] + [ibs(LINE, B, 1, 8, source)] * 5))
        equal(all_of(told)["all"], count * IBS_PERIOD, source)


def test_cores():
    """Zen 3 does not tell transfers, and Zen 2 not all of them: both by name"""
    records = [ibs(LINE, A, 2, cpu=ZEN3), ibs(LINE + 8, A, 2, cpu=ZEN3)] + [ibs(LINE, B, 1, 8, (2, 0), cpu=ZEN3)] * 5
    told = sharing(ibs_recording("zen3", records, ZEN3))
    equal([name for name in told if name in ("sharing_pairs", "sharing_matrix")], [])
    equal(rows(told, "sharing"), [])
    assert any("Zen 3" in note for note in told["sharing"]["notes"]), told["sharing"]
    line, = rows(told, "sharing_lines")
    # of 7 accesses 5 are B's: each store meets 5/7, one of the two in its bytes
    equal((line["transfers"], line["contended"], line["true_percent"], line["false_percent"]),
          (None, round(2 * 5 / 7 * IBS_PERIOD, 6), 50, 50))
    records = [ibs(LINE, A, 2, cpu=ZEN2)] + [ibs(LINE, B, 1, 8, (2, 0), cpu=ZEN2)] * 5
    told = sharing(ibs_recording("zen2", records, ZEN2))
    equal(all_of(told)["all"], 5 * IBS_PERIOD)
    assert any("Zen 2" in note and "core complex" in note for note in told["sharing"]["notes"]), told["sharing"]


def test_cycles():
    """Where periods count cycles there are shares, and no number of transfers"""
    told = sharing(ibs_recording("cycles", [ibs(LINE, A, 2), ibs(LINE, C, 2)] + [ibs(LINE, B, 1, 8, (1, 0))] * 5,
                                 config=0))
    # the registers say what is counted
    equal(all_of(told)["all"], 5 * IBS_PERIOD)
    records = []
    for record in [ibs(LINE, A, 2), ibs(LINE, C, 2)] + [ibs(LINE, B, 1, 8, (1, 0))] * 5:
        records.append(record.replace(struct.pack("<Q", 7 << 17 | 0x186a),
                                      struct.pack("<Q", 3 << 17 | 0x186a)))
    told = sharing(ibs_recording("cycles", records, config=0))
    equal(rows(told, "sharing")[0]["transfers"], None)
    equal(rows(told, "sharing")[0]["transfers_reason"], "periods count cycles, not accesses")
    equal(pairs(told, "percent"), {("thread (101)", "thread (102)"): 50, ("thread (103)", "thread (102)"): 50})


def test_periods():
    """Samples weigh what their periods say"""
    sample_type = accesses.TYPE | accesses.PERIOD

    def with_period(record, period):
        # the period is behind the CPU, in front of the data source
        body = record[8:-8] + struct.pack("<Q", period) + record[-8:]
        return perfdata.record(perfdata.RECORD_SAMPLE, body, 2 | 1 << 14)

    told = sharing(recording("periods", [with_period(store(LINE, A), 30), with_period(store(LINE, B), 10),
                                         with_period(load(LINE, C, HITM_LOAD), 400),
                                         with_period(load(LINE, C, HITM_LOAD), 1200)], sample_type=sample_type))
    equal(pairs(told), {("thread (101)", "thread (103)"): 1200, ("thread (102)", "thread (103)"): 400})


def test_spaces():
    """The same address in two processes is two lines, unless physical addresses say that it is one"""
    def records(**how):
        return [store(LINE, A, pid=100, **how)] * 2 + [load(LINE, 201, HITM_LOAD, pid=200, **how)] * 3

    told = sharing(recording("virtual", records()))
    equal((pairs(told), all_of(told)["of a writer not known"]), ({}, 3 * PERIOD_OF_LOADS))
    assert any("--phys-data" in note for note in told["sharing"]["notes"])
    physical = recording("physical", records(phys=0x12345040), sample_type=accesses.TYPE | accesses.PHYS)
    told = sharing(physical)
    equal(pairs(told), {("thread (101)", "thread (201)"): 3 * PERIOD_OF_LOADS})
    equal(sharing(physical, "--by", "process")["sharing_pairs"]["rows"][0]["writer"], "process (100)")
    apart = [store(LINE, A, phys=0x1000)] + [load(LINE, B, HITM_LOAD, phys=0x2000)]
    told = sharing(recording("apart", apart, sample_type=accesses.TYPE | accesses.PHYS))
    equal(pairs(told), {})


def test_parties():
    """By CPU, core and node; what is not known of a core or node is told"""
    more = {accesses.CPU_TOPOLOGY: accesses.topology([0, 1, 0, 1])}
    path = recording("parties", [store(LINE, A, cpu=0)] * 2 + [store(LINE, B, cpu=2)] * 2 +
                     [load(LINE, C, HITM_LOAD, cpu=3)] * 4, more=more)
    equal(pairs(sharing(path, "--by", "cpu")), {("CPU 0", "CPU 3"): 2 * PERIOD_OF_LOADS,
                                               ("CPU 2", "CPU 3"): 2 * PERIOD_OF_LOADS})
    equal(pairs(sharing(path, "--by", "core")), {("core 0.0.0", "core 0.0.1"): 4 * PERIOD_OF_LOADS})
    equal(pairs(sharing(path, "--by", "node")), {("node 0", "node 1"): 4 * PERIOD_OF_LOADS})
    told = sharing(recording("no-cores", [store(LINE, A, cpu=77)] + [load(LINE, C, HITM_LOAD, cpu=3)], more=more),
                   "--by", "core")
    assert any("of 1 accesses it is not known which core" in note for note in told["sharing"]["notes"])
    seats = [(row["name"], row["cpu"], row["node"]) for row in sharing(path)["sharing_parties"]["rows"]]
    equal(seats, [("thread (101)", 0, 0), ("thread (102)", 2, 1), ("thread (103)", 3, 1)])


def test_places():
    """Offsets, widths, instructions and memory of a line's accesses; locked ones"""
    heap = mmap(100, LINE - 0x1000, 0x10000, "[heap]")
    path = recording("places", names() + [heap, mmap(100, 0x400000, 0x2000, "/tmp/no-such-program", is_data=False)] +
                     [store(LINE + 16, A, STORE | accesses.HIT | accesses.L1 | accesses.LOCKED, ip=0x401234)] * 2 +
                     [load(LINE + 24, B, HITM_LOAD, ip=0x401567)])
    told = json.loads(good("sharing", "--format", "json", "--access-bytes", 8, path))
    equal([(row["offset"], row["bytes"], row["access"], row["samples"], row["transfers"], row["who"], row["ip"],
            row["object"]) for row in told["sharing_accesses"]["rows"]],
          [(16, 8, "locked store", 2, 0, "alpha (101)", "0x401234", "no-such-program"),
           (24, 8, "load", 1, 1, "beta (102)", "0x401567", "no-such-program")])
    line, = rows(told, "sharing_lines")
    equal((line["object"], line["memory"], line["false_percent"]), ("[heap]", "heap", 100))


def test_several():
    """Several recordings: their threads and lines stay apart, rates are of the time of all"""
    def records(start):
        return ([store(LINE, A, time=start), store(LINE, A, time=start + 2 * 10 ** 9)] +
                [load(LINE, B, HITM_LOAD, time=start + 10 ** 9)] * 3)

    one, two = recording("one", records(10 ** 9)), recording("two", records(7 * 10 ** 9))
    told = json.loads(good("sharing", "--no-symbols", "--format", "json", one, two))
    equal(pairs(told), {("recording 1, thread (101)", "recording 1, thread (102)"): 3 * PERIOD_OF_LOADS,
                        ("recording 2, thread (101)", "recording 2, thread (102)"): 3 * PERIOD_OF_LOADS})
    all_together = rows(told, "sharing")[0]
    equal((all_together["transfers"], all_together["per_second"], all_together["bytes"]),
          (6 * PERIOD_OF_LOADS, 6 * PERIOD_OF_LOADS / 4, 6 * 64 * PERIOD_OF_LOADS))
    alone = rows(sharing(one), "sharing")[0]
    for end in ("", "_low", "_high"):
        # rounded to whole transfers, and to bytes
        assert abs(alone["per_second" + end] - alone["transfers" + end] / 2) <= 0.5, alone
        assert abs(alone["bytes_per_second" + end] - 64 * alone["per_second" + end]) <= 1, alone
    equal(alone["bytes_per_second"], 3 * PERIOD_OF_LOADS * 64 // 2)
    # text has both with their ends
    text = [line for line in good("sharing", "--no-symbols", one).splitlines() if line.startswith("  all ")][0]
    ends = re.fullmatch(r"  all +\d+ \[\d+,\d+\] +100.0 +(\d+) \[(\d+),(\d+)\] +(\S+) \[(\S+),(\S+)\]", text)
    for found, expected in zip(ends.groups(), [alone["per_second" + end] for end in ("", "_low", "_high")] +
                               [alone["bytes_per_second" + end] / 1e6 for end in ("", "_low", "_high")]):
        # whole numbers, ends outwards, or three digits
        assert abs(float(found) - expected) <= (1 if found.isdigit() else 0.005 * expected), (text, alone)


def test_jobs():
    """Read by several threads: the same"""
    records = []
    for n in range(60000):
        records.append(store(LINE + n % 5 * 64, A + n % 3) if n % 4 else load(LINE + n % 7 * 64, B, HITM_LOAD))
    path = recording("jobs", records)
    equal(good("sharing", "--jobs", 2, path), good("sharing", path))
    equal(good("sharing", "--jobs", 4, "--format", "csv", path), good("sharing", "--format", "csv", path))


def test_nothing():
    """No line that is shared, and no sample at all"""
    path = recording("private", [store(LINE, A)] * 5 + [load(LINE, A)] * 5 + [load(OTHER, B)] * 3)
    told = sharing(path)
    equal((all_of(told)["all"], pairs(told), rows(told, "sharing_lines")), (0, {}, []))
    assert "no line was sampled that several threads access and one stores to" in good("sharing", path)
    # none of 11 loads: as many as a few that were not sampled
    high = rows(told, "sharing")[0]["transfers_high"]
    assert 3.6 * PERIOD_OF_LOADS < high < 3.8 * PERIOD_OF_LOADS, high
    assert "no sample tells whether" in good("sharing", recording("empty", [perfdata.finished_round()]))


def test_selection():
    """Only what is selected counts"""
    path = recording("selection", [store(LINE, A)] * 2 + [load(LINE, B, HITM_LOAD)] * 3 + [load(LINE, C, HITM_LOAD)] * 4)
    equal(pairs(sharing(path, "--tid", "%d,%d" % (A, C))), {("thread (101)", "thread (103)"): 4 * PERIOD_OF_LOADS})


def test_csv():
    """CSV has the same figures as JSON"""
    path = recording("csv", names() + [store(LINE, A)] * 3 + [load(LINE, C, HITM_LOAD)] * 8)
    lines = list(csv.reader(io.StringIO(good("sharing", "--no-symbols", "--format", "csv", path))))
    found = {(line[0], line[1], line[2]): line[3] for line in lines}
    equal((found["sharing_pairs", "1", "transfers"], found["sharing_pairs", "1", "writer"],
           found["sharing_matrix", "1", "to_2"]), (str(8 * PERIOD_OF_LOADS), "alpha (101)", "100.000000"))


def test_svg():
    """The matrix drawn: a cell for each pair with its share, names escaped"""
    path = recording("svg", [comm(100, A, "<a&b>"), comm(100, B, "beta")] + [store(LINE, A)] * 3 +
                     [store(LINE, B)] + [load(LINE, C, HITM_LOAD)] * 8)
    plot = os.path.join(accesses.SCRATCH.name, "matrix.svg")
    good("sharing", "--svg", plot, path)
    root = xml.etree.ElementTree.parse(plot).getroot()
    cells = {(group.get("data-from"), group.get("data-to")): (float(group.get("data-percent")),
                                                             float(group.get("data-transfers")))
             for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("data-from")}
    equal(len(cells), 6)
    equal(cells["<a&b> (101)", "thread (103)"], (75, 6 * PERIOD_OF_LOADS))
    equal(cells["beta (102)", "thread (103)"], (25, 2 * PERIOD_OF_LOADS))
    equal(cells["thread (103)", "beta (102)"], (0, 0))
    # from the same byte on: true, however wide they are
    equal({(group.get("data-true"), group.get("data-false"))
           for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("data-percent") == "75"},
          {(str(6 * PERIOD_OF_LOADS), "0")})
    before = open(path, "rb").read()
    equal(run("sharing", "--svg", path, path).code, 1)
    equal(open(path, "rb").read(), before, "the recording")
    equal(run("sharing", "--svg", "/no/such/directory/m.svg", path).code, 1)


def test_svg_of_many():
    """names are beside the cells of 64 threads, and none is cut off; of more than 128 there are none"""
    for threads, named in ((2, 2), (64, 64), (128, 128), (129, 0)):
        records = [comm(100, 1000 + n, "a-long-name-of-%d" % n) for n in range(threads)]
        records += [record for n in range(threads) for record in (
            store(LINE + 64 * n, 1000 + n), load(LINE + 64 * n, 1000 + (n + 1) % threads, HITM_LOAD))]
        plot = os.path.join(accesses.SCRATCH.name, "many.svg")
        good("sharing", "--svg", plot, recording("many", records))
        root = xml.etree.ElementTree.parse(plot).getroot()
        names = [text for text in root.iter("{http://www.w3.org/2000/svg}text")
                 if re.fullmatch("a-long-name-of-.* *[0-9]+", text.text or "")]
        equal(len(names), named)
        assert all(float(text.get("font-size")) >= 8 for text in names), threads
        width, height = float(root.get("width")), float(root.get("height"))
        boxes = [[float(rect.get(name)) for name in ("x", "y", "width", "height")]
                 for rect in root.iter("{http://www.w3.org/2000/svg}rect") if rect.get("x")]
        assert all(x + across <= width and y + down <= height for x, y, across, down in boxes), (threads, width, height)


def test_usage():
    """Options that are wrong, or another command's"""
    for options in (("--by", "thraed"), ("--access-bytes", "65"), ("--access-bytes", "-1"), ("--sections", "top"),
                    ("--columns", "share"), ("--sort", "share"), ("--latency", "load_latency"), ("--runs", "2"),
                    ("--dso", "x")):
        usage("sharing", *options)
    for command in ("report", "diff", "annotate"):
        usage(command, "--svg", "x")
    assert re.search("did you mean|'thread'", usage("sharing", "--by", "thraed"))


def test_top():
    """--top cuts the lists and says what is left out"""
    records = []
    for n in range(30):
        records += [store(LINE + 64 * n, A)] + [load(LINE + 64 * n, B, HITM_LOAD)] * (n + 1)
    path = recording("top", records)
    text = good("sharing", "--top", 4, path)
    assert "and 26 lines with less (--top)" in text, text
    equal([row["transfers"] for row in rows(sharing(path, "--top", 4), "sharing_lines")],
          [PERIOD_OF_LOADS * n for n in (30, 29, 28, 27)])
    equal(len(rows(sharing(path), "sharing_lines")), 30)


def test_many_threads():
    """More threads than are told apart: the rest is one"""
    records = [store(LINE, A)] + [load(LINE, 1000 + n, HITM_LOAD) for n in range(700)]
    told = sharing(recording("threads", records))
    equal(len(rows(told, "sharing_parties")), 512)
    equal(all_of(told)["all"], 700 * PERIOD_OF_LOADS)
    equal(sum(row["transfers"] for row in rows(told, "sharing_pairs")), 700 * PERIOD_OF_LOADS)
    equal(pairs(told)["thread (101)", "others"], 190 * PERIOD_OF_LOADS)


def notes_of(path):
    """Of a recording of which nothing can be told"""
    told = json.loads(good("sharing", "--no-symbols", "--format", "json", path))
    equal(told["sharing_lines"]["rows"] if "sharing_lines" in told else [], [])
    return " ".join(told["sharing"]["notes"])


def test_missing():
    """recordings without accesses, without addresses and without threads: each is told by its name"""
    bare = accesses.TYPE & ~accesses.ADDR
    head = struct.pack("<QIIQ", 0x401000, 100, A, 10 ** 9)
    tail = struct.pack("<QIIQ", 1, 0, 0, accesses.L1_LOAD)
    path = recording("no-address", [perfdata.record(perfdata.RECORD_SAMPLE, head + tail, accesses.USER)] * 3,
                     sample_type=bare)
    assert "none of 3 accesses has an address: record with it" in notes_of(path), notes_of(path)
    path = recording("no-samples", [accesses.comm(100, A, "a")])
    assert "no sample is of an access to memory: record with precis-record" in notes_of(path), notes_of(path)
    bare = accesses.TYPE & ~perfdata.TID
    body = struct.pack("<QQQQIIQ", 0x401000, 10 ** 9, LINE, 1, 0, 0, accesses.L1_LOAD)
    path = recording("no-thread", [perfdata.record(perfdata.RECORD_SAMPLE, body, accesses.USER)] * 3, sample_type=bare)
    assert "of 3 accesses it is not known which thread made them" in notes_of(path), notes_of(path)


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
