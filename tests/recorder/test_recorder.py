#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the recorder says of programs that know what they did, and that it leaves programs as they are."""
import collections
import glob
import json
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../command/cli"))
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
import side_files
from points import skip, tap
from quick import FEW

SRCDIR = os.environ["srcdir"]
HERE = os.path.join(SRCDIR, "tests", "recorder")
RECORDER = os.path.join(os.environ["builddir"], ".libs", "libprecis-objects.so")
PRECIS = os.environ["PRECIS"]
ALL = "interval=all,overhead=any"


def environment(options, work):
    changed = dict(os.environ, LD_PRELOAD=RECORDER, PRECIS_OBJECTS="directory=%s,%s" % (work, options))
    changed.pop("LD_LIBRARY_PATH", None)
    # One heap without threads' caches: a block that one thread gives back is the next one's, whoever asks
    changed["GLIBC_TUNABLES"] = "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0"
    return changed


def record(command, options=ALL, keep=None, **more):
    """(what was done, the files that there are then); a directory keeps them"""
    with tempfile.TemporaryDirectory(dir=keep) as work:
        done = subprocess.run(command, env=environment(options, work), capture_output=True, text=True,
                              errors="replace", timeout=600, check=False, **more)
        paths = sorted(glob.glob(work + "/*.objects"))
        if keep:
            paths = [shutil.copy(path, os.path.join(keep, "kept.objects")) for path in paths]
        files = [side_files.SideFile(path) for path in paths]
    return done, files


class Truth:
    """What truth.c says it did"""

    def __init__(self, case, work, options=ALL, program="truth", keep=False):
        path = os.path.join(work, "log")
        if os.path.exists(path):
            os.unlink(path)
        self.done, self.files = record([os.path.join(work, program), case, path], options,
                                       work if keep else None, cwd=work)
        self.file = self.files[0] if self.files else None
        self.lines = []
        if os.path.exists(path):
            with open(path, encoding="ascii") as log:
                self.lines = [line.split() for line in log]

    def said(self, word):
        return [line[1:] for line in self.lines if line[0] == word]


def own_events(file, words, inherited=()):
    """Those of the program's own blocks, by thread: sizes have a mark, ends are those of what began"""
    by_thread, own = {}, set(inherited if file.info["parent"] else ())
    moving = set()
    for event in file.events:
        if event.operation not in words:
            continue
        place = event.tid, event.address
        if event.operation in side_files.HEAP_BEGINS:
            if event.bytes % 64 != 37:
                continue
            own.add(event.address)
        elif event.operation == "restored" and words == HEAP_WORDS:
            if place not in moving:
                continue
            own.add(event.address)
        elif event.operation in side_files.HEAP_ENDS:
            if event.address not in own:
                continue
            own.discard(event.address)
            moving.add(place)
        by_thread.setdefault(event.tid, []).append(event)
    return by_thread


def same_frames(file, event, line):
    """Callers of the site are those that the program's own unwinder had"""
    if len(line) < 5 or event.operation == "unmap":
        return True
    return file.stacks.get(event.stack, [])[1:] == [int(word, 16) for word in line[4:]]


def differences(truth, words):
    """Event for event, of each thread"""
    wrong = []
    said = {}
    for line in truth.lines:
        if line[0] in words:
            said.setdefault(int(line[1]), []).append(line)
    seen = {}
    for file in truth.files:
        for tid, events in own_events(file, words, {int(line[2], 16) for line in truth.lines
                                                    if line[0] in words}).items():
            seen.setdefault(tid, []).extend((file, event) for event in events)
    for tid in sorted(set(said) | set(seen)):
        one, other = said.get(tid, []), seen.get(tid, [])
        if len(one) != len(other):
            wrong.append("thread %d: %d were said, %d were recorded" % (tid, len(one), len(other)))
        for line, (file, event) in zip(one, other):
            same = event.operation == line[0] and event.address == int(line[2], 16) and (
                len(line) == 3 or event.bytes == int(line[3])) and same_frames(file, event, line)
            if not same:
                wrong.append("%s was said, %r %s was recorded" % (
                    " ".join(line), event, " ".join("%x" % f for f in file.stacks.get(event.stack, []))))
                break
    return wrong


