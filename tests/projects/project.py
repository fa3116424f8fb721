# SPDX-License-Identifier: Apache-2.0
"""What the tests on real projects share: fetching a source package from Debian, building it with
the compiler wrapper, and running campaigns on the result.

The tool under test is named by the environment variable RADDLE. Sources are fetched with lists and
caches of their own, so nothing of the system's apt is changed and no root is needed; the folder
named by RADDLE_PROJECTS (by default build/projects beside the sources) keeps them between runs."""

import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the source tree stays as it is
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RADDLE = pathlib.Path(os.environ.get("RADDLE", ROOT / "build/bin/raddle")).resolve()
CACHE = pathlib.Path(os.environ.get("RADDLE_PROJECTS", ROOT / "build/projects")).resolve()
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITE = "bookworm"
TIMEOUT_S = 300


def run(command, cwd, env=None, timeout=TIMEOUT_S):
    """Runs a command that has to work; what it printed is in the error if it does not."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=timeout, env={**os.environ, **(env or {})})
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} exited with {done.returncode}\n"
                             f"{done.stdout[-4000:]}")
    return done.stdout


def apt_options(folder):
    """Options that make apt-get use lists and caches below `folder` and only Debian's sources."""
    sources = folder / "debian.sources"
    if not sources.exists():
        sources.write_text("Types: deb-src\nURIs: http://deb.debian.org/debian\n"
                           f"Suites: {SUITE}\nComponents: main\nSigned-By: {KEYRING}\n")
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    values = {"Dir::Etc::sourcelist": sources, "Dir::Etc::sourceparts": "/dev/null",
              "Dir::State::lists": folder / "lists", "Dir::Cache": folder / "cache",
              "APT::Sandbox::User": "root", "Acquire::Retries": 3}
    return [part for key, value in values.items() for part in ("-o", f"{key}={value}")]


def source(package):
    """The unpacked Debian source of a package; fetched once, even if several tests ask at once."""
    CACHE.mkdir(parents=True, exist_ok=True)
    target = CACHE / "source" / package
    with open(CACHE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            options = apt_options(CACHE)
            if not list((CACHE / "lists").glob("*Sources*")):
                run(["apt-get", *options, "update", "-q"], CACHE)
            with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
                run(["apt-get", *options, "source", "-q", "--only-source", package], scratch)
                folder, = [path for path in pathlib.Path(scratch).iterdir() if path.is_dir()]
                target.parent.mkdir(exist_ok=True)
                folder.rename(target)
    return target


def wrapper(language):
    """raddle-cc or raddle-c++, as build systems want it: a program without arguments."""
    return RADDLE.parent / {"c": "raddle-cc", "c++": "raddle-c++"}[language]


def compile_program(name, output, *flags, include=()):
    """Compiles tests/projects/programs/NAME.cpp with the wrapper."""
    includes = [f"-I{folder}" for folder in include]
    run([wrapper("c++"), "-std=c++17", "-g", "-O1", *includes, HERE / "programs" / f"{name}.cpp",
         "-o", output, *flags], output.parent)
    return output


class ProjectTest(unittest.TestCase):
    """A test with a build folder that is kept and an output folder that is not."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="raddle-project-")
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    @staticmethod
    def build_folder(name):
        folder = CACHE / "build" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def campaign(self, *arguments, code=0, cwd=None, env=None):
        """`raddle test --keep-going --json -`: its result, after a check of the exit code."""
        command = [RADDLE, "test", "--json", "-", "--quiet", "--keep-going", "--out",
                   self.dir / "out", *arguments]
        done = subprocess.run(list(map(str, command)), cwd=cwd or self.dir, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S,
                              env={**os.environ, **(env or {})})
        self.assertEqual(done.returncode, code, f"{done.args}\n{done.stdout}\n{done.stderr}")
        result = json.loads(done.stdout)
        print(f"{self.id()}: {result['schedules']} runs, {result['steps']} steps, "
              f"{len(result['findings'])} findings, {result['seconds']:.1f} s", file=sys.stderr)
        return result

    def assert_clean(self, result, schedules):
        """Every run was made to its end, and nothing was found, races included."""
        self.assertEqual(result["findings"], [])
        self.assertEqual(result["limited"], 0)
        # Runs that a sleep set cuts short are counted apart; a program that is proved needs fewer.
        if not result["complete"]:
            self.assertEqual(result["schedules"] + result["blocked"], schedules)

    def assert_found(self, result, *kinds):
        self.assertEqual(sorted({finding["kind"] for finding in result["findings"]}),
                         sorted(kinds))


def frames(finding):
    """File and line of every frame of every thread of a finding, innermost first."""
    return [[f"{os.path.basename(frame['file'])}:{frame['line']}" for frame in thread["stack"]]
            for thread in finding["threads"]]


def functions(finding):
    """The functions of every frame of every thread of a finding, innermost first."""
    return [[frame["function"] for frame in thread["stack"]] for thread in finding["threads"]]
