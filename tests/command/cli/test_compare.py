#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""precis info --compare: the matrix against the catalogue, the table of Intel's cores, and facts."""
import csv
import io
import json
import os
import re
import sys

import tap
from command import SRCDIR, good, usage
from tap import equal

HERE = sys.modules[__name__]
AMD = ["Greyhound", "Llano", "Bobcat", "Bulldozer", "Piledriver", "Steamroller", "Excavator",
       "Jaguar", "Zen", "Zen 2", "Hygon", "Zen 3 (server)", "Zen 3 (client)", "Zen 4", "Zen 5",
       "Zen 6"]
INTEL_LATENCIES = ("load_latency", "cache_latency", "instruction_latency", "retire_latency")


def rows_of(*words):
    return list(csv.DictReader(io.StringIO(good(*words, "--format", "csv"))))


ROWS = rows_of("info", "--compare")
CATALOGUE = {row["name"]: row for row in rows_of("fields")}
CELLS = {(row["generation"], row["field"]): row for row in ROWS}


def measured(generation, field):
    return CELLS[generation, field]["measured"]


def intel_cores():
    """Name, latency word, retire latency, load and store events of each row of the table of cores"""
    with open(os.path.join(SRCDIR, "libdecode/pebs/cores.def"), encoding="utf-8") as file:
        text = file.read()
    for body in re.findall(r"^PRECIS_INTEL_CORE\((.*?)\)$", text, re.M | re.S):
        words = [word.strip() for word in re.sub(r'"\s+"', "", body).split(",")]
        yield words[1].strip('"'), words[7], words[8], int(words[10], 0), int(words[11], 0)


def test_fields():
    """every field of it is in the catalogue, with its unit and meaning"""
    for row in ROWS:
        field = CATALOGUE[row["field"]]
        equal((row["unit"], row["meaning"]), (field["unit"], field["meaning"]), row["field"])
    stages = list(dict.fromkeys(row["stage"] for row in ROWS))
    equal(stages, ["TLB", "L1D", "LFB, MAB", "memory", "completion", "retirement"])
    # No latency of a memory access is forgotten.
    shown = {row["field"] for row in ROWS}
    for name, field in CATALOGUE.items():
        if field["unit"] == "cycles" and not re.match(r"fetch|itlb|transaction", name):
            assert name in shown, name


def test_generations():
    """all of both vendors' generations, each with a cell for each field"""
    names = list(dict.fromkeys(row["generation"] for row in ROWS))
    intel = [name for name, *_ in intel_cores()]
    equal(names, AMD + intel)
    equal(len(ROWS), len(names) * len({row["field"] for row in ROWS}))
    equal({row["technique"] for row in ROWS if row["vendor"] == "AMD"}, {"IBS"})
    equal({row["technique"] for row in ROWS if row["vendor"] == "Intel"}, {"PEBS"})


def test_sources():
    """what the catalogue has no source for, no generation of that vendor has; and a reason"""
    for row in ROWS:
        source = CATALOGUE[row["field"]]["source"]
        word = "ibs_op: " if row["vendor"] == "AMD" else "pebs: "
        if word not in source:
            equal((row["measured"], row["reason"]), ("no", "NOT_SUPPORTED"), row)
        equal(row["measured"] == "yes", not row["reason"], row)
        equal(bool(row["reason"]), bool(row["detail"]), row)
        assert row["detail"] != "not asked for", row
        # what the catalogue has, some generation has
        if word in source:
            assert any(other["measured"] == "yes" for other in ROWS
                       if (other["vendor"], other["field"]) == (row["vendor"], row["field"])), row


def test_intel_latencies():
    """Intel's latencies by the rows of its cores"""
    for name, latency, retire, load, _ in intel_cores():
        expected = {
            "load_latency": latency == "WHOLE" and load,
            "cache_latency": latency == "SPLIT" and load,
            "instruction_latency": latency == "SPLIT" and load,
            "retire_latency": retire != "NONE",
        }
        for field in INTEL_LATENCIES:
            answer = "yes" if expected[field] else "no"
            if field == "retire_latency" and retire == "CAPABILITY":
                answer = "unknown"
                assert "IA32_PERF_CAPABILITIES[17]" in CELLS[name, field]["detail"], name
            equal(measured(name, field), answer, (name, field))


