#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The guides: links lead somewhere, and the worked example is what the library makes of it."""

import importlib.machinery
import importlib.util
import os
import re
import struct
import sys

SRCDIR = os.environ["srcdir"]
GUIDE = "doc/what-each-ibs-number-means.md"

count = 0
failures = 0


def report(name, diagnostics):
    global count, failures
    count += 1
    failures += bool(diagnostics)
    print(f"{'not ok' if diagnostics else 'ok'} {count} - {name}")
    for line in diagnostics:
        print("#", line)


def text_of(name):
    with open(os.path.join(SRCDIR, name), encoding="utf-8") as file:
        return file.read()


def anchors_of(text):
    """As code forges make them of headings."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(name):
    dangling = []
    for link in re.findall(r"\]\(([^)]*)\)", text_of(name)):
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
        if re.match(r"[a-z]+:", link):
            continue
        if not os.path.exists(os.path.join(SRCDIR, target)):
            dangling.append(f"{link}: no such file")
        elif anchor and anchor not in anchors_of(text_of(target)):
            dangling.append(f"{link}: no such heading")
    report(f"{name}: links", dangling)


def load_module():
    """precis.py, without perf and before it is installed."""
    os.environ["PRECIS_LIBRARY"] = os.environ["LIBPRECIS"]
    path = os.path.join(SRCDIR, "perf_scripts", "python", "precis.py.in")
    loader = importlib.machinery.SourceFileLoader("precis", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("precis", loader))
    loader.exec_module(module)
    return module


def check_example():
    precis = load_module()
    guide = text_of(GUIDE).split("## One real sample", 1)[1]
    caps = int(re.search(r"Caps word (0x[0-9a-f]+)", guide).group(1), 0)
    registers = re.findall(r"^\| Ibs\w+ \| `([0-9a-f]{16})`", guide, re.M)
    payload = struct.pack(f"<I{len(registers)}Q", caps, *(int(text, 16) for text in registers))

    decoder = precis.Decoder(cpuid="AuthenticAMD,25,17,1")
    decoder.read(payload, precis.IBS_OP)
    report("the example's payload is a sample", [decoder.error] if decoder.error else [])
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*?) \|", guide, re.M)
    report(f"the example's fields were found ({len(rows)})", [] if len(rows) >= 15 else ["too few"])
    for name, told in rows:
        field = precis.find(name)
        if decoder.has(field):
            found = " ".join(part for part in (decoder.text(field), field.unit) if part)
        else:
            found = ": ".join(decoder.reason(field))
        report(f"{name}: {told}", [] if told == found else [f"the library says: {found}"])


def main():
    check_links("README.md")
    for name in sorted(os.listdir(os.path.join(SRCDIR, "doc"))):
        if name.endswith(".md"):
            check_links("doc/" + name)
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        print("# the worked example is not checked: python cannot load a sanitized library")
    else:
        check_example()
    print(f"1..{count}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
