#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis dump -F PARTS: equal to what stock perf prints of the same samples; forms; reasons."""
import csv
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))

import built  # noqa: E402
import perfdata  # noqa: E402
import raw_dump  # noqa: E402
import tap  # noqa: E402
from command import LOSSES, PRECIS, SHARED, good, recording, run  # noqa: E402
from tap import Skip, equal  # noqa: E402

HERE = sys.modules[__name__]
PERF = os.environ.get("PERF", "")
SCRATCH = tempfile.TemporaryDirectory()
PARTS = ("offset,callchain,branch_stack,user_registers,interrupt_registers,read,time_enabled,"
         "time_running,user_stack_bytes,user_stack,raw_bytes,raw,id")
CONTEXTS = {"hypervisor": -32, "kernel": -128, "user": -512, "guest": -2048,
            "guest kernel": -2176, "guest user": -2560}
READ, CALLCHAIN, BRANCH_STACK, REGS_USER, STACK_USER = 1 << 4, 1 << 5, 1 << 11, 1 << 12, 1 << 13
CGROUP, RECORD_CGROUP, RECORD_MMAP, RECORD_COMM = 1 << 21, 19, 1, 3
U64 = 2 ** 64
RECORDED = set()


def scratch(name):
    return os.path.join(SCRATCH.name, name)


def rows(path, fields, *more):
    out = good("dump", "--format", "json", "-F", fields, *more, path, live=path in RECORDED)
    return [json.loads(line) for line in out.splitlines()]


def text(path, fields, *more):
    return good("dump", "-F", fields, *more, path, live=path in RECORDED).splitlines()


def entry(value):
    """An entry of a callchain as it stands in the record"""
    return int(value, 16) if value.startswith("0x") else CONTEXTS[value] % U64


def flags_of_perf(flags):
    """"P", "M", "X", "A" as perf prints them: mispredicted or None, in a transaction, abort"""
    mispredicted = True if "M" in flags else False if "P" in flags else None
    return mispredicted, "X" in flags, "A" in flags


def compare_branches(ours, theirs, what):
    equal(len(ours), len(theirs), what)
    for mine, (source, to, cycles, flags) in zip(ours, theirs):
        equal((int(mine["from"], 16), int(mine["to"], 16), mine.get("cycles", 0)),
              (source, to, cycles), what)
        equal((mine.get("mispredicted"), mine.get("in_transaction", False),
               mine.get("abort", False)), flags_of_perf(flags), what)


def compare_registers(ours, theirs, what):
    mine = dict(ours or {})
    mine.pop("abi", None)
    equal([(name, int(value, 16)) for name, value in mine.items()], theirs or [], what)


def compare_values(ours, theirs, what):
    equal([(value["id"], value["value"], value.get("lost")) for value in ours if "id" in value],
          theirs[:len(ours)], what)


def compare(row, record, what):
    """One sample. @return how many values were compared"""
    equal([entry(value) for value in row.get("callchain", [])], record.chain or [], what)
    compare_branches(row.get("branch_stack", []), record.branches or [], what)
    compare_registers(row.get("user_registers"), record.registers.get("user"), what)
    compare_registers(row.get("interrupt_registers"), record.registers.get("intr"), what)
    compare_values(row.get("read", []), record.values, what)
    equal(row.get("user_stack_bytes", 0), record.stack_bytes or 0, what)
    equal(len(row.get("user_stack", "")), 2 * row.get("user_stack_bytes", 0), what)
    if row.get("raw"):
        equal(len(row["raw"]), 2 * row["raw_bytes"], what)
    for part, name in (("time_enabled", "enabled"), ("time_running", "running")):
        if name in record.times:
            equal(row[part], record.times[name], what)
    return sum(len(row.get(part, ())) for part in
               ("callchain", "branch_stack", "user_registers", "interrupt_registers", "read"))