HEAP_WORDS = ("alloc", "free", "realloc-free", "realloc-alloc", "restored")


def check_case(case, work, words=HEAP_WORDS, least=2):
    truth = Truth(case, work)
    wrong = ["exit code %d: %s" % (truth.done.returncode, truth.done.stderr)] if truth.done.returncode else []
    for file in truth.files:
        wrong += side_files.faults(file)
    said = sum(line[0] in words for line in truth.lines)
    if said < least:
        wrong.append("%d lines were said" % said)
    wrong += differences(truth, words)
    tap(not wrong, "%s: %d events as the program said them" % (case, said), wrong)
    return truth


def check_threads(work):
    truth = check_case("threads", work)
    wrong = []
    threads = {thread["name"]: thread for thread in truth.file.threads}
    blocks = [event for event in truth.file.events if event.operation == "tls"]
    for tid, local, frame, name in truth.said("thread"):
        thread, local, frame = threads.get(name), int(local, 16), int(frame, 16)
        if not thread or thread["tid"] != int(tid):
            wrong.append("%s (%s) is %r" % (name, tid, thread))
            continue
        if not thread["low"] < frame < thread["high"]:
            wrong.append("%s: %x is not on its stack %r" % (name, frame, thread))
        if not any(event.tid == int(tid) and not event.name and
                   event.address <= local < event.address + event.bytes for event in blocks):
            wrong.append("%s: %x is in no block" % (name, local))
        if not local < thread["fs"] < local + 65536:
            wrong.append("%s: fs_base %x, %x" % (name, thread["fs"], local))
    ended = sum(event.operation == "thread-end" for event in truth.file.events)
    if len(truth.said("thread")) != 40 or ended != 40:
        wrong.append("%d threads, %d ends" % (len(truth.said("thread")), ended))
    tap(not wrong, "threads: names, stacks, thread-local blocks, fs_base, ends", wrong)


def check_forks(work):
    truth = check_case("forks", work)
    children = [int(line[0]) for line in truth.said("child")]
    parents = {file.info["pid"]: file.info["parent"] for file in truth.files}
    root = [pid for pid, parent in parents.items() if not parent and pid not in children]
    tap(len(children) == 3 and all(parents.get(child) in root for child in children),
        "forks: each child has a file that names its parent", [repr(parents), repr(children)])
    ends = {file.info["pid"]: file.info["end"] for file in truth.files}
    tap([ends.get(child) for child in children] == [1, 2, 1], "forks: ends by exit and _exit", [repr(ends)])


def check_execs(work):
    truth = check_case("execs", work)
    ends = [(file.info["end"], os.path.basename(file.executable)) for file in truth.files]
    tap((3, "truth") in ends and any(end == 1 and "truth" not in name for end, name in ends) and
        len({file.info["pid"] for file in truth.files}) == 1, "execs: a file for each program", [repr(ends)])


def check_libraries(work):
    truth = check_case("libraries", work)
    wrong = []
    for tid, address in truth.said("local"):
        if not any(event.operation == "tls" and event.address <= int(address, 16) < event.address + event.bytes
                   and event.name.endswith("library.so") for event in truth.file.events):
            wrong.append("%s of %s is in no block" % (address, tid))
    tap(len(truth.said("local")) == 3 and not wrong, "libraries: their thread-local blocks are known", wrong)


