#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report --pebs-format: dumps of PEBS buffers, against precis dump of the same."""
import csv
import io
import json
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../dump"))

import tap
import test_pebs
import test_report
import test_report_several as several
from command import good, run, usage
from quick import FEW, fewer, some
from tap import equal
from test_pebs import FORMATS, NULL, SAPPHIRE_RAPIDS, SKYLAKE, adaptive, ds_area, fixed, scratch

HERE = sys.modules[__name__]
# Of each format a CPU that writes it
CPUS = {"netburst32": "15,2,0", "netburst64": "15,4,0", "0": "6,15,0", "1": "6,58,9",
        "2": "6,60,3", "3": "6,85,4", "4": "6,143,8", "5": "6,173,1", "6": "6,189,1",
        "arch": "19,1,0"}
MISSING = ("time", "cpu", "pid", "tid")


def report(*how):
    return run("report", *how)


def check(*how):
    """All that the report says of the dump, recomputed from the lines of precis dump."""
    population = test_report.population_of(how[-1], *how[:-1])
    result = report("--format", "json", "--top", "100000", *how)
    found = json.loads(result.out)
    test_report.check_tables(found, population, {None: 0}, how[-1])
    coverage = {entry["field"]: entry for entry in found["recording"]["coverage"]}
    equal(sorted(coverage), sorted(MISSING) if population else [], "what no dump has")
    for field, entry in coverage.items():
        absence, = entry["absent"]
        equal(("%s: %s" % (absence["reason"], absence["detail"]), absence["samples"],
               entry["present"], entry["of"]),
              (population[0]["reasons"][field], len(population), 0, len(population)), field)
    return found


def test_every_format():
    """random records of each format, with each kind of event"""
    for seed, form in enumerate(FORMATS):
        path, made = test_pebs.make(form, fewer(400), seed)
        for event in some(("load-latency", "store-latency", "precise-store", "load", "store",
                           "load-or-store", "other", "0x82d0")):
            found = check("--pebs-format", form, "--cpu", CPUS[form], "--event", event, path)
            equal(found["recording"]["values"]["samples"], len(made), form)
        check("--pebs-format", form, path)
        check("--pebs-format", form, "--cpu", CPUS[form], path)


def test_several():
    """several dumps of an event: the figures of the records of all in one dump"""
    for seed, form in enumerate(some(FORMATS)):
        paths = [test_pebs.make(form, fewer(300), 100 + 3 * seed + n)[0] for n in range(3)]
        whole = scratch("all-" + form, b"".join(map(test_pebs.read, paths)))
        for event in ("load-latency", "store-latency"):
            how = ("--pebs-format", form, "--cpu", CPUS[form], "--event", event)
            alone, together, turned = (json.loads(report("--format", "json", "--top", "100000",
                                                         *how, *dumps).out)
                                       for dumps in ([whole], paths, paths[::-1]))
            several.check_equal(alone, together, (form, event))
            several.check_equal(alone, turned, (form, event))


def records_of(seed, make_record):
    numbers = random.Random(seed)
    return b"".join(make_record(numbers) for _ in range(600))


def random_fixed(numbers):
    return fixed(source=numbers.getrandbits(6), latency=numbers.choice((0, 7, 300, 70000)),
                 ip=0x401000 + 4 * numbers.randrange(20))


def random_adaptive(numbers):
    return adaptive(source=numbers.getrandbits(9), retire=numbers.choice((0, 3, 65535)),
                    latency=numbers.randrange(500) << 32 | numbers.randrange(2000))


def test_cores():
    """cores with one latency and with two, of each kind; retire latency by the capabilities"""
    old = scratch("old.ds", records_of(1, random_fixed))
    new = scratch("new.ds", records_of(2, random_adaptive))
    found = check(*SKYLAKE, old)
    assert "pebs_load_latency" in found and "pebs_cache_latency" not in found
    found = check(*SAPPHIRE_RAPIDS, "--event", "load-latency", new)
    assert "pebs_cache_latency" in found and "pebs_load_latency" not in found
    assert "pebs_retire_latency" not in found
    found = check(*SAPPHIRE_RAPIDS, "--event", "load-latency", "--perf-capabilities", "20000", new)
    equal(test_report.rows_of(found["pebs_retire_latency"])["all samples"]["latency_max"], 65535)
    hybrid = ("--pebs-format", "4", "--cpu", "6,151,2", "--event", "load-latency")
    sources = [check(*hybrid, "--core-type", kind, new)["pebs_sources"] for kind in ("p", "e")]
    assert sources[0] != sources[1], sources


