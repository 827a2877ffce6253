#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that do what a recorder does not expect do the same with it and without; what is lost is counted, and told."""
import collections
import glob
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import side_files

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDER = os.path.abspath(os.path.join(os.environ["builddir"], ".libs", "libprecis-objects.so"))
INCLUDE = os.path.join(os.environ["srcdir"], "libdecode", "include")
ALL = "interval=all,overhead=any"
TOLD = "cannot be written to any more"

count = failures = 0
Recorded = collections.namedtuple("Recorded", "code out err files")


def tap(good, name, diagnostics=()):
    global count, failures
    count += 1
    failures += not good
    print("%sok %d - %s" % ("" if good else "not ", count, name), flush=True)
    for line in [] if good else list(diagnostics)[:20]:
        print("#", line)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300, check=False, **more)


def record(command, options=ALL, directory=None, preloaded="", **more):
    with tempfile.TemporaryDirectory() as work:
        environment = dict(os.environ, LD_PRELOAD=RECORDER + preloaded,
                           PRECIS_OBJECTS="directory=%s,%s" % (directory or work, options))
        try:
            done = run(command, env=environment, **more)
        except subprocess.TimeoutExpired:
            return Recorded("it does not end", "", "", [])
        paths = sorted(glob.glob(os.path.join(more.get("cwd", work) if directory else work, "*.objects")))
        return Recorded(done.returncode, done.stdout, done.stderr, [side_files.SideFile(path) for path in paths])


def check_same(program, case, what, told="", faults=side_files.faults, **more):
    """As without the recorder, but for what it tells; its files have nothing that cannot be"""
    plain = run([program, case], cwd=more.get("cwd"))
    recorded = record([program, case], **more)
    wrong = [] if (recorded.code, recorded.out) == (plain.returncode, plain.stdout) and plain.stdout else [
        "%r, not %r" % (recorded[:3], plain)]
    if (told in recorded.err if told else recorded.err == plain.stderr) == 0:
        wrong.append("told: " + recorded.err)
    for file in recorded.files:
        wrong += faults(file)
    tap(not wrong and recorded.files, "%s: %s" % (case, what), wrong)
    return recorded.files


def but_losses(file):
    """Of a program that was ended in the middle of recording one buffer is lost, which is counted."""
    return [fault for fault in side_files.faults(file) if not fault.startswith("lost:")]


def check_counted(program, case, told):
    """What is not in the file is counted in its trailer."""
    files = check_same(program, case, "what could not be written is counted", told, but_losses)
    infos = [file.info for file in files]
    tap(infos and all(info["end"] == 1 and info["lost"] + info["events"] >= 200000 and info["chunks_lost"] for info in infos),
        "%s: the trailer has how many" % case, map(repr, infos))
    tap(all(0 < file.info["lost_from"] and all(event.time < file.info["lost_from"] for event in file.events) for file in files),
        "%s: the header has since when" % case, map(repr, infos))


def check_handlers(program):
    check_same(program, "exec_with_handlers", "a handler maps while exec fails")
    check_same(program, "stack_of_handlers", "its stack is above those whom it interrupts")
    check_same(program, "jump_out_of_handler", "it jumps out of whatever it interrupts")
    files = check_same(program, "exit_in_handler", "it ends the process", "", but_losses)
    tap(len(files) == 201 and all(file.info["end"] for file in files), "exit_in_handler: each file has its end",
        ["%d files" % len(files)] + [repr(file.info) for file in files if not file.info["end"]])
    files = check_same(program, "exit_at_once", "it ends the process, perhaps before its first block", "", but_losses)
    tap(len(files) <= 201 and all(file.info["end"] for file in files), "exit_at_once: each file that there is has its end",
        ["%d files" % len(files)] + [repr(file.info) for file in files if not file.info["end"]])
    files = check_same(program, "fork_in_handler", "the child goes on where the parent was", None)
    own = [file for file in files if file.info["parent"]]
    tap(all(file.info["threads"] == 1 for file in files) and len(own) <= 100, "fork_in_handler: no file has another's events",
        [repr(file.info) for file in files])
    files = check_same(program, "fork_in_look", "a child does not wait for a lock that nobody gives back", None)
    tap(len(files) == 21 and all(file.info["end"] for file in files), "fork_in_look: each child is recorded",
        ["%d files" % len(files)] + [repr(file.info) for file in files if not file.info["end"]])


