#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
objects.py --precis COMMAND --recorder LIBRARY --work PROGRAM [--rounds N] [--numerical-rounds N]
[--only WORD] [--table pairs,programs,numerical]: what the recorder of objects costs, in CPU time: of a pair of malloc
and free, of a million pairs a second, of programs that are there, and of numerical ones where blocks of 4 KiB and more
are recorded. Each way is run in turn, so that what else the machine does falls on all; figures are medians, and medians
of the ratios to the plain run of the same round, with the interval that holds the median in 95 of 100 cases whatever
their distribution (order statistics; of fewer than six rounds it is all of them), and what the recorder says that it
took by itself.
"""
import argparse
import collections
import glob
import json
import os
import resource
import shutil
import statistics
import subprocess
import tempfile

from ratios import median_told

ALL = "interval=all,overhead=any"
POISSON = "interval=512k,overhead=any"
LARGE = "interval=all,size=4k,overhead=any"
BOUNDED = "interval=all,size=4k"  # as much as that costs 1 %
PAIRS = (("a pair, everything recorded", ("2000000", "64", "12", "0"),
          ("plain", ALL, ALL + ",stack=none", POISSON, LARGE, "heaptrack")),
         ("a pair of 5000 bytes", ("300000", "5000", "12", "0"), ("plain", LARGE)),
         ("a pair, nearly each with a stack of its own", ("100000", "64", "30", "0", "chance"),
          ("plain", ALL, "heaptrack")),
         ("a million pairs a second", ("2000000", "256", "12", "1000"), ("plain", POISSON, ALL,
                                                                          "heaptrack")),
         ("50 000 blocks of 64 KiB a second", ("20000", "65536", "12", "20000"), ("plain", LARGE,
                                                                                "heaptrack")))


def compiler():
    """The path of gcc's own; a name that is nowhere, if there is none"""
    found = shutil.which("gcc") and subprocess.run(["gcc", "-print-prog-name=cc1"], capture_output=True, text=True,
                                                   check=False).stdout.strip()
    return found or "cc1"


SQL = ("create table t(a,b); with recursive c(x) as (select 1 union all select x+1 from c where x<300000) "
       "insert into t select x, hex(x*x) from c; create index i on t(b); select count(*) from t a join t b on a.b=b.b;")
CODE = "".join("int f%d(int a, int *b) { int s = 0; for (int i = 0; i < a; i++) s += b[i] * %d; return s; }\n" % (n, n)
               for n in range(200))
SCRIPT = ("import json\nfor turn in range(8):\n d = {str(n): [n] * (n % 7) for n in range(100000)}\n"
          " json.loads(json.dumps(d))\n")
# What it does, the program with its arguments, what it reads, and from which file if that has to have a name
PROGRAMS = (("sqlite3: a table, an index, a join", ["sqlite3", ":memory:"], SQL),
            # itself: heaptrack does not follow gcc(1) to it
            ("cc1 -O2: 200 functions", [compiler(), "-quiet", "-O2", "-o", "/dev/null", "-"], CODE),
            ("python3: objects, to JSON and back", ["python3", "-"], SCRIPT),
            ("zstd -15: 8 MB", ["zstd", "-q", "-15", "-c"], CODE * 400),
            ("bc: 1500 digits of pi", ["bc", "-l"], "scale=1500; 4*a(1)\n"))
LENNARD_JONES = """units lj
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neigh_modify delay 0 every 20 check no
fix 1 all nve
run 600
"""
LINEAR = """import numpy
a = numpy.arange(90000.0).reshape(300, 300) % 97 + 100 * numpy.eye(300)
for k in range(120):
    x = numpy.linalg.solve(a, a[:, k])
    s = numpy.linalg.norm(x) + numpy.abs(numpy.fft.fft2(a)).sum()
"""
MATRICES = "A = rand(300); for k = 1:300, x = A \\ A(:, k); A(k, k) += norm(x); end"
HPCC = "\n\n\n6\n" + "\n".join("1 1500 1 80 0 1 1 1 16.0 1 2 1 4 1 2 1 1 1 1 1 0 2 64 0 0 1 8".split()) + "\n\n0\n0\n0\n0\n"
NUMERICAL = (("LAMMPS: 4000 atoms, 600 steps", ["lmp", "-screen", "none", "-log", "none"], LENNARD_JONES),
             ("NumPy: systems of 300 equations, Fourier transforms", ["/usr/bin/python3", "-"], LINEAR),
             ("Octave: systems of 300 equations", ["octave-cli", "-q", "-f", "-W"], MATRICES),
             ("HPC Challenge: equations, matrices, transforms, sorting, memory", ["hpcc"], HPCC, "hpccinf.txt"))