def test_facts():
    """spot checks by the manuals"""
    for name, field, answer in (
            ("Skylake", "load_latency", "yes"), ("Skylake", "instruction_latency", "no"),
            ("Golden Cove", "load_latency", "no"), ("Golden Cove", "instruction_latency", "yes"),
            ("Golden Cove", "cache_latency", "yes"), ("Golden Cove", "data_blocked", "yes"),
            ("Golden Cove", "address_blocked", "yes"), ("Sunny Cove", "data_blocked", "no"),
            ("Gracemont", "data_blocked", "yes"), ("Gracemont", "address_blocked", "no"),
            ("Ivy Bridge", "retire_latency", "no"),
            ("Sunny Cove", "retire_latency", "unknown"), ("Cougar Cove", "retire_latency", "yes"),
            ("Nehalem", "tlb_level", "no"), ("Sandy Bridge", "tlb_level", "yes"),
            ("Core 2", "addr", "no"), ("Nehalem", "addr", "yes"), ("Silvermont", "addr", "no"),
            ("Goldmont", "addr", "unknown"), ("Goldmont", "mem_level", "no"),
            ("Lion Cove", "fill_buffer_full", "no"), ("Panther Cove", "fill_buffer_full", "yes"),
            ("Arctic Wolf", "fill_buffer_full", "yes"),
            ("Zen 4", "tlb_refill_latency", "yes"), ("Bulldozer", "tlb_refill_latency", "no"),
            ("Steamroller", "tlb_refill_latency", "yes"), ("Zen 4", "miss_buffers_open", "yes"),
            ("Greyhound", "miss_buffers_open", "no"), ("Greyhound", "access_bytes", "no"),
            ("Zen 3 (server)", "mem_snoop", "no"), ("Zen 2", "mem_snoop", "yes"),
            ("Jaguar", "mem_remote", "no"), ("Zen", "mem_remote", "yes"),
            ("Greyhound", "completion_to_retire", "yes")):
        equal(measured(name, field), answer, (name, field))
    equal(CELLS["Zen 4", "tlb_refill_latency"]["unit"], "cycles")
    equal(CELLS["Zen 4", "miss_buffers_open"]["unit"], "buffers")
    for row in ROWS:
        if row["field"] in ("miss_buffers_open", "tlb_refill_latency", "tag_to_retire") and \
                row["vendor"] == "Intel":
            equal(row["measured"], "no", row)
        if row["field"] in INTEL_LATENCIES and row["vendor"] == "AMD":
            equal(row["measured"], "no", row)
    equal([name for name in AMD if measured(name, "streaming_store") == "yes"], ["Zen 6"])
    # The reason of the core, not that of an event of another kind
    for name, field in (("Lion Cove", "fill_buffer_full"), ("Skylake", "instruction_latency"),
                        ("Goldmont", "mem_level"), ("Zen 3 (server)", "mem_snoop"),
                        ("Greyhound", "access_bytes")):
        equal(CELLS[name, field]["reason"], "NOT_SUPPORTED", (name, field))
    # Erratum 718 takes it from accesses that miss the L1 data TLB; the others have it
    equal(measured("Bulldozer", "page_size"), "yes")


def test_json():
    """json says what csv says"""
    found = json.loads(good("info", "--compare", "--format", "json"))
    equal([one["name"] for one in found["generations"]],
          list(dict.fromkeys(row["generation"] for row in ROWS)))
    for one in found["generations"]:
        row = next(row for row in ROWS if row["generation"] == one["name"])
        equal((one["vendor"], one["technique"], one["models"], one["uncertain"] or ""),
              (row["vendor"], row["technique"], row["models"], row["uncertain"]))
    for field in found["fields"]:
        for verdict in ("yes", "no", "unknown"):
            equal(field[verdict], [row["generation"] for row in ROWS if row["measured"] == verdict
                                   and row["field"] == field["field"]], field["field"])
        row = next(row for row in ROWS if row["field"] == field["field"])
        equal((field["stage"], field["unit"] or "", field["meaning"]),
              (row["stage"], row["unit"], row["meaning"]))


def test_text():
    """text has the same cells, generations that are alike in one column, in 100 columns"""
    text = good("info", "--compare")
    for line in text.splitlines():
        assert len(line) <= 100, line
    labels = next(line for line in text.splitlines() if " A1 " in line).split()[1:]
    legend = {}
    for line in text.split("\n\n")[2].splitlines():
        if line.startswith(" "):
            legend[label] += " " + line.strip()
        elif line[0] in "AI":
            label, _, names = line.partition(" ")
            legend[label] = names.strip()
    equal(labels, list(legend))
    members = {label: [name.rstrip("*") for name in names.split(", ")]
               for label, names in legend.items()}
    equal(sorted(sum(members.values(), [])), sorted({row["generation"] for row in ROWS}))
    marks = {"yes": "x", "no": "-", "unknown": "?"}
    fields = 0
    for line in text.splitlines():
        words = line.split()
        if not re.match(r"  [a-z]", line) or words[0] not in CATALOGUE:
            continue
        fields += 1
        for label, mark in zip(labels, words[-len(labels):]):
            for name in members[label]:
                equal(mark, marks[measured(name, words[0])], (words[0], name))
    equal(fields, len({row["field"] for row in ROWS}))
    # a star where the table of cores has a doubt
    for label, names in legend.items():
        for name in names.split(", "):
            row = next(row for row in ROWS if row["generation"] == name.rstrip("*"))
            equal(name.endswith("*"), bool(row["uncertain"]), name)


def test_usage():
    """--compare takes no file"""
    assert "--compare: takes no file" in usage("info", "--compare", "perf.data")
    assert "expected text, json or csv" in usage("info", "--format", "xml", "--compare")


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
