# SPDX-License-Identifier: BSD-3-Clause
"""What precis mix tells, as JSON has it: its tables by names, and whether figures are near the truth."""
import json

from command import good


def page(*arguments):
    return json.loads(good("mix", "--format", "json", "--top", "0", *arguments))


def rows(table, *keys):
    """of a table, without its sum; by their names, or by these columns"""
    found = {}
    for row in table["rows"]:
        if row["row"] != "all":
            found[tuple(row[key] for key in keys) if keys else row["row"]] = row
    return found


def sum_row(table):
    return next(row for row in table["rows"] if row["row"] == "all")


def holds(row, name, truth):
    return row[name + "_low"] <= truth <= row[name + "_high"]


def near(row, name, truth, within):
    assert abs(row[name] - truth) <= within * truth, (name, row[name], truth)


def rules(found):
    return {finding["rule"]: finding for finding in found["findings"]}
