#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The guides: links lead somewhere, and the worked example is what the library makes of it."""

import importlib.machinery
import importlib.util
import os
import re
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import report

SRCDIR = os.environ["srcdir"]
GUIDE = "doc/what-each-ibs-number-means.md"


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


# Rows of the PEBS guide's table of data source bits, and the layout of the code that each is
PEBS_GUIDE = "doc/what-each-pebs-number-means.md"
LAYOUTS = {
    "Nehalem": "NHM", "Westmere to Tiger Lake": "SNB",
    "Golden Cove to Redwood Cove, loads": "GLC", "the same, stores": "SNB", "Gracemont": "GRT",
    "Crestmont, Skymont, Darkmont": "CMT", "Lion Cove, Cougar Cove": "LNC",
    "Panther Cove, Coyote Cove, Arctic Wolf": "PNC",
}
# Columns of the guide: STLB miss, lock, data blocked, address blocked, fill buffer full; and where
# they stand in a row of the code, behind source and Linux' source
PLACES = (2, 4, 5, 6, 8)


def layouts():
    """{layout: its rows' members, as numbers of bits}"""
    text = re.sub(r"/\*.*?\*/", "", text_of("libdecode/pebs/data_source_layouts.def"), flags=re.S)
    rows = {}
    for row in re.findall(r"PRECIS_DSE_LAYOUT\(([^;]*?)\)$", text, re.M):
        name, *members = (member.strip() for member in row.split(","))
        rows[name] = [", ".join(re.findall(r"BIT\((\d+)\)", member)) for member in members]
        rows[name][0] = "%d:0" % (int(members[0], 16).bit_length() - 1)
    return rows


def check_pebs_bits():
    """The guide's table is the code's, and of the newest cores both rows of the code are alike"""
    rows, wrong = layouts(), []
    table = text_of(PEBS_GUIDE).partition("| cores | source |")[2].partition("\n\n")[0]
    seen = set()
    for line in table.splitlines()[2:]:
        cores, source, *bits = (cell.strip() for cell in line.strip("|").split("|"))
        row = rows[LAYOUTS[cores]]
        seen.add(cores)
        if source.split()[-1] != row[0] or bits != [row[place] for place in PLACES]:
            wrong.append("%s: %s %s" % (cores, row, line))
    if [rows["ARW"][place] for place in PLACES] != [rows["PNC"][place] for place in PLACES]:
        wrong.append("Arctic Wolf is not as Panther Cove: %s" % rows["ARW"])
    wrong += ["no row: " + cores for cores in set(LAYOUTS) - seen]
    report(f"{PEBS_GUIDE}: bits of data sources", wrong)


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
    check_pebs_bits()
    for name in sorted(os.listdir(os.path.join(SRCDIR, "doc"))):
        if name.endswith(".md"):
            check_links("doc/" + name)
    if os.environ.get("PRECIS_SANITIZED") == "yes":
        print("# the worked example is not checked: python cannot load a sanitized library")
    else:
        check_example()
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
