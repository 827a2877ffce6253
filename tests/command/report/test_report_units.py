#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report: samples of ibs_op by cycles and by micro-ops are never added up."""
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import perfdata
import tap
from command import PRECIS, good, run
from tap import equal

SCRATCH = tempfile.TemporaryDirectory()
CYCLES, OPS, OTHER = 1, 2, 3 # events
COUNTS_OPS, RAW = 1 << 19, 1 << 10
RANDOM = random.Random(20)
PERIODS = {CYCLES: 104752, OPS: 104720, OTHER: 1009}
LOAD, STORE, NEITHER = 0x901961cd60085, 0x901961cd60086, 0x901961cd60084
CONTROL = 0x6b0006186a # neither cnt_ctl nor l3missonly


def there(name):
    return os.path.join(SCRATCH.name, name)


def op(event, kinds, number):
    payload = perfdata.op_payload(ctl=CONTROL | (COUNTS_OPS if event == OPS else 0),
                                  data3=RANDOM.choice(kinds),
                                  rip=0x401000 + 16 * (RANDOM.randrange(50) + 50 * event))
    return perfdata.sample(payload, ident=event, time=1000 * number + event)


# Those of one event are the same in all recordings. By cycles there are no stores.
SAMPLES = {
    CYCLES: [op(CYCLES, (LOAD, NEITHER), n) for n in range(200)],
    OPS: [op(OPS, (LOAD, STORE, NEITHER), n) for n in range(300)],
    OTHER: [perfdata.sample(None, ident=OTHER, time=1000 * n + OTHER) for n in range(50)],
}


def recording(name, *events):
    attrs = {CYCLES: (perfdata.attr(perfdata.IBS_OP_TYPE, period=PERIODS[CYCLES], config=0),
                      [CYCLES], "ibs_op//"),
             OPS: (perfdata.attr(perfdata.IBS_OP_TYPE, period=PERIODS[OPS], config=COUNTS_OPS),
                   [OPS], "ibs_op/cnt_ctl=1/"),
             OTHER: (perfdata.attr(0, perfdata.SAMPLE_TYPE & ~RAW, PERIODS[OTHER]), [OTHER], "cycles")}
    path = there(name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(sum((SAMPLES[event] for event in events), []),
                                      [attrs[event] for event in attrs]))
    return path


def of_different_names(pairs):
    names = [name for name, _ in pairs]
    equal(sorted(set(names)), sorted(names))
    return dict(pairs)


def report(*arguments):
    return json.loads(good("report", "--no-symbols", "--format", "json", *arguments),
                      object_pairs_hook=of_different_names)


def is_of_ops(name):
    """Tables whose figures are of ibs_op, by their names in a recording of one unit"""
    return name.startswith(("summary", "ops", "load_", "store_", "dtlb", "miss_", "pipeline_",
                            "branches", "top_instructions", "by_ops"))


def expect(found, *options):
    """Each unit's tables are those that its samples have alone."""
    alone = {"_by_cycles": report(*options, recording("cycles", CYCLES, OTHER)),
             "_by_ops": report(*options, recording("ops", OPS))}
    wanted = {name + unit: table["rows"] for unit, tables in alone.items()
              for name, table in tables.items() if is_of_ops(name)}
    told = {name: table["rows"] for name, table in found.items() if is_of_ops(name)}
    assert wanted
    equal(sorted(told), sorted(wanted))
    for name, rows in wanted.items():
        equal(told[name], rows, name)


def test_one_file():
    """both in a file: two tables of each, those that each has alone"""
    found = report(recording("both", CYCLES, OPS, OTHER))
    expect(found)
    assert "top_other" in found and "top_other_by_ops" not in found, sorted(found)
    equal(sum(name.startswith("recording") for name in found), 1)
    equal(sum(name.startswith("losses") for name in found), 1)


def test_by():
    """and of --by"""
    options = ("--by", "op", "--columns", "samples,share")
    expect(report(*options, recording("both", CYCLES, OPS)), *options)


def test_several_files():
    """each in a file of its own, of one report"""
    expect(report(recording("cycles", CYCLES, OTHER), recording("ops", OPS)))


