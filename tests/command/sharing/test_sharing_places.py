#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
precis sharing of programs that run: which instructions access the lines, by binutils, and on which CPUs, nodes and
cores: as threads are bound here, and as /sys has them.
"""
import functools
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import built
import tap
from command import run
from programs import LIVE, compiled, make_ring, need_registers, pairs, path, sums
from quick import FEW
from tap import equal

SECONDS = 1 if FEW else 2.5
SECONDS_MOST = 40
PAIRS_LEAST = 2
PERIOD = "50"


def observed(*options, threads=2, cpus=None, sees=True):
    """
    What is told of threads that wait for each other, each bound to the CPU of its number in the list; tids, and where
    the program's file begins. A busy machine is watched for longer, until a transfer was seen, and so many pairs
    and ten transfers for each
    """
    seconds = SECONDS
    while True:
        told, tids, begins = observed_for(seconds, *options, threads=threads, cpus=cpus)
        # without an experiment there is no such row
        has_seen = bool(sums(told).get("all", {}).get("transfers"))
        seen = sum(row["hits"] for row in told["sharing_experiments"]["rows"] if row["row"] == "all")
        # nor parties, where no access was handed over in time
        is_enough = has_seen and len(pairs(told)) >= PAIRS_LEAST and seen >= 10 * PAIRS_LEAST
        if not sees or is_enough or (has_seen and seconds > SECONDS_MOST):
            return told, tids, begins
        if seconds > SECONDS_MOST:
            raise tap.Skip("the machine was too busy for experiments that see something")
        seconds *= 3


def observed_for(seconds, *options, threads, cpus):
    need_registers()
    ring = path("ring")
    make_ring(ring)
    with subprocess.Popen([compiled("workload", "-g"), "false", str(threads), "600", PERIOD, "3"],
                          stdout=subprocess.DEVNULL, env=dict(os.environ, PRECIS_ACCESSES=ring)) as program:
        try:
            deadline = time.monotonic() + 60
            while len(os.listdir(f"/proc/{program.pid}/task")) < threads + 1 and time.monotonic() < deadline:
                time.sleep(0.01)
            tids = sorted(map(int, os.listdir(f"/proc/{program.pid}/task")))[1:]
            for tid, cpu in zip(tids, cpus or []):
                os.sched_setaffinity(tid, {cpu})
            with open(f"/proc/{program.pid}/maps", encoding="ascii") as maps:
                begins = min(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith("/workload"))
            result = run("sharing", *LIVE, "-p", program.pid, "--accesses", ring, "--seconds", seconds, *options)
        finally:
            program.kill()
    assert result.code == 0, result
    return json.loads(result.out), tids, begins


@functools.lru_cache
def instructions():
    """By their addresses: (function, text, the one behind); objdump's"""
    found, function, last = {}, None, None
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", compiled("workload", "-g")], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
    for line in listing.split("\n"):
        head, code = re.match(r"[0-9a-f]+ <(.*)>:$", line), re.match(r"\s*([0-9a-f]+):\t(.*)", line)
        function = head[1] if head else function
        if code:
            address = int(code[1], 16)
            if last is not None:
                found[last] += (address,)
            found[address], last = (function, code[2]), address
    return found