def compare_file(path):
    """All samples of a file with perf's. @return (samples, values), or why they cannot be"""
    if not PERF:
        raise Skip("no perf was found by configure")
    records, said = raw_dump.records_of(PERF, path)
    if records is None:
        return said
    result = run("dump", "--format", "json", "-F", PARTS, path)
    samples = [json.loads(line) for line in result.out.splitlines()]
    if len({row["offset"] for row in samples}) < len(samples):
        return "compressed: several samples have the offset of one compressed record"
    theirs = {offset: record for offset, record in records.items() if record.kind == "SAMPLE"}
    equal(len(samples), len(theirs), path)
    values = 0
    for row in samples:
        offset = int(row["offset"], 16)
        assert offset in theirs, (path, row)
        values += compare(row, theirs[offset], "%s, offset 0x%x" % (path, offset))
    return len(samples), values


def record(name, *how):
    """A recording by stock perf on this machine; Skip where that is not allowed."""
    if not PERF:
        raise Skip("no perf was found by configure")
    path = scratch(name)
    done = subprocess.run([PERF, "record", "-q", "-o", path] + list(how),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=1200)
    if done.returncode or not os.path.exists(path):
        raise Skip("perf record: " + done.stderr.decode(errors="replace").strip()[:200])
    RECORDED.add(path)
    return path


# Page faults of a program that starts: there are hundreds, on any machine, beside any other work
FAULTS = ("-e", "page-faults", "-c", "5")
BUSY = ("--", sys.executable, "-c", "for i in range(400000): i * i")


def check_live(name, least, *how):
    found = compare_file(record(name, *how, *BUSY))
    assert isinstance(found, tuple), found
    samples, values = found
    print("# %d samples, %d values" % (samples, values))
    assert samples >= 10 and values >= least * samples, found


def test_live_callchains():
    """callchains by frame pointers: every entry is perf's"""
    check_live("g", 1, *FAULTS, "-g")


def test_live_user_state():
    """user registers, user stack, registers at the interrupt: perf's"""
    check_live("dwarf", 5, *FAULTS, "--user-regs=ip,sp,bp,ax",
               "--intr-regs=ip,sp,di", "--call-graph", "dwarf,512")


def test_live_group():
    """counts of a group at each sample: perf's"""
    check_live("group", 2, "-e", "{page-faults,cpu-clock}:S", "-c", "5")


def test_shared():
    """recordings of other people: branch stacks, callchains, registers, counts are perf's"""
    paths = raw_dump.foreign_files(SHARED)
    if not paths:
        raise Skip("no recordings in PRECIS_SHARED")
    compared = samples = values = 0
    for path in paths:
        found = compare_file(path)
        if isinstance(found, tuple):
            compared, samples, values = compared + 1, samples + found[0], values + found[1]
        else:
            print("# %s: %s" % (os.path.basename(path), found[:100]))
    print("# %d files, %d samples, %d values" % (compared, samples, values))
    assert compared


def test_symbols():
    """dso, symbol, symbol_offset, comm: perf's"""
    built.need("elfutils")
    path = record("symbols", "-e", "page-faults:u", "-c", "5", *BUSY)
    done = subprocess.run([PERF, "script", "-i", path, "--ns", "-F",
                           "comm,tid,time,ip,sym,symoff,dso", "-G"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200)
    theirs = [line.split() for line in done.stdout.decode().splitlines() if line.strip()]
    ours = rows(path, "comm,tid,time,ip,symbol,symbol_offset,dso", "--sorted")
    equal(len(ours), len(theirs))
    named = 0
    for mine, (*comm, tid, time, ip, symbol, dso) in zip(ours, theirs):
        equal((mine["comm"], mine["tid"], "%d.%09d:" % divmod(mine["time"], 10 ** 9),
               int(mine["ip"], 16)), (" ".join(comm), int(tid), time, int(ip, 16)))
        # of some entries of a linkage table perf knows no more than that they are entries
        if symbol == "[unknown]" or symbol.startswith("@plt+"):
            assert "symbol" not in mine, mine
            continue
        named += 1
        equal(("%s+%s" % (mine["symbol"], mine["symbol_offset"]), "(%s)" % mine["dso"]),
              (symbol, dso))
    assert named, theirs


def one(sample_type, tail, attr=b"", more=(), misc=2, name="one", regs=0, branch=0, read=0):
    """A file with one sample whose parts behind the front are 'tail'."""
    body = struct.pack("<QIIQQII", 0x401000, 100, 101, 10 ** 9, 1, 0, 0)
    front = perfdata.SAMPLE_TYPE & ~perfdata.RAW
    event = bytearray(perfdata.attr(kind=1, sample_type=front | sample_type))
    struct.pack_into("<Q", event, 0x20, read)
    struct.pack_into("<Q", event, 0x48, branch)
    struct.pack_into("<Q", event, 0x50, regs)
    sample = perfdata.record(perfdata.RECORD_SAMPLE, body + tail, misc)
    path = scratch(name)
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(list(more) + [sample],
                                      [(bytes(event), [1], "cpu-clock")]))
    return path


