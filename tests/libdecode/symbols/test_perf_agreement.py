#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Task, symbol, offset, object and line of every sample, against perf script."""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../command/cli"))

import tap
from command import good
from quick import some
from tap import Skip, equal

HERE = sys.modules[__name__]
BUILDDIR = os.environ["builddir"]
PERF = os.environ.get("PERF", "")
CC = os.environ.get("CC", "cc")
CXX = os.environ.get("CXX", "")
RESOLVE = os.path.join(BUILDDIR, "tests/libdecode/symbols/resolve")
SCRATCH = tempfile.TemporaryDirectory()
HOME = os.path.join(SCRATCH.name, "home")
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("LD_PRELOAD", "PERF_CONFIG", "PERF_BUILDID_DIR")}
ENVIRONMENT.update(HOME=HOME, DEBUGINFOD_URLS="", ASAN_OPTIONS="detect_leaks=0")
os.mkdir(HOME)

# Each touch of a page that a program has not touched before is a page fault, and with that a sample:
# how many there are, and where, depends neither on the machine's speed nor on what else runs.
FRESH = r"""
#include <stddef.h>
#include <sys/mman.h>
enum { PAGE = 4096 };
static inline __attribute__((always_inline)) volatile char *fresh(size_t pages)
{
	char *memory = (char *)mmap(0, pages * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
	return memory;
}
"""

BUSY = FRESH + r"""
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static __attribute__((noinline)) unsigned long square(unsigned long n, volatile char *page)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++)
		sum += i * i;
	page[0 * PAGE] = 1;
	sum++;
	page[1 * PAGE] = 1;
	sum++;
	page[2 * PAGE] = 1;
	sum++;
	page[3 * PAGE] = 1;
	sum++;
	page[4 * PAGE] = 1;
	sum++;
	page[5 * PAGE] = 1;
	sum++;
	page[6 * PAGE] = 1;
	sum++;
	page[7 * PAGE] = 1;
	return sum;
}
__attribute__((noinline)) unsigned long call_system(unsigned long n, volatile char *page)
{
	unsigned long sum = 0;
	int zeros = open("/dev/zero", O_RDONLY);
	for (unsigned long i = 0; i < n; i++)
		sum += (unsigned long)getppid();
	page[0] = 1;
	/* the kernel touches it */
	sum += (unsigned long)read(zeros, (char *)page + PAGE, PAGE);
	close(zeros);
	return sum;
}
int main(void)
{
	unsigned long sum = 0;
	for (int i = 0; i < 30; i++)
		sum += square(50000, fresh(8)) + call_system(500, fresh(2));
	printf("%lu\n", sum);
	return 0;
}
"""

LIBRARY = FRESH + r"""
static __attribute__((noinline)) unsigned long inner(unsigned long n, volatile char *page)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++)
		sum += i ^ n;
	*page = 1;
	return sum;
}
unsigned long NAME(unsigned long n) { return inner(n, fresh(1)) + 1; }
"""

LOADER = r"""
#include <dlfcn.h>
#include <stdio.h>
unsigned long linked(unsigned long n);
int main(int argc, char **argv)
{
	void *handle = dlopen(argv[argc - 1], RTLD_NOW);
	unsigned long (*loaded)(unsigned long) = handle ? dlsym(handle, "loaded") : 0;
	unsigned long sum = 0;
	if (!loaded)
		return 1;
	for (int i = 0; i < 40; i++)
		sum += linked(40000) + loaded(40000);
	printf("%lu\n", sum);
	return 0;
}
"""

