# SPDX-License-Identifier: BSD-3-Clause
"""What folded stacks have to be, recomputed from what precis dump prints of the same samples."""
import collections
import json
import re

from command import run

FIELDS = "comm,tid,dso,symbol,callchain_symbols,period,event,ip"


def escaped(name):
    """As precis_escape(3), and ';', in a name that is UTF-8"""
    name = name.replace("\\", "\\\\").replace(";", "\\x3b")
    return re.sub(r"[\x00-\x1f\x7f]", lambda found: "\\x%02x" % ord(found.group()), name)


def frame(place):
    """The name of an address that is a member of callchain_symbols, or a sample"""
    if place.get("symbol"):
        return place["symbol"]
    dso = place.get("dso")
    if not dso:
        return "[unknown]"
    return dso if dso.startswith("[") else "[%s]" % (dso.rsplit("/", 1)[-1] or dso)


def stack(row, with_dso=True):
    """Names from the outermost on, the thread's first"""
    task = row.get("comm") or (":%d" % row["tid"] if "tid" in row else "[unknown]")
    calls = [frame(entry) for entry in row.get("callchain_symbols", ()) if isinstance(entry, dict)]
    if calls:
        return [task] + calls[::-1]
    if "ip" not in row:
        return [task, "[no address]"]
    if row.get("symbol") and with_dso:
        return [task, row["dso"].rsplit("/", 1)[-1], row["symbol"]]
    return [task, frame(row)]


def samples(path, *more, fields=FIELDS):
    done = run("dump", "--format", "json", "-F", fields, "--sorted", *more, path)
    return [json.loads(line) for line in done.out.splitlines()]


def expected(rows, weight):
    sums = collections.Counter()
    for row in rows:
        sums[";".join(map(escaped, stack(row)))] += weight(row)
    return {name: figure for name, figure in sums.items() if figure}


def read(text):
    """As flamegraph.pl does: a line is what its pattern says, and the same stacks add up"""
    sums = collections.Counter()
    for line in text.splitlines():
        found = re.match(r"^(.*)\s+?(\d+(?:\.\d*)?)$", line)
        assert found, line
        sums[found.group(1)] += int(found.group(2))
    return dict(sums)