def words(*values):
    return struct.pack("<%dQ" % len(values), *(value % U64 for value in values))


def test_forms_of_lists():
    """lists: text and csv with separators, csv in quotes, json arrays and objects"""
    path = one(CALLCHAIN, words(4, -128, 0xffffffff81000000, -512, 0x401000))
    value = "kernel;0xffffffff81000000;user;0x401000"
    equal(text(path, "cpu,callchain"), ["cpu=0 callchain=" + value])
    equal(good("dump", "--format", "csv", "-F", "callchain,cpu", path),
          'callchain,cpu\n"%s",0\n' % value)
    equal(rows(path, "callchain"), [{"callchain": value.split(";")}])


def test_forms_of_members():
    """members: name:value; two branches with all that a CPU can tell, and with nothing"""
    flags = 1 << 0 | 1 << 2 | 7 << 4 | 6 << 20
    path = one(BRANCH_STACK, words(2, 0x1000, 0x2000, flags, 0x3000, 0x4000, 0))
    equal(text(path, "branch_stack"),
          ["branch_stack=from:0x1000,to:0x2000,mispredicted:1,in_transaction:1,cycles:7,type:RET;"
           "from:0x3000,to:0x4000"])
    equal(rows(path, "branch_stack"),
          [{"branch_stack": [
              {"from": "0x1000", "to": "0x2000", "mispredicted": True, "in_transaction": True,
               "cycles": 7, "type": "RET"}, {"from": "0x3000", "to": "0x4000"}]}])


def test_hw_index():
    """hw_index: a value where the event has it, else a reason"""
    path = one(BRANCH_STACK, words(1, 5, 0x1000, 0x2000, 2), branch=1 << 17)
    equal(rows(path, "hw_index,branch_stack"),
          [{"hw_index": 5,
            "branch_stack": [{"from": "0x1000", "to": "0x2000", "mispredicted": False}]}])
    path = one(BRANCH_STACK, words(1, 0x1000, 0x2000, 2))
    equal(text(path, "hw_index", "--reasons"),
          ["hw_index=NOT_CAPTURED(not with this branch stack)"])


def test_registers():
    """registers: those of the mask, by name, with the task's bits"""
    path = one(REGS_USER, words(2, 11, 22, 33), regs=1 << 0 | 1 << 8 | 1 << 23)
    equal(rows(path, "user_registers"),
          [{"user_registers": {"abi": 64, "bit0": "0xb", "bit8": "0x16", "bit23": "0x21"}}])
    path = one(REGS_USER, words(0), regs=1)
    equal(text(path, "user_registers", "--reasons"),
          ["user_registers=NOT_APPLICABLE(the kernel had none to write)"])


def test_counts():
    """read: a count with its event, and the times that read_format has"""
    path = one(READ, words(42, 7, 8, 1), read=1 | 2 | 4)
    equal(rows(path, "read,time_enabled,time_running"),
          [{"read": [{"event": "cpu-clock", "value": 42, "id": 1}], "time_enabled": 7,
            "time_running": 8}])
    path = one(READ, words(42, 7, 1), read=1 | 4)
    equal(text(path, "time_enabled,time_running", "--reasons"),
          ["time_enabled=7 time_running=NOT_CAPTURED(the event's read_format has it not)"])
    path = one(READ, words(2, 42, 43), read=8)  # a group without ids: of which events is not said
    equal(rows(path, "read"), [{"read": [{"value": 42}, {"value": 43}]}])
    path = one(READ, words(42, 1), read=4)
    equal(text(path, "read,time_enabled", "--reasons"),
          ["read=event:cpu-clock,value:42,id:1 "
           "time_enabled=NOT_CAPTURED(the event's read_format has it not)"])