CPP = FRESH + r"""
#include <cstdio>
#include <string>
namespace space {
template <typename T> struct box {
	T v;
	__attribute__((noinline)) T spin(T n) const { volatile T s = *fresh(1); for (T i = 0; i < n; i++) s = s + i; return s; }
	__attribute__((noinline)) T operator()(T n) { volatile T s = *fresh(1); for (T i = 0; i < n; i++) s = s ^ i; return s; }
	__attribute__((noinline)) bool operator<(T n) { volatile T s = *fresh(1); for (T i = 0; i < n; i++) s = s ^ i; return s < v; }
	__attribute__((noinline)) operator unsigned long() { volatile T s = *fresh(1); for (T i = 0; i < 50000; i++) s = s ^ i; return s; }
};
template <typename T> __attribute__((noinline)) T whole(T n) { volatile T s = *fresh(1); for (T i = 0; i < n; i++) s = s + i; return s; }
namespace { __attribute__((noinline)) long hidden(const std::string &t, long n) { volatile long s = *fresh(1); for (long i = 0; i < n; i++) s = s + t[0]; return s; } }
}
int main()
{
	space::box<long> box{1};
	std::string text = "text";
	auto lambda = [&](long n) { volatile long s = 0; for (long i = 0; i < n; i++) s = s + i; return (long)s; };
	long sum = 0;
	for (int i = 0; i < 40; i++)
		sum += box.spin(50000) + box(50000) + (box < 50000) + (unsigned long)box +
		       space::whole<long>(50000) + space::hidden(text, 20000) + lambda(50000);
	std::printf("%ld\n", sum);
	return 0;
}
"""

TASKS = "#define _GNU_SOURCE\n" + FRESH + r"""
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
static void spin(void)
{
	volatile char *pages = fresh(8);
	for (unsigned int i = 0; i < 8; i++)
		pages[i * PAGE] = 1;
	for (volatile unsigned long i = 0; i < 1000000; i++)
		;
}
static void *thread(void *name)
{
	spin();
	prctl(PR_SET_NAME, name);
	spin();
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t first, second;
	if (argc == 1) {
		spin();
		return 0;
	}
	pthread_create(&first, 0, thread, "first");
	spin();
	pthread_create(&second, 0, thread, "second");
	pthread_join(first, 0);
	pthread_join(second, 0);
	for (int way = 0; way < 2; way++) {
		pid_t child = way ? vfork() : fork();
		if (child == 0) {
			if (!way)
				spin();
			execl(argv[1], "again", (char *)0);
			_exit(1);
		}
		waitpid(child, 0, 0);
	}
	spin();
	return 0;
}
"""

JIT = FRESH + r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
/* xor eax,eax; mov byte [rsi],1; loop: inc eax; cmp eax,edi; jne loop; ret */
static const unsigned char code[] = { 0x31, 0xc0, 0xc6, 0x06, 0x01, 0xff, 0xc0, 0x39, 0xf8, 0x75,
				      0xfa, 0xc3 };
