#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis fields, precis errata: the catalogue and the errata table as text, CSV, JSON."""
import csv
import io
import json
import os
import re
import sys

import tap
from command import SRCDIR, good
from tap import equal

HERE = sys.modules[__name__]
FIELD = re.compile(r'^PRECIS_FIELD\((\w+), (\w+), "([^"]*)",\s+(\w+),\s+(\w+),', re.MULTILINE)


def catalogue():
    with open(os.path.join(SRCDIR, "libdecode/include/precis/fields.def")) as file:
        return FIELD.findall(file.read())


def rows(command):
    return list(csv.DictReader(io.StringIO(good(command, "--format", "csv"))))


def test_every_field():
    """fields: every row of fields.def, in its order, with its aliases"""
    equal([(row["name"], row["aliases"]) for row in rows("fields") if row["kind"] == "field"],
          [(name, aliases) for _, name, aliases, _, _ in catalogue()])


def test_no_empty_cells():
    """fields: each has a type, a source or none that any CPU has, a meaning"""
    for row in rows("fields"):
        assert row["name"] and row["type"] and row["meaning"], row
        assert row["source"] or "PEBS" in row["meaning"], row


PART = re.compile(r'^PART\((\w+), (\w+), PART_(\w+),', re.MULTILINE)


def test_every_part():
    """fields: behind them every row of parts.def; none has the name of a field"""
    with open(os.path.join(SRCDIR, "command/parts/parts.def")) as file:
        expected = [(name, kind.lower()) for _, name, kind in PART.findall(file.read())]
    listed = rows("fields")
    equal([(row["name"], row["type"]) for row in listed if row["kind"] == "part"], expected)
    equal([row["kind"] for row in listed], sorted(row["kind"] for row in listed))
    names = {row["name"] for row in listed if row["kind"] == "field"}
    names |= {alias for row in listed for alias in row["aliases"].split()}
    assert not names & {name for name, _ in expected}
    out = good("fields", "--format", "csv", "callchain", "ip")
    equal([row["name"] for row in csv.DictReader(io.StringIO(out))], ["callchain", "ip"])
    assert "Other parts" in good("fields") and "Other parts" not in good("fields", "callchain")


def test_json_equals_csv():
    """json says the same as csv"""
    for command in ("fields", "errata"):
        equal(json.loads(good(command, "--format", "json")), rows(command), command)


def test_text_has_everything():
    """text: every cell of csv is in it, wrapped; the kind is a heading"""
    for command in ("fields", "errata"):
        text = " ".join(good(command).split())
        for row in rows(command):
            row.pop("kind", None)
            for cell in row.values():
                assert " ".join(cell.split()) in text, cell


def test_text_width():
    """text: no line is longer than a terminal of 100 columns"""
    for command in ("fields", "errata"):
        for line in good(command).splitlines():
            assert len(line) <= 100, line


def test_some_fields():
    """fields NAME: by name, alias, any case; in the order asked for"""
    out = good("fields", "--format", "csv", "op", "IbsDcMissLat", "ibsdcmisslat", "data_src")
    equal([row["name"] for row in csv.DictReader(io.StringIO(out))],
          ["op", "dcache_miss_latency", "dcache_miss_latency", "mem_level"])


def test_sources():
    """fields: source and rule are the manuals'"""
    row, = csv.DictReader(io.StringIO(good("fields", "--format", "csv", "dcache_miss_latency")))
    equal((row["unit"], row["type"], row["source"]),
          ("cycles", "uint", "ibs_op: IbsOpData3[47:32]"))
    assert "L1" in row["valid"] and "load" in row["valid"], row


def test_values():
    """fields: an enumeration's values are listed"""
    row, = csv.DictReader(io.StringIO(good("fields", "--format", "csv", "tlb_level")))
    equal(row["values"], "L1 L2 walk L1_or_L2")


def test_errata():
    """errata: named, once for each condition, with cores and source"""
    names = [row["name"] for row in rows("errata")]
    for name in ("AMD-717", "AMD-718", "AMD-1197", "AMD-1238", "AMD-1293", "AMD-1347"):
        assert name in names, name
    for row in rows("errata"):
        assert all(row.values()), row
    some = json.loads(good("errata", "--format", "json", "AMD-1293"))
    equal([(row["name"], row["unit"], row["cores"]) for row in some],
          [("AMD-1293", "ibs_op", "Zen 3 (server)")])


def test_help():
    """--help, help, --version: on standard output, exit code 0"""
    for command in ("info", "dump", "fields", "errata", "report"):
        text = good(command, "--help")
        assert text.startswith("Usage: precis %s " % command), text
        assert "Example" in text, command
        equal(good("help", command), text)
        equal(good(command, "-h"), text)
        assert "  %-8s" % command in good("--help"), command
    assert re.fullmatch(r"precis \d+\.\d+\.\d+\n", good("--version"))
    equal(good("help"), good("--help"))


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