def check_names(work):
    truth = Truth("names", work)
    events = [event for event in truth.file.events if event.operation in
              ("phase", "name", "name-array", "tag", "forget")]
    seen = [(e.operation, e.address, e.bytes, e.count, e.stride, e.name, e.type) for e in events]
    said = [("phase", 0, 0, 0, 0, "first phase", "-"),
            ("name", 0x12345, 77, 0, 0, "a name", "struct type"),
            ("name-array", 0x20000, 0, 5, 40, "-", "struct node"),
            ("tag", 0x20028, 0, 0, 0, "level=2", "-"),
            ("name", 0x1000, 5, 0, 0, "node", "-"),
            ("name", 0x1001, 5, 0, 0, "node", "-"),
            ("tag", 0x1001, 0, 0, 0, "level=1", "-"),
            ("name", 0x1002, 5, 0, 0, "node", "-"),
            ("forget", 0x12345, 0, 0, 0, "-", "-")]
    tap(seen == said, "names: what the program says of its objects", map(repr, seen))


def check_fortran(work):
    compiler = shutil.which("gfortran")
    if not compiler:
        return skip("Fortran: what the program says of its objects", "gfortran is not installed")
    module = os.path.join(SRCDIR, "libdecode", "include", "precis", "precis_objects.f90")
    program = os.path.join(work, "truth_fortran")
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-std=f2008", "-J", work, module,
                    os.path.join(HERE, "truth_fortran.f90"), "-o", program], check=True)
    plain = subprocess.run([program], capture_output=True, text=True, check=False)
    done, files = record([program])
    seen = [(e.operation, e.address, e.bytes, e.count, e.stride, e.name, e.type) for e in files[0].events
            if e.operation in ("phase", "name", "name-array", "tag", "forget")]
    said = [("phase", 0, 0, 0, 0, "fortran", "-"), ("name", 0x12345, 77, 0, 0, "a name", "type(node)"),
            ("name-array", 0x12345, 0, 5, 40, "", "real"), ("tag", 0x12345, 0, 0, 0, "level=2", "-"),
            ("forget", 0x12345, 0, 0, 0, "-", "-")]
    return tap(seen == said and done.stdout == "" and "not recorded" in plain.stdout,
               "Fortran: what the program says of its objects", [repr(seen), done.stdout, plain.stdout])


def check_signals(work):
    truth = Truth("signals", work)
    root = [file for file in truth.files if not file.info["parent"]]
    wrong = side_files.faults(root[0])
    own = own_events(root[0], HEAP_WORDS)
    handled = int(truth.said("handled")[0][0])
    begun = sum(event.operation == "alloc" for events in own.values() for event in events)
    without = sum(event.operation == "alloc" and not event.stack for events in own.values() for event in events)
    if begun != handled:
        wrong.append("%d signals, %d blocks" % (handled, begun))
    tap(not wrong and handled > 100 and without > 0,
        "signals: %d handlers allocate, %d of them inside of the recorder" % (handled, without), wrong)


def rows_of(path):
    """The rows of precis objects"""
    done = subprocess.run([PRECIS, "objects", "--format", "json", "--top", "1000000", path], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)["stacks"]["rows"]


def check_sampling(work):
    """Intervals of precis objects against all that there was, over many seeds"""
    seeds = 60 if FEW else 300
    held = {"bytes": 0, "blocks": 0}
    large_wrong = interval_wrong = 0
    for seed in range(1, seeds + 1):
        truth = Truth("sampled", work, "interval=64k,size=32k,overhead=any,seed=%d" % seed, keep=True)
        blocks, size, large = (int(word) for word in truth.said("sum")[0])
        events = [e for e in truth.file.events if e.operation == "alloc" and e.bytes % 64 == 37]
        site = collections.Counter(e.stack for e in events).most_common(1)[0][0]
        row = [row for row in rows_of(truth.file.path) if row["row"] == str(site)][0]
        for what, total in (("bytes", size), ("blocks", blocks)):
            held[what] += row[what + "_low"] <= total <= row[what + "_high"]
        large_wrong += sum(e.bytes >= 32768 for e in events) != large
        interval_wrong += side_files.faults(truth.file) != []
    # 95 % less what chance takes with probability 1e-3 from a binomial: of 300 272, of 60 51
    least = 51 if FEW else 272
    tap(min(held.values()) >= least, "sampling: 95 % intervals hold the truth in " + ", ".join(
        "%d (%s)" % (value, what) for what, value in held.items()) + " of %d runs" % seeds)
    tap(not large_wrong, "sampling: all blocks from the threshold on are there")
    tap(not interval_wrong, "sampling: lifetimes do not overlap, ends have begins")