int main(int argc, char **argv)
{
	char *memory = (char *)fresh(2);
	char path[64];
	FILE *map;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = argc > 1 ? fopen(path, "w") : 0;
	for (int i = 0; i < 3; i++) {
		memcpy(memory + 64 * i, code, sizeof(code));
		if (map && i < 2)
			fprintf(map, "%lx %x made at run time %d\n", (unsigned long)(memory + 64 * i), 64, i);
	}
	if (map)
		fclose(map);
	for (int i = 0; i < 300; i++)
		((int (*)(int, volatile char *))(void *)(memory + 64 * (i % 3)))(20000, fresh(1));
	printf("%s\n", path);
	return 0;
}
"""


def call(*words, **how):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=1200,
                          env=ENVIRONMENT, **how)
    assert b"Sanitizer" not in done.stderr, done.stderr.decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace"), \
        done.stderr.decode(errors="replace")


def must(*words, **how):
    code, out, err = call(*words, **how)
    assert code == 0, "%r: %s" % (words, err)
    return out


def there(name):
    return os.path.join(SCRATCH.name, name)


def build(name, source, *flags, compiler=None, suffix=".c"):
    path = there(name + suffix)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(source)
    must(*(compiler or CC).split(), "-g", "-O1", "-o", there(name), path, *flags)
    return there(name)


# Every page fault; and the clock, which comes wherever it likes and adds what there is of other places
EVENTS = ("-e", "page-faults", "-c", "1", "-e", "cpu-clock/period=50000/")


def record(name, *command, options=()):
    """Samples of a command. What a test needs is at its page faults."""
    if not PERF:
        raise Skip("perf is not installed")
    path = there(name + ".data")
    code, _, err = call(PERF, "record", "-q", "-N", *EVENTS, *options, "-o", path, *command)
    if code or not os.path.exists(path):
        raise Skip("perf record: " + (err.strip().splitlines() or ["failed"])[-1])
    return path


def by_perf(path, *options, before=(), fields="comm,ip,sym,symoff,dso"):
    out = must(PERF, *before, "script", "-G", "-i", path, "--no-demangle", *options, "-F", fields)
    rows = []
    for line in out.splitlines():
        found = re.fullmatch(r"\s*(?:(\S.*?)\s+)?([0-9a-f]+) (\S.*?) \((.*)\)\s*", line)
        if found:
            task, ip, symbol, dso = found.groups()
            # a stub of no function's name is none to perf, too
            nameless = symbol == "[unknown]" or symbol.startswith("@plt+")
            rows.append([task, ip, None if nameless else symbol, dso])
        elif rows:
            rows[-1].append(line.strip())
    return rows


def by_us(path, symfs="", debug="", cache="", kallsyms=""):
    rows = [line.split("\t") for line in
            must(RESOLVE, path, symfs, debug, cache, kallsyms).splitlines()]
    for row in rows:
        assert len(row) == 5, row
        if row[2] == "-this build of precis reads no ELF files":
            raise Skip("built without elfutils")
    return rows


def is_kernels(ip):
    return int(ip, 16) >= 1 << 63


def counted(rows):
    return collections.Counter(tuple(row) for row in rows)


def ours(path, wanted, with_task=False, **how):
    found = []
    for task, ip, symbol, dso, _ in by_us(path, **how):
        if wanted(ip):
            symbol = None if symbol.startswith("-") else symbol
            found.append(([task] if with_task else []) +
                         [ip, symbol, "[unknown]" if dso == "-" else dso])
    return counted(found)


def theirs(path, wanted, *options, with_task=False, **how):
    return counted([row[0 if with_task else 1:4] for row in by_perf(path, *options, **how)
                    if wanted(row[1])])


def is_users(ip):
    return not is_kernels(ip)


def is_stub(row):
    return row[-2] and "@plt+" in row[-2]


def without_hidden_stubs(found, expected):
    """perf finds a stub by chance where the symbol before has no size, and none in stripped files."""
    hidden = {row for row in found - expected if is_stub(row)}
    places = {(row[-3], row[-1]) for row in hidden}
    return (collections.Counter({row: n for row, n in found.items() if row not in hidden}),
            collections.Counter({row: n for row, n in expected.items()
                                 if (row[-3], row[-1]) not in places or is_stub(row) or
                                 (row[-2] and not row[-2].startswith("_init+"))}))


def compare(found, expected, at_least=20):
    assert sum(expected.values()) >= at_least, "too few samples: %r" % expected
    difference = (found - expected, expected - found)
    assert not difference[0] and not difference[1], "only here:\n%s\nonly in perf:\n%s" % tuple(
        "\n".join(map(repr, part.items())) for part in difference)


def names(found):
    return {row[-2].split("+")[0] for row in found if row[-2]}


def check_users(path, expected_names=(), perf_options=(), before=(), **how):
    found = ours(path, is_users, **how)
    compare(*without_hidden_stubs(found, theirs(path, is_users, *perf_options, before=before)))
    missing = set(expected_names) - names(found)
    assert not missing, "no samples in %r: %r" % (missing, names(found))
    return found


def busy(*flags, name="busy"):
    if not os.path.exists(there(name)):
        build(name, BUSY, *flags)
    return there(name)


def test_program():
    """a program"""
    check_users(record("busy", busy()), ["square", "call_system"])


def test_not_movable():
    """a program that is not position independent, one that is linked statically"""
    check_users(record("fixed", build("fixed", BUSY, "-no-pie", "-fno-pie")), ["square"])
    if call(*CC.split(), "-static", "-o", there("static"), there("busy.c"))[0] == 0:
        check_users(record("static", there("static")), ["square", "call_system"])


def test_libraries():
    """shared libraries, linked and opened by dlopen()"""
    for name in "linked", "loaded":
        build("lib%s.so" % name, LIBRARY, "-shared", "-fPIC", "-DNAME=" + name)
    program = build("loader", LOADER, "-L" + SCRATCH.name, "-llinked", "-ldl",
                    "-Wl,-rpath," + SCRATCH.name)
    found = check_users(record("loader", program, there("libloaded.so")), ["inner"])
    objects = {row[-1] for row in found if row[1] and row[1].startswith("inner+")}
    equal(objects, {there("liblinked.so"), there("libloaded.so")}, "libraries")


def cpp():
    if not CXX:
        raise Skip("no C++ compiler")
    if not os.path.exists(there("cpp")):
        build("cpp", CPP, "-O0", compiler=CXX, suffix=".cc")
    return there("cpp")


def test_cpp():
    """a C++ program, with stubs of the procedure linkage table"""
    check_users(record("cpp", cpp()))


def test_tasks():
    """names of tasks: threads, fork, vfork, exec"""
    program = build("tasks", TASKS, "-pthread")
    shutil.copy(program, there("again"))
    path = record("tasks", program, there("again"))
    found = ours(path, is_users, with_task=True)
    compare(*without_hidden_stubs(found, theirs(path, is_users, with_task=True)))
    equal({row[0] for row in found}, {"tasks", "first", "second", "again"} |
          ({"perf-exec"} & {row[0] for row in found}), "names")


def test_stripped():
    """a stripped program: its debug file by link and by build id, or only what it has itself"""
    for way in "beside", "below", "debug", "build-id", "none":
        directory = there("stripped-" + way)
        os.makedirs(directory, exist_ok=True)
        program = os.path.join(directory, "busy")
        shutil.copy(busy(), program)
        debug = os.path.join(directory, "busy.debug")
        must("objcopy", "--only-keep-debug", program, debug)
        must("strip", "--strip-all", program)
        if way != "build-id":
            must("objcopy", "--add-gnu-debuglink=" + debug, program)
        tree = there("debug-" + way)
        if way == "below":
            os.mkdir(os.path.join(directory, ".debug"))
            os.rename(debug, os.path.join(directory, ".debug", "busy.debug"))
        elif way == "debug":
            os.makedirs(tree + directory)
            os.rename(debug, tree + directory + "/busy.debug")
        elif way == "build-id":
            build_id = re.search(r"Build ID: (\w+)", must("readelf", "-n", program)).group(1)
            os.makedirs(os.path.join(tree, ".build-id", build_id[:2]))
            os.rename(debug, os.path.join(tree, ".build-id", build_id[:2],
                                          build_id[2:] + ".debug"))
        elif way == "none":
            os.remove(debug)
        path = record("stripped-" + way, program)
        if way in ("debug", "build-id"):
            # perf has no option for the directory: its names are those of the whole program
            found = ours(path, is_users, debug=tree)
            assert {"square", "call_system"} <= names(found), names(found)
        else:
            found = check_users(path, [] if way == "none" else ["square", "call_system"])
        if way == "none":
            assert not {"square", "call_system"} & names(found), names(found)


def test_wrong_debug_file():
    """a debug file of another build is not used, whether build ids say so or its checksum"""
    for ids in "sha1", "none":
        directory = there("wrong-" + ids)
        os.makedirs(directory)
        program = build("wrong-%s/busy" % ids, BUSY, "-Wl,--build-id=" + ids)
        debug = program + ".debug"
        must("objcopy", "--only-keep-debug", program, debug)
        must("strip", "--strip-all", program)
        must("objcopy", "--add-gnu-debuglink=" + debug, program)
        path = record("wrong-" + ids, program)
        assert {"square", "call_system"} <= names(ours(path, is_users)), ids
        if ids == "none":
            with open(debug, "ab") as file:
                file.write(b"\0")
        else:
            build("wrong-sha1/other", BUSY.replace("i * i", "i * 7 + i"))
            must("objcopy", "--only-keep-debug", os.path.join(directory, "other"), debug)
        assert not {"square", "call_system"} & names(ours(path, is_users)), ids


def test_cache():
    """files that are gone, from a build-id cache; also the vdso"""
    program = build("cached", BUSY.replace("getppid()", "getppid() + clock()").replace(
        "#include <unistd.h>", "#include <time.h>\n#include <unistd.h>"))
    path = record("cached", program)
    cache = there("cache")
    must(PERF, "--buildid-dir", cache, "buildid-cache", "-a", program)
    call(PERF, "--buildid-dir", cache, "buildid-cache", "-a", "/proc/self/exe")
    path = there("cached2.data")
    must(PERF, "--buildid-dir", cache, "record", "-q", *EVENTS, "-o", path, program)
    os.remove(program)
    found = check_users(path, ["square"], before=("--buildid-dir", cache), cache=cache)
    assert any(row[-1] == "[vdso]" and row[1] for row in found) or \
        not any(row[-1] == "[vdso]" for row in found), "vdso"
    # without it, and with a program of another build in the place of that which ran
    lines = by_us(path, cache=there("no-cache"))
    assert any(row[2] == "-file not found or not readable" for row in lines), lines[:5]
    build("cached", BUSY)
    lines = by_us(path, cache=there("no-cache"))
    assert any(row[2] == "-file is not the recorded build" for row in lines), lines[:5]
    check_users(path, ["square"], before=("--buildid-dir", cache), cache=cache)


def test_symfs():
    """another root: program, debug file and cache are there"""
    program = build("deep", BUSY)
    path = record("deep", program, options=("--buildid-all",))
    root = there("root")
    os.makedirs(os.path.dirname(root + program))
    os.rename(program, root + program)
    lines = by_us(path)
    assert all(row[2].startswith("-") for row in lines if row[3] == program), lines[:5]
    found = {row[2].split("+")[0] for row in by_us(path, symfs=root) if row[3] == program}
    assert {"square", "call_system"} <= found, found


def test_run_time_code():
    """code that a program makes, with and without a perf map"""
    program = build("jit", JIT)
    path = record("jit", program, "map")
    found = check_users(path, ["made at run time 0", "made at run time 1"])
    maps = {row[-1] for row in found if row[1] and row[1].startswith("made")}
    equal(len(maps), 1, "maps")
    os.remove(maps.pop())
    path = record("jit-none", program)
    check_users(path)
    assert any(row[2] == "-code made at run time, without a perf-PID.map" for row in by_us(path))


def kernel_samples(path):
    return [row for row in by_us(path) if is_kernels(row[1])]


def test_kernel():
    """the kernel's samples, by /proc/kallsyms, by a file, by a cache"""
    path = record("kernel", busy())
    if not kernel_samples(path):
        raise Skip("no samples of the kernel: not permitted")
    with open("/proc/kallsyms") as file:
        text = file.read()
    if re.match(r"0+ ", text):
        raise Skip("no addresses in /proc/kallsyms: not permitted")
    kallsyms = there("kallsyms")
    with open(kallsyms, "w") as file:
        file.write(text)
    expected = theirs(path, is_kernels, "--kallsyms", kallsyms)
    compare(ours(path, is_kernels, kallsyms=kallsyms), expected)
    # what runs here is what was recorded
    compare(ours(path, is_kernels), expected)
    # another boot had the kernel elsewhere: the same list, all moved by 2 MiB
    moved = there("moved")
    with open(moved, "w") as file:
        for line in text.splitlines():
            address, rest = line.split(" ", 1)
            file.write("%016x %s\n" % ((int(address, 16) + 0x200000) & (1 << 64) - 1, rest))
    compare(ours(path, is_kernels, kallsyms=moved), theirs(path, is_kernels, "--kallsyms", moved))
    compare(ours(path, is_kernels, kallsyms=moved), expected)
    # no addresses; no list
    hidden = there("hidden")
    with open(hidden, "w") as file:
        file.write(re.sub(r"(?m)^[0-9a-f]+", "0" * 16, text))
    reasons = {row[2] for row in by_us(path, kallsyms=hidden) if is_kernels(row[1])}
    equal(reasons, {"-kernel addresses hidden by kernel.kptr_restrict"}, "hidden")
    reasons = {row[2] for row in by_us(path, kallsyms="/nonexistent") if is_kernels(row[1])}
    equal(reasons, {"-no symbols of the recorded kernel found"}, "none")
    # a recording with the list beside, and the cache of perf
    cache = there("kernel-cache")
    call(PERF, "--buildid-dir", cache, "record", "-q", "-e", "cpu-clock", "-o", there("k.data"),
         busy())
    assert os.path.isdir(cache), "cache"


