# SPDX-License-Identifier: BSD-3-Clause
"""
Functions of the kernel's own sources, to be compiled outside of it: from Debian's packages
linux-source-* in /usr/src, and from the kernels that the virtual machine's checks have fetched.
"""

import fcntl
import glob
import json
import os
import re
import shlex
import subprocess
import tarfile

from differential import BUILD, TOP

PACKAGES = "/usr/src/linux-source-*.tar.xz"
CACHE = os.environ.get("PRECIS_VM_CACHE") or os.path.join(BUILD, "vm-kernels")
KERNELS = os.path.join(TOP, "tests/vm/kernels.tsv")
UAPI, KERNEL = "include/uapi/linux/perf_event.h", "include/linux/perf_event.h"
# What any test looks at: unpacking takes ten seconds of CPU time, and is done once, up to the last of these
EVENTS = re.compile(r"arch/x86/events/((amd|intel)/)?\w+\.[ch]|arch/x86/include/asm/[\w/-]+\.h")
KEPT = os.path.join(BUILD, "kernel-sources")


def unpacked(package):
    """@return the texts of a package's files that tests look at. A folder is in one piece."""
    found = {}
    with tarfile.open(package, "r|xz") as archive:
        for entry in archive:
            name = entry.name.partition("/")[2]
            if entry.isfile() and (name in (UAPI, KERNEL) or EVENTS.fullmatch(name)):
                found[name] = archive.extractfile(entry).read().decode()
            if {UAPI, KERNEL} < found.keys() and not name.startswith("arch/"):
                break
    return found


def of_package(package, needed):
    """@return the text of each of these files of a source package"""
    os.makedirs(KEPT, exist_ok=True)
    status = os.stat(package)
    kept = os.path.join(KEPT, "%s.%d.%d.json" % (os.path.basename(package), status.st_size, status.st_mtime))
    # Another test may be at it
    with open(kept + ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(kept):
            with open(kept + ".new", "w", encoding="utf-8") as file:
                json.dump(unpacked(package), file)
            os.replace(kept + ".new", kept)
        with open(kept, encoding="utf-8") as file:
            found = json.load(file)
    return {name: found[name] for name in needed if name in found}


def of_cache(kernel, needed):
    """The same of a kernel that tests/vm/fetch-kernel got: its perf drivers and its headers"""
    folders = glob.glob(os.path.join(kernel, "root/usr/src/linux-headers-*-common"))
    found = {}
    for name in needed:
        driver = name.removeprefix("arch/x86/events/")
        paths = [os.path.join(kernel, "events", driver)] if driver != name else [
            os.path.join(folder, name) for folder in folders]
        for path in filter(os.path.isfile, paths):
            with open(path, encoding="utf-8") as text:
                found[name] = text.read()
    return found


def version_of_cache(kernel):
    with open(os.path.join(kernel, "abi"), encoding="utf-8") as abi:
        return re.match(r"\d+\.\d+", abi.read()).group(0)


def sources(needed, cache=None):
    """
    @param cache  kernels of the virtual machine's checks, or None: packages alone
    @return (version, {file: text}, where they are from) of each version that is here; a file that
            it does not have is not among them
    """
    versions = {}
    for package in sorted(glob.glob(PACKAGES)):
        version = re.search(r"linux-source-([\d.]+)\.tar", package).group(1)
        versions[version] = (of_package(package, needed), package)
    for abi in sorted(glob.glob(os.path.join(cache, "*/abi"))) if cache else ():
        kernel = os.path.dirname(abi)
        version = version_of_cache(kernel)
        if version not in versions:
            versions[version] = (of_cache(kernel, needed), kernel)
    return [(version, *versions[version]) for version in
            sorted(versions, key=lambda text: tuple(map(int, text.split("."))))]


def absent(versions, cache):
    """Of the kernels that the virtual machine's checks can fetch, those that sources() did not find"""
    with open(KERNELS, encoding="utf-8") as table:
        names = [line.split("\t")[0] for line in table if not line.startswith("#")]
    return [name for name in names if name not in versions and
            not os.path.exists(os.path.join(cache, name, "abi"))]


def slice_of(text, first, last):
    """From the line that begins with 'first' to before the one that begins with 'last'"""
    lines = text.split("\n")
    start = next(n for n, line in enumerate(lines) if line.startswith(first))
    end = next(n for n in range(start, len(lines)) if lines[n].startswith(last))
    return "\n".join(lines[start:end])


def nothing_of(files):
    """The kernel's PERF_MEM_NA"""
    return re.search(r"#define PERF_MEM_NA(.*\\\n)*.*\n", files[KERNEL]).group(0)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def compiled(folder, text, files, *options):
    """
    @param text  a C program; "uapi.h" is the kernel's perf_event.h
    @return the program's path, or None and what the compiler complained of
    """
    write(folder, "uapi.h", files[UAPI])
    source = write(folder, "harness.c", text)
    program = os.path.join(folder, "harness")
    build = subprocess.run(shlex.split(os.environ.get("CC", "cc")) +
                           ["-std=gnu11", "-O1", "-w", *options, "-I", folder, "-o", program,
                            source],
                           stderr=subprocess.PIPE, check=False)
    if build.returncode:
        return None, build.stderr.decode()[-600:]
    return program, ""
