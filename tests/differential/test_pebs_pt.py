#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
PEBS via Intel PT against stock perf: the list of packets of perf report -D, and the samples that
perf script --itrace=o makes of PEBS records, field by field, against those of precis dump.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import differential
from differential import BUILD, ENVIRONMENT, FEW, PERF, PRECIS

MAKE = os.path.join(BUILD, "tests/differential/make_pebs_pt")
PRINT = os.path.join(BUILD, "tests/differential/print_pebs_pt")
SEEDS = 2 if FEW else 10

PACKET = re.compile(r"\.  ([0-9a-f]{8}):  (?:[0-9a-f]{2} )+ *(\S.*)$")
SAMPLE = re.compile(r" *(-?\d+)/(-?\d+) +\[(\d+)\] +(\d+)\.(\d+): +(\d+) +(\S+): +([0-9a-f]+) "
                    r"+(\d+) +([0-9a-f]+) ?(.*)$")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace",
                          env=ENVIRONMENT, check=False)


def need(done, what):
    if done.returncode:
        raise AssertionError("%s: %s" % (what, done.stderr.strip()))
    return done.stdout


# --- packets ---

def taken(bits):
    """TNT with its stop bit: what was taken, oldest first."""
    digits = bin(bits)[3:]
    return "TNT %s (%d)" % (digits.replace("1", "T").replace("0", "N"), len(digits))


def address(name):
    return lambda detail, payload: "%s 0x%x" % (name, payload) if detail else name + " no ip"


def ip_bit(name):
    return lambda detail, payload: "%s IP:%d" % (name, detail)


def number(name):
    return lambda detail, payload: "%s 0x%x" % (name, payload)


def mode_exec(_, payload):
    return "MODE.Exec IF:%d %d" % (payload >> 2 & 1, (16, 64, 32)[payload & 3])


def tnt(_, payload):
    # a short one has 6 bits above bit 0, a long one 47
    return taken(payload >> 1 if payload < 256 else payload)


# What perf says of a packet by the detail and payload that precis gives it
WORDS = {
    "TNT": tnt,
    "TIP": address("TIP"), "TIP.PGE": address("TIP.PGE"), "TIP.PGD": address("TIP.PGD"),
    "FUP": address("FUP"),
    "CYC": number("CYC"), "VMCS": number("VMCS"), "MTC": number("MTC"), "MNT": number("MNT"),
    "CBR": number("CBR"), "TSC": number("TSC"),
    "MODE.Exec": mode_exec,
    "MODE.TSX": lambda _, payload: "MODE.TSX TXAbort:%d InTX:%d" % (payload >> 1 & 1, payload & 1),
    "TMA": lambda _, payload: "TMA CTC 0x%x FC 0x%x" % (payload & 0xffff, payload >> 24 & 0x1ff),
    "PIP": lambda _, payload: "PIP 0x%x (NR=%d)" % (payload >> 1, payload & 1),
    "PTWRITE": lambda detail, payload: "PTWRITE 0x%x IP:%d" % (payload, detail),
    "EXSTOP": ip_bit("EXSTOP"), "BEP": ip_bit("BEP"),
    "MWAIT": lambda _, payload: "MWAIT 0x%x Hints 0x%x Extensions 0x%x" % (
        payload, payload & 0xff, payload >> 32 & 3),
    "PWRE": lambda _, payload: "PWRE 0x%x HW:%d CState:%d Sub-CState:%d" % (
        payload, payload >> 7 & 1, payload >> 12 & 15, payload >> 8 & 15),
    "PWRX": lambda _, payload: "PWRX 0x%x Last CState:%d Deepest CState:%d Wake Reason 0x%x" % (
        payload, payload >> 4 & 15, payload & 15, payload >> 8 & 15),
    "CFE": lambda detail, payload: "CFE IP:%d Type 0x%02x Vector 0x%x" % (
        detail, payload & 0x1f, payload >> 8),
    "EVD": lambda detail, payload: "EVD Type 0x%02x Payload 0x%x" % (detail, payload),
    "BBP": lambda detail, payload: "BBP SZ %d-byte Type 0x%x" % (detail, payload),
    "BIP": lambda detail, payload: "BIP ID 0x%02x Value 0x%x" % (detail, payload),
}


def our_packets(path):
    for line in need(run(PRINT, path), "print_pebs_pt").splitlines():
        _, offset, name, detail, payload = line.split()
        if name != "PAD":  # perf counts them to the packet before
            words = WORDS.get(name)
            yield int(offset), words(int(detail), int(payload)) if words else name


def perf_packets(path):
    for line in need(run(PERF, "report", "-D", "-i", path), "perf report -D").splitlines():
        found = PACKET.match(line)
        if found and found.group(2) != "PAD":
            yield int(found.group(1), 16), found.group(2).strip()


def same(ours, theirs, what):
    for number_of, (left, right) in enumerate(zip(ours, theirs)):
        if left != right:
            differential.note("%s %d: precis %r" % (what, number_of, left))
            differential.note("%s %d: perf   %r" % (what, number_of, right))
            return False
    if len(ours) != len(theirs):
        differential.note("%ss: precis has %d, perf %d" % (what, len(ours), len(theirs)))
    return len(ours) == len(theirs)


