#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What precis report prints of its tables: no row without a figure, values where values belong."""
import csv
import glob
import io
import json
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import perfdata
import tap
import test_report
import test_report_pebs as pebs
from command import SHARED, good, recording, run
from tap import equal

HERE = sys.modules[__name__]
NAMES = test_report.NAMES + ("spr-mix-loads", "zen4-mix-l3missonly", "zen4-mix-fetch")


def paths():
    found = [recording(name) for name in NAMES]
    return found + sorted(glob.glob(os.path.join(SHARED, "recordings", "*.perf.data"))
                          if SHARED else [])


def test_rows():
    """each row has a figure, and no denominator stands without a share"""
    for path in paths():
        for name, table in test_report.report(path).items():
            for row in table["rows"] if isinstance(table, dict) and "rows" in table else ():
                cells = {column: cell for column, cell in row.items() if column != "row"}
                figures = [cell for column, cell in cells.items()
                           if cell is not None and column not in ("latency_n", "n", "of")]
                assert figures, (path, name, row)
                if cells.get("of") is not None:
                    assert isinstance(row["share"], dict), (path, name, row)


def test_no_tables_of_dashes():
    """of what no sample tells there is the reason, and no row"""
    store = pebs.STORE | 0x140 # that hit the L1; no snoop, no TLB
    path = pebs.recording("stores-only", [pebs.sample(1, pebs.words(data_src=store))] * 9,
                          [(pebs.event(pebs.MEM_STORES), "stores")], pebs.SKYLAKE)
    found = test_report.report(path)
    for name in ("pebs_snoops", "pebs_dtlb"):
        equal((found[name]["rows"], found[name]["coverage"][0]["present"]), ([], 0), name)
    text = good("report", "--all", "--no-symbols", path)
    block = re.search(r"What other caches said\n((?:.+\n)*)", text).group(1)
    assert block.startswith("  mem_snoop: in 0 of 9; absent:"), block
    conditions = {row["row"] for row in found["pebs_conditions"]["rows"]}
    assert "store/data_blocked" not in conditions and "store/dcache_miss" in conditions, conditions


def test_denominator_of_nothing():
    """a condition that samples tell only where it is so is a count of nothing"""
    buffered = pebs.DRAM_LOAD & ~(0xf << 33 | 0x3fff << 5) | 12 << 33 | 0x12 << 5 # a fill buffer's
    records = [pebs.sample(1, pebs.words(data_src=pebs.DRAM_LOAD))] * 5
    records += [pebs.sample(1, pebs.words(data_src=buffered))] * 4
    path = pebs.recording("buffered", records, [(pebs.event(pebs.MEM_LOADS), "l")], pebs.SKYLAKE)
    found = test_report.report(path)
    row = test_report.rows_of(found["pebs_conditions"])["load/l2_miss"]
    equal(row, {"samples": 5, "share": None, "of": None}, "of those that tell")


def test_given():
    """what was asked for is no estimate: it has no interval; what was measured has one"""
    loads = pebs.recording("given", [pebs.sample(1, pebs.words())] * 20,
                           [(pebs.event(pebs.MEM_LOADS), "loads")], pebs.SKYLAKE)
    found = test_report.report(loads)
    given = {"value": 1, "low": None, "high": None, "n": 20}
    equal(found["pebs_ops"]["rows"][0]["share"], given, "loads of a load event")
    rows = test_report.rows_of(found["summary"])
    equal(rows["loads"]["share"], given, "key figure")
    share = rows["loads that miss the L1"]["share"]
    assert share["value"] == 1 and 0 < share["low"] < 1, share
    text = good("report", "--all", "--no-symbols", loads)
    assert re.search(r"^  load +20 +100\.00%$", text, re.M), text
    lines = list(csv.reader(io.StringIO(good("report", "--no-symbols", "--format", "csv", loads))))
    assert ["pebs_ops", "load", "share", "1.000000000", "20", "", ""] in lines
    path = recording("zen4-op")
    share = test_report.report("--filter", "op == branch", path)["ops"]["rows"][0]["share"]
    equal((share["value"], share["low"]), (1, None), "selected by it")
    either = "op == load || op == store"
    share = test_report.report("--filter", either, path)["ops"]["rows"][0]["share"]
    assert share["value"] < 1 and share["low"] < share["value"], share
    share = test_report.report("--filter", "tag_to_retire > 0", path)["ops"]["rows"][0]["share"]
    assert share["low"] is not None, "selected by something else"
    path = recording("zen4-mix-op")
    for keys, place, is_given in (("mem_level", 0, True), ("mem_level,cpu", 0, True),
                                  ("mem_level,cpu", 1, False), ("cpu", 0, False)):
        row = test_report.report("--filter", "mem_level == DRAM", "--columns", "share,DRAM", "--by", keys,
                                 path)["by_ops"]["rows"][place]
        equal((row["share"]["value"], row["share"]["low"] is None), (1, is_given), (keys, place))
        equal((row["DRAM"]["value"], row["DRAM"]["low"]), (1, None), (keys, place))


