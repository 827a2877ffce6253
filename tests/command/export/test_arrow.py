#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis export --format arrow, arrow-stream: every value as Arrow's own, Polars' and DuckDB's readers have it."""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import consumers
import perfdata
import tap
from command import PRECIS, SHARED, SRCDIR, recording, run, usage
from quick import FEW
from tap import Skip, equal

SCRATCH = tempfile.TemporaryDirectory()
SYMFS = os.path.join(SRCDIR, "tests/recordings/symfs")
PARTS = "comm,dso,dso_offset,symbol,id,offset"
OWN = ("zen4-mix-op", "zen4-fetch", "zen4-freq", "skylake-mix-loads", "spr-loads", "zen4-throttled")
FOREIGN = ("KDAB_hotspot__perf.data.PerfFormatLost", "google_perf_data_converter__perf.data.throttle-3.8",
           "nevesnunes_covlizer__examples_perf.data")
READERS = (("apache-arrow", "arrow"), ("apache-arrow", "arrow-stream"), ("polars", "arrow"),
           ("polars", "arrow-stream"), ("duckdb", "arrow-stream"))
TYPES = {"uint": "Uint64", "address": "Uint64", "hex": "Uint64", "int": "Int64", "bool": "Bool",
         "event": "Utf8", "text": "Utf8"}


def there(name):
    return os.path.join(SCRATCH.name, name)


def exported(path, form, name, *more, code=0):
    done = run("export", "--format", form, "-o", there(name), *more, path)
    equal(done.code, code, done)
    return there(name)


def number(found):
    return int(found, 16) if isinstance(found, str) and found.startswith("0x") else found


def dumped(path, fields, *more):
    """Rows as precis dump has them, with the reasons as columns of their own"""
    rows = []
    for line in run("dump", "--format", "json", "-F", fields, *more, path).out.splitlines():
        row = json.loads(line)
        reasons = row.pop("reasons", {})
        row = {name: number(one) for name, one in row.items()}
        row.update((name + "_reason", why) for name, why in reasons.items())
        rows.append(row)
    return rows


def recordings():
    paths = [recording(name) for name in OWN]
    paths += [os.path.join(SHARED, "perfdata", name) for name in FOREIGN]
    return [path for path in paths if os.path.exists(path)]


def compare(reader, form, fields, *more):
    """All recordings. @return how many values were compared"""
    consumers.fetched(reader)
    paths, values = recordings(), 0
    files = [exported(path, form, "%s-%s-%d" % (reader, form, n), "-F", fields, *more)
             for n, path in enumerate(paths)]
    for path, (_, rows) in zip(paths, consumers.arrow_files(reader, *files)):
        wanted = dumped(path, fields, *more)
        equal(len(rows), len(wanted), path)
        for n, (found, row) in enumerate(zip(rows, wanted)):
            equal(found, row, "%s of %s, sample %d" % (reader, path, n))
            values += len(row)
    return values


def all_of(reader, form):
    values = compare(reader, form, "all," + PARTS, "--symfs", SYMFS)
    assert values > 50000, values


def test_arrow_file():
    """a file, by apache-arrow: fields, parts"""
    all_of("apache-arrow", "arrow")


def test_arrow_stream():
    """a stream, by apache-arrow"""
    all_of("apache-arrow", "arrow-stream")


def test_polars_file():
    """a file, by Polars"""
    all_of("polars", "arrow")


def test_polars_stream():
    """a stream, by Polars"""
    all_of("polars", "arrow-stream")


def test_duckdb_stream():
    """a stream, by DuckDB"""
    all_of("duckdb", "arrow-stream")


def test_reasons():
    """why a field is absent, in a column of its own"""
    fields = "mem_level,dcache_miss_latency,symbol,addr"
    values = compare("apache-arrow", "arrow", fields, "--reasons", "--symfs", SYMFS)
    assert values > 20000, values


def test_selection():
    """what is selected, with and without columns of the library's own"""
    consumers.fetched("apache-arrow")
    path = recording("zen4-mix-op")
    for n, more in enumerate((("--filter", "dcache_miss_latency > 20"), ("--tid", "100-200"),
                              ("-e", "0", "--cpu", "0"), ("--sorted",), ("--time", ",1"), ("--time", "10%/2"),
                              ("--filter", "comm == \"mix\" && mem_level == L1"))):
        file = exported(path, "arrow", "selection%d" % n, *more)
        equal(consumers.arrow_files("apache-arrow", file)[0][1], dumped(path, "all", *more), more)