def test_user_stack():
    """user_stack: what was copied, not what there was room for"""
    path = one(STACK_USER, words(16) + bytes(range(16)) + words(8))
    equal(text(path, "user_stack_bytes,user_stack"),
          ["user_stack_bytes=8 user_stack=0001020304050607"])


def test_raw():
    """raw: bytes; the kernel's filler is none"""
    path = one(perfdata.RAW, struct.pack("<I", 12) + bytes(range(12)))
    equal(text(path, "raw_bytes,raw"), ["raw_bytes=12 raw=000102030405060708090a0b"])
    path = one(perfdata.RAW, struct.pack("<II", 4, 0))
    equal(text(path, "raw_bytes,raw", "--reasons"),
          ["raw_bytes=4 raw=NOT_APPLICABLE(the kernel had none to write)"])


def check_trace(path):
    """@return how many lines are perf's"""
    done = subprocess.run([PERF, "script", "-i", path, "-F", "trace"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200)
    theirs = [line.strip() for line in done.stdout.decode(errors="replace").splitlines()]
    ours = [row["trace"].strip() for row in rows(path, "trace", "--sorted")]
    equal(ours, theirs, path)
    return len(ours)


def test_trace():
    """trace: as perf script prints it; a reason where the event is no tracepoint"""
    equal(text(recording("zen4-op_l3"), "trace", "--reasons", "-n", "1"),
          ["trace=NOT_APPLICABLE(the event is no tracepoint)"])
    if not PERF:
        raise Skip("no perf was found by configure")
    built.need("libtraceevent")
    paths = [path for path in raw_dump.foreign_files(SHARED) if "probe.data" in path]
    count = sum(check_trace(path) for path in paths)
    try:
        paths.append(record("trace", "-e", "sched:sched_switch,sched:sched_waking", *BUSY))
    except Skip as reason:
        print("# live: %s" % reason)
    else:
        count += check_trace(paths[-1])
        line = good("dump", "-n", "1", paths[-1], live=True)
        assert " trace=" in line, line
        equal(good("dump", "-F", "default", "-n", "1", paths[-1], live=True).strip() +
              line[line.index(" trace="):], line)
    if not paths:
        raise Skip("no recording with tracepoints")
    print("# %d recordings, %d samples" % (len(paths), count))


TRAILER = struct.pack("<IIQQII", 100, 101, 5, 1, 0, 0)


def test_cgroups():
    """cgroup_path: of the record that names the id, else a reason"""
    names = [perfdata.record(RECORD_CGROUP, words(77) + b"/a;b,c\0\0" + TRAILER)]
    path = one(CGROUP, words(77), more=names)
    equal(text(path, "cgroup,cgroup_path"), ["cgroup=77 cgroup_path=/a;b,c"])
    path = one(CGROUP, words(78), more=names)
    equal(text(path, "cgroup,cgroup_path", "--reasons"),
          ["cgroup=78 cgroup_path=NOT_CAPTURED(no record names the cgroup)"])


def comm_and_map(name=b"odd,\"n\"\x1b[1m"):
    """A thread's name and a mapping, both before the sample in time and behind it in the file"""
    trailer = TRAILER
    padded = name + b"\0" * (8 - len(name) % 8)
    mapped = b"/no/such;file\0\0\0"
    return [perfdata.record(RECORD_COMM, struct.pack("<II", 100, 101) + padded + trailer),
            perfdata.record(RECORD_MMAP, struct.pack("<IIQQQ", 100, 100, 0x400000, 0x2000, 0x100)
                            + mapped + trailer, 2)]


def test_tasks_and_mappings():
    """comm, dso, dso_offset: from records; names are made safe in each form"""
    path = one(CALLCHAIN, words(2, -512, 0x401000), more=comm_and_map())
    equal(text(path, "comm,dso,dso_offset"),
          ['comm=odd,"n"\\x1b[1m dso=/no/such;file dso_offset=0x1100'])
    out = good("dump", "--format", "csv", "-F", "comm,dso", path)
    equal(list(csv.reader(io.StringIO(out)))[1], ['odd,"n"\\x1b[1m', "/no/such;file"])
    equal(rows(path, "comm,callchain_symbols"),
          [{"comm": 'odd,"n"\x1b[1m',
            "callchain_symbols": ["user", {"address": "0x401000", "dso": "/no/such;file",
                                           "dso_offset": "0x1100"}]}])
    equal(text(path, "symbol", "--reasons"),
          ["symbol=NOT_BUILT(this build of precis reads no ELF files)"
           if "elfutils" in built.WITHOUT else
           "symbol=NO_FILE(file not found or not readable)"])
    equal(text(path, "symbol,srcline", "--reasons", "--no-symbols"),
          ["symbol=NOT_ASKED(not looked up) srcline=NOT_ASKED(not looked up)"])


def test_contexts_of_chains():
    """callchain_symbols: an address is looked up in the context that it is of"""
    path = one(CALLCHAIN, words(4, -512, 0x401000, -128, 0x401000), more=comm_and_map())
    equal(rows(path, "callchain_symbols"),
          [{"callchain_symbols": ["user", {"address": "0x401000", "dso": "/no/such;file",
                                           "dso_offset": "0x1100"},
                                  "kernel", {"address": "0x401000"}]}])


def test_late_events():
    """-e: an event that is told behind the first sample is judged by its name, too"""
    def event(name, ident):
        update = struct.pack("<QQ", 2, ident) + name + b"\0" * (8 - len(name) % 8)
        return (perfdata.record(64, perfdata.attr(kind=1) + words(ident)) +
                perfdata.record(78, update))

    sample = perfdata.op_payload()
    data = b"PERFILE2" + words(16) + event(b"first", 1) + perfdata.sample(sample, ident=1)
    data += event(b"second", 2) + perfdata.sample(sample, ident=2, cpu=3)
    path = scratch("pipe")
    with open(path, "wb") as file:
        file.write(data)
    equal(text(path, "cpu", "-e", "first"), ["cpu=0"])
    equal(text(path, "cpu"), ["cpu=0", "cpu=3"])
    info = json.loads(good("info", "--format", "json", path))
    equal([event["samples"] for event in info["events"]], [1, 1])


def test_order_of_time():
    """what a process ran at the time of a sample is found, though the file has it behind"""
    sample = perfdata.sample(perfdata.op_payload(), time=10)
    path = scratch("late")
    records = [sample] + comm_and_map(b"late")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(records))
    equal(text(path, "comm,dso_offset"), ["comm=late dso_offset=0x1100"])


