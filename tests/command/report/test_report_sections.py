#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis report --sections and --all: which tables there are, and that text fits two screens."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import PRECIS, SHARED, SRCDIR, good, recording, run, usage
from tap import Skip, equal

SCRATCH = tempfile.TemporaryDirectory()
LINES, COLUMNS = 100, 100
# What a name of a table may have behind it: the number of its event, or of its recording
NUMBER = re.compile(r"_\d+$")
OURS = sorted(glob.glob(os.path.join(SRCDIR, "tests/recordings/*.perf.data")))
THEIRS = sorted(path for pattern in ("recordings/*.data", "perfdata/*")
                for path in glob.glob(os.path.join(SHARED, pattern))
                if os.path.isfile(path) and not path.endswith(".tsv"))


def definitions(what):
    """Rows of the table of sections in the source: name and rank, or table and section"""
    with open(os.path.join(SRCDIR, "command/report/sections.def"), encoding="utf-8") as file:
        return re.findall(r"^%s\((\w+), (\w+)" % what, file.read(), re.M)


SECTIONS = dict(definitions("SECTION"))
OF_TABLE = dict(definitions("TABLE"))


def section_of(name):
    name = NUMBER.sub("", name)
    return "summary" if name.startswith("summary") else \
        "pipeline" if name.startswith("pipeline") else OF_TABLE.get(name, name)


def tables(*arguments):
    found = json.loads(run("report", "--no-symbols", "--format", "json", *arguments).out or "{}")
    return [name for name in found if name != "precis"]


def test_every_table():
    """every table of every recording is of a section that has a name"""
    for path in OURS + THEIRS:
        strange = {section_of(name) for name in tables(path)} - set(SECTIONS)
        equal(strange, set(), path)


def test_chosen():
    """--sections: these and no others, in every format; as --all has them"""
    path = recording("zen4-mix-op")
    whole = json.loads(good("report", "--format", "json", path))
    for section in SECTIONS:
        found = json.loads(good("report", "--format", "json", "--sections", section, path))
        wanted = {name: table for name, table in whole.items()
                  if name == "precis" or section_of(name) == section}
        equal(found, wanted, section)
    two = tables("--sections", "dtlb,recording", path)
    equal(two, ["recording", "dtlb"], "the report's order")
    lines = good("report", "--format", "csv", "--sections", "dtlb", path).splitlines()[1:]
    assert lines and all(line.startswith("dtlb,") for line in lines), lines[:3]
    text = good("report", "--sections", "branches", path)
    assert text.startswith("Retired branches") and "\n\n" not in text, text


def test_all():
    """--all: text has each table that JSON has; without it text tells which it has not"""
    path = os.path.join(SCRATCH.name, "mix") # how much room there is depends on the name
    os.symlink(os.path.abspath(recording("zen4-mix-op")), path)
    text, short = good("report", "--all", path), good("report", path)
    assert "Not shown" not in text
    left_out = re.sub(r"\s+", " ", short[short.index("Not shown:"):])
    named = re.findall(r"\w+(?=,| \()", left_out.partition("--all")[0])
    equal(named, [name for name in SECTIONS
                  if name in {section_of(table) for table in tables(path)} and
                  SECTIONS[name] == "0"], "what is left out")
    for line in short[:short.index("Not shown:")].splitlines():
        assert line in text.splitlines(), line
    equal(json.loads(good("report", "--format", "json", "--all", path)),
          json.loads(good("report", "--format", "json", path)), "JSON has all")
    equal(good("report", "--format", "csv", "--all", path), good("report", "--format", "csv", path))


def test_screens():
    """two screens of 100 columns: every recording here, and those of others"""
    environment = dict(os.environ, COLUMNS=str(COLUMNS))
    for path in OURS + THEIRS:
        done = subprocess.run([PRECIS, "report", "--no-progress", path], env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        lines = done.stdout.decode(errors="replace").splitlines()
        assert len(lines) <= LINES, "%s: %d lines" % (path, len(lines))
    if not THEIRS:
        raise Skip("recordings of others: none there")


def test_refused():
    """what is no section, and what goes with --by"""
    path = recording("zen4-mix-op")
    assert usage("report", "--sections", "sumary", path) == \
        "precis report: --sections: there is no section 'sumary'; did you mean 'summary'? " \
        "(--sections help lists them)"
    assert "no section ''" in usage("report", "--sections", "", path)
    assert "no section ''" in usage("report", "--sections", "top,", path)
    assert "expected one of them" in usage("report", "--all", "--sections", "top", path)
    assert "with --by" in usage("report", "--all", "--by", "op", path)
    assert "with --by" in usage("report", "--sections", "top", "--by", "op", path)
    for option in ("--all", "--sections=top"):
        assert "option" in usage("diff", option, path, path)
    listed = good("report", "--sections", "help").splitlines()
    equal([line.split()[0] for line in listed[:-1]], list(SECTIONS))
    equal([line.split()[0] for line in listed[:-1] if line.split()[1] == "*"],
          [name for name, rank in SECTIONS.items() if rank != "0"])


def test_documented():
    """precis-report(1) has each section"""
    with open(os.path.join(SRCDIR, "doc/man/precis-report.1"), encoding="utf-8") as file:
        page = file.read()
    section = page.partition(".Ss Sections\n")[2].partition("\n.Ss ")[0]
    equal(re.findall(r"^\.It (\w+)$", section, re.M), list(SECTIONS))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
