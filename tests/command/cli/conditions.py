# SPDX-License-Identifier: BSD-3-Clause
"""What a command that measures may meet: no privileges, a disk that fills up, a signal in the middle of it."""
import ctypes
import os
import pty
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import threading

from command import PRECIS, Result
from tap import Skip

NOBODY = 65534
SMALL_DISK = ('mount -t tmpfs -o size="$1" none "$2" || exit 99; cd "$2" && printf before >there && keep=$3; shift 3; '
              '"$@"; code=$?; cp -r . "$keep"; exit $code')


class Nobody:
    """The command for a user without privileges, in a directory that he may read"""

    def __init__(self):
        if os.geteuid():
            raise Skip("only root can become nobody")
        self.directory = tempfile.TemporaryDirectory()
        self.path = self.directory.name
        os.chmod(self.path, 0o755)
        shutil.copy(PRECIS, self.path)
        library = os.environ.get("LIBPRECIS", "")
        if os.path.exists(library):
            shutil.copy(library, os.path.join(self.path, "libprecis.so.0"))
        if self.run("--version").code:
            raise Skip("nobody cannot run the command here")

    def run(self, *arguments):
        environment = dict(os.environ, LD_LIBRARY_PATH=self.path, HOME=self.path)
        environment.pop("XDG_CONFIG_HOME", None)
        try:
            return Result(subprocess.run([os.path.join(self.path, os.path.basename(PRECIS)), *arguments],
                                         capture_output=True, check=False, timeout=1200, env=environment,
                                         cwd=self.path, user=NOBODY, group=NOBODY, extra_groups=[]))
        except OSError as error:
            raise Skip("nobody cannot run the command here: %s" % error) from error


def on_small_disk(size, *arguments):
    """Run the command in a directory of so many bytes, which has a file 'there'; the result, and what is there then"""
    if os.geteuid() or not shutil.which("unshare"):
        raise Skip("no disk can be mounted here")
    with tempfile.TemporaryDirectory() as disk, tempfile.TemporaryDirectory() as keep:
        done = subprocess.run(["unshare", "-m", "sh", "-c", SMALL_DISK, "sh", str(size), disk, keep, PRECIS,
                               *arguments], capture_output=True, check=False, timeout=1200)
        if done.returncode == 99 or b"unshare" in done.stderr:
            raise Skip("no disk can be mounted here: %s" % done.stderr.decode())
        left = {}
        for name in os.listdir(keep):
            with open(os.path.join(keep, name), "rb") as file:
                left[name] = file.read()
        return Result(done), left


def with_limit(size, *arguments):
    """Run the command where no file may be larger than that, as on a disk that is full: no privileges are needed"""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return Result(subprocess.run([PRECIS, *arguments], capture_output=True, check=False, timeout=1200,
                                 preexec_fn=limit, restore_signals=False))


class Running:
    """A command that tells its progress, as it does on a terminal"""

    def __init__(self, *arguments):
        terminal, ours = pty.openpty()
        self.process = subprocess.Popen([PRECIS, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=ours)
        os.close(ours)
        self.told = b""
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._read, args=(terminal,))
        self.thread.start()

    def _read(self, terminal):
        more = b"?"
        while more:
            try:
                more = os.read(terminal, 4096)
            except OSError: # what a terminal says whose other side has been closed
                more = b""
            with self.changed:
                self.told += more
                self.changed.notify_all()
        os.close(terminal)
        with self.changed:
            self.thread = None
            self.changed.notify_all()

    def wait_for(self, words):
        """1 once it has told that, or 0 where it has ended before"""
        with self.changed:
            self.changed.wait_for(lambda: words in self.told or not self.thread, 600)
            return words in self.told

    def end(self, number=None):
        """What it comes to, after that signal"""
        if number is not None:
            self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=1200)
        with self.changed:
            self.changed.wait_for(lambda: not self.thread, 600)
        return Result(subprocess.CompletedProcess([], self.process.returncode, out, self.told))


def take_breakpoints(pid):
    """Data breakpoints for that thread and those that it makes from now on, as many as there are; their files"""
    libc = ctypes.CDLL(None, use_errno=True)
    # type, size, config, period, sample and read format; disabled and inherited; wakeup, access, address, length
    attr = struct.pack("=IIQQQQQIIQQ", 5, 72, 0, 0, 0, 0, 1 | 1 << 1 | 1 << 5, 0, 2, 0x1000, 4)
    taken = []
    while len(taken) < 16:
        fd = libc.syscall(298, attr, pid, -1, -1, 0)
        if fd < 0:
            break
        taken.append(fd)
    return taken, os.strerror(ctypes.get_errno())
