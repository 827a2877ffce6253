#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench/results: each file is what its schema says, is read, and says the same as when it was measured."""
import glob
import json
import os
import platform
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../command/cli"))

import tap
from built import need
from command import SRCDIR, good, run
from tap import Skip, equal

FOLDER = os.path.join(SRCDIR, "bench/results")
FILES = sorted(path for path in glob.glob(os.path.join(FOLDER, "*.json"))
               if os.path.basename(path) != "schema.json")


def loaded(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def test_schema():
    """Each file is valid by the schema, and what breaks it is not"""
    try:
        import jsonschema
    except ImportError:
        raise Skip("no python3-jsonschema")
    kind = getattr(jsonschema, "Draft202012Validator", None)
    if not kind:
        raise Skip("python3-jsonschema is older than 4.0")
    schema = loaded(os.path.join(FOLDER, "schema.json"))
    kind.check_schema(schema)
    assert FILES, FOLDER
    for path in FILES:
        told = loaded(path)
        kind(schema).validate(told)
        told["runs"]["rows"][0]["samples"] = -1
        assert not kind(schema).is_valid(told), path
        told["runs"]["rows"][0]["samples"] = 1
        del told["cells"]["rows"][0]["set"]
        assert not kind(schema).is_valid(told), path


def test_read():
    """Each file is read: all of it, and it says byte for byte what it said"""
    need("jansson")
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")
    for path in FILES:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        found = good("bench", "--read", path, "--format", "json")
        # by another version of precis, perhaps
        version = re.compile(r'^  "precis": .*$', re.M)
        lines = [version.sub("", page, count=1).splitlines(keepends=True) for page in (found, text)]
        equal([pair for pair in zip(*lines) if pair[0] != pair[1]][:3], [], path)
        equal(len(lines[0]), len(lines[1]), path)


def test_compared():
    """A machine is neither better nor worse than itself"""
    need("jansson")
    if platform.machine() != "x86_64":
        raise Skip("kernels are for x86-64 alone")
    for path in FILES:
        done = run("bench", "--read", path, "--compare", path, "--check", "--format", "json")
        equal(done.code, 0, done)
        told = json.loads(done.out)
        equal(told["differences"]["rows"], [])
        equal({row["verdict"] for row in told["comparison"]["rows"]} & {"better", "worse", "differs"}, set())
        assert any(row["verdict"] == "no difference seen" for row in told["comparison"]["rows"]), path


def test_told():
    """Each file has its row in the table, is distributed, and has no host's name in it"""
    with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    with open(os.path.join(FOLDER, "local.mk"), encoding="utf-8") as file:
        distributed = file.read()
    for path in FILES:
        name = os.path.basename(path)
        assert "| [%s](%s) |" % (name, name) in readme, name
        assert "bench/results/" + name in distributed, name
        rows = {row["row"] for row in loaded(path)["preflight"]["rows"]}
        assert not rows & {"host", "hostname", "user"}, rows


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