def check_stacks(program):
    for stack in ("unwind", "frames"):
        options = "%s,stack=%s" % (ALL, stack)
        check_same(program, "coroutines", "behind the end of whose stacks nothing can be read, stack=" + stack,
                   options=options)
        check_same(program, "overflow", "a handler is called at the end of the stack, stack=" + stack, options=options)


def check_memory(program):
    check_same(program, "little_memory", "the recorder leaves the program what there is")
    check_same(program, "less_memory", "likewise, of a limit that comes later")
    for case, operation, expected in (("no_memory", "alloc", 21000), ("no_memory_thread", "alloc", 20000),
                                      ("no_memory_names", "name", 5000)):
        files = check_same(program, case, "what there is no memory for is lost", "", but_losses, options="size=1000,overhead=any")
        seen = [(sum(event.operation == operation and (operation == "name" or event.bytes == 1000) for event in file.events),
                 file.info["lost"], file.info["without_memory"], file.info["allocations"]) for file in files]
        tap(len(seen) == 1 and seen[0][0] + seen[0][1] == expected and seen[0][1] == seen[0][2] > 0 and
            (operation == "name" or seen[0][3] >= 20000), case + ": each is recorded or counted, with the reason", [repr(seen)])


def check_filters(program):
    for case, name in (("filter_kills", "fstat"), ("filter_traps", "prlimit64"), ("filter_strict", "all")):
        files = check_same(program, case, "a filter of system calls that would end it in the recorder",
                           "seccomp(2) forbids system calls, what comes is not recorded: " + name)
        tap(len(files) == 1 and files[0].info["end"] == 4 and files[0].info["events"] >= 100000 and
            files[0].info["lost_from"] >= files[0].events[-1].time, case + ": what came before is recorded",
            [repr(file.info) for file in files])
    files = check_same(program, "filter_in_child", "a child that is not recorded, and does not end", ": fstat")
    tap(len(files) == 1 and files[0].info["end"] == 1, "filter_in_child: the parent is recorded", [repr(file.info) for file in files])
    files = check_same(program, "filter_denies", "a filter of calls that may fail", "cannot make a file")
    tap(len(files) == 1 and files[0].info["end"] == 1 and files[0].info["events"] >= 300000, "filter_denies: all is recorded",
        [repr(file.info) for file in files])


def check_removed(program):
    with tempfile.TemporaryDirectory() as work:
        environment = dict(os.environ, LD_PRELOAD=RECORDER, PRECIS_OBJECTS="directory=%s,%s" % (work, ALL),
                           HOSTILE_DIRECTORY=work)
        done = run([program, "removed"], env=environment)
        tap((done.returncode, done.stdout) == (0, "removed\n") and TOLD in done.stderr and not os.listdir(work),
            "removed: that a file was removed is told", [repr(done), repr(os.listdir(work))])


def check_full(program):
    """A file system without room: what was written is whole, and the header has since when nothing was"""
    script = """
        mount -t tmpfs -o size=256k none "$1" || exit
        LD_PRELOAD="$2" PRECIS_OBJECTS="directory=$1,$3" "$4" blocks
        cp "$1"/*.objects "$5"
    """
    with tempfile.TemporaryDirectory() as small, tempfile.TemporaryDirectory() as work:
        try:
            done = run(["unshare", "-m", "sh", "-c", script, "sh", small, RECORDER, ALL, program, work])
        except FileNotFoundError:
            print("# full: no unshare(1)")
            return
        files = [side_files.SideFile(path) for path in glob.glob(work + "/*.objects")]
        if not files and not done.stdout:
            print("# full: nothing can be mounted: " + done.stderr.strip())
            return
        wrong = [fault for file in files for fault in side_files.faults(file) if "lost" not in fault]
        tap((done.returncode, done.stdout) == (0, "blocks\n") and TOLD in done.stderr and len(files) == 1 and not wrong and
            files[0].info["events"] > 1000 and files[0].info["lost_from"] > files[0].events[-1].time,
            "full: a file system without room", [repr(done)] + wrong + [repr(file.info) for file in files])