def check_killed(work):
    truth = Truth("killed", work)
    file = truth.file
    events = own_events(file, HEAP_WORDS).get(file.info["pid"], [])
    said = [line for line in truth.lines if line[0] in HEAP_WORDS]
    wrong = side_files.faults(file)
    # What is missing at the end was in one buffer of 32 KiB: events have 2 bytes at least.
    missing = 2 * 100001 - len(events)
    wrong += ["%d are missing" % missing] if not 0 <= missing <= 16384 else []
    wrong += [repr(event) for line, event in zip(said, events)
              if event.operation != line[0] or event.address != int(line[2], 16)]
    tap(not wrong and file.info["end"] == 0, "killed: %d of 200002 events are missing, at the end" % missing, wrong)


def check_cut(work):
    """Every length of a file: what was whole is read"""
    path = os.path.join(work, "cut.objects")
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([os.path.join(work, "truth"), "reuse", os.path.join(place, "log")],
                       env=environment(ALL, place), check=True)
        with open(glob.glob(place + "/*.objects")[0], "rb") as file:
            whole = file.read()
    full, wrong, last = None, [], 0
    for length in list(range(0, 800, 3)) + list(range(len(whole) - 1000, len(whole) + 1, 8)):
        with open(path, "wb") as file:
            file.write(whole[:length])
        read = side_files.SideFile(path)
        full = len(read.events)
        if length < 408 and (not read.error or read.code != 1):
            wrong.append("%d bytes: no error" % length)
        if length >= 408 and (read.code or full < last):
            wrong.append("%d bytes: %d events, %s" % (length, full, read.error))
        if 408 < length < len(whole) and not read.warnings and read.info["end"]:
            wrong.append("%d bytes: no warning" % length)
        last = full
    tap(not wrong and full > 4000, "cut off anywhere: %d events in the end" % full, wrong)


def check_cxx(work):
    done, files = record([os.path.join(work, "truth_cxx")])
    file = files[0]
    early, nodes, array = (int(word, 16) for word in done.stdout.split())
    begun = {(e.address, e.bytes): e for e in file.events if e.operation == "alloc"}
    wrong = side_files.faults(file)
    wrong += [name for name, key in (("before main", (early, 64 * 20 + 37)), ("vector", (nodes, 16 * 229)),
                                     ("array", (array, 5 * 229))) if key not in begun]
    freed = {e.address for e in file.events if e.operation == "free"}
    wrong += ["%x is not freed" % block for block in (early, nodes, array) if block not in freed]
    tap(not wrong and done.returncode == 0, "C++: static objects, containers, arrays, exceptions", wrong)


def check_clock(work):
    """Both clocks' starts and brackets agree; MONOTONIC as the clock needs no conversion"""
    wrong = []
    truth = Truth("heap", work)
    pairs = [m for m in truth.file.moments if m["kind"] == 1]
    if truth.file.info["clock"] == 2:
        for moment in pairs:
            width = (moment["after"] - moment["before"])
            if not moment["ns"] <= moment["value"] + moment["error"] or moment["error"] > 1000:
                wrong.append("%r, %d ticks wide" % (moment, width))
    mono = Truth("heap", work, ALL + ",clock=mono")
    if mono.file.info["clock"] != 1 or abs(mono.file.info["start"] - mono.file.info["mono"]) > 10 ** 7:
        wrong.append(repr(mono.file.info))
    comms = [m for m in mono.file.moments if m["kind"] == 2]
    wrong += side_files.faults(mono.file) + differences(mono, HEAP_WORDS)
    tap(not wrong and len(pairs) >= 2 and len(comms) == 2, "clock: conversions within 1 us, CLOCK_MONOTONIC by name",
        wrong)


