# SPDX-License-Identifier: Apache-2.0
"""What the command-line tests share: a sandbox to run raddle in, programs compiled once, terminals,
and a check of the result's JSON against its documented schema.

The tool under test is named by the environment variable RADDLE."""

import atexit
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

sys.dont_write_bytecode = True  # the source tree stays as it is
HERE = pathlib.Path(__file__).resolve().parent
RADDLE = os.path.abspath(os.environ.get("RADDLE", HERE.parent.parent / "build/bin/raddle"))
TIMEOUT_S = 60
KINDS = set("assertion crash stack-overflow exception exit-code deadlock livelock hang sync-misuse "
            "leaked-thread use-after-free double-free heap-overflow data-race potential-deadlock "
            "atomicity-violation schedule-violation schedule-deadlock "
            "check inconsistent-locks lockstep-livelock".split())

_cache = None


def build(name, *flags, compiler=None):
    """Compiles programs/NAME.cpp once per set of flags; returns the path of the result."""
    global _cache
    if _cache is None:
        _cache = pathlib.Path(tempfile.mkdtemp(prefix="raddle-cli-programs-"))
        atexit.register(shutil.rmtree, _cache, ignore_errors=True)
    compiler = compiler or [RADDLE, "c++"]
    key = re.sub(r"[^A-Za-z0-9]+", "_", " ".join([name, os.path.basename(compiler[-1]), *flags]))
    program = _cache / key / name
    if not program.exists():
        program.parent.mkdir()
        shutil.copy(HERE / "programs" / f"{name}.cpp", program.parent)
        command = [*compiler, "-g", "-O1", f"{name}.cpp", "-o", name, *flags]
        done = subprocess.run(command, cwd=program.parent, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{command} failed:\n{done.stderr}")
    return program


def line_of(program, mark):
    """The line of a program's source that carries the comment `where: MARK`."""
    lines = (HERE / "programs" / f"{program}.cpp").read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// where: {mark}"))


class Result:
    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def __str__(self):
        return f"{' '.join(map(str, self.command))}\nexit code {self.code}\nstdout:\n{self.out}\n" \
               f"stderr:\n{self.err}"


def environment(**changes):
    ours = ("CI", "NO_COLOR", "COLUMNS", "RADDLE_CHECKPOINTS", "RADDLE_EXECUTOR",
            "RADDLE_RUNTIME_DIR")
    result = {k: v for k, v in os.environ.items() if k not in ours}
    result["TERM"] = "xterm"
    result.update(changes)
    return {k: v for k, v in result.items() if v is not None}


def processes_with(mark):
    """Ids of the processes whose command line holds `mark`."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


class CliTest(unittest.TestCase):
    """A test in a directory of its own, removed afterwards."""

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="raddle-cli-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.mark = f"mark-{uuid.uuid4().hex}"

    def place(self, name, *flags, **options):
        """Puts a copy of a compiled program into the sandbox."""
        shutil.copy(build(name, *flags, **options), self.dir / name)
        shutil.copy(HERE / "programs" / f"{name}.cpp", self.dir)
        return f"./{name}"

    def start(self, *arguments, cwd=None, env=None, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, "start_new_session": True, **options}
        process = subprocess.Popen([RADDLE, *map(str, arguments)], cwd=cwd or self.dir,
                                   env=environment(**(env or {})), **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def finish(self, process, timeout=TIMEOUT_S):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.fail(f"{process.args} did not end within {timeout} s\n{out}\n{err}")
        decode = lambda data: (data or b"").decode(errors="replace")  # noqa: E731
        return Result(process.args, process.returncode, decode(out), decode(err))

    def raddle(self, *arguments, code=None, **options):
        """Runs raddle to its end; checks its exit code if one is given."""
        result = self.finish(self.start(*arguments, **options))
        if code is not None:
            self.assertEqual(result.code, code, str(result))
        return result

    def campaign(self, *arguments, code=None, **options):
        """`raddle test --json -`: the result, checked against the schema."""
        result = self.raddle("test", "--json", "-", *arguments, code=code, **options)
        data = json.loads(result.out)
        check_schema(self, data)
        return data

    def terminal(self, *arguments, env=None, streams=("stdout", "stderr")):
        """Runs raddle with the named streams on a terminal; returns (exit code, what it showed)."""
        master, slave = pty.openpty()
        on_terminal = {name: slave for name in streams}
        other = {name: subprocess.DEVNULL for name in {"stdout", "stderr"} - set(streams)}
        process = self.start(*arguments, env=env, **on_terminal, **other)
        os.close(slave)
        shown = b""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            if not select.select([master], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(master, 65536)
            except OSError:  # the other end was closed
                break
            if not data:
                break
            shown += data
        os.close(master)
        return process.wait(TIMEOUT_S), shown.decode(errors="replace")

    def wait_until(self, condition, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f"not within {seconds} s: {what}")
            time.sleep(0.02)

    def assert_no_process_left(self):
        """No process of this test's program, which carries self.mark, is running."""
        try:
            self.wait_until(lambda: not processes_with(self.mark), "all processes are gone", 5)
        finally:
            for pid in processes_with(self.mark):
                os.kill(pid, signal.SIGKILL)

    def assert_words(self, text, *words):
        """The text holds all words, in whatever case."""
        for word in words:
            self.assertIn(str(word).lower(), text.lower())

    def findings(self, out=".raddle"):
        """What lies in the folder of findings, hidden names too."""
        folder = self.dir / out / "findings"
        return sorted(os.listdir(folder)) if folder.exists() else []


def check_schema(test, data):
    """The JSON of a campaign has every documented field with its type."""
    types = {"schema": int, "program": list, "strategy": str, "seed": int, "schedules": int,
             "steps": int, "seconds": (int, float), "complete": bool, "guarantee": str,
             "limited": int, "blocked": int, "findings": list}
    _check_fields(test, data, types)
    test.assertEqual(data["schema"], 1)
    for finding in data["findings"]:
        _check_fields(test, finding, {
            "id": int, "kind": str, "message": str, "schedule_index": int, "preemptions": int,
            "directory": str, "site": dict, "threads": list})
        test.assertIn(finding["kind"], KINDS)
        _check_fields(test, finding["site"], FRAME)
        # A program that has ended has no threads any more.
        test.assertTrue(finding["threads"] or finding["kind"] in ("check", "exit-code"))
        for thread in finding["threads"]:
            _check_fields(test, thread, {"id": int, "name": str, "state": str, "stack": list})
            for frame in thread["stack"]:
                _check_fields(test, frame, FRAME)


FRAME = {"file": str, "line": int, "function": str}


def _check_fields(test, value, types):
    for key, kind in types.items():
        test.assertIn(key, value)
        test.assertIsInstance(value[key], kind, key)
        # True is an int for Python, but not in JSON.
        test.assertEqual(isinstance(value[key], bool), kind is bool, key)