def test_recording():
    """what was told of the dump is repeated, what was not is said to be missing"""
    path = scratch("told.ds", adaptive() * 3)
    found = check(*SAPPHIRE_RAPIDS, "--event", "0x1cd", path)["recording"]["values"]
    equal((found["format"], found["cpu"], found["event"], found["samples"]),
          ("4", {"description": None, "cores": "Golden Cove (server)", "family": 6, "model": 143,
                 "stepping": 8}, "0x1cd (load-latency)", 3))
    equal(found["losses"], {"known": "unknown"}, "losses")
    text = good("report", "--all", *SAPPHIRE_RAPIDS, "--event", "0x1cd", path)
    assert "Golden Cove (server), family 6h model 8Fh stepping 8h" in text, text
    assert "not known: a dump does not tell" in text, text
    found = check("--pebs-format", "4", path)["recording"]["values"]
    equal(found["cpu"], {"description": None, "cores": None}, "cpu")
    assert found["event"].startswith("not told"), found
    found = check(*SAPPHIRE_RAPIDS, "--event", "0x8203", path)["pebs_ops"]
    assert "auxiliary event" in " ".join(found["notes"]), found


def test_forms():
    """text fits 100 columns and names what is missing; csv says the same as json"""
    path = scratch("forms.ds", records_of(3, random_adaptive))
    how = (*SAPPHIRE_RAPIDS, "--event", "load-latency", path)
    text = good("report", "--all", *how)
    assert max(len(line) for line in text.splitlines() if path not in line) <= 100, text
    for field in MISSING:
        assert "  %s: in 0 of 600; absent: 600 NOT_CAPTURED (" % field in text, text
    assert "no symbols: a dump does not tell" in text, text
    assert "\nLosses" not in text, text
    rows = {(row["section"], row["row"], row["column"]): row["value"]
            for row in csv.DictReader(io.StringIO(good("report", "--format", "csv", *how)))}
    tables = check(*how)
    for name in ("pebs_cache_latency", "pebs_sources", "pebs_dtlb"):
        for row in tables[name]["rows"]:
            for column in ("samples", "latency_n", "latency_median"):
                if row.get(column) is not None:
                    equal(rows[name, row["row"], column], str(row[column]), (name, row))


def test_selection():
    """--filter counts what it leaves out; --sort and --top order as of recordings"""
    path = scratch("selected.ds", records_of(4, random_fixed))
    found = check(*SKYLAKE, "--filter", "load_latency > 7", path)["recording"]["values"]
    assert found["selected"] < found["samples"] == 600, found
    check(*SKYLAKE, "--filter", "load_latency > 100000000", path)
    rows = json.loads(good("report", "--format", "json", "--sort", "latency", "--top", "3",
                           *SKYLAKE, path))["top_pebs"]["rows"]
    equal(len(rows), 3)
    sums = [row["latency_sum"] for row in rows]
    equal(sums, sorted(sums, reverse=True))


def test_area():
    """--ds-area and --ds-base: of the records from base to index"""
    path = scratch("area.ds", b"".join(fixed(latency=latency) for latency in (1, 2, 3)))
    area = scratch("area", ds_area(0x1000 + 200, 0x1000 + 600))
    found = check(*SKYLAKE, "--ds-area", area, "--ds-base", "0x1000", path)
    equal(test_report.rows_of(found["pebs_load_latency"])["all loads"]["latency_n"], 2)
    equal(check(*SKYLAKE, path)["recording"]["values"]["pebs"], 3)


