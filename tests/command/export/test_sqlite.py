#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis export --format sqlite: every value, reason and description, as SQLite has them."""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from command import SRCDIR, recording, run, usage
from tap import Skip, equal

try:
    import sqlite3
except ImportError:
    sqlite3 = None

SCRATCH = tempfile.TemporaryDirectory()
SYMFS = os.path.join(SRCDIR, "tests/recordings/symfs")
WITHOUT = "sqlite" in os.environ.get("PRECIS_WITHOUT", "").split()
PARTS = "comm,dso,dso_offset,symbol,id,offset"
OWN = ("zen4-mix-op", "zen4-fetch", "zen4-freq", "skylake-mix-loads", "spr-loads", "zen4-throttled")


def there(name):
    return os.path.join(SCRATCH.name, name)


def exported(path, *more, code=0):
    if WITHOUT:
        raise Skip("precis was built without SQLite")
    if not sqlite3:
        raise Skip("this python has no sqlite3")
    done = run("export", "--format", "sqlite", "--force", "-o", there("export.db"), *more, path)
    equal(done.code, code, done)
    database = sqlite3.connect(there("export.db"))
    database.row_factory = sqlite3.Row
    equal(database.execute("PRAGMA integrity_check").fetchone()[0], "ok")
    return database


def signed(number):
    """As SQLite keeps 64 bits"""
    return number - 2 ** 64 if number >= 2 ** 63 else number


def value(found):
    """Of precis dump's JSON"""
    if isinstance(found, str) and found.startswith("0x"):
        found = int(found, 16)
    return signed(int(found)) if isinstance(found, (bool, int)) else found


def dumped(path, fields, *more):
    """Rows, and those of why members are absent"""
    out = run("dump", "--format", "json", "--reasons", "-F", fields, *more, path).out
    rows = [json.loads(line) for line in out.splitlines()]
    reasons = [row.pop("reasons", {}) for row in rows]
    return [{name: value(one) for name, one in row.items()} for row in rows], reasons


def rows_of(database):
    return [{name: row[name] for name in row.keys() if name != "sample" and row[name] is not None}
            for row in database.execute("SELECT * FROM samples ORDER BY sample")]


def test_values():
    """all fields and parts of all samples, and how often each is absent for which reason"""
    for name in OWN:
        path, fields = recording(name), "all," + PARTS
        database = exported(path, "-F", fields, "--symfs", SYMFS)
        rows, reasons = dumped(path, fields, "--symfs", SYMFS)
        equal(rows_of(database), rows, name)
        counts = collections.Counter((field, *why.split(": ", 1))
                                     for row in reasons for field, why in row.items())
        equal({tuple(row)[:3]: row["samples"] for row in database.execute("SELECT * FROM reasons")},
              dict(counts), name)
        database.close()


def test_reasons():
    """why a value is absent, in a column of its own"""
    path = recording("zen4-op")
    database = exported(path, "-F", "mem_level,addr,time", "--reasons")
    rows, reasons = dumped(path, "mem_level,addr,time")
    wanted = [{**row, **{field + "_reason": why for field, why in absent.items()}}
              for row, absent in zip(rows, reasons)]
    equal(rows_of(database), wanted)


def test_descriptions():
    """fields as in the catalogue, events and recording as of precis info"""
    path = recording("zen4-mix-op")
    database = exported(path)
    catalogue = {row["name"]: (row["type"], row["unit"], row["meaning"])
                 for row in json.loads(run("fields", "--format", "json").out) if row["kind"] == "field"}
    found = {row["name"]: tuple(row)[1:] for row in database.execute("SELECT * FROM fields")}
    equal(found, catalogue)
    info = json.loads(run("info", "--format", "json", path).out)
    equal([row["name"] for row in database.execute("SELECT name FROM events ORDER BY number")],
          [event["name"] for event in info["events"]])
    about = dict(tuple(row) for row in database.execute("SELECT * FROM recording"))
    equal((about["cpuid"], about["complete"], int(about["samples"])),
          ("AuthenticAMD,25,17,1", "1", len(rows_of(database))))


def test_command_line():
    """the program sqlite3 answers questions about it"""
    if not shutil.which("sqlite3"):
        raise Skip("no sqlite3 (Debian: sqlite3)")
    path = recording("zen4-op")
    exported(path).close()
    done = subprocess.run(["sqlite3", there("export.db"),
                           "SELECT mem_level, count(*), sum(dcache_miss_latency) FROM samples "
                           "WHERE mem_level IS NOT NULL GROUP BY 1 ORDER BY 1"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=600)
    sums = collections.defaultdict(lambda: [0, 0])
    for row in dumped(path, "mem_level,dcache_miss_latency")[0]:
        if "mem_level" in row:
            sums[row["mem_level"]][0] += 1
            sums[row["mem_level"]][1] += row.get("dcache_miss_latency", 0)
    found = [line.split("|") for line in done.stdout.splitlines()]
    equal({name: [int(count), int(total or 0)] for name, count, total in found}, dict(sums))


def test_existing():
    """a file that is there stays, unless it is to be replaced; the recording always does"""
    path = recording("zen4-op")
    exported(path).close()
    with open(there("kept"), "w", encoding="utf-8") as file:
        file.write("something of worth")
    done = run("export", "--format", "sqlite", "-o", there("kept"), path)
    assert done.code == 1 and "--force replaces it" in done.err, done
    with open(there("kept"), encoding="utf-8") as file:
        equal(file.read(), "something of worth")
    shutil.copy(path, there("itself"))
    done = run("export", "--format", "sqlite", "--force", "-o", there("itself"), there("itself"))
    assert done.code == 1 and "is the recording itself" in done.err, done
    equal(os.path.getsize(there("itself")), os.path.getsize(path))
    done = run("export", "--format", "sqlite", "--force", "-o", "/dev/null", path)
    assert done.code == 1 and "is no file" in done.err, done


def test_cut():
    """a recording that is cut off: what stands before the cut, which the database says"""
    with open(recording("zen4-op"), "rb") as file:
        data = file.read()
    with open(there("cut"), "wb") as file:
        file.write(data[:len(data) // 2])
    database = exported(there("cut"), "-F", "all", code=1)
    rows = rows_of(database)
    equal(rows, dumped(there("cut"), "all")[0])
    assert len(rows) > 300, len(rows)
    equal(database.execute("SELECT value FROM recording WHERE key = 'complete'").fetchone()[0], "0")


def test_full():
    """where no room is left the failure is told"""
    path = recording("zen4-op")
    exported(path).close()
    limit = "ulimit -f 100; exec \"$@\"" # in blocks of 512 or 1024 bytes: less than it takes
    done = subprocess.run(["sh", "-c", "trap '' XFSZ; " + limit, "sh", os.environ["PRECIS"], "export",
                           "--format", "sqlite", "-F", "all", "--reasons", "-o", there("full.db"), path],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=600)
    equal(done.returncode, 1, done)
    assert "full.db: " in done.stderr, done


def test_usage():
    """without a file there is nothing to write to; without SQLite that is said"""
    path = recording("zen4-op")
    assert "--format sqlite needs a file" in usage("export", "--format", "sqlite", path)
    assert "needs a file" in usage("export", "--format", "sqlite", "-o", "-", path)
    if WITHOUT:
        done = run("export", "--format", "sqlite", "-o", there("none.db"), path)
        assert done.code == 1 and "built without SQLite" in done.err, done


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
