#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What a manual page says is what groff and mandoc show of it: no word is lost or out of place, and
what is quoted has a quote on either side. Neither of them warns of that.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import points
from points import report, skip

PAGES = os.path.join(os.environ["srcdir"], "doc", "man")
# Macros that may stand among the words of a line; one in quotes is a word.
CALLABLE = set("""Ac Ad Ao Ap Aq Ar Bc Bo Bq Brc Bro Brq Cd Cm Dc Do Dq Dv Ec Em En Eo Er Ev Fa Fc
                  Fl Fn Fo Ft Ic In Li Lk Ms Mt Nm No Ns Oc Oo Op Pa Pc Pf Po Pq Ql Qo Qq Sc So Sq
                  Sy Ta Va Vt Xr""".split())
# Lines that are no text of the page, or not where they stand
SKIPPED = {"Dd", "Dt", "Os", "Bl", "Bd", "El", "Ed", "Pp", "Sm", "Fo", "Fc", "Rs", "Re", "%T", "%O"}
PLAIN = str.maketrans({"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'",
                       "\u2010": "-", "\u2011": "-", "\u2212": "-", "\u2013": "-", "\u00a0": " "})
ESCAPES = ((r"\\f[BIPR]", ""), (r"\\e", r"\\"), (r"\\-", "-"), (r"\\&", ""), (r"\\\(aq", "'"),
           (r"\\\(dq", '"'), (r"\\\(en", "-"), (r"\\\(pl", "+"), (r"\\\(S2", "\u00b2"),
           (r"\\\(S3", "\u00b3"), (r"\\~|\\ ", " "))
QUOTES = {"Ql": "'", "Sq": "'", "Dq": '"', "Qq": '"'}
# How far words may stand from the ones before: what a macro adds, a header line
DISTANCE = 400


def unescaped(text):
    for pattern, plain in ESCAPES:
        text = re.sub(pattern, plain, text)
    return text


def arguments(line):
    """(word, is_macro) of a macro's line."""
    found = []
    for quoted, word in re.findall(r'"((?:[^"]|"")*)"|(\S+)', line):
        found.append((word or quoted.replace('""', '"'), bool(word) and word in CALLABLE))
    return found


def words(source):
    """(line, word) of all that a reader is to see."""
    in_literal = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith(".Bd"):
            in_literal = "-literal" in line
        if line.startswith(('.\\"', ".Bd", ".Ed")):
            in_literal = in_literal and not line.startswith(".Ed")
            continue
        if line.startswith(".") and not in_literal:
            name, _, rest = line[1:].partition(" ")
            if name in SKIPPED:
                continue
            line = " ".join(word for word, is_macro in arguments(rest) if not is_macro)
        for word in unescaped(line).split():
            yield number, word


def quotations(source):
    """(line, what stands in quotes) of macros that quote, up to the next macro and its comma."""
    for number, line in enumerate(source.splitlines(), 1):
        if not line.startswith(".") or line.startswith('.\\"'):
            continue
        found = arguments(line[1:])
        found[0] = (found[0][0], found[0][0] in CALLABLE)
        for at, (macro, is_macro) in enumerate(found):
            if not is_macro or macro not in QUOTES:
                continue
            inside = []
            for word, ends in found[at + 1:]:
                if ends:
                    break
                inside.append(word)
            # A delimiter at the end of the line stands outside; before another macro, too
            while len(inside) > 1 and inside[-1] in (".", ",", ";", ":", ")"):
                inside.pop()
            text = unescaped("".join(inside)).replace(" ", "")
            yield number, QUOTES[macro] + text + QUOTES[macro]


def squeezed(text):
    return re.sub(r"\s+", "", text.translate(PLAIN))


def check_words(source, shown):
    at, lost = 0, []
    for number, word in words(source):
        found = shown.find(word, at, at + DISTANCE + len(word))
        if found < 0:
            lost.append(f"line {number}: '{word}' is not shown where it stands")
        else:
            at = found + len(word)
    return lost


def check_quotes(source, shown):
    return [f"line {number}: {text} is not shown" for number, text in quotations(source)
            if text not in shown]


def check(page, formatter, command):
    with open(page, encoding="utf-8") as file:
        source = file.read()
    shown = subprocess.run(command, input=source, stdout=subprocess.PIPE, check=True, text=True,
                           stderr=subprocess.DEVNULL, encoding="utf-8").stdout
    shown = squeezed(re.sub(".\b", "", shown))
    report(f"{os.path.basename(page)}: what {formatter} shows",
           check_words(source, shown) + check_quotes(source, shown))


def main():
    # Lines as long as can be, so that no word is cut at a line's end
    formatters = {"groff": ["groff", "-mandoc", "-Tutf8", "-P-cbou", "-rLL=9000n"],
                  "mandoc": ["mandoc", "-Tutf8", "-Owidth=900"]}
    for name, command in formatters.items():
        if not shutil.which(name):
            skip(f"what {name} shows", f"{name} not found")
            continue
        for page in sorted(glob.glob(os.path.join(PAGES, "*.[0-9]"))):
            check(page, name, command)
    return points.end()


if __name__ == "__main__":
    sys.exit(main())