def test_pipe():
    """a dump on standard input"""
    data = records_of(5, random_fixed)
    path = scratch("piped.ds", data)
    found = json.loads(test_pebs.piped(data, "report", "--format", "json", *SKYLAKE, "-").out)
    expected = json.loads(good("report", "--format", "json", *SKYLAKE, path))
    equal(found["recording"]["values"].pop("file"), "standard input")
    expected["recording"]["values"].pop("file")
    for finding, other in zip(found["findings"], expected["findings"]):
        equal(finding.pop("command"), other.pop("command").replace(path, "FILE"))
    equal(found, expected)


def fails_as_dump(*how):
    """The same messages and exit code as of precis dump; reported is what it prints."""
    dumped = run("dump", "-F", "ip", "--format", "json", *how)
    result = report("--format", "json", *how)
    equal(result.code, dumped.code, how)
    equal(result.err, dumped.err.replace("precis dump:", "precis report:"), how)
    if result.out:
        found = json.loads(result.out)["recording"]["values"]
        equal(found["pebs"], len(dumped.out.splitlines()), how)
        equal(found["unreadable"] != 0 or found.get("broken", False), result.code != 0, how)
    else:
        assert result.code == 1 and not dumped.out, result
    return result


def test_broken():
    """dumps that end anywhere, hold something else, or whose DS area lies"""
    for form in FORMATS:
        path, _ = test_pebs.make(form, 3, 6)
        data = test_pebs.read(path)
        for cut in range(0, len(data), 587 if FEW else 97):
            fails_as_dump("--pebs-format", form, scratch("cut", data[:cut]))
        for other in FORMATS:
            fails_as_dump("--pebs-format", other, path)
    two = fixed(latency=1) + fixed(latency=2)
    path, area, base = scratch("two.ds", two), scratch("lies"), 0x10000
    for content in (ds_area(base, base - 200, base), ds_area(base, base + 400, base + 200),
                    ds_area(base, base + 200, base - 8), ds_area(base + 1, base + 201), b"",
                    ds_area(base, base + 600), ds_area(base, base + 304), ds_area(0, 0),
                    ds_area(base, base)[:60]):
        scratch("lies", content)
        fails_as_dump(*SKYLAKE, "--ds-area", area, path)
    result = fails_as_dump(*SKYLAKE, scratch("nowhere.ds"))
    assert "No such file" in result.err and not result.out, result
    fails_as_dump("--pebs-format", "3", test_pebs.SCRATCH.name)
    fails_as_dump("--pebs-format", "arch", scratch("nulls", NULL * 5))


def test_behind_a_fault():
    """records that cannot be read are counted, and those behind them are reported"""
    path, _ = test_pebs.make("arch", 3, 8)
    orphan = (1 << 62 | 80).to_bytes(8, "little") + bytes(72)  # a Memory group without Basic
    result = fails_as_dump("--pebs-format", "arch", scratch("orphan", orphan + test_pebs.read(path)
                                                            + orphan))
    found = json.loads(result.out)["recording"]["values"]
    equal((found["samples"], found["pebs"], found["unreadable"]), (5, 3, 2))


def test_empty():
    """no records: said, and no error"""
    found = check(*SKYLAKE, scratch("empty.ds", b""))
    assert "there are no samples" in found["summary"]["notes"], found


def test_usage():
    """options that mean nothing of a dump, or need one"""
    path = scratch("usage.ds", fixed())
    for option in ("--pid=1", "--tid=1", "--time=1,2", "--os-release=6.1", "--fetch-layout=old",
                   "--no-symbols", "--symfs=/"):
        said = usage("report", option, "--pebs-format", "3", path)
        assert option.split("=")[0] + " and --pebs-format exclude each other" in said, said
    for words, message in ((("--ds-area", path), "need --pebs-format"),
                           (("--core-type", "p"), "need --pebs-format"),
                           (("--pebs-format", "7"), "--pebs-format: expected 0 to 6"),
                           (("--pebs-format", "3", "--cpu", "0-3"), "FAMILY,MODEL,STEPPING"),
                           (("--pebs-format", "3", "--perf-capabilities", "x"), "hexadecimal")):
        assert message in usage("report", *words, path), (words, message)
    result = report(*SKYLAKE, "-o", path, path)
    assert result.code == 1 and path in result.err, result
    equal(test_pebs.read(path), fixed())


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
