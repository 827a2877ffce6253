# SPDX-License-Identifier: BSD-3-Clause
"""Programs that know the truth of their data, compiled in many ways, and the library's answers to it."""
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ASK = os.path.join(os.environ["builddir"], "tests/libdecode/symbols/types/ask_types")
SCRATCH = tempfile.TemporaryDirectory()
# Of ccache's objects the split files are others' than those beside them.
ENVIRONMENT = dict({key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}, LC_ALL="C",
                   CCACHE_DISABLE="1")

SOURCES = {
    "c": (["truth_c.c", "truth_c_other.c"], ["-std=gnu11", "-w"]),
    "c++": (["truth_cc.cc"], ["-std=c++17", "-w"]),
    "fortran": (["truth_fortran.f90"], ["-w"]),
}

DWARFS = {
    "DWARF 4": ["-gdwarf-4"],
    "DWARF 5": ["-gdwarf-5"],
    "DWARF 2": ["-gdwarf-2"],
    "type units, DWARF 4": ["-gdwarf-4", "-fdebug-types-section"],
    "type units, DWARF 5": ["-gdwarf-5", "-fdebug-types-section"],
    "split, DWARF 4": ["-gdwarf-4", "-gsplit-dwarf"],
    "split, DWARF 5": ["-gdwarf-5", "-gsplit-dwarf"],
    "split type units, DWARF 4": ["-gdwarf-4", "-gsplit-dwarf", "-fdebug-types-section"],
    "split type units, DWARF 5": ["-gdwarf-5", "-gsplit-dwarf", "-fdebug-types-section"],
    "compressed": ["-gdwarf-5", "-gz"],
}


class CannotCompile(Exception):
    """The compiler is there, and does not know these options"""


def run(command, **options):
    # names of damaged files may be of any bytes
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="backslashreplace",
                          env=ENVIRONMENT, check=False, **options)


def compile_units(language, compiler, flags, directory, link=()):
    """@return the program's path; its objects stay in the directory, as split files do"""
    sources, own = SOURCES[language]
    objects = []
    for source in sources:
        objects.append(source.rsplit(".", 1)[0] + ".o")
        made = run([compiler, *own, *flags, "-c", "-I", HERE, "-o", objects[-1], os.path.join(HERE, source)],
                   cwd=directory)
        if made.returncode:
            raise CannotCompile(made.stderr)
    program = os.path.join(directory, "program")
    made = run([compiler, *own, *flags, *link, "-o", program, *objects], cwd=directory)
    if made.returncode:
        raise CannotCompile(made.stderr)
    return program


def compile_text(language, compiler, flags, directory, text):
    """@return the path of a program that this text is, which is compiled by itself as split files need it"""
    source = "text." + {"c": "c", "c++": "cc"}[language]
    with open(os.path.join(directory, source), "w", encoding="utf-8") as file:
        file.write(text)
    program = os.path.join(directory, "program")
    for command in ([*flags, "-c", "-o", "text.o", source], [*flags, "-o", program, "text.o"]):
        made = run([compiler, *command], cwd=directory)
        if made.returncode:
            raise CannotCompile(made.stderr)
    return program


def compile_rust(flags, directory):
    program = os.path.join(directory, "program")
    made = run(["rustc", "--edition", "2021", *flags, "-o", program, os.path.join(HERE, "truth_rust.rs")],
               cwd=directory)
    if made.returncode:
        raise CannotCompile(made.stderr)
    return program


def new_directory():
    return tempfile.mkdtemp(dir=SCRATCH.name)


def truth_of(program):
    """@return its lines, as (word, what it is of, the rest)"""
    told = run([program])
    if told.returncode:
        raise RuntimeError("%s: exit code %d: %s" % (program, told.returncode, told.stderr))
    return told.stdout.splitlines()


def ask(program, questions, directories=()):
    """@return (why types are missing, an answer for each question: a line, or a list of lines)"""
    command = [ASK]
    for directory in directories:
        command += ["-d", directory]
    told = run([*command, program], input="".join(question + "\n" for question in questions))
    if told.returncode:
        raise RuntimeError("ask_types: exit code %d: %s" % (told.returncode, told.stderr[-2000:]))
    lines = iter(told.stdout.splitlines())
    lack = next(lines).lstrip("!")
    answers = []
    for question in questions:
        line = next(lines, "(no answer)")
        if question.startswith(("layout", "variables")) and not line.startswith("!"):
            rows = []
            while line:
                rows.append(line)
                line = next(lines)
            answers.append(rows)
        else:
            answers.append(line)
    return lack, answers


# --- what follows from a truth ------------------------------------------------------------------------------

TYPED = re.compile(r"(\w+) (.*), (\d+) (\d+) (.*)$")


def expect_leaves(size, leaves, fields):
    """What each access of a type without unions means, by its members: (offset, width) to text"""
    owner = [None] * size
    for offset, count, name in leaves:
        owner[offset:offset + count] = [name] * count
    bits = [[name for first, count, name in fields if first < 8 * byte + 8 and first + count > 8 * byte]
            for byte in range(size)]
    for width in (1, 2, 4, 8, 16):
        for offset in range(size - width + 1):
            touched = []
            for byte in range(offset, offset + width):
                names = bits[byte] or [owner[byte] or "(hole)"]
                touched += [name for name in names if name not in touched[-2:] or
                            name != touched[-1] and name == "(hole)" and touched[-1] != "(hole)"]
            yield offset, width, touched