def source_line(text):
    return re.sub(r" \(discriminator \d+\)$", "", text)


def record_user(name, program):
    """Without the kernel's places: perf can die of the addr2line that it starts for /proc/kcore"""
    return record(name, program, options=("--all-user",))


def check_lines(path, program):
    perf = collections.Counter()
    for row in by_perf(path, fields="comm,ip,sym,symoff,dso,srcline"):
        if row[3] == program and len(row) > 4:
            perf[row[1], source_line(row[4])] += 1
    found = collections.Counter((ip, os.path.basename(line)) for _, ip, _, dso, line in by_us(path)
                                if dso == program)
    # perf has "file:?" or "??:0" where there is no line, and "file[address]" in its headers
    known = collections.Counter({key: n for key, n in perf.items()
                                 if re.search(r":[1-9]\d*$", key[1])})
    compare(collections.Counter({key: n for key, n in found.items() if key in known or
                                 not key[1].startswith("-")}), known)


def test_lines():
    """source lines: DWARF 2 to 5, -O0 to -O3, gcc and clang, compressed, in a debug file"""
    flags = [["-gdwarf-%d" % version] for version in (2, 3, 4, 5)]
    flags += [["-O0"], ["-O3", "-ffunction-sections"], ["-gz=zlib"], ["-no-pie", "-fno-pie"],
              ["-Wl,--gc-sections", "-ffunction-sections"]]
    for n, flag in enumerate(some(flags)):
        program = build("lines%d" % n, BUSY, *flag)
        check_lines(record_user("lines%d" % n, program), program)
    if shutil.which("clang"):
        for n, flag in enumerate(some((["-gdwarf-5"], ["-gdwarf-4"], ["-O2"]))):
            program = build("clang%d" % n, BUSY, *flag, compiler="clang")
            check_lines(record_user("clang%d" % n, program), program)
    program = cpp()
    check_lines(record_user("cpp-lines", program), program)
    program = build("split", BUSY)
    must("objcopy", "--only-keep-debug", program, program + ".debug")
    must("strip", "--strip-all", program)
    must("objcopy", "--add-gnu-debuglink=" + program + ".debug", program)
    path = record_user("split", program)
    check_lines(path, program)
    os.remove(program + ".debug")
    reasons = {row[4] for row in by_us(path) if row[3] == program}
    equal(reasons, {"-no line numbers in the file or its debug file"}, "stripped")


