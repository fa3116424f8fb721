# SPDX-License-Identifier: Apache-2.0
"""What the two suites share: what a test is, how it is built and how it runs without raddle.

A test is built twice: plainly, to see that it passes on this system at all (what that says is kept
between runs, for it does not depend on raddle), and with the compiler wrapper."""

import dataclasses
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import threading

sys.dont_write_bytecode = True  # the source tree stays as it is
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "projects"))
import project  # noqa: E402  (needs the path above)

COMPILE_S = 300
NATIVE_S = 60
UNSUPPORTED = 77  # the exit code by which tests of both suites say that the system lacks something
PLAIN = {"c": "gcc", "c++": "g++"}


@dataclasses.dataclass
class Test:
    """Words that begin with @ name files of the folder that the test is built in; @@ is the built
    program."""
    name: str
    language: str = "c"
    command: list = dataclasses.field(default_factory=list)  # of the compiler, without the output
    modules: dict = dataclasses.field(default_factory=dict)  # name: command; made before the test
    arguments: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    exit_code: int = 0
    signal: str = ""  # the test is to be killed by this one
    left_out: str = ""  # why the test is not for this target


class CannotBuild(Exception):
    pass


def bounded():
    """What a test may take: no core files, no file of more than 1 GB. A shell in the background
    ignores SIGINT and SIGQUIT, and tests would inherit that."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


def run_bounded(command, cwd, timeout, env=None):
    """Exit code (None: took too long) and output of a command, which leaves no process behind."""
    child = subprocess.Popen(list(map(str, command)), cwd=cwd, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", start_new_session=True, preexec_fn=bounded,
                             env={**os.environ, "LC_ALL": "C", **(env or {})})
    try:
        output, _ = child.communicate(timeout=timeout)
        code = child.returncode
    except subprocess.TimeoutExpired:
        code, output = None, ""
    try:
        os.killpg(child.pid, signal.SIGKILL)  # processes that the test has left behind
    except ProcessLookupError:
        pass
    if code is None:
        output, _ = child.communicate()
    return code, output


def compiler_key(plain):
    """What decides what is made of a source, beside the command: compilers, wrapper's options."""
    options = (project.RADDLE.parent.parent / "lib").glob("raddle_*.options")
    files = [] if plain else sorted(options)
    versions = [subprocess.run([tool, "--version"], capture_output=True).stdout
                for tool in PLAIN.values()]
    return b"".join(versions + [path.read_bytes() for path in files])


class Builder:
    """Builds tests in a folder, each once for the same command."""

    def __init__(self, folder, plain):
        self.folder = folder
        self.plain = plain
        self.key = compiler_key(plain)
        folder.mkdir(parents=True, exist_ok=True)

    def compiler(self, language):
        return PLAIN[language] if self.plain else project.wrapper(language)

    def build(self, language, output, arguments):
        """Compiles `arguments` to `output`, a file of the folder, unless that was done."""
        output = self.folder / output
        # The output goes first: what tests give to the linker has to stay behind their sources.
        command = [str(self.compiler(language)), "-o", str(output),
                   *(self.place(str(word)) for word in arguments)]
        stamp = output.with_name(output.name + ".stamp")
        digest = hashlib.sha256(self.key + "\0".join(command).encode()).hexdigest()
        if output.exists() and stamp.exists() and stamp.read_text() == digest:
            return output
        code, text = run_bounded(command, self.folder, COMPILE_S)
        if code != 0:
            errors = [line for line in text.splitlines() if "error" in line or "undefined" in line]
            raise CannotBuild((errors or text.splitlines() or ["the compiler took too long"])[0])
        stamp.write_text(digest)
        return output

    def place(self, word, program=""):
        return word.replace("@@", str(program)).replace("@", f"{self.folder}/")

    def program(self, test):
        for output, command in test.modules.items():
            self.build(test.language, output, command)
        return self.build(test.language, test.name.replace("/", "-") + ".run",
                          [*test.command, "-Wl,-rpath,@"])

    def environment(self, test):
        folder = {"TMPDIR": str(self.folder), "LD_LIBRARY_PATH": str(self.folder)}
        return {**folder, **{key: self.place(value) for key, value in test.environment.items()}}

    def arguments(self, test, program):
        return [self.place(word, program) for word in test.arguments]


class Native:
    """How tests do without raddle; those that pass are remembered in a file."""

    def __init__(self, builder):
        self.builder = builder
        self.lock = threading.Lock()
        self.file = builder.folder / "native.json"
        self.passed = json.loads(self.file.read_text()) if self.file.exists() else {}

    def reason_against(self, test):
        """Why the test says nothing on this system; empty if it passes."""
        key = hashlib.sha256(repr(test).encode()).hexdigest()
        if self.passed.get(test.name) == key:
            return ""
        reason = self.try_out(test)
        if not reason:
            with self.lock:
                self.passed[test.name] = key
                self.file.write_text(json.dumps(self.passed, indent=1))
        return reason

    def try_out(self, test):
        try:
            program = self.builder.program(test)
        except CannotBuild as error:
            return f"does not build: {error}"
        command = [program, *self.builder.arguments(test, program)]
        code, output = run_bounded(command, self.builder.folder, NATIVE_S,
                                   self.builder.environment(test))
        if code is None:
            return f"takes more than {NATIVE_S} s without raddle"
        if test.signal:
            good = code == -getattr(signal, test.signal)
        else:
            good = code == test.exit_code
        if good:
            return ""
        last = (output.strip().splitlines() or [""])[-1][:100]
        if code == UNSUPPORTED:
            return f"says that this system does not support it: {last}"
        return f"fails without raddle (exit code {code}): {last}"