def check_files(program):
    check_counted(program, "short_files", TOLD)
    recorded = record([program, "no_files"])
    tap((recorded.code, recorded.out) == (0, "blocks\n") and "nothing is recorded" in recorded.err and len(recorded.files) == 1,
        "no_files: nothing is left of a file that cannot be begun", [repr(recorded[:3]), "%d files" % len(recorded.files)])
    if os.geteuid():
        print("# errors_elsewhere: only root can chroot(2)")
    check_same(program, "errors_elsewhere", "nothing is written to what is not standard error any more", "", but_losses)
    check_same(program, "few_numbers", "as many files may be open, and they have the same numbers", None, but_losses)
    check_same(program, "numbers_taken", "nothing is written to a file of the program's that has the number now", "")
    check_same(program, "no_rights", "a child that may not make a file", "cannot make a file in this directory" if
               not os.geteuid() else "")
    check_same(program, "namespaces", "a child that is the first process of a namespace", "")
    check_filters(program)
    check_removed(program)
    check_full(program)
    check_same(program, "wished", "a hint where to move a mapping is passed on")
    with tempfile.TemporaryDirectory() as work:
        files = check_same(program, "daemonic", "a child that changed its directory", directory=".", cwd=work)
        tap(len(files) == 2 and sorted(file.info["events"] for file in files)[1] >= 200000,
            "daemonic: both files are where the program began", [repr(file.info) for file in files])


ALLOCATOR = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
static char *pool;
static size_t used;
static int is_locked;
static void *take(size_t size)
{
	void *block;

	if (__atomic_exchange_n(&is_locked, 1, __ATOMIC_ACQUIRE))
		abort(); /* another one would wait for ever */
	if (!pool)
		pool = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	used = (used + 15) & ~15ul;
	block = pool + used;
	used += size;
	__atomic_store_n(&is_locked, 0, __ATOMIC_RELEASE);
	return block;
}
void *malloc(size_t size) { return take(size); }
void *calloc(size_t count, size_t size) { return take(count * size); }
void *realloc(void *block, size_t size) { return block ? NULL : take(size); }
void free(void *block) { (void)block; }
static __attribute__((constructor)) void begins(void) { void *volatile block = malloc(1); free(block); }
"""


def check_allocator(program, work):
    """As jemalloc does: what is mapped within the first malloc() is no place to begin at"""
    path = os.path.join(work, "liballocator.so")
    subprocess.run(shlex.split(os.environ["CC"]) + ["-shared", "-fPIC", "-fno-builtin", "-x", "c", "-", "-o", path],
                   check=True, text=True, input=ALLOCATOR)
    recorded = record([program, "blocks"], preloaded=":" + path)
    tap((recorded.code, recorded.out, recorded.err) == (0, "blocks\n", "") and len(recorded.files) == 1 and
        recorded.files[0].info["events"] >= 200000, "blocks: of an allocator that maps memory in its first call",
        [repr(recorded[:3])])


def main():
    if not os.path.exists(RECORDER):
        print("1..0 # SKIP libprecis-objects.so was not built")
        return 0
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "hostile")
        subprocess.run(shlex.split(os.environ["CC"]) + [
            "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-rdynamic", "-I" + INCLUDE, os.path.join(HERE, "hostile.c"),
            "-o", program], check=True)
        check_allocator(program, work)
        check_handlers(program)
        check_stacks(program)
        check_memory(program)
        check_files(program)
    print("1..%d" % count)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
