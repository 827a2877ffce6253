# SPDX-License-Identifier: BSD-3-Clause
"""
What stock perf said of a recording, kept: by the program's version, its arguments and the recording's
bytes. So several tests, and several builds that name one directory (PRECIS_PERF_CACHE, default: in the
build tree), have perf read it once. Only of recordings that lie in the tree or beside it: those that a
test makes are others each time.
"""

import hashlib
import json
import os
import tempfile
import zlib

from differential import BUILD, SHARED, TOP

DIRECTORY = os.environ.get("PRECIS_PERF_CACHE") or os.path.join(BUILD, "perf-cache")
KEPT = tuple(os.path.realpath(folder) + os.sep for folder in
             (os.path.join(TOP, "tests", "recordings"), SHARED))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def place(version, arguments, path):
    """@return where it is kept, or None: it is not"""
    real = os.path.realpath(path)
    if not real.startswith(KEPT) or not os.path.isfile(real):
        return None
    # perf prints the name that it was given
    words = [version, path, digest(real)] + arguments
    name = hashlib.sha256("\0".join(words).encode()).hexdigest()
    return os.path.join(DIRECTORY, name)


def kept(where):
    """@return exit code, stdout, stderr; None if there is nothing"""
    try:
        with open(where, "rb") as file:
            return json.loads(zlib.decompress(file.read()))
    except OSError:
        return None


def keep(where, said):
    """Other tests may do the same at the same time: one file is as good as the other."""
    os.makedirs(DIRECTORY, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=DIRECTORY, delete=False) as file:
        file.write(zlib.compress(json.dumps(said).encode(), 1))
    os.replace(file.name, where)


def remembered(version, arguments, path, run):
    """@param run  what asks perf: a function without arguments. @return as kept()"""
    where = place(version, arguments, path)
    said = kept(where) if where else None
    if said is None:
        said = run()
        if where:
            keep(where, said)
    return said