def source_of(address):
    """addr2line's"""
    line = subprocess.run(["addr2line", "-e", compiled("workload", "-g"), hex(address)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return os.path.basename(line.split(" ")[0].strip())


def test_instructions():
    """each trap is of an instruction that accesses memory, in its function and line, as binutils have it"""
    for library in ("elfutils", "zydis"):
        built.need(library)
    told, tids, begins = observed()
    rows = [row for row in told["sharing_accesses"]["rows"] if row["traps"]]
    known = [row for row in rows if row["ip"]]
    assert len(known) > len(rows) / 2, rows
    for row in known:
        address = int(row["ip"], 16) - begins
        function, text, behind = instructions()[address]
        assert "(" in text and "nop" not in text, (text, row)
        equal(int(row["next_ip"], 16) - begins, behind, text)
        equal((row["function"], row["source"], os.path.basename(row["object"])),
              (function, source_of(address), "workload"), text)
        # the last operand is what is stored to
        assert (row["access"] == "store") == text.endswith(")"), (text, row)
    equal({row["access"] for row in known}, {"load", "store"})
    # handed over: nobody says by which instruction, nor where
    handed = [row for row in told["sharing_accesses"]["rows"] if row["samples"]]
    equal({(row["ip"], row["next_ip"], row["cpu"], row["function"]) for row in handed}, {(None,) * 4})
    names = {row["name"]: row["id"] for row in told["sharing_parties"]["rows"]}
    assert {names[row["who"]] for row in rows} <= set(tids), rows


def topology(cpu, what):
    with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/{what}", encoding="ascii") as file:
        return int(file.read())


def node_of(cpu):
    nodes = [name for name in os.listdir(f"/sys/devices/system/cpu/cpu{cpu}") if re.fullmatch("node[0-9]+", name)]
    return int(nodes[0][4:]) if nodes else None


def two_cpus():
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise tap.Skip("one CPU")
    return cpus[:2]


def test_cpus():
    """where each was seen; threads are in the order of their CPUs"""
    cpus = two_cpus()
    told, tids, _ = observed(cpus=[cpus[1], cpus[0]])
    equal([(row["id"], row["cpu"], row["node"]) for row in told["sharing_parties"]["rows"] if row["id"] in tids],
          [(tids[1], cpus[0], node_of(cpus[0])), (tids[0], cpus[1], node_of(cpus[1]))])
    names = {row["name"]: row["cpu"] for row in told["sharing_parties"]["rows"]}
    for row in told["sharing_accesses"]["rows"]:
        if row["traps"]:
            equal((row["cpu"], row["cpus"], row["node"]), (names[row["who"]], 1, node_of(row["cpu"])))


def test_by_cpu():
    """transfers of CPUs are those of the threads that are bound to them"""
    cpus = two_cpus()
    # on a busy machine most of them stay on one CPU, whose threads run one behind the other
    told, _, _ = observed("--by", "cpu", threads=4, cpus=[cpus[0], cpus[1], cpus[0], cpus[1]])
    equal([row["name"] for row in told["sharing_parties"]["rows"]], ["CPU %d" % cpu for cpu in cpus])
    found = pairs(told)
    equal(set(found), {(cpus[0], cpus[1]), (cpus[1], cpus[0])})
    whole = sums(told)["all"]["transfers"]
    assert abs(sum(row["transfers"] for row in found.values()) - whole) <= 2, (found, whole)
    within = [re.search(r"([0-9.]+)% of the transfers between threads stayed on one CPU", note)
              for note in told["sharing"]["notes"]]
    # of two threads in three others one is on the same CPU: each is as often the next one
    share = [float(match[1]) for match in within if match]
    assert len(share) == 1 and 5 < share[0] < 75, told["sharing"]["notes"]
    equal({row["who"] for row in told["sharing_accesses"]["rows"]}, {"CPU %d" % cpu for cpu in cpus})


def test_by_core_and_node():
    """cores and nodes as /sys numbers them; what stays in one of them is no transfer"""
    cpus = two_cpus()
    cores = ["core %d.%d.%d" % (topology(cpu, "physical_package_id"), topology(cpu, "die_id"), topology(cpu, "core_id"))
             for cpu in cpus]
    for by, names in (("core", cores), ("node", ["node %s" % node_of(cpu) for cpu in cpus])):
        if "None" in "".join(names):
            continue
        need_registers()
        told, _, _ = observed("--by", by, cpus=cpus, sees=len(set(names)) == 2)
        if len(set(names)) == 1:
            equal(pairs(told), {})
            continue
        equal([row["name"] for row in told["sharing_parties"]["rows"]], names)


def test_one_cpu():
    """all of it stays there"""
    need_registers()
    output = path("told")
    result = run("sharing", *LIVE, "--source", "program", "--by", "cpu", "-o", output, "--", compiled("turns"), 2, 20000,
                 50)
    assert result.code == 0, result
    with open(output, encoding="utf-8") as file:
        told = json.load(file)
    equal((sums(told)["all"]["transfers"], sums(told)["all"]["percent"], pairs(told)), (0, None, {}))
    if told["sharing_lines"]["rows"]:
        assert "100.0% of the transfers between threads stayed" in " ".join(told["sharing"]["notes"]), told["sharing"]


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))
