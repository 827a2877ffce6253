# SPDX-License-Identifier: BSD-3-Clause
"""
Files that precis report --save, or precis sharing --save, wrote: made, told, and taken apart.
"""
import os
import struct
import tempfile
import zlib

from command import run
from tap import equal

FORMATS = ("text", "json", "csv")
HEADER, PART = 28, 32
SCRATCH = tempfile.TemporaryDirectory()


def there(name):
    return os.path.join(SCRATCH.name, name)


def saved(path, *options, command="report", to=None):
    to = to or there("%s.%x.saved" % (os.path.basename(path), zlib.crc32(repr((command, path, options)).encode())))
    result = run(command, "--save", to, *options, path)
    assert result.code in (0, 1) and not result.out, result
    return to


def told(*arguments, command="report"):
    result = run(command, *arguments)
    return result.code, result.out


def same(paths, *options, formats=FORMATS, command="report"):
    """Of the recordings, and of what was saved of each"""
    files = [saved(path, *options, command=command) for path in paths]
    for form in formats:
        equal(told("--format", form, *options, *files, command=command),
              told("--format", form, *options, *paths, command=command))
    return files


def grouped(paths, *options, command="report"):
    """What was saved of some of them, saved again together, beside others that were not saved: the same"""
    middle = len(paths) // 2
    some = there("some.saved")
    mixed = [saved(paths[0], *options, command=command), *paths[1:middle + 1]]
    equal(run(command, "--save", some, *options, *mixed).code in (0, 1), True)
    for form in FORMATS:
        equal(told("--format", form, *options, some, *paths[middle + 1:], command=command),
              told("--format", form, *options, *paths, command=command))
    again = there("again.saved")
    equal(run(command, "--save", again, *options, some).code in (0, 1), True)
    equal(contents(again), contents(some))


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def parts_of(data):
    """(offset, name, length) of each part"""
    at = HEADER
    while at < len(data):
        name, length = struct.unpack_from("<16sQ", data, at)
        yield at, name.rstrip(b"\0").decode(), length
        at += PART + length


def summed(data):
    """With checksums that are right, so that what is in the parts is looked at"""
    data = bytearray(data)
    for at, _, length in parts_of(bytes(data)):
        struct.pack_into("<I", data, at + 24, zlib.crc32(data[at + PART:at + PART + length]))
        struct.pack_into("<I", data, at + 28, zlib.crc32(data[at:at + 28]))
    struct.pack_into("<I", data, 24, zlib.crc32(data[:24]))
    return bytes(data)


LIES = (b"\xff" * 8, bytes(8), b"\xff\xff\xff\x7f\0\0\0\0", b"\0\0\0\0\x01\0\0\0", b"\x7f\xf8" * 4)


def lies(data, numbers, count):
    """In each part so many words that lie, with checksums that are right"""
    for at, name, length in parts_of(data):
        for _ in range(count if length else 0):
            changed = bytearray(data)
            width = min(numbers.choice((1, 4, 8)), length)
            place = at + PART + numbers.randrange(length - width + 1)
            changed[place:place + width] = numbers.choice((*LIES, numbers.randbytes(8)))[:width]
            yield name, summed(changed)