def undecodable(*arguments):
    """(what the report's first lines say, what is said on stderr)"""
    result = run("report", "--no-symbols", "--format", "json", *arguments)
    told = re.search(r": (\d+) IBS payloads could not be decoded", result.err)
    return (json.loads(result.out)["recording"]["values"]["undecodable"],
            int(told.group(1)) if told else 0)


def test_undecodable():
    """the report's first lines count what is said on stderr, whatever else is known of it"""
    payload = perfdata.op_payload()[:40]
    source = struct.pack("<Q", pebs.DRAM_LOAD)
    attr = perfdata.attr(sample_type=perfdata.SAMPLE_TYPE | pebs.DATA_SRC)
    records = []
    for n in range(8):
        record = perfdata.sample(payload if n % 2 else perfdata.op_payload())
        body = record[8:] + source
        records.append(perfdata.record(perfdata.RECORD_SAMPLE, body,
                                       struct.unpack_from("<H", record, 4)[0]))
    path = test_report.scratch("with-words", records, events=[(attr, [1], "ibs_op//")])
    equal(undecodable(path), (4, 4), "payloads of samples that have words")
    equal(undecodable("--filter", "tag_to_retire > 0", path), (4, 4), "whatever was selected")


SENTENCE = re.compile(r"[a-z]+[:,;]? [a-z]+ [a-z]+|\d (samples|Hz|cycles)")


def leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def test_values():
    """JSON has values where text has sentences"""
    for path in paths():
        values = test_report.report(path)["recording"]["values"]
        strange = [leaf for leaf in leaves(values) if isinstance(leaf, str) and
                   SENTENCE.search(leaf) and leaf != path]
        strange = [leaf for leaf in strange if leaf != values["cpu"]["description"]]
        equal(strange, [], path)
        events = json.loads(run("info", "--format", "json", path).out)["events"]
        for event in values["events"]:
            of_info = events[event["index"]]
            equal((event["name"], event["samples"]),
                  (of_info["name"], of_info["samples"] + of_info["traced_samples"]), path)
            for kind in ("frequency", "period"):
                equal(event.get(kind) or 0, of_info.get(kind) or 0, kind)
    values = test_report.report(recording("zen4-freq"))["recording"]["values"]
    equal(values["time"]["duration_ns"], values["time"]["last_ns"] - values["time"]["first_ns"])


def test_cpu():
    """the core by name, of both vendors; family and model in hexadecimal, in JSON numbers"""
    for name, core, model in (("zen4-op", "Zen 4", "family 19h model 11h stepping 1h"),
                              ("spr-loads", "Golden Cove", "family 6h model 8Fh stepping 8h")):
        text = good("report", "--all", "--no-symbols", recording(name))
        line = re.search(r"^  cpu .*\n", text, re.M).group(0)
        assert core in line and model in line, line
        values = test_report.report(recording(name))["recording"]["values"]["cpu"]
        assert core in values["cores"], values
        equal(("%Xh" % values["family"], "%Xh" % values["model"]),
              tuple(re.findall(r"(?:family|model) (\w+)", model)), name)
        assert core in good("info", recording(name)), name
    path = pebs.recording("hybrid-cpu", [pebs.sample(1, pebs.words())], [(pebs.event(pebs.MEM_LOADS), "l")], pebs.ALDER_LAKE)
    assert "Golden Cove (" in good("report", "--all", path) and "Gracemont (" in good("report", "--all", path)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
