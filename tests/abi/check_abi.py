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


# Parameters that need no macro of sample/abi.h, which all others have, and why
BY_THEMSELVES = {
    "precis_filter_compile error": "handed on",
    "precis_filter_match sample": "a value is read where the sample says that it is there, no other",
    "precis_ibs_fetch_columns fetches": "abi_at()",
    "precis_ibs_op_columns ops": "abi_at()",
    "precis_set sample": "fields that the sample has room for, by its size",
    "precis_why sample": "as precis_filter_match()",
    "precis_why_detail sample": "as precis_filter_match()",
    "precis_why_in_words sample": "as precis_filter_match()",
}


def functions_with_sized_structs():
    """Those that take a struct whose first member is its size: {name: [(struct, parameter)]}"""
    text = "".join(
        age_headers.strip_comments(path.read_text())
        for path in sorted((HEADERS / "precis").glob("*.h"))
    )
    sized = set(re.findall(r"^struct (\w+) \{\s*uint32_t size\b", text, re.M))
    found = {}
    for name, arguments in re.findall(r"PRECIS_API\b[^;{]*?\b(precis_\w+)\(([^;]*?)\);", text):
        structs = re.findall(r"struct (\w+) \*(?!\*)\s*(?:const )?(\w+)", arguments)
        if sized & {struct for struct, _ in structs}:
            found[name] = [(struct, parameter) for struct, parameter in structs if struct in sized]
    return found


DEFINITION = re.compile(r"^[a-z][^;{}#]*?\b(precis_\w+)\([^;{}]*\)\n\{\n(.*?)^\}", re.M | re.S)
GUARD = (r"\bABI_(?:(?:MAY_)?(?:IN|OUT)\(|IN_OR\([^;]*?|OUT_ENDING_IN\()struct \w+,\s*(?:\w+, )?%(parameter)s,"
         r"|\bABI_SAMPLE\(%(parameter)s,|\bABI_SAMPLES_DIFFER\((?:\w+, )?%(parameter)s[,)]")


def unguarded(functions):
    """
    The calls tell of members that older headers lack today. Which those of a later version will be nobody
    knows, so each function has to begin by looking at the size of each struct.
    """
    bodies = {}
    for path in sorted((SRCDIR / "libdecode").rglob("*.c")):
        # what is not built in does nothing with them
        if not path.name.startswith("no_"):
            bodies.update(DEFINITION.findall(path.read_text()))
    left = set(BY_THEMSELVES)
    for name, structs in sorted(functions.items()):
        for struct, parameter in structs:
            if struct in age_headers.FIXED - {"precis_sample"}:
                continue
            if re.search(GUARD % {"parameter": parameter}, bodies.get(name, "")):
                continue
            if "%s %s" % (name, parameter) in left:
                left.discard("%s %s" % (name, parameter))
            else:
                yield "%s(): %s" % (name, parameter)
    for name in sorted(left):
        yield name + ": is guarded, or is none any more"


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
        functions = functions_with_sized_structs()
        missing = sorted(name for name in set(functions) - run(program) if not not_built(name))
    tap(not missing, "every function with a sized struct is called", missing)
    bare = list(unguarded(functions))
    tap(not bare and len(functions) > 150, "each looks at the size of its structs first", bare)
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
