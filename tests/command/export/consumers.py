# SPDX-License-Identifier: BSD-3-Clause
"""
Programs of others that read what was exported: packages of npm, fetched once into the directory that
PRECIS_NPM_CACHE names (300 MB). Without it nothing is fetched.
"""
import json
import os
import shutil
import subprocess
import time

from tap import Skip

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("PRECIS_NPM_CACHE", "")
# What each reader of read_arrow.cjs and others needs, in versions that were seen to work
PACKAGES = {
    "apache-arrow": ("apache-arrow@21.2.0",),
    "polars": ("nodejs-polars@0.26.1", "nodejs-polars-linux-x64-gnu@0.26.1"),
    "duckdb": ("@duckdb/duckdb-wasm@1.32.0",),
    "profiler-cli": ("@firefox-devtools/profiler-cli@0.10.0",),
}
SECONDS = 120 # that fetching one may take
FAILED = {}   # why one was not fetched: nobody asks again


def fetched(name):
    """The directory of node_modules with that reader's packages; Skip where there is none"""
    if not CACHE:
        raise Skip("PRECIS_NPM_CACHE names no directory for packages of npm")
    if not shutil.which("node") or not shutil.which("npm"):
        raise Skip("no node or no npm (Debian: nodejs npm)")
    if name in FAILED:
        raise Skip(FAILED[name])
    place = os.path.join(CACHE, name)
    done = os.path.join(place, "fetched")
    wanted = " ".join(PACKAGES[name])
    if os.path.exists(done):
        with open(done, encoding="utf-8") as file:
            if file.read() == wanted:
                return os.path.join(place, "node_modules")
    os.makedirs(place, exist_ok=True)
    command = ["npm", "install", "--prefix", place, "--ignore-scripts", "--no-audit", "--no-fund",
               "--no-save", "--no-package-lock", "--fetch-retries=1", *PACKAGES[name]]
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        FAILED[name] = "npm took more than %u seconds to fetch %s" % (SECONDS, wanted)
        raise Skip(FAILED[name]) from None
    if said.returncode:
        FAILED[name] = "npm cannot fetch %s: %s" % (wanted, " ".join(said.stdout.split())[-200:])
        raise Skip(FAILED[name])
    with open(done, "w", encoding="utf-8") as file:
        file.write(wanted)
    return os.path.join(place, "node_modules")


def node(name, script, *arguments, data=None):
    """Run a script of this directory with the reader's packages; what it prints"""
    done = subprocess.run(["node", os.path.join(HERE, script), name, *arguments], input=data,
                          env={**os.environ, "NODE_PATH": fetched(name)}, timeout=1200,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[:2000]
    return done.stdout.decode()


def value(found):
    """"#12": an integer of any size"""
    return int(found[1:]) if isinstance(found, str) and found.startswith("#") else found


def arrow_files(name, *paths):
    """Of each file its schema and its rows, as that reader has them"""
    files = []
    for line in node(name, "read_arrow.cjs", *paths).splitlines():
        read = json.loads(line)
        if "schema" in read:
            files.append((read, []))
        else:
            files[-1][1].append({key: value(one) for key, one in read.items()})
    return files


class Profiler:
    """The Firefox Profiler's own code, in a process behind profiler-cli, with a profile"""

    def __init__(self, path, home):
        self.script = os.path.join(fetched("profiler-cli"), "@firefox-devtools", "profiler-cli", "dist",
                                   "profiler-cli.js")
        self.environment = {**os.environ, "HOME": home}
        self.call("load", path)

    def call(self, *arguments):
        done = subprocess.run(["node", self.script, *arguments], env=self.environment, timeout=1200,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def ask(self, *arguments):
        """Its answer as JSON. It says itself that it may need more time to start: that is waited for."""
        end = time.monotonic() + 300
        while True:
            code, said = self.call(*arguments, "--json")
            if code == 0 and said.startswith("{"):
                return json.loads(said)
            assert time.monotonic() < end, said
            time.sleep(0.2)

    def close(self):
        self.call("stop", "--all")
