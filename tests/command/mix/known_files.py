# SPDX-License-Identifier: BSD-3-Clause
"""Files of the known program, each made once: itself, and recordings of it."""
import functools
import os
import tempfile

import built
import known_program as known

SCRATCH = tempfile.TemporaryDirectory()


def there(name):
    return os.path.join(SCRATCH.name, name)


def kept(name, data):
    with open(there(name), "wb") as file:
        file.write(data)
    return there(name)


@functools.lru_cache(maxsize=None)
def addresses():
    """The program is there("known") then."""
    built.need("zydis")
    built.need("elfutils")
    return known.build(there("known"))


@functools.lru_cache(maxsize=None)
def program():
    """@return how it is executed, and the file"""
    return known.Execution(addresses()), there("known")


@functools.lru_cache(maxsize=None)
def recorded(name="both", **how):
    execution, path = program()
    return kept(name + ".data", known.recording(execution, path, **how))
