#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fields of IBS that the catalogue gets later: rows are all that it takes, and other versions go on working.

A copy of the sources gets a second row for some of the fields, as a field of its own at the end of the
catalogue, beyond the first word of a set. What it says is known then: what the first one does.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support"))
import points
from points import tap

SRCDIR = pathlib.Path(os.environ["srcdir"])
PROGRAM = SRCDIR / "tests/libdecode/ibs/added_fields.c"
ROOMS = ("sample", "ibs", "pebs")
# Of both units and of one, with errata and without, with values that are not the plain bits
TWINS = ("PERIOD", "MEM_LEVEL", "TLB_LEVEL", "DCACHE_MISS_LATENCY", "TAG_TO_COMPLETION", "BRANCH_TARGET",
         "FETCH_LATENCY", "ITLB_LEVEL")


def add_rows(libdecode):
    """The rows, and no more: at the end of the catalogue, and behind each unit's own"""
    catalogue = libdecode / "include/precis/fields.def"
    with catalogue.open("a") as rows:
        for name in TWINS:
            rows.write('PRECIS_FIELD(TWIN_%s, twin_%s, "", UINT, NONE, "what the other says")\n' % (name, name.lower()))
    table = libdecode / "ibs/fields.def"
    text = table.read_text()
    for unit in ("OP", "FETCH"):
        row = r"^PRECIS_IBS_%s_FIELD\((%s),.*?\)\n(?=[PRECIS#/\n])" % (unit, "|".join(TWINS))
        twins = [re.sub(r"\((\w+),", r"(TWIN_\1,", found.group(0), count=1) for found in re.finditer(row, text, re.M | re.S)]
        text += "#ifdef PRECIS_IBS_%s_FIELD\n%s#endif\n" % (unit, "".join(twins))
    table.write_text(text)
    return len(re.findall(r"FIELD\(TWIN_", text))


def compile_with(arguments):
    return subprocess.run(shlex.split(os.environ["CC"]) + ["-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror"] + arguments,
                          capture_output=True, text=True)


def make_library(work):
    """What decodes, with the rows. The complaints, none if all is well"""
    libdecode = work / "libdecode"
    sources = [str(libdecode / "vendors.c")]
    for room in ROOMS:
        sources += sorted(map(str, (libdecode / room).glob("*.c")))
    done = compile_with(["-shared", "-fPIC", "-fvisibility=hidden", '-DPACKAGE_VERSION="later"', "-I%s" % work,
                         "-I%s" % (libdecode / "include"), *sources, "-o", str(work / "libprecis.so.0"),
                         "-Wl,-soname,libprecis.so.0"])
    return done.stderr.splitlines()


def make_program(work, headers, is_newer):
    path = work / ("newer" if is_newer else "today")
    names = "".join(" TWIN(%s)" % name for name in TWINS)
    done = compile_with(["-I%s" % headers, "-I%s" % SRCDIR, "-DTWINS=%s" % (names if is_newer else ""), str(PROGRAM),
                         str(work / "libprecis.so.0"), "-lm", "-o", str(path)])
    tap(done.returncode == 0, "a program with %s compiles" % ("the rows" if is_newer else "today's headers"),
        done.stderr.splitlines())
    return path


def run(program, folder):
    """The output of a program with the library in that folder: of whoever fails what he complains of"""
    environment = dict(os.environ, LD_LIBRARY_PATH=str(folder))
    done = subprocess.run([str(program)], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout.splitlines() + done.stderr.splitlines()


def judge(name, program, folder):
    code, lines = run(program, folder)
    tap(code == 0, name, ["exit code %d" % code] + lines)
    return lines


def main():
    with tempfile.TemporaryDirectory() as made:
        work = pathlib.Path(made)
        for room in ROOMS + ("include",):
            shutil.copytree(SRCDIR / "libdecode" / room, work / "libdecode" / room)
        shutil.copy(SRCDIR / "libdecode/vendors.c", work / "libdecode")
        subprocess.run(["chmod", "-R", "u+w", str(work)], check=True)
        rows = add_rows(work / "libdecode")
        tap(rows == len(TWINS) + 1, "a second row for each", ["%d rows" % rows])
        complaints = make_library(work)
        tap(not complaints, "rows are all that it takes", complaints)
        if complaints:
            return points.end()
        newer = make_program(work, work / "libdecode/include", True)
        today = make_program(work, SRCDIR / "libdecode/include", False)
        judge("each added field says what the other one does", newer, work)
        with_newer = judge("today's program with the newer library", today, work)
        library = pathlib.Path(os.environ["LIBPRECIS"])
        if not library.exists() or os.environ.get("PRECIS_SANITIZED") == "yes":
            points.skip("a newer program with today's library", "no shared library was built that a program without sanitizers can load")
            return points.end()
        judge("a newer program with today's library: added fields are absent, with a reason", newer, library.parent)
        with_today = judge("today's program with today's library", today, library.parent)
        tap(with_newer == with_today, "today's program says the same with both", with_newer[:5] + with_today[:5])
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
