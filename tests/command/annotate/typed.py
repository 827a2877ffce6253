# SPDX-License-Identifier: BSD-3-Clause
"""Recordings of accesses to members of variables: the compiler says where these are, the test what is sampled."""
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sharing"))

import accesses
import perfdata

CC = os.environ.get("CC", "cc")
SCRATCH = tempfile.TemporaryDirectory()
PID = 100
LOAD, STORE = 1, 2
LINEAR, PHYSICAL, MISALIGNED, MISS, NO_BUFFER, L2_MISS = 1 << 17, 1 << 18, 1 << 8, 1 << 7, 1 << 16, 1 << 20
TLB_MISS, TLB_WALK = 1 << 2, 1 << 2 | 1 << 3
# DataSrc of Zen 4: the L3, or a cache of the same complex; DRAM
L3, DRAM = 1, 3


class Program:
    """A program that prints lines of a name and a number: addresses of variables, offsets of members"""

    def __init__(self, name, source, *flags, compiler=None):
        directory = os.path.join(SCRATCH.name, name)
        os.makedirs(directory, exist_ok=True)
        self.path = os.path.join(directory, "program")
        with open(self.path + ".c", "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run([*(compiler or CC).split(), "-g", "-no-pie", "-fno-pie", *flags, "-o", self.path,
                        self.path + ".c"], check=True)
        told = subprocess.run([self.path], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.at = {name: int(number, 0) for name, number in map(str.split, told.splitlines())}

    def code(self):
        """Of what is executable: its address, its length and its place in the file"""
        with open(self.path, "rb") as file:
            told = file.read()
        at, = struct.unpack_from("<Q", told, 32)
        size, count = struct.unpack_from("<HH", told, 54)
        for n in range(count):
            kind, flags, offset, address = struct.unpack_from("<IIQQ", told, at + n * size)
            length, = struct.unpack_from("<Q", told, at + n * size + 40)
            if kind == 1 and flags & 1:
                down = address & 4095
                return address - down, (length + down + 4095) & ~4095, offset - down
        raise AssertionError("no code")

    def mapped(self, pid=PID):
        start, length, offset = self.code()
        name = self.path.encode() + b"\0" * (8 - len(self.path) % 8)
        body = struct.pack("<IIQQQ", pid, pid, start, length, offset) + name
        return perfdata.record(1, body + accesses.sample_id(pid, pid), accesses.USER)


def ibs(address, kind=LOAD, width=8, tid=PID, level=None, remote=False, flags=0, latency=0, refill=0, retire=0,
        completion=0, time=10 ** 9, ip=0x401000, pid=PID):
    """level: None: the L1 had it; L3, DRAM"""
    data3 = kind | LINEAR | PHYSICAL | accesses.WIDTHS[width] << 22 | flags | latency << 32 | refill << 48
    data2 = 0
    if level is not None:
        data3 |= MISS | L2_MISS
        data2 = level | remote << 4
    data = (retire + completion) << 16 | completion
    payload = perfdata.op_payload(caps=accesses.CAPS[accesses.ZEN4], ctl=7 << 17 | 0x186a, rip=ip, data=data,
                                  data2=data2, data3=data3, lin=address, phys=address)
    return perfdata.sample(payload, pid=pid, tid=tid, time=time, ip=ip)


def recorded(program, name, samples):
    return accesses.ibs_recording(name, [program.mapped(), *samples])


def recorded_pebs(program, name, samples):
    return accesses.recording(name, [program.mapped(), *samples])