def test_sorted():
    """--sorted: by time, equal times in the file's order"""
    times = [5, 3, 9, 3, 1]
    samples = [perfdata.sample(perfdata.op_payload(), time=time, cpu=cpu)
               for cpu, time in enumerate(times)]
    path = scratch("times")
    with open(path, "wb") as file:
        file.write(perfdata.perf_data(samples))
    equal([row["cpu"] for row in rows(path, "cpu")], [0, 1, 2, 3, 4])
    equal([row["cpu"] for row in rows(path, "cpu", "--sorted")], [4, 1, 3, 0, 2])


def test_every_part_or_reason():
    """--reasons -F parts: each part of each sample is a value or a reason, csv and json agree"""
    listed = csv.DictReader(io.StringIO(good("fields", "--format", "csv")))
    names = {row["name"] for row in listed if row["kind"] == "part"}
    for path in (recording("zen4-op_l3"), recording("skylake-loads_phys"),
                 one(CALLCHAIN, words(0))):
        cells = list(csv.DictReader(io.StringIO(
            good("dump", "--reasons", "--format", "csv", "-F", "parts", path))))
        objects = rows(path, "parts", "--reasons")
        equal(len(cells), len(objects))
        for cell, item in zip(cells, objects):
            reasons = item.pop("reasons")
            equal(set(item) | set(reasons), names, path)
            assert not set(item) & set(reasons), item
            equal({name: cell[name] for name in reasons},
                  {name: why.partition(": ")[0] for name, why in reasons.items()}, path)
            assert all(why.partition(": ")[2] for why in reasons.values()), reasons
            assert all(cell[name] for name in item), cell


