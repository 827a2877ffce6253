#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
PEBS via Intel PT against stock perf: the list of packets of perf report -D, and the samples that
perf script --itrace=o makes of PEBS records, field by field.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import differential
from differential import BUILD, ENVIRONMENT, PERF, QUICK

MAKE = os.path.join(BUILD, "tests/differential/make_pebs_pt")
PRINT = os.path.join(BUILD, "tests/differential/print_pebs_pt")
SEEDS = 2 if QUICK else 10

PACKET = re.compile(r"\.  ([0-9a-f]{8}):  (?:[0-9a-f]{2} )+ *(\S.*)$")
SAMPLE = re.compile(r"\[(\d+)\] +(\d+)\.(\d+): +\d+ +(\S+): +([0-9a-f]+) +(\d+) +([0-9a-f]+) ?"
                    r"(.*)$")

# enum precis_pebs_gpr as perf names registers
REGISTERS = ("FLAGS", "IP", "AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "R8", "R9", "R10",
             "R11", "R12", "R13", "R14", "R15")


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
    for line in need(run(PRINT, path, "packets"), "print_pebs_pt").splitlines():
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

def branch(text):
    """FROM/TO/INFO as perf script prints it: mispredicted, in a transaction, aborted, cycles"""
    start, end, info = (int(word, 16) for word in text.split("/"))
    return "0x%x/0x%x/%s/%s/%s/%d" % (start, end, "M" if info >> 63 & 1 else "P",
                                      "X" if info >> 62 & 1 else "-",
                                      "A" if info >> 61 & 1 else "-", info & 0xffff)


def our_records(path):
    for line in need(run(PRINT, path, "records"), "print_pebs_pt").splitlines():
        head, tail = line.split(" branches")
        branches, tail = tail.split(" registers")
        registers, xmm = tail.split(" xmm")
        event, cpu, time, ip, addr, latency, _ = head.split()
        yield {"event": event, "cpu": int(cpu), "time": int(time) // 1000, "ip": int(ip, 16),
               "addr": 0 if addr == "-" else int(addr, 16),
               "weight": 0 if latency == "-" else int(latency, 16),
               "branches": [branch(text) for text in branches.split()],
               "registers": {REGISTERS[int(pair.split(":")[0])]: int(pair.split(":")[1], 16)
                             for pair in registers.split()},
               "xmm": [int(word, 16) for word in xmm.split()]}


def perf_records(path):
    out = need(run(PERF, "script", "--itrace=oe", "--ns", "-i", path, "-F",
                   "raw:event,cpu,time,period,ip,addr,weight,iregs,brstack"), "perf script")
    for line in out.splitlines():
        found = SAMPLE.match(line)
        if not found:
            raise AssertionError("perf script: " + line[:200])
        cpu, seconds, fraction, event, addr, weight, ip, tail = found.groups()
        pairs = re.findall(r"(\w+):0x([0-9a-f]+)", tail)
        yield {"event": event, "cpu": int(cpu), "ip": int(ip, 16),
               "time": int(seconds) * 1000000 + int(fraction) // 1000,
               "addr": int(addr, 16), "weight": int(weight),
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


def main():
    differential.need(PERF, "the other half of the comparison")
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "perf.data")
        packets(path)
        records(path)
    differential.done()


main()
