# SPDX-License-Identifier: BSD-3-Clause
"""Recordings whose instructions are the very ones, as those of page faults are, though the kernel does not say so."""
import struct

SAMPLE, EXACT_IP = 9, 1 << 14


def say_exact(path, is_stream=False):
    """Sets the bit of the kernel's that the instruction is the very one, in all samples"""
    with open(path, "r+b") as file:
        whole = bytearray(file.read())
        at, size = (16, len(whole) - 16) if is_stream else struct.unpack_from("<QQ", whole, 40)
        end = at + size
        while at < end:
            kind, misc, length = struct.unpack_from("<IHH", whole, at)
            if kind == SAMPLE:
                struct.pack_into("<H", whole, at + 4, misc | EXACT_IP)
            at += length
        file.seek(0)
        file.write(whole)