def test_not_sampled():
    """what the event does not sample is absent for that reason, whatever other samples had"""
    sampled = one(perfdata.RAW, struct.pack("<I", 12) + bytes(range(12)))
    names = "raw_bytes,raw,callchain,branch_stack,user_registers,read,user_stack_bytes,aux_bytes"
    row, = rows(sampled, names, "--reasons")
    equal(row.pop("reasons"), {name: "NOT_CAPTURED: the event does not sample it"
                               for name in names.split(",")[2:]})
    equal(sorted(row), ["raw", "raw_bytes"])
    equal(text(one(CALLCHAIN, words(1, 7)), "id,stream_id,raw_bytes,aux_bytes,callchain"),
          ["id=1 callchain=0x7"])


def test_names_of_both():
    """-F: fields and parts in the order given, none twice"""
    header = good("dump", "--format", "csv", "-n", "0", "-F", "raw,ip,raw,callchain,ip,cpu",
                  recording("zen4-op_l3"))
    equal(header, "raw,ip,callchain,cpu\n")


def test_standard_input():
    """-: dump, report and info read a pipe, and a file, from standard input"""
    path = recording("zen4-op_l3")
    with open(path, "rb") as file:
        data = file.read()
    for command in (["dump", "-F", "all"], ["dump", "-F", "time,dso,symbol"], ["report"],
                    ["dump", "--records"], ["info"]):
        # commands that are advised want a file
        expected = re.sub(r"(?m)^( +precis .*) %s$" % re.escape(path), r"\1 FILE",
                          good(*command, path)).replace(path, "standard input")
        done = subprocess.run([PRECIS] + command + ["-"], input=data, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=1200)
        equal((done.returncode, done.stderr, done.stdout.decode()), (0, b"", expected), command)
        with open(path, "rb") as file:
            done = subprocess.run([PRECIS] + command + ["-"], stdin=file, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=1200)
        equal((done.returncode, done.stderr, done.stdout.decode()), (0, b"", expected), command)


def test_live_pipe():
    """perf record -o - | precis dump -"""
    if not PERF:
        raise Skip("no perf was found by configure")
    perf = subprocess.run([PERF, "record", "-q", "-e", "cpu-clock:u", "-o", "-"] + list(BUSY),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1200)
    if perf.returncode:
        raise Skip("perf record: " + perf.stderr.decode(errors="replace").strip()[:200])
    done = subprocess.run([PRECIS, "dump", "-F", "event,ip,dso", "-"], input=perf.stdout,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200)
    lines = done.stdout.decode().splitlines()
    equal((done.returncode, LOSSES.sub("", done.stderr.decode()).strip()), (0, ""))
    assert len(lines) >= 10 and all(line.startswith("event=cpu-clock:u ip=0x") for line in lines)


def test_directory():
    """a directory of perf record --threads: every sample, and in which file it is"""
    path = record("directory", "--threads", "-a", "-e", "cpu-clock", *BUSY)
    script = subprocess.run([PERF, "script", "-i", path, "-F", "time,cpu,ip", "--ns", "-G"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, timeout=1200).stdout.decode().splitlines()
    theirs = sorted((int(cpu.strip("[]")), time, int(ip, 16)) for cpu, time, ip in
                    (line.split() for line in script if line.strip()))
    ours = rows(path, "time,cpu,ip,file_part,offset")
    equal(sorted((row["cpu"], "%d.%09d:" % divmod(row["time"], 10 ** 9), int(row["ip"], 16))
                 for row in ours), theirs)
    files = {int(name[5:]) + 1 for name in os.listdir(path) if name.startswith("data.")}
    assert {row["file_part"] for row in ours} <= files, files
    equal(text(recording("zen4-op_l3"), "file_part", "--reasons", "-n", "1"),
          ["file_part=NOT_APPLICABLE(the recording is one file)"])


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
