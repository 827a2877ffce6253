#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that were compiled with older or newer headers: precis(3), "Structures with a size"."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import age_headers

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import tap

SRCDIR = pathlib.Path(os.environ["srcdir"])
HERE = SRCDIR / "tests/abi"
HEADERS = SRCDIR / "libdecode/include"
CALLS = ("", "_values", "_pebs", "_records", "_files")
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
RECORDINGS = ("zen4-op.perf.data", "spr-loads.perf.data")


def functions_with_sized_structs():
    """Those of the public headers that take a struct whose first member is its size."""
    text = "".join(
        age_headers.strip_comments(path.read_text())
        for path in sorted((HEADERS / "precis").glob("*.h"))
    )
    sized = set(re.findall(r"^struct (\w+) \{\s*uint32_t size\b", text, re.M))
    for name, arguments in re.findall(r"PRECIS_API\b[^;{]*?\b(precis_\w+)\(([^;]*?)\);", text):
        if sized & set(re.findall(r"struct (\w+) \*(?!\*)", arguments)):
            yield name


def not_built(name):
    """Without elfutils no file has types: there is nothing that these could be called with."""
    return name.startswith(("precis_data_type", "precis_data_locals")) and "elfutils" in os.environ.get("PRECIS_WITHOUT", "").split()


def compiler():
    """With sanitizers if there are any for it, which the library need not have."""
    words = shlex.split(os.environ["CC"]) + ["-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror"]
    tried = subprocess.run(
        words + SANITIZERS.split() + ["-x", "c", "-", "-o", os.devnull],
        input="int main(void) { return 0; }", text=True, capture_output=True,
    )
    return words + (SANITIZERS.split() if tried.returncode == 0 else [])


def build(work):
    sets = {"older": HERE / "older", "today": HEADERS, "newer": work / "newer"}
    age_headers.main("newer", HEADERS / "precis", sets["newer"])
    objects = []
    for name, headers in sets.items():
        for part in CALLS:
            objects.append(str(work / ("%s%s.o" % (name, part))))
            subprocess.run(
                compiler() + ["-DABI_SET=calls_of_" + name, "-I%s" % headers, "-I%s" % HERE,
                              "-c", str(HERE / ("every_call%s.c" % part)), "-o", objects[-1]],
                check=True,
            )
    library = os.environ["LIBPRECIS"]
    program = str(work / "test_abi")
    subprocess.run(
        compiler() + ["-I%s" % HERE, str(HERE / "test_abi.c")] + objects
        + [library, "-Wl,-rpath,%s" % os.path.dirname(library), "-o", program],
        check=True,
    )
    return program


def run(program):
    """The names of the functions that were called."""
    done = subprocess.run(
        [program] + [str(SRCDIR / "tests/recordings" / name) for name in RECORDINGS],
        capture_output=True, text=True,
    )
    for word, name in re.findall(r"^(ok|not ok) \d+ - (.*)$", done.stdout, re.M):
        tap(word == "ok", name)
    tap(re.search(r"^1\.\.\d+$", done.stdout, re.M), "the calls come to their end", done.stderr.splitlines()[:40])
    return set(re.findall(r"does what it is for: (\w+)", done.stdout))


def main():
    if not os.path.exists(os.environ["LIBPRECIS"]):
        print("1..0 # SKIP no shared library was built")
        return 0
    with tempfile.TemporaryDirectory() as work:
        try:
            program = build(pathlib.Path(work))
        except subprocess.CalledProcessError:
            print("1..1\nnot ok 1 - the calls compile with all headers")
            return 1
        missing = sorted(name for name in set(functions_with_sized_structs()) - run(program) if not not_built(name))
    tap(not missing, "every function with a sized struct is called", missing)
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