def packets(path):
    run(MAKE, path, "packets", "1")
    if not list(perf_packets(path)):
        differential.skip("packets", "this perf does not list Intel PT packets")
        return
    total, equal, names = 0, True, set()
    for seed in range(SEEDS):
        need(run(MAKE, path, "packets", str(seed)), "make_pebs_pt")
        ours = list(our_packets(path))
        equal = same(ours, list(perf_packets(path)), "packet") and equal
        total += len(ours)
        names |= {words.split()[0] for _, words in ours}
    missing = set(WORDS) - names
    differential.ok(equal, "the same %d packets as perf report -D" % total)
    differential.ok(not missing, "packets of every kind among them %s" % (missing or ""))


# --- records ---

def branch(entry):
    """As perf script prints it: mispredicted, in a transaction, aborted, cycles"""
    return "%s/%s/%s/%s/%s/%d" % (entry["from"], entry["to"], "M" if entry["mispredicted"] else "P",
                                  "X" if entry.get("in_transaction") else "-",
                                  "A" if entry.get("abort") else "-", entry.get("cycles", 0))


def dump(path, *options):
    return [json.loads(line) for line in
            need(run(PRECIS, "dump", "--format", "json", *options, path),
                 "precis dump").splitlines()]


def from_hex(values):
    return {name.upper(): int(value, 16) for name, value in values.items()}


def weight(word):
    """What the kernel, and perf, make of a latency: that of the cache, where it stands apart"""
    return word >> 32 or word


FIELDS = "event,cpu,pid,tid,time,period,ip,addr,cache_latency,instruction_latency,"
PARTS = "branch_stack,interrupt_registers"


def our_records(path):
    samples = dump(path, "-F", FIELDS + PARTS)
    raw = dump(path, "--registers", "-F", "ip")
    for sample, record in zip(samples, raw, strict=True):
        words = {name: int(value, 16) for name, value in record["words"].items()}
        registers = from_hex({name: value for name, value in
                              sample.get("interrupt_registers", {}).items() if name != "abi"})
        gprs = from_hex(record["gprs"])
        vectors = [value for name, value in registers.items() if name.startswith("XMM")]
        if gprs != {name: value for name, value in registers.items() if name in gprs}:
            raise AssertionError("--registers and interrupt_registers differ")
        latency = words.get("latency", 0)
        if sample["event"] == "first":  # an event of loads: words are fields, too
            parts = (int(sample.get("addr", "0"), 16), sample.get("cache_latency", 0),
                     sample.get("instruction_latency", 0))
            if parts != (words.get("data_address", 0), latency >> 32, latency & 0xffff):
                raise AssertionError("fields and words of a record differ: %s" % (parts,))
        yield {"event": sample["event"], "cpu": sample["cpu"], "pid": sample["pid"],
               "tid": sample["tid"], "time": sample["time"], "period": sample["period"],
               "ip": int(sample["ip"], 16), "addr": words.get("data_address", 0),
               "weight": weight(latency),
               "branches": [branch(entry) for entry in sample.get("branch_stack", [])],
               "registers": gprs, "xmm": vectors}


def perf_records(path):
    out = need(run(PERF, "script", "--itrace=oe", "--ns", "-i", path, "-F",
                   "raw:event,pid,tid,cpu,time,period,ip,addr,weight,iregs,brstack"), "perf script")
    for line in out.splitlines():
        found = SAMPLE.match(line)
        if not found:
            raise AssertionError("perf script: " + line[:200])
        pid, tid, cpu, seconds, fraction, period, event, addr, of_load, ip, tail = found.groups()
        pairs = re.findall(r"(\w+):0x([0-9a-f]+)", tail)
        yield {"event": event, "cpu": int(cpu), "pid": int(pid), "tid": int(tid),
               "time": int(seconds) * 10 ** 9 + int(fraction.ljust(9, "0")),
               "period": int(period), "ip": int(ip, 16),
               "addr": int(addr, 16), "weight": int(of_load),
               "branches": ["/".join(text.split("/")[:6]) for text in tail.split()
                            if text.count("/") >= 5],
               "registers": {name: int(value, 16) for name, value in pairs
                             if not name.startswith("XMM")},
               "xmm": [int(value, 16) for name, value in pairs if name.startswith("XMM")]}


def order(record):
    return record["cpu"], record["time"], record["ip"], record["event"]


def records(path):
    need(run(MAKE, path, "records", "1"), "make_pebs_pt")
    if not list(perf_records(path)):
        differential.skip("records", "this perf does not make samples of PEBS in Intel PT")
        return
    total, equal = 0, True
    for seed in range(SEEDS):
        need(run(MAKE, path, "records", str(seed)), "make_pebs_pt")
        ours = sorted(our_records(path), key=order)
        theirs = sorted(perf_records(path), key=order)
        for left, right in zip(ours, theirs):
            if not left["xmm"]:  # perf 6.1 prints what its stack holds where a record has none
                right["xmm"] = []
        equal = same(ours, theirs, "record") and equal
        total += len(ours)
    differential.ok(equal, "the same %d samples as perf script --itrace=o" % total)
    through_pipe(path)


def through_pipe(path):
    fields = ("dump", "-F", FIELDS + PARTS)
    whole = need(run(PRECIS, *fields, path), "precis dump")
    with open(path, "rb") as stream:
        piped = subprocess.run(["sh", "-c", "cat | " + " ".join((PRECIS,) + fields) + " -"],
                               stdin=stream, capture_output=True, text=True, env=ENVIRONMENT,
                               check=False)
    differential.ok(whole == need(piped, "precis dump -"), "the same from standard input")


def main():
    differential.need(PERF, "the other half of the comparison")
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "perf.data")
        packets(path)
        records(path)
    differential.done()


main()