def test_schema():
    """types, units and meanings are the catalogue's; the recording is described"""
    file = exported(recording("zen4-op"), "arrow", "schema", "-F", "all,comm,offset")
    schema, _ = consumers.arrow_files("apache-arrow", file)[0]
    catalogue = json.loads(run("fields", "--format", "json").out)
    rows = catalogue if isinstance(catalogue, list) else catalogue["fields"]
    for row in rows:
        if row["name"] not in schema["schema"]:
            continue
        kind, metadata, nullable = schema["schema"][row["name"]]
        equal(kind, TYPES.get(row["type"], "Dictionary<Int8, Utf8>"), row)
        equal((metadata["type"], metadata.get("unit", ""), metadata["meaning"], nullable),
              (row["type"], row.get("unit") or "", row["meaning"], True))
    assert schema["schema"]["comm"][0] == "Utf8" and len(schema["schema"]) >= 75, schema
    equal((schema["metadata"]["cpuid"], schema["metadata"]["os_release"]),
          ("AuthenticAMD,25,17,1", "6.1.0-56-cloud-amd64"))


def made(name, records, events=None):
    events = events or [(perfdata.attr(), [1], "ibs_op//")]
    features = {perfdata.CPUID: perfdata.string(perfdata.ZEN4),
                perfdata.EVENT_DESC: perfdata.event_desc(events),
                perfdata.PMU_MAPPINGS: perfdata.pmu_mappings([(perfdata.IBS_OP_TYPE, "ibs_op")])}
    with open(there(name), "wb") as file:
        file.write(perfdata.perf_data(records, events, features))
    return there(name)


def comm(name, tid):
    padded = name + b"\0" * (8 - len(name) % 8)
    return perfdata.record(3, struct.pack("<II", 100, tid) + padded +
                           struct.pack("<IIQQII", 100, tid, 1, 1, 0, 0))