def spread(text):
    """"a[1..3]" as "a[1]", "a[2]", "a[3]"; holes without what they are in"""
    found = []
    for part in text.split(", "):
        matched = re.match(r"(.*)\[(\d+)\.\.(\d+)\]$", part)
        if matched:
            found += ["%s[%d]" % (matched[1], n) for n in range(int(matched[2]), int(matched[3]) + 1)]
        else:
            found.append(re.sub(r".*\(hole\)", "(hole)", part))
    return found


def without_repeats(names):
    """Holes of two structures that meet are one"""
    return [name for n, name in enumerate(names) if n == 0 or name != names[n - 1]]


def compare(program, directories=(), without=()):
    """@return (how many answers were right, lines about what is wrong)"""
    truth = [line for line in truth_of(program) if line.split(" ", 1)[0] not in without]
    questions, expected, sizes, leaves, fields = [], [], {}, {}, {}
    for line in truth:
        word, rest = line.split(" ", 1)
        if word in ("address", "thread", "pointer"):
            place, width, text = rest.split(" ", 2)
            questions.append("%s %s %s" % (word, place, width))
            expected.append(text)
        elif word == "size":
            name, count = rest.rsplit(", ", 1)
            sizes[name] = int(count)
            questions.append("type " + name)
            expected.append(count)
        else:
            _, name, first, count, text = TYPED.match(line).groups()
            if word == "leaf":
                leaves.setdefault(name, []).append((int(first), int(count), text))
            elif word == "bits":
                fields.setdefault(name, []).append((int(first), int(count), text))
            else:
                questions.append("%s %s, %s %s" % ("member" if word == "ask" else word, name, first, count))
                expected.append(text)
    for name, own in leaves.items():
        for offset, width, names in expect_leaves(sizes[name], own, fields.get(name, [])):
            questions.append("member %s, %d %d" % (name, offset, width))
            expected.append(names)
    _, answers = ask(program, questions, directories)
    right, wrong = 0, []
    for question, answer, truth_here in zip(questions, answers, expected):
        if isinstance(truth_here, list):
            is_right = without_repeats(spread(answer)) == without_repeats(truth_here)
        elif question.startswith("type "):
            is_right = answer.split(" ")[0] == truth_here
        else:
            is_right = answer == truth_here
        right += is_right
        if not is_right:
            wrong.append("%s: %s; expected %s" % (question, answer, truth_here))
    bad_fields = compare_fields(program, fields, directories)
    return right, wrong + bad_fields


def compare_fields(program, fields, directories):
    """Bit fields, by the rows of the layout"""
    wrong = []
    for name, own in fields.items():
        rows = ask(program, ["layout " + name], directories)[1][0]
        if isinstance(rows, str):
            wrong.append("layout of %s: %s" % (name, rows))
            continue
        found = set()
        for row in rows:
            _, kind, offset, _, bit, bits, _, rest = row.split(" ", 7)
            if kind == "member" and int(bits):
                found.add((8 * int(offset) + int(bit), int(bits), rest.split(";")[0]))
        if found != set(own):
            wrong.append("bit fields of %s: %s; expected %s" % (name, sorted(found), sorted(own)))
    return wrong


# --- damage -------------------------------------------------------------------------------------------------


def sections(program, wanted):
    """Where a 64-bit file has sections of these names: (start, end)"""
    table, = struct.unpack_from("<Q", program, 40)
    size, count, names = struct.unpack_from("<HHH", program, 58)
    rows = [struct.unpack_from("<IIQQQQ", program, table + n * size) for n in range(count)]
    for row in rows:
        name = program[rows[names][4] + row[0]:].split(b"\0", 1)[0] if row[1] == 1 else b""
        if name.decode("ascii", "replace") in wanted:
            yield row[4], row[4] + row[5]


def damaged(program, wanted, seeds):
    """Changes bytes of these sections in the file, with each seed others"""
    with open(program, "rb") as file:
        whole = file.read()
    ranges = list(sections(whole, wanted))
    if len(ranges) != len(wanted):
        raise RuntimeError("%s: %d sections of %s" % (program, len(ranges), wanted))
    for seed in range(seeds):
        dice, changed = random.Random(seed), bytearray(whole)
        for _ in range(dice.choice((1, 3, 30))):
            changed[dice.randrange(*dice.choice(ranges))] = dice.randrange(256)
        with open(program, "wb") as file:
            file.write(changed)
        yield seed


def find_program(*names):
    return next((found for found in map(shutil.which, names) if found), None)


def compilers(language):
    gnu, llvm = {"c": ("gcc", "clang"), "c++": ("g++", "clang++")}[language]
    found = [gnu] if find_program(gnu) else []
    for version in ("-14", "-19"):
        if find_program(llvm + version):
            found.append(llvm + version)
    return found + ([llvm] if len(found) < 2 and find_program(llvm) else [])
