#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Resident runs against forked ones: the same events, findings, files and words, whatever a run
leaves behind and however it ends.

Every program of tests/resident/programs looks whether it finds everything as a fresh process does,
changes it, and ends in the way it is told. Directives in a program:

  // FLAGS: words     further flags of the compiler
  // FORKED: regex    why raddle may leave the program to forks; else it may not
  // TEST: options    further options of `raddle test`
  // SCHEDULES: 6     so many runs, because each takes long
  // STDIN: words     a line of standard input

Each program takes part in a few of all combinations of ends, words and strategies, which its name
chooses. RADDLE_RESIDENT=full makes all of them; RADDLE_RESIDENT_BUILD names a folder for the
binaries, which are then kept.

    tests/resident/run.py -k rounding        the tests of one program
    tests/resident/run.py -k Campaigns       what campaigns do beside making runs
"""

import atexit
import concurrent.futures
import filecmp
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from harness import RADDLE, CliTest, processes_with  # noqa: E402

PROGRAMS = HERE / "programs"
FULL = os.environ.get("RADDLE_RESIDENT") == "full"
ENDS = ("return exit _exit _Exit quick_exit code throw pthread_exit exec group thread_exit "
        "exit_in_exit _exit_in_exit abort assert crash overflow division illegal trap no_stack "
        "terminate kill deadlock limit idle").split()
# These end the process by themselves, or look like calls that cannot be undone.
ENDS_FORKED = {"exec", "group", "kill", "no_stack"}
WORDS = ((), ("number",), ("thread",), ("half", "number"), ("thread", "number"))
STRATEGIES = ("random", "pct", "dpor", "auto", "dfs", "surw")
EXECUTORS = ("resident", "auto", "resident")
SCHEDULES = "200" if FULL else "40"
TIMES = re.compile(r"\b\d+(\.\d+)? (s|ms|min)\b|\b[\d,]+(\.\d+)?( ?runs)?/s\b")


class Program:
    def __init__(self, path):
        self.name = path.stem
        self.path = path
        text = path.read_text()
        known = r"^// (FLAGS|FORKED|TEST|STDIN|SCHEDULES): (.*)$"
        self.directives = dict(re.findall(known, text, re.M))

    def words(self, directive):
        return shlex.split(self.directives.get(directive, ""))


def load():
    return {path.stem: Program(path) for path in sorted(PROGRAMS.glob("*.cpp"))}


class Builds:
    """The binaries, all made at the first call for one."""

    def __init__(self):
        kept = os.environ.get("RADDLE_RESIDENT_BUILD")
        self.folder = pathlib.Path(kept or tempfile.mkdtemp(prefix="raddle-resident-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        if not kept:
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.failures = {}
        self.made = set()

    def make(self, program):
        target = self.folder / program.name
        runtime = pathlib.Path(RADDLE).parent.parent / "lib" / "libraddle_rt.so"
        sources = [program.path, RADDLE, *PROGRAMS.glob("*.h"), *[runtime] * runtime.exists()]
        if target.exists() and target.stat().st_mtime > max(os.stat(s).st_mtime for s in sources):
            return
        command = [RADDLE, "c++", "-std=c++20", "-g", "-O1", "-pthread", "-Wall", str(program.path),
                   "-o", str(target), *program.words("FLAGS")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            self.failures[program.name] = f"{shlex.join(command)}\n{done.stderr}"

    def path(self, *names):
        missing = [ALL[name] for name in names if name not in self.made]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.make, missing))
        self.made.update(names)
        for name in names:
            if name in self.failures:
                raise AssertionError(self.failures[name])
        return self.folder / names[0]


ALL = load()
BUILDS = Builds()


def without_times(text):
    """Output of raddle without what differs from campaign to campaign, and the line about runs."""
    lines = [line for line in text.splitlines()
             if not re.match(r"runs: |raddle: [\d,]+ runs, ", line)]
    return TIMES.sub("_", "\n".join(lines))


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class Outcome:
    """All that a campaign has left: exit code, words, JSON, events, files of findings."""

    def __init__(self, folder, result):
        self.folder, self.result = folder, result
        events = folder / "events"
        self.events = events.read_bytes() if events.exists() else b""
        try:
            self.json = json.loads((folder / "result.json").read_text())
        except (OSError, json.JSONDecodeError) as error:
            self.json = {"unreadable": str(error)}
        self.json.pop("seconds", None)
        self.json.pop("forked_because", None)
        self.why_forked = re.findall(r"^runs: (.*)$", result.out + result.err, re.M)

    def differences(self, other):
        """In what `other` is not the same; empty if in nothing."""
        found = []
        if self.result.code != other.result.code:
            found.append(f"exit code {self.result.code} and {other.result.code}")
        if self.events != other.events:
            common = len(os.path.commonprefix([self.events, other.events]))
            found.append(f"events from byte {common} on, of {len(self.events)} and "
                         f"{len(other.events)}")
        for key in sorted({*self.json, *other.json}):
            if self.json.get(key) != other.json.get(key):
                found.append(f"JSON, {key}: {self.json.get(key)} and {other.json.get(key)}"[:600])
        for what in ("out", "err"):
            texts = [without_times(getattr(each.result, what)) for each in (self, other)]
            if texts[0] != texts[1]:
                found.append(f"std{what}:\n--- {texts[0][-1500:]}\n+++ {texts[1][-1500:]}\n")
        folders = [each.folder / ".raddle" / "findings" for each in (self, other)]
        names = [files_below(folder) for folder in folders]
        if names[0] != names[1]:
            found.append(f"files of findings: {names[0]} and {names[1]}")
        else:
            _, other_files, errors = filecmp.cmpfiles(*folders, names[0], shallow=False)
            if other_files or errors:
                found.append(f"contents of {other_files + errors}")
        return found


class ResidentTest(CliTest):
    def campaign_of(self, executor, name, arguments, options=(), stdin=None, dump=True):
        """Makes a campaign in a fresh folder, which is always called the same."""
        folder = self.dir / "here"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(BUILDS.path(name), folder / name)
        if stdin is not None:
            (folder / "input").write_text(stdin)
            options = (*options, "--stdin", "input")
        if dump:
            options = (*options, "--dump-events", "events")
        result = self.raddle("test", "--json", "result.json", *options, "--", f"./{name}",
                             *arguments, cwd=folder, env={"RADDLE_EXECUTOR": executor})
        kept = self.dir / executor
        shutil.rmtree(kept, ignore_errors=True)
        folder.rename(kept)
        return Outcome(kept, result)

    def compare(self, name, arguments, options, executor="resident", may_fork=None, **more):
        options = ("--no-memo", "--keep-going", "--run-timeout", "5s", *options)
        forked = self.campaign_of("fork", name, arguments, options, **more)
        other = self.campaign_of(executor, name, arguments, options, **more)
        found = forked.differences(other)
        if forked.result.code not in (0, 1):
            found.append(f"cannot be run at all: {forked.result}")
        whys = [why for why in other.why_forked
                if "differ" in why or not (may_fork and re.search(may_fork, why))]
        found += [f"runs: {why}" for why in whys]
        if found:
            command = shlex.join(map(str, other.result.command[1:]))
            self.fail(f"RADDLE_EXECUTOR={executor} raddle {command}\n" + "\n".join(found))
        return forked, other


def options_for(program, strategy, end):
    extra = {"limit": ("--max-steps", "300"), "idle": ("--stop-when-idle",)}.get(end, ())
    schedules = program.directives.get("SCHEDULES", SCHEDULES)
    return ("--strategy", strategy, "--schedules", schedules, *extra, *program.words("TEST"))


def combinations(program):
    """(end, words, strategy, executor): all, or those that the name chooses."""
    if FULL:
        for number, end in enumerate(ENDS):
            for turn, words in enumerate(WORDS):
                at = number + turn
                yield end, words, STRATEGIES[at % len(STRATEGIES)], EXECUTORS[at % 2]
        return
    turn = zlib.crc32(program.name.encode())
    yield "return", ("number",), "random", "resident"
    for number in range(2):
        yield (ENDS[(turn + 9 * number) % len(ENDS)], WORDS[(turn + number) % len(WORDS)],
               STRATEGIES[(turn // 7 + number) % len(STRATEGIES)],
               EXECUTORS[(turn // 50 + number) % len(EXECUTORS)])


class Programs(ResidentTest):
    """One test for each program, see below."""

    def check(self, program):
        for end, words, strategy, executor in combinations(program):
            may_fork = "." if end in ENDS_FORKED else program.directives.get("FORKED")
            stdin = program.directives.get("STDIN")
            with self.subTest(end=end, words=words, strategy=strategy, executor=executor):
                self.compare(program.name, (end, *words), options_for(program, strategy, end),
                             executor, may_fork, stdin=stdin and stdin + "\n")


class Campaigns(ResidentTest):
    """What campaigns do beside making runs is as with forks."""

    def test_input_is_read_from_its_beginning(self):
        self.compare("input_position", ("return",), ("--strategy", "random", "--schedules", "60"),
                     stdin="words and more words, and then some\n")

    def test_checks_see_the_output_of_the_run(self):
        options = ("--strategy", "random", "--schedules", "30", "--check",
                   'grep -qx "12" "$RADDLE_STDOUT"')
        forked, _ = self.compare("scattered_writes", ("return",), options)
        self.assertEqual([f["kind"] for f in forked.json["findings"]], ["check"])

    def test_commands_before_runs(self):
        self.compare("umask", ("return",), ("--strategy", "random", "--schedules", "20",
                                            "--before", "rm -f appended"))
        forked, other = self.compare("appends", ("return",), (
            "--strategy", "random", "--schedules", "20", "--before", "echo before >>appended"))
        lines = [(each.folder / "appended").read_text() for each in (forked, other)]
        self.assertEqual(*lines)

    def test_files_grow_as_with_forks(self):
        for executor in ("resident", "auto"):
            forked, other = self.compare("appends", ("return",), (
                "--strategy", "random", "--schedules", "50"), executor)
            lines = [(each.folder / "appended").read_text() for each in (forked, other)]
            self.assertEqual(*lines)

    def test_several_runs_at_a_time(self):
        """Which run is made first is not the same each time; what they add up to is."""
        for name, keys in (("umask", ("schedules", "complete", "guarantee")), ("racing", ())):
            options = ("--strategy", "dpor", "--jobs", "2", "--no-memo", "--keep-going")
            forked, other = (self.campaign_of(executor, name, ("return",), options, dump=False)
                             for executor in ("fork", "resident"))
            self.assertIn(forked.result.code, (0, 1), str(forked.result))
            for key in keys:
                self.assertEqual(forked.json.get(key), other.json.get(key), key)
            kinds = [sorted((f["kind"], f["message"]) for f in each.json["findings"])
                     for each in (forked, other)]
            self.assertEqual(*kinds)

    def test_memory_of_campaigns(self):
        """A second campaign with the memo of the first makes the same runs."""
        for executor in ("fork", "resident"):
            folder = self.dir / executor
            folder.mkdir()
            shutil.copy(BUILDS.path("racing"), folder / "racing")
            for number in (1, 2):
                self.raddle("test", "--strategy", "dpor", "--keep-going", "--json",
                            f"{number}.json", "--dump-events", f"{number}.events", "--schedules",
                            "150", "./racing", cwd=folder, env={"RADDLE_EXECUTOR": executor})
        for number in (1, 2):
            events = [(self.dir / executor / f"{number}.events").read_bytes()
                      for executor in ("fork", "resident")]
            self.assertTrue(events[0] == events[1], f"campaign {number}: other events")

    def test_searches_go_on(self):
        events = {}
        for first, second in (("fork", "fork"), ("resident", "resident"), ("resident", "fork"),
                              ("fork", "auto")):
            folder = self.dir / f"{first}-{second}"
            folder.mkdir()
            shutil.copy(BUILDS.path("scattered_writes"), folder / "program")
            for executor, more in ((first, ()), (second, ("--resume",)), (second, ("--resume",))):
                result = self.raddle("test", "--strategy", "dpor", "--schedules", "40",
                                     "--dump-events", "events", *more, "./program", cwd=folder,
                                     env={"RADDLE_EXECUTOR": executor})
                self.assertEqual(result.code, 0, str(result))
            events[first, second] = (folder / "events").read_bytes()
        self.assertEqual(len(set(events.values())), 1, "other events")

    def test_exhaustive_searches_end_with_the_same_promise(self):
        for strategy in ("dpor", "dfs"):
            forked, _ = self.compare("umask", ("return",), ("--strategy", strategy, "--schedules",
                                                            "3000"))
            self.assertTrue(forked.json["complete"])

    def test_hangs_are_ended(self):
        forked, _ = self.compare("hangs", ("return",), (
            "--strategy", "random", "--schedules", "8", "--run-timeout", "300ms"), may_fork=".")
        self.assertIn("hang", [f["kind"] for f in forked.json["findings"]])

    def test_interrupts_leave_nothing(self):
        for number, to_all in ((signal.SIGINT, False), (signal.SIGINT, True),
                               (signal.SIGTERM, False)):
            shutil.copy(BUILDS.path("scattered_writes"), self.dir / "program")
            process = self.start("test", "--no-memo", "--time", "100s", "--strategy", "random",
                                 "--json", "result.json", "./program", "return", self.mark,
                                 env={"RADDLE_EXECUTOR": "resident"})
            time.sleep(0.7)
            begin = time.monotonic()
            if to_all:
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
            result = self.finish(process, 20)
            self.assertLess(time.monotonic() - begin, 5, "it ended late")
            self.assertEqual(result.code, 0, str(result))
            self.assert_words(result.out, "interrupted", "nothing found")
            data = json.loads((self.dir / "result.json").read_text())
            self.assertEqual(data["findings"], [])
            self.assertGreater(data["schedules"], 10)
            self.assert_no_process_left()

    def test_killed_campaigns_leave_nothing(self):
        for words in ((), ("number",)):
            shutil.copy(BUILDS.path("scattered_writes"), self.dir / "program")
            process = self.start("test", "--no-memo", "--time", "100s", "./program", "return",
                                 self.mark, *words, env={"RADDLE_EXECUTOR": "resident"})
            time.sleep(0.7)
            self.assertTrue(processes_with(self.mark))
            process.kill()
            process.wait(20)
            self.assert_no_process_left()

    def test_ends_of_all_kinds_leave_nothing(self):
        for end in ENDS:
            shutil.copy(BUILDS.path("waiting_threads"), self.dir / "program")
            self.raddle("test", "--no-memo", "--keep-going", "--schedules", "6", "--max-steps",
                        "300", "--stop-when-idle", "./program", end, self.mark,
                        env={"RADDLE_EXECUTOR": "resident"})
            self.assert_no_process_left()


def add_program(name):
    setattr(Programs, f"test_{name}", lambda self: self.check(ALL[name]))


for each in ALL:
    add_program(each)

if __name__ == "__main__":
    unittest.main()