def test_jobs():
    """the same bytes, however many read it"""
    path = recording("both", CYCLES, OPS, OTHER)
    equal(run("report", "--jobs", "2", path).out, run("report", "--jobs", "1", path).out)


def test_text():
    """titles say which"""
    text = good("report", "--no-symbols", "--all", recording("both", CYCLES, OPS, OTHER))
    for unit in ("cycles", "micro-ops"):
        assert "Key figures, sampled by %s\n" % unit in text, text
    equal(text.count("\nRecording\n"), 1)


def test_findings():
    """at most five of all units together, those with most ground; of which unit each is; its command runs"""
    path = recording("both", CYCLES, OPS, OTHER)
    found = report(path)
    equal([name for name in found if name.startswith("findings")], ["findings"])
    told = found["findings"]
    equal(len(told), 5)
    equal({one["unit"] for one in told} - {None}, {"cycles", "micro-ops"})
    for one in told:
        equal(one["text"].startswith("Sampled by "), one["unit"] is not None, one)
        equal(one["text"].startswith("Sampled by %s: " % one["unit"]), one["unit"] is not None, one)
        if not one["unit"] or "annotate" in one["command"] and built.WITHOUT & {"elfutils", "zydis"}:
            continue
        run_of_unit(one)
    text = good("report", "--no-symbols", path)
    equal(re.findall(r"^Findings.*$", text, re.M), ["Findings"])
    alone = [one for event, unit in ((CYCLES, "cycles"), (OPS, "micro-ops"))
             for one in report(recording("alone", event))["findings"]]
    for one in told:
        if one["unit"]:
            assert one["text"].partition(": ")[2] in [each["text"] for each in alone], one


def run_of_unit(finding):
    """The command reads samples of that unit alone: by ops are stores, by cycles none."""
    words = shlex.split(finding["command"])[1:]
    option = [word for word in words if word.startswith("--filter=")]
    equal(len(option), 1, words)
    good(*words)
    stores = good("dump", "--format", "csv", "-F", "op", "--filter",
                  option[0].partition("=")[2] + " && op == store", words[-1]).splitlines()
    equal(len(stores) > 1, finding["unit"] == "micro-ops", option)


def test_filtered():
    """what samples were selected by is in commands, too, beside the unit"""
    told = report("--filter", "op == load || op == store", recording("both", CYCLES, OPS))["findings"]
    options = {shlex.split(one["command"])[-2] for one in told if one["unit"] == "micro-ops"} | {
        word for one in told if one["unit"] == "micro-ops"
        for word in shlex.split(one["command"]) if word.startswith("--filter")}
    assert "--filter=(op == load || op == store) && period_unit == ops" in options, options


def test_sections():
    """--sections takes the names that tables have otherwise"""
    found = report("--sections", "load_sources", recording("both", CYCLES, OPS))
    equal([name for name in found if is_of_ops(name)],
          ["load_sources_by_cycles", "load_sources_by_ops"])


def test_selected():
    """--event and --filter choose one"""
    path = recording("both", CYCLES, OPS, OTHER)
    ops = report(recording("ops", OPS))["load_sources"]["rows"]
    equal(report("--event", "ibs_op/cnt_ctl=1/", path)["load_sources"]["rows"], ops)
    equal(report("--filter", "period_unit == ops", path)["load_sources"]["rows"], ops)


def test_refused():
    """where there can be but one, or a second look is not to be had, that is said"""
    path = recording("both", CYCLES, OPS)
    commands = [("diff", path, recording("both again", CYCLES, OPS))]
    if not built.WITHOUT & {"elfutils", "zydis"}:
        commands.append(("annotate", "0x401000", path))
    for arguments in commands:
        done = run(*arguments)
        equal(done.code, 2)
        assert "by cycles and by micro-ops" in done.err and "--event" in done.err, done.err
    with open(path, "rb") as file:
        done = subprocess.run([PRECIS, "report", "-"], input=file.read(), capture_output=True,
                              check=False)
    equal((done.returncode, done.stdout), (2, b""))
    assert b"read once" in done.stderr and b"--event" in done.stderr, done.stderr


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
