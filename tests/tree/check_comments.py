#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Every file says first what it is for; files and functions that comments name are there; public functions have
comments.
"""
import os
import re
import subprocess
import sys

TOP = os.environ.get("srcdir", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
C_ENDINGS = (".c", ".h", ".def")
ENDINGS = C_ENDINGS + (".py", ".sh", ".mk", ".ac")
FILE = re.compile(r"(?<![\w<*/.-])((?:[\w-]+/)*[\w-]+\.(?:c|h|py|sh|def|mk|tsv|md|ac|am))\b(?!\()")
FUNCTION = re.compile(r"\b(precis_\w+)\(\)")
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)

# Of Linux, perf, libtraceevent, simpleperf, PAPI and the C library
OTHERS = re.compile(r"(arch|kernel|tools|include|asm|linux|events|intel|util|src|simpleperf)/.*"
                    r"|(ibs|lbr|intel-pt|trace-event-read|papi_fwrappers)\.c"
                    r"|std(def|int)\.h|limits\.h")
# Stand for any name
PATTERNS = re.compile(r"(.*/)?(test|scenario|precis|precis_get)_NAME(\.c|\.sh|\(\))")
# Made while precis is built, and an older version's headers
MADE = {"precis.py"}
OLDER = "tests/abi/older"
# Where sources lie, of a tree that git does not know
ROOMS = ("analysis", "bench", "command", "doc", "document", "libdecode", "papi_component",
         "perf_scripts", "recorder", "sharing", "statistics", "tests")


def sources():
    done = subprocess.run(["git", "-C", TOP, "ls-files"], capture_output=True, text=True, check=False)
    if done.returncode == 0 and done.stdout:
        return [name for name in done.stdout.splitlines() if os.path.exists(os.path.join(TOP, name))]
    return [name for name in os.listdir(TOP) if name.endswith((".md", ".am"))] + [
        os.path.relpath(os.path.join(folder, name), TOP) for room in ROOMS
        for folder, _, names in os.walk(os.path.join(TOP, room)) for name in names]


def comments(name, text):
    """(line, comment) of each"""
    if name.endswith(C_ENDINGS):
        for found in COMMENT.finditer(text):
            if not found[0].startswith('"'):
                yield text.count("\n", 0, found.start()) + 1, found[0]
        return
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(r"(?:^|\s)#(.*)", line)
        if found:
            yield number, found[1]


def is_file(name, said, paths):
    """As a path from here or from where headers are looked for, or the end of a path"""
    folders = ("", os.path.dirname(name), "libdecode/include", "libdecode")
    return (any(os.path.normpath(os.path.join(folder, said)) in paths for folder in folders)
            or any(path.endswith("/" + said) for path in paths)
            or said in MADE or OTHERS.fullmatch(said) or PATTERNS.fullmatch(said))


def has_purpose(text):
    """Behind the interpreter and the licence a comment"""
    lines = [line for line in text.split("\n", 4)[:4]
             if not line.startswith("#!") and "SPDX-License" not in line]
    return re.match(r'/\*|//|# |"""|dnl ', lines[0]) is not None


def uncommented():
    """Public functions of which nothing is said: no comment before them, or before the first of several in a row"""
    for folder in ("libdecode/include/precis", "papi_component/include/precis"):
        for name in sorted(os.listdir(os.path.join(TOP, folder))):
            with open(os.path.join(TOP, folder, name), encoding="utf-8") as file:
                paragraphs = re.split(r"\n\s*\n", file.read())
            for paragraph in paragraphs:
                declared = re.search(r"^PRECIS_(?:PAPI_)?API\b[^;]*?\b(\w+)\(", paragraph, re.M)
                if declared and "/*" not in paragraph[:declared.start()]:
                    yield "%s/%s: %s()" % (folder, name, declared[1])


def check():
    names = [name for name in sources() if not name.startswith(OLDER)]
    paths = set(names)
    texts = {}
    for name in names:
        if name.endswith(ENDINGS):
            with open(os.path.join(TOP, name), encoding="utf-8", errors="replace") as file:
                texts[name] = file.read()
    code = "\n".join(COMMENT.sub(" ", text) for name, text in texts.items()
                     if name.endswith(C_ENDINGS))
    functions = set(re.findall(r"\bprecis_\w+", code))
    stale = [(name, 1, "no purpose") for name, text in texts.items() if not has_purpose(text)]
    for name, text in texts.items():
        for line, comment in comments(name, text):
            for found in FILE.finditer(comment):
                if not is_file(name, found[1], paths):
                    stale.append((name, line + comment.count("\n", 0, found.start()), found[1]))
            for found in FUNCTION.finditer(comment):
                if found[1] not in functions and not PATTERNS.fullmatch(found[0]):
                    stale.append((name, line + comment.count("\n", 0, found.start()), found[1] + "()"))
    return len(texts), stale


def main():
    count, stale = check()
    bare = list(uncommented())
    print("1..2")
    print("%sok 1 - %d files say what they are for, and name nothing that is not there" %
          ("" if not stale and count > 500 else "not ", count))
    for name, line, said in stale:
        print("# %s:%d: %s" % (name, line, said))
    print("%sok 2 - public functions have comments" % ("not " if bare else ""))
    for said in bare:
        print("# " + said)
    return 1 if stale or bare or count <= 500 else 0


if __name__ == "__main__":
    sys.exit(main())
