#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Text is as wide as its reader's terminal: every command that prints text, on terminals and off."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import tap
from built import WITHOUT
from command import PRECIS, SRCDIR, recording, run
from quick import some
from tap import equal

HERE = sys.modules[__name__]
TEXTS = (
    ["info", recording("zen4-mix-op")],
    ["info", recording("spr-mix-loads")],
    ["info"],
    ["info", "--compare"],
    ["report", "--all", recording("zen4-mix-op")],
    ["report", recording("spr-mix-loads")],
    ["fields"],
    ["errata"],
)
COMPRESSED = ["report", os.path.join(SRCDIR, "tests/recordings/forms/pipe-zstd")]
if "zstd" not in WITHOUT:
    TEXTS += (COMPRESSED,)
TEXTS = some(TEXTS)
WIDEST = 60000


def environment(columns):
    clean = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    return dict(clean, NO_COLOR="1", **({} if columns is None else {"COLUMNS": str(columns)}))


def piped(arguments, columns=None):
    result = run(*arguments, env=environment(columns))
    equal(result.code, 0, arguments)
    return result.out


def on_terminal(arguments, width, columns=None):
    """What a terminal of so many columns is sent"""
    reader, terminal = pty.openpty()
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        process = subprocess.Popen([PRECIS] + arguments, stdin=subprocess.DEVNULL, stdout=terminal,
                                   stderr=subprocess.DEVNULL, env=environment(columns))
    finally:
        os.close(terminal)
    chunks = []
    try:
        while chunk := os.read(reader, 65536):
            chunks.append(chunk)
    except OSError:  # EIO: the last one that had the terminal open has closed it
        pass
    os.close(reader)
    equal(process.wait(), 0, arguments)
    return b"".join(chunks).decode().replace("\r\n", "\n")


def check(text, width, arguments):
    """No line is longer, but for one long word (a symbol, a path), which has no place to break"""
    for line in text.splitlines():
        if len(line) > width:
            assert len(line.split()[-1]) >= 30, (arguments, width, line)


def words(text):
    return set(text.split())


def test_terminals():
    """on a terminal text is as wide as that, and says the same"""
    for arguments in TEXTS:
        everything = words(piped(arguments, WIDEST)) - {"#" * 40}
        for width in some((60, 80, 200), 2):
            text = on_terminal(arguments, width)
            equal(text, piped(arguments, width), (arguments, width))
            check(text, width, arguments)
            lost = {word for word in everything - words(text) if word.strip("#")}
            assert not lost, (arguments, width, lost)


def test_width_is_used():
    """a wider terminal has fewer lines"""
    for arguments in TEXTS:
        lines = [len(on_terminal(arguments, width).splitlines()) for width in (60, 100, 200)]
        assert lines[0] > lines[1] >= lines[2], (arguments, lines)


def test_columns_decides():
    """COLUMNS decides also on a terminal of another width"""
    arguments = ["info", recording("zen4-mix-op")]
    equal(on_terminal(arguments, 200, 70), piped(arguments, 70))
    assert piped(arguments, 70) != piped(arguments, 100)


def test_no_terminal():
    """without a terminal, and with COLUMNS that is no width, it is 100 columns"""
    for arguments in TEXTS:
        text = piped(arguments)
        check(text, 100, arguments)
        for columns in some(("", "0", "wide", "-80", "80x", " 80", "99999999999999999999")):
            equal(piped(arguments, columns), text, columns)
        equal(piped(arguments, 100), text, arguments)
    equal(on_terminal(TEXTS[0], 0), piped(TEXTS[0]), "a terminal that does not know its width")


def test_narrow():
    """below 40 columns text is laid out for 40"""
    for arguments in TEXTS:
        equal(piped(arguments, 1), piped(arguments, 40), arguments)


def test_machine_forms():
    """json and csv know no width"""
    for command in (["report", "--format", "csv"], ["report", "--format", "json"],
                    ["info", "--format", "json"], ["info", "--format", "csv"]):
        arguments = command + [recording("zen4-mix-op")]
        equal(piped(arguments, 60), piped(arguments, 200), command)


def test_rows_are_whole():
    """of a folded table each part has the names of its rows"""
    arguments = ["report", "--all", recording("zen4-mix-op")]
    wide = piped(arguments, WIDEST).split("Losses\n")[1].split("\n\n")[0].splitlines()
    narrow = piped(arguments, 60).split("Losses\n")[1].split("\n\n")[0].splitlines()
    cells = wide[2].split()[-8:]
    parts = [line for line in narrow if line.startswith("  buffers of all events")]
    equal(len(parts), 2)
    equal(" ".join(parts).replace("buffers of all events", "").split(), cells)


if __name__ == "__main__":
    sys.exit(tap.main(HERE))