def environment(way, recorder, work):
    changed = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if way not in ("plain", "heaptrack"):
        changed.update(LD_PRELOAD=recorder, PRECIS_OBJECTS="directory=%s,%s" % (work, way))
    return changed


Run = collections.namedtuple("Run", "numbers seconds bytes own_seconds")


def own_seconds(precis, paths):
    """What the recorder says that it took itself"""
    facts = [json.loads(subprocess.run([precis, "objects", "--no-symbols", "--format", "json", path], check=True,
                                       capture_output=True).stdout) for path in paths]
    return sum(fact["recorder_ns"] or 0 for fact in facts) / 1e9


def run(way, command, arguments, text="", name=None):
    """What was printed, CPU seconds, bytes of the side files, and seconds that the recorder took by itself"""
    with tempfile.TemporaryDirectory() as work:
        if name:
            with open(os.path.join(work, name), "w", encoding="ascii") as file:
                file.write(text)
        if way == "heaptrack":
            command = ["heaptrack", "-r", "-o", os.path.join(work, "heaptrack")] + command
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, env=environment(way, os.path.abspath(arguments.recorder), work), input=text,
                              cwd=work, capture_output=True, text=True, errors="replace", check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        files = glob.glob(work + "/*.objects")
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        numbers = [line for line in done.stdout.splitlines() if line.replace(".", "", 1).isdigit()]
        return Run(numbers, seconds, sum(map(os.path.getsize, files)), own_seconds(arguments.precis, files))


def table(title, unit, ways, measure, rounds):
    """Rounds of all ways in turn; the ratio is that of each round. measure(way) is (a value, its run)"""
    taken = {way: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            taken[way].append(measure(way))
    print(title)
    for way in ways:
        values = [value for value, _ in taken[way]]
        ratios = [one / plain for one, (plain, _) in zip(values, taken["plain"])]
        own = 100 * sum(each.own_seconds for _, each in taken[way]) / sum(each.seconds for _, each in taken[way])
        print("  %-28s %9.3f %s, %s of plain (%.3f to %.3f)%s" % (
            way, statistics.median(values), unit, median_told(ratios), min(ratios), max(ratios),
            ", %d bytes, %.2f%% by the recorder's own clock" % (taken[way][0][1].bytes, own) if own else ""),
              flush=True)


def programs(which, ways, arguments, rounds):
    for title, command, *reads in which:
        if arguments.only not in title:
            continue
        if not shutil.which(command[0]):
            print("%s: not installed" % command[0])
            continue

        def measure(way, command=command, reads=reads):
            taken = run(way, command, arguments, *reads)
            return taken.seconds, taken
        table(title, "s", ways, measure, rounds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--precis", required=True)
    parser.add_argument("--recorder", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--numerical-rounds", type=int, default=20)
    parser.add_argument("--only", default="", help="of the last two tables: programs with that in their titles")
    parser.add_argument("--table", type=lambda text: text.split(","), default=["pairs", "programs", "numerical"])
    arguments = parser.parse_args()
    has_heaptrack = shutil.which("heaptrack") is not None
    if not has_heaptrack:
        print("without heaptrack: it is not installed")

    if "pairs" in arguments.table:
        for title, words, ways in PAIRS:
            def measure(way, words=words):
                taken = run(way, [os.path.abspath(arguments.work), *words], arguments)
                return float(taken.numbers[0]), taken
            table(title, "ns", [way for way in ways if way != "heaptrack" or has_heaptrack], measure, arguments.rounds)
    if "programs" in arguments.table:
        programs(PROGRAMS, ["plain", LARGE, POISSON, ALL] + (["heaptrack"] if has_heaptrack else []),
                 arguments, arguments.rounds)
    if "numerical" in arguments.table:
        programs(NUMERICAL, ["plain", LARGE, BOUNDED], arguments, arguments.numerical_rounds)


if __name__ == "__main__":
    main()
