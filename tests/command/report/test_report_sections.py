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


def text_of(*paths):
    """What the report prints where lines have 100 columns"""
    done = subprocess.run([PRECIS, "report", "--no-progress", *paths], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, COLUMNS=str(COLUMNS)), check=False)
    return done.stdout.decode(errors="replace")


def lines_of(text):
    """So many a screen of these columns has of it"""
    return sum(max(1, -(-len(line) // COLUMNS)) for line in text.splitlines())


def check_screens(*paths):
    text = text_of(*paths)
    assert lines_of(text) <= LINES, "%s: %d lines" % (paths, lines_of(text))
    return text


def test_screens():
    """two screens of 100 columns: every recording here, and those of others"""
    for path in OURS + THEIRS:
        check_screens(path)
    if not THEIRS:
        raise Skip("recordings of others: none there")


def several():
    """Recordings of one report: of two units, of several events, of both vendors, many"""
    named = {os.path.basename(path).partition(".")[0]: path for path in OURS + THEIRS}
    for names in (("zen4-op", "zen4-mix-l3missonly"), ("zen4-mix-op", "zen4-mix-l3missonly"),
                  ("zen4-op", "zen4-op_l3", "zen4-own-pertask"), ("zen4-op", "zen4-fetch", "zen4-freq"),
                  ("spr-loads", "skylake-mix-loads", "zen4-op", "zen4-fetch"),
                  ("zen4-op", "zen4-mt", "zen4-mem"), ("zen4-op", "zen4-op_l3", "zen4-both"),
                  ("zen4-lost", "zen4-both")):
        if set(names) <= set(named):
            yield [named[name] for name in names]
    yield OURS
    if THEIRS:
        yield [path for path in THEIRS if "/recordings/" in path]


def test_several():
    """two screens, with at most five findings, also of recordings of two units, and of many"""
    for paths in several():
        text = check_screens(*paths)
        equal(len(re.findall(r"^Findings.*$", text, re.M)), 1, paths)
        findings = text.partition("Findings")[2].partition("\n\n")[0]
        assert len(re.findall(r"^  \d\. ", findings, re.M)) <= 5, findings
        assert "\nKey figures" in text, paths
        told = json.loads(run("report", "--format", "json", *paths).out)
        assert len(told["findings"]) <= 5, paths
        for name, table in told.items(): # what is there at all is in text, or is said not to be
            if name.startswith("summary") and "title" in table:
                assert table["title"] in text, (paths, table["title"])
    check_left_out(text)


def check_left_out(text):
    """Of many recordings some are not shown: that is said, and --all has them"""
    shown = len(re.findall(r"^Recording \d+$", text, re.M))
    count = len(re.findall(r"^Recording \d+$", good_text("--all"), re.M))
    assert shown < count
    left_out = re.sub(r"\s+", " ", text[text.index("Not shown:"):])
    assert ("recording (in part)," if shown else "recording,") in left_out, left_out


def good_text(*options):
    return run("report", *options, *list(several())[-1]).out


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