TRAILER_BYTES = 88


def check_frames(work):
    """Where all code has frame pointers both ways find the same; without stacks there are none"""
    named = Truth("heap", work, ALL + ",stack=frames", "truth_frames")
    wrong = differences(Truth("heap", work, ALL, "truth_frames"), HEAP_WORDS)
    for tid, events in own_events(named.file, ("alloc",)).items():
        for event, line in zip(events, [line for line in named.lines if line[0] == "alloc"]):
            ours, theirs = named.file.stacks[event.stack][1:], [int(word, 16) for word in line[4:]]
            shared = min(len(ours), len(theirs), 2) # main()'s caller has none
            if ours[:shared] != theirs[:shared] or shared < 2:
                wrong.append("%d: %r, not %r" % (tid, ours, theirs))
                break
    none = Truth("heap", work, ALL + ",stack=none", keep=True)
    wrong += [repr(e) for e in none.file.events if e.stack]
    with open(none.file.path, "rb") as file: # the trailer is what comes last: stacks_lost is its 5th word
        lost, = struct.unpack_from("<Q", file.read()[-TRAILER_BYTES:], 32)
    if lost:
        wrong.append("%d stacks lost, which nobody wanted" % lost)
    short = Truth("heap", work, ALL + ",depth=2")
    wrong += [repr(stack) for stack in short.file.stacks.values() if len(stack) > 2]
    tap(not wrong, "stacks: by frame pointers, none, cut", wrong)


