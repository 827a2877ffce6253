#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every C program in a manual page, README.md or a guide compiles without a warning, links and
runs; what of C in a guide is no program stands in an example of the PAPI component; every filter
expression in precis-filter(7) is one."""

import os
import re
import shlex
import subprocess
import sys
import tempfile

SRCDIR = os.environ["srcdir"]
BUILDDIR = os.environ["builddir"]
LIBRARY = os.environ["LIBPRECIS"]
# A sanitized library needs its run time in the program, too.
FLAGS = ["-fsanitize=address,undefined"] if os.environ.get("PRECIS_SANITIZED") == "yes" else []
PAGES = os.path.join(SRCDIR, "doc", "man")
# What needs a PAPI with the component is built and run by the test of these.
EXAMPLES = os.path.join(SRCDIR, "papi_component", "examples")

count = 0
failures = 0


def report(ok, name, diagnostics=""):
    global count, failures
    count += 1
    failures += not ok
    print(f"{'ok' if ok else 'not ok'} {count} - {name}")
    for line in diagnostics.splitlines() if not ok else []:
        print("#", line)


def roff_text(lines):
    """What mdoc prints for literal lines."""
    return re.sub(r"\\e", r"\\", "\n".join(lines).replace(r"\&", "")) + "\n"


def literals(path):
    """The literal displays of a manual page."""
    lines = None
    for line in open(path, encoding="utf-8").read().splitlines():
        if line.startswith(".Bd -literal"):
            lines = []
        elif line.startswith(".Ed") and lines is not None:
            yield roff_text(lines)
            lines = None
        elif lines is not None:
            lines.append(line)


def fences(path):
    """The C blocks of a Markdown file."""
    return re.findall(r"^```c\n(.*?)^```$", open(path, encoding="utf-8").read(), re.M | re.S)


def programs():
    for page in sorted(os.listdir(PAGES)):
        for text in literals(os.path.join(PAGES, page)):
            if "int main(" in text:
                yield page, text
    for guide, text in blocks():
        if "int main(" in text:
            yield guide, text


def blocks():
    """The C blocks of all guides."""
    guides = [os.path.join(SRCDIR, "README.md")]
    doc = os.path.join(SRCDIR, "doc")
    guides += sorted(os.path.join(doc, name) for name in os.listdir(doc) if name.endswith(".md"))
    for guide in guides:
        for text in fences(guide):
            yield os.path.basename(guide), text


def check_excerpts():
    for guide, text in blocks():
        if "int main(" not in text:
            lines = stripped(text)
            example = example_with(lines)
            report(example, f"{guide}: '{lines[0]}' ... is from {example}",
                   f"these {len(lines)} lines are in no file of papi_component/examples")


def stripped(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def example_with(lines):
    """The file among the examples that these lines are taken from; None if there is none."""
    for name in sorted(os.listdir(EXAMPLES)):
        if not name.endswith((".c", ".h")):
            continue
        with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
            whole = stripped(file.read())
        if any(whole[at:at + len(lines)] == lines for at in range(len(whole))):
            return name
    return None


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=1200)


def compile_program(text, source, program):
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    return run(shlex.split(os.environ["CC"]) + FLAGS + [
        "-std=gnu11", "-pthread", "-Wall", "-Wextra", "-Werror",
        "-I", os.path.join(SRCDIR, "libdecode", "include"),
        "-I", os.path.join(SRCDIR, "sharing"), source, "-o", program, LIBRARY,
        "-Wl,-rpath," + os.path.dirname(LIBRARY)])


def arguments_of(page, work):
    """What the example of a page wants to be given."""
    if page == "precis_filter.3":
        return ["mem_level == DRAM"]
    if page in ("precis_writer.3", "precis.3", "precis_pebs_pt_samples.3", "README.md"):
        return [os.path.join(work, "written.perf.data")]
    return []


def main():
    with tempfile.TemporaryDirectory() as work:
        built = {}
        for page, text in programs():
            program = os.path.join(work, f"example{len(built)}")
            done = compile_program(text, program + ".c", program)
            report(done.returncode == 0, f"{page}: the example compiles", done.stdout)
            if done.returncode == 0:
                built[page] = program
        report(len(built) >= 5, f"examples were found ({len(built)})")

        # The writer's first: others read what it wrote.
        for page in sorted(built, key=lambda page: (page != "precis_writer.3", page)):
            done = run([built[page]] + arguments_of(page, work))
            report(done.returncode == 0 and (done.stdout or page == "precis_writer.3"),
                   f"{page}: the example runs", f"exit code {done.returncode}\n{done.stdout}")

        matcher = built.get("precis_filter.3")
        expressions = [line.strip() for text in literals(os.path.join(PAGES, "precis-filter.7"))
                       if "expression =" not in text for line in text.splitlines()]
        for expression in expressions if matcher else []:
            done = run([matcher, expression])
            report(done.returncode == 0, f"precis-filter.7: {expression}", done.stdout)
    check_excerpts()
    print(f"1..{count}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