def test_demangled():
    """precis report: C++ names as perf prints them, and as the linker has them"""
    path = record("demangled", cpp())
    by_us(path)  # skips without elfutils
    plain = {row[2].split("+")[0] for row in by_perf(path) if row[2] and row[3] == cpp()}
    assert any(name.startswith("_ZN") for name in plain), plain
    text = must(os.environ["PRECIS"], "report", "--format", "json", "--top", "100000", path)
    tables = [table for name, table in json.loads(text).items() if name.startswith("top_")]
    found = {row["symbol"].rsplit("+", 1)[0] for table in tables for row in table["rows"]
             if row["symbol"] and row["object"] == cpp()}
    if found & plain - {"main"} and any(name.startswith("_Z") for name in found):
        raise Skip("built without demangling")
    out = must(PERF, "script", "-G", "-i", path, "-F", "ip,sym,dso")
    expected = {line.split(None, 1)[1].rsplit(" (", 1)[0] for line in out.splitlines()
                if line.endswith("(%s)" % cpp())}
    if any(name.startswith("_ZN") for name in expected):
        raise Skip("this perf does not demangle")
    # perf has no one name for what lies in the linkage table
    equal({name for name in found if name != "_init" and "@plt" not in name},
          {name for name in expected if name != "_init" and "@plt" not in name}, "names")
    text = must(os.environ["PRECIS"], "report", "--format", "json", "--top", "100000",
                "--no-demangle", path)
    assert '"symbol": "_ZN' in text or '"symbol":"_ZN' in text, "--no-demangle"


def lines_by_place(path, program):
    return {row[2]: os.path.basename(row[4]) for row in by_us(path) if row[3] == program}


def test_long_offsets():
    """64-bit DWARF, which addr2line may not read: the lines are those of 32-bit DWARF"""
    short = build("dwarf32/busy", BUSY, "-gdwarf-5")
    try:
        program = build("dwarf64/busy", BUSY, "-gdwarf-5", "-gdwarf64")
    except AssertionError:
        raise Skip("this compiler writes no 64-bit DWARF")
    expected = lines_by_place(record("dwarf32", short), short)
    found = lines_by_place(record("dwarf64", program), program)
    both = expected.keys() & found.keys()
    stores = {"busy.c:%d" % number for number, line in enumerate(BUSY.splitlines(), 1)
              if line.startswith("\tpage[")}
    assert len(stores) == 9, stores
    equal(stores - {found[place] for place in both}, set(), "stores without a place")
    equal({place: found[place] for place in both}, {place: expected[place] for place in both},
          "lines")


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