def check_recursion(work):
    """
    Of hundreds of stacks with return addresses at the same places, or at others on as deep a stack, each block has its
    own; errno stays what it was
    """
    truth = Truth("recursive", work)
    file, wrong, counts = truth.file, [], {}
    digits = {}
    for event in [event for event in file.events if event.operation == "alloc" and event.bytes % 64 == 37]:
        path = (event.bytes - 37) // 64
        counts[path] = counts.get(path, 0) + 1
        calls = file.stacks[event.stack][1:7]
        for level, call in enumerate(reversed(calls)):
            if digits.setdefault(call, path // 3 ** level % 3) != path // 3 ** level % 3:
                wrong.append("%d: %r" % (path, calls))
    if counts != {path: 4 for path in range(729)} or sorted(digits.values()) != [0, 1, 2]:
        wrong.append("%d paths, calls %r" % (len(counts), digits))
    tap(not wrong and not side_files.faults(file), "stacks: those of a recursion by three calls", wrong[:3])
    tap(truth.said("errors") == [["0"]], "errno is what it was before each call", truth.said("errors"))


def check_overhead(work):
    """A program that does nothing but allocate costs too much: the interval becomes longer, and is told"""
    truth = Truth("costly", work, "interval=64,overhead=1")
    thread = truth.file.threads[0]
    wrong = side_files.faults(truth.file)
    if thread["first_interval"] != 64 or thread["last_interval"] < 128:
        wrong.append(repr(thread))
    weights = [1 / e.probability for e in truth.file.events if e.operation == "alloc" and e.bytes == 101]
    if abs(sum(weights) - 400000) > 4 * sum(weight * (weight - 1) for weight in weights) ** 0.5:
        wrong.append("weights are %g" % sum(weights))
    free = Truth("costly", work, "interval=64,overhead=any")
    if free.file.threads[0]["last_interval"] != 64:
        wrong.append(repr(free.file.threads[0]))
    tap(not wrong, "overhead: above the limit the interval is longer, and weights stay right", wrong)


def check_crowded(work):
    """Who has the CPU while a thread is interrupted in the recorder is none of its overhead"""
    with tempfile.TemporaryDirectory(dir=work) as place:
        log = os.path.join(place, "log")
        subprocess.run([os.path.join(work, "truth"), "crowded", log], env=environment(ALL + ",clock=mono", place),
                       check=True)
        with open(log, encoding="ascii") as file:
            took = int(file.read().split()[-1])
        own = side_files.info_of(glob.glob(place + "/*.objects")[0])["own"]
    tap(took / 10 < own < 1.5 * took, "overhead: on a CPU that is shared it is CPU time",
        ["%d of %d ns" % (own, took)])


def check_refusals(work):
    wrong = []
    for options in ("interval=1x", "depth=0", "depth=129", "nothing=1", "stack=maybe", "size=", "interval",
                    "size=99999999999999999999"):
        done, files = record(["/bin/echo", "unchanged"], options)
        if files or done.stdout != "unchanged\n" or options.encode() and options not in done.stderr:
            wrong.append("%s: %r" % (options, done))
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(["/bin/echo", "unchanged"], capture_output=True, text=True, check=False,
                              env=environment("interval=all,directory=%s/none" % place, place))
        if done.stdout != "unchanged\n" or "/none" not in done.stderr:
            wrong.append(repr(done))
    tap(not wrong, "wrong options and directories are named, and the program runs", wrong)


def check_other_malloc(work):
    done, files = record([os.path.join(work, "own_malloc")])
    tap(files and files[0].info["flags"] & 2 and "malloc of its own" in done.stderr,
        "an executable with its own malloc is told", [done.stderr])


ALLOCATOR = """
#include <stddef.h>
static char pool[1 << 20];
static size_t used;
static void *take(size_t size) { used = (used + 15) & ~15ul; return pool + (used += size) - size; }
void *malloc(size_t size) { return take(size); }
void *calloc(size_t count, size_t size) { return take(count * size); }
void *realloc(void *block, size_t size) { return block ? NULL : take(size); }
void free(void *block) { (void)block; }
#ifdef WITH_NEW
void *_Znwm(size_t size) { return take(size); }
#endif
"""
TAKES_NEW = """
#include <stdlib.h>
void *_Znwm(size_t size);
#ifdef OWN_NEW
void *_Znwm(size_t size) { return malloc(size); }
#endif
int main(void) { return !_Znwm(100); }
"""


def check_other_new(work):
    """An allocator's library with operator new beside its malloc; a program's own, which calls malloc"""
    wrong = []
    compiler = shlex.split(os.environ["CC"]) + ["-fno-builtin", "-x", "c", "-"]
    for name, library, program in (("both", ["-DWITH_NEW"], []), ("one", [], ["-DOWN_NEW"])):
        path = os.path.join(work, "lib%s.so" % name)
        subprocess.run(compiler + ["-shared", "-fPIC", "-o", path] + library, check=True, text=True, input=ALLOCATOR)
        subprocess.run(compiler + ["-o", os.path.join(work, name), "-L" + work, "-Wl,--no-as-needed,-rpath," + work,
                                   "-l" + name] + program, check=True, text=True, input=TAKES_NEW)
        done, files = record([os.path.join(work, name)])
        is_told = (path in done.stderr and "operator new does not call malloc" in done.stderr,
                   bool(files and files[0].info["flags"] & 8))
        if done.returncode or is_told != (bool(library), bool(library)):
            wrong.append("%s: %r" % (name, done))
    tap(not wrong, "an operator new that does not call malloc is told, with its library", wrong)


PROGRAMS = [
    ("sqlite3", ["sqlite3", ":memory:", "create table t(a,b); with recursive c(x) as (select 1 union all select x+1 "
                 "from c where x<3000) insert into t select x, hex(x*x) from c; select sum(a), max(b) from t;"]),
    ("python3", ["/usr/bin/python3", "-c", "import json, re, decimal, threading\nprint(len(json.dumps([{'a': i} for "
                 "i in range(9999)])), sum(hash(str(i)) % 7 == 1 for i in range(1)) >= 0)"]),
    ("perl", ["perl", "-e", "my %h; $h{$_ % 97} .= $_ for 1..20000; print length(join '', map { $h{$_} } sort keys %h)"]),
    ("gzip", ["sh", "-c", "seq 1 50000 | gzip -c | gzip -dc | cksum"]),
    ("gcc", ["sh", "-c", "echo 'int f(int a) { return a * 3; }' | gcc -O2 -x c -S -o - - | grep -v ident"]),
]


def check_programs():
    for name, command in PROGRAMS:
        if not shutil.which(command[0]) or not shutil.which(name):
            skip("%s: the same output" % name, "%s is not installed" % name)
            continue
        plain = subprocess.run(command, capture_output=True, text=True, check=False)
        wrong, events = [], 0
        for options in (ALL, "interval=64k"):
            done, files = record(command, options)
            if (done.returncode, done.stdout, done.stderr) != (plain.returncode, plain.stdout, plain.stderr):
                wrong.append(repr(done)[:400])
            for file in files:
                wrong += [file.executable + ": " + fault for fault in side_files.faults(file, options == ALL)]
                events += file.info.get("events", 0)
        tap(not wrong and events > 500, "%s: the same output, %d events" % (name, events), wrong)


def build(work):
    cc, cxx = shlex.split(os.environ["CC"]), os.environ.get("CXX")
    include = ["-I", os.path.join(SRCDIR, "libdecode", "include")]
    warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]
    source = os.path.join(HERE, "truth.c")
    for name, flags in (("truth", ["-O2", "-fomit-frame-pointer"]),
                        ("truth_frames", ["-O2", "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"]),
                        ("truth_fixed", ["-O1", "-no-pie", "-fno-pie"])):
        subprocess.run(cc + warnings + flags + include + [source, "-o", os.path.join(work, name), "-lpthread",
                                                          "-ldl"], check=True)
    subprocess.run(cc + warnings + ["-O2", "-shared", "-fPIC", os.path.join(HERE, "library.c"), "-o",
                                    os.path.join(work, "library.so")], check=True)
    subprocess.run(cc + ["-x", "c", "-", "-o", os.path.join(work, "own_malloc"), "-rdynamic"], check=True, text=True,
                   input="#include <stddef.h>\nstatic char heap[99999]; static size_t used;\n"
                         "void *malloc(size_t n) { used += (n + 15) & -16; return heap + used - ((n + 15) & -16); }\n"
                         "int main(void) { return !malloc(1); }\n")
    if cxx:
        subprocess.run(shlex.split(cxx) + ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2"] + include + [
            os.path.join(HERE, "truth_cxx.cc"), "-o", os.path.join(work, "truth_cxx")], check=True)
    return bool(cxx)


def main():
    if not os.path.exists(RECORDER):
        print("1..0 # SKIP libprecis-objects.so was not built")
        return 0
    with tempfile.TemporaryDirectory() as work:
        has_cxx = build(work)
        for case in ("heap", "kinds", "reuse", "reallocs", "cross_thread"):
            check_case(case, work)
        check_case("race", work, least=200000)
        check_case("daemonic", work)
        check_case("contexts", work)
        check_case("maps", work, ("map", "unmap", "restored"))
        check_threads(work)
        check_forks(work)
        check_execs(work)
        check_libraries(work)
        check_names(work)
        tap(Truth("names", work, program="truth_fixed").done.returncode == 0,
            "names: from a program that is not position-independent, too")
        check_fortran(work)
        check_signals(work)
        check_sampling(work)
        check_killed(work)
        check_cut(work)
        if has_cxx:
            check_cxx(work)
        else:
            skip("C++", "there is no C++ compiler")
        check_clock(work)
        check_frames(work)
        check_recursion(work)
        check_overhead(work)
        check_crowded(work)
        check_refusals(work)
        check_other_malloc(work)
        check_other_new(work)
        check_programs()
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