def test_batches():
    """more rows than a batch has; the last one is not full; none at all"""
    consumers.fetched("apache-arrow")
    for rows in (0, 1, 4095, 4096, 4097, 9000):
        records = [perfdata.sample(perfdata.op_payload(), tid=n, time=10**9 + n) for n in range(rows)]
        path = made("batches", records or [perfdata.finished_round()])
        for form in ("arrow", "arrow-stream"):
            for fields in ("tid,time,op,ip_exact", "tid,comm"):
                file = exported(path, form, "batches.out", "-F", fields)
                schema, found = consumers.arrow_files("apache-arrow", file)[0]
                equal([row["tid"] for row in found], list(range(rows)), form)
                if rows:
                    equal(schema["batches"], -(-rows // 4096), form)


def test_names():
    """names that are no UTF-8, or controls, come as text that all readers take"""
    names = (b"\xff\xfe", b"new\nline", b"\xe2\x82\xac", b"nul", b"")
    path = made("names", [comm(name, n) for n, name in enumerate(names)] +
                [perfdata.sample(perfdata.op_payload(), tid=n) for n in range(len(names))])
    for reader, form in READERS:
        file = exported(path, form, "names.out", "-F", "tid,comm")
        found = [row.get("comm") for row in consumers.arrow_files(reader, file)[0][1]]
        equal(found[:4], ["\\xff\\xfe", "new\\x0aline", "\u20ac", "nul"], reader)


def field(data, table, number):
    """Where a field of a flatbuffer's table is; None: it has none of that number"""
    offsets = table - struct.unpack_from("<i", data, table)[0]
    if 4 + 2 * number >= struct.unpack_from("<H", data, offsets)[0]:
        return None
    offset = struct.unpack_from("<H", data, offsets + 4 + 2 * number)[0]
    return table + offset if offset else None


def messages(data, at):
    """(offset, bytes of metadata, of body, kind) of each message of a stream that begins there, and
    where it ends. Bodies begin at multiples of 64, metadata at multiples of 8"""
    found = []
    while True:
        mark, size = struct.unpack_from("<Ii", data, at)
        equal(mark, 0xffffffff)
        if not size:
            return found, at + 8
        assert (at + 8 + size) % 64 == 0 and at % 8 == 0, at
        root = at + 8 + struct.unpack_from("<I", data, at + 8)[0]
        body = struct.unpack_from("<q", data, field(data, root, 3))[0]
        found.append((at, 8 + size, body, data[field(data, root, 1)]))
        at += 8 + size + body


def blocks(data, root, number):
    """A list of struct Block of the footer"""
    at = field(data, root, number)
    at += struct.unpack_from("<I", data, at)[0]
    return [struct.unpack_from("<qi4xq", data, at + 4 + 24 * n)
            for n in range(struct.unpack_from("<I", data, at)[0])]


def test_alignment():
    """buffers are aligned to 64 bytes; a stream is nothing but messages, to a pipe as to a file"""
    file = exported(recording("zen4-op"), "arrow-stream", "aligned")
    with open(file, "rb") as opened:
        data = opened.read()
    found, end = messages(data, 0)
    assert end == len(data) and len(found) > 10, found
    piped = subprocess.run([PRECIS, "export", "--format", "arrow-stream", recording("zen4-op")],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=1200)
    equal(piped.stdout, data)
    with open(exported(recording("zen4-op"), "arrow", "aligned.file"), "rb") as opened:
        whole = opened.read()
    size = struct.unpack("<i", whole[-10:-6])[0]
    equal((whole[:8], whole[-6:]), (b"ARROW1\0\0", b"ARROW1"))
    found, end = messages(whole, 8)
    equal(end, len(whole) - 10 - size)
    root = end + struct.unpack_from("<I", whole, end)[0]
    for number, kind in ((2, 2), (3, 3)): # dictionaries, record batches
        equal(blocks(whole, root, number), [one[:3] for one in found if one[3] == kind])


def test_cut():
    """a recording that is cut off gives an output that can be read, up to there, and exit code 1"""
    consumers.fetched("apache-arrow")
    with open(recording("zen4-op"), "rb") as file:
        data = file.read()
    for share in (0.3, 0.5, 0.9):
        with open(there("cut"), "wb") as file:
            file.write(data[:int(len(data) * share)])
        wanted = dumped(there("cut"), "all")
        assert len(wanted) > 300, wanted
        for form in ("arrow", "arrow-stream"):
            file = exported(there("cut"), form, "cut.out", code=1)
            equal(consumers.arrow_files("apache-arrow", file)[0][1], wanted, form)


def test_damaged():
    """bytes of a recording changed at random: what comes out is always an Arrow file, of what is dumped"""
    consumers.fetched("apache-arrow")
    source, wanted, files = random.Random(20261123), [], []
    with open(recording("zen4-mix-fetch"), "rb") as file:
        data = file.read()
    for n in range(10 if FEW else 40):
        damaged = bytearray(data)
        for _ in range(source.choice((1, 10, 100))):
            damaged[source.randrange(104, len(data))] = source.randrange(256)
        with open(there("damaged"), "wb") as file:
            file.write(damaged)
        done = run("export", "--format", "arrow", "-F", "all,comm,symbol", "--reasons", "--no-symbols",
                   "-o", there("damaged%d" % n), there("damaged"))
        assert done.code in (0, 1), done
        if os.path.exists(there("damaged%d" % n)):
            files.append(there("damaged%d" % n))
            wanted.append(len(dumped(there("damaged"), "all,comm,symbol", "--no-symbols")))
    equal([len(rows) for _, rows in consumers.arrow_files("apache-arrow", *files)], wanted)
    assert sum(wanted) > 100, wanted


def test_usage():
    """what is wrong is refused before anything is read"""
    path = recording("zen4-op")
    assert "--weight means nothing to --format arrow" in \
        usage("export", "--format", "arrow", "--weight", "samples", path)
    assert "callchain is neither a number nor a text" in \
        usage("export", "--format", "arrow", "-F", "callchain", path)
    assert "no field is named 'nonsense'" in usage("export", "--format", "arrow", "-F", "nonsense", path)
    done = run("export", "--format", "arrow", "-o", there("no/such/place"), path)
    assert done.code == 1 and "No such file" in done.err, done


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
