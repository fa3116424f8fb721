#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the end-to-end programs of tests/programs under raddle.

Every file of tests/programs/fail holds a bug that `raddle test` must find within a stated number
of schedules; its twin of the same name in tests/programs/pass is the fixed program, which must stay
clean. What a program needs and what is expected of it is written in the file itself, as directives
(see programs/README.md). This script compiles the programs with `raddle cc`/`raddle c++`, runs
them, and prints for each failure the commands that repeat it by hand.

Modes:
  find          the bug of each fail program is found within its bound, and replays once
  clean         each fixed program is clean for --schedules runs of every strategy (of searches: a
                40th of that, of auto: a 10th); those that fix nothing (only_*), for a quarter
  matrix        find and clean (100 schedules) on two of the builds other than the first one
                (programs marked SCHEDULES: on one of them)
  sync          where only synchronisation is a point (--points sync) and accesses are only
                checked: each data race is still found, each pass program still clean
  determinism   the same plan twice gives a byte-identical event stream, for every strategy on a
                half of the programs (searches: on a quarter)
  replay        each finding replays 20 times with the same verdict and the same events
  resident      runs of one process that makes them all (RADDLE_EXECUTOR=resident) are those of
                forks, byte for byte: events, choices, verdicts; random with --seeds seeds, and dpor
  uncontrolled  each pass program, started without raddle, runs as any program does
  all           all of these
  idioms        by hand: the correct idioms (only_idiom_*) are clean for --schedules runs of every
                strategy, whatever SCHEDULES they ask for; not part of all

There are many idioms, so they take turns in the other modes (unless --only names them): each is
clean under a third of the strategies, and in one of sync, matrix, determinism and resident.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "programs"))
from directives import BadProgram, check_finding, load_programs  # noqa: E402

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
MODES = ["find", "sync", "clean", "matrix", "determinism", "replay", "resident", "uncontrolled"]
ON_DEMAND = "idioms"
IDIOM = "only_idiom_"  # how the names of these programs begin
IDIOMS_TAKE_TURNS = ["sync", "matrix", "determinism", "resident"]
IDIOM_STRATEGIES_SHARE = 3
DEFAULT_STRATEGIES = ["random", "pct", "pos", "urw", "surw", "round-robin", "auto"]
ONE_SCHEDULE = {"round-robin", "nonpreemptive"}  # these end when they have run their only one
# The first runs of an enumeration differ near their ends only: more of them show little more, and
# tests/cli/dfs_test.py and known_counts_test.py have programs that are small enough for all.
EXHAUSTIVE = {"dfs", "dpor", "best-first", "preemption-bound", "context-bound", "delay-bound",
              "random-walk", "portfolio"}
EXHAUSTIVE_SHARE = 40
# The same search as others in another order: the unit tests hold all orders against brute force.
SAME_SEARCH = {"context-bound", "delay-bound", "random-walk", "portfolio"}
# Takes turns between strategies that have their own runs.
COMPOSED = "auto"
COMPOSED_SHARE = 10
REPLAYS = 20
MATRIX_SCHEDULES = 100
SYNC_SCHEDULES = 100
# Programs that ask for few schedules, and their twins, take part in one of these builds of the
# matrix only: compiling all of them five times is most of its time.
FEW_BUILDS = ["g++-O0", "clang++-O2"]
DETERMINISM_SCHEDULES = 3
RESIDENT_SCHEDULES = {"random": 25, "dpor": 15}
RESIDENT_SCHEDULES_OF_HANGS = 2  # each waits for its time-out
RESIDENT_MAX_STEPS = 3000  # a search of runs that go in circles would take minutes
UNCONTROLLED_RUNS = 3
COMMAND_TIMEOUT_S = 300


class Failed(Exception):
    """One test that did not go as expected; `text` is what is shown."""

    def __init__(self, reason, result=None):
        super().__init__(reason)
        self.reason = reason
        self.result = result


class Result:
    """A finished command."""

    def __init__(self, command, environment, code, output, errors):
        self.command = command
        self.environment = environment
        self.code = code
        self.output = output
        self.errors = errors

    def shell(self):
        prefix = [f"{key}={shlex.quote(value)}" for key, value in self.environment.items()]
        return " ".join(prefix + [shlex.join(self.command)])


def run(command, environment=None, stdin=None, timeout=COMMAND_TIMEOUT_S):
    """Runs a command in a process group of its own, which is killed when time is up."""
    environment = environment or {}
    process = subprocess.Popen(
        command,
        stdin=open(stdin, "rb") if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    late = False
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        late = True
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
    result = Result(
        command, environment, process.returncode, output.decode(errors="replace"),
        errors.decode(errors="replace"),
    )
    if late:
        raise Failed(f"not finished after {timeout} s", result)
    return result


class Build:
    """One compiler and optimisation level, and the binaries made with them."""

    def __init__(self, options, compiler, level):
        self.raddle = options.raddle
        self.name = f"{compiler}{level}"
        self.folder = options.build_dir / self.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.level = level
        c_compiler = {"g++": "gcc", "clang++": "clang"}.get(compiler)
        if c_compiler is None:
            raise BadProgram(f"--compilers: {compiler} is neither g++ nor clang++")
        self.environment = {"RADDLE_CC": c_compiler, "RADDLE_CXX": compiler}
        self._locks = {}
        self._lock = threading.Lock()
        # A binary is rebuilt when raddle or the runtime it links has changed since.
        prefix = options.raddle.parent.parent
        runtime = [p for p in prefix.glob("**/lib*raddle*") if p.is_file()]
        self.newest = max(p.stat().st_mtime for p in [options.raddle, *runtime])

    def binary(self, program):
        target = self.folder / program.name.replace("/", "_")
        with self._lock:
            lock = self._locks.setdefault(target, threading.Lock())
        with lock:
            sources = [program.path, *program.plugin_sources]
            newest = max(self.newest, *(path.stat().st_mtime for path in sources))
            if target.exists() and target.stat().st_mtime > newest:
                return target
            for command in self.commands(program, target):
                result = run(command, self.environment)
                if result.code != 0 or result.errors or result.output:
                    target.unlink(missing_ok=True)
                    raise Failed("does not compile, or not in silence", result)
        return target

    def commands(self, program, target):
        """The commands that make the program, after those for the library it opens by itself."""
        if "PLUGIN" in program.directives:
            yield [
                str(self.raddle), "cc", "-g", self.level, "-shared", "-fPIC", "-Wall", "-Wextra",
                "-Werror", *map(str, program.plugin_sources), *program.words("PLUGIN")[1:],
                "-o", f"{target}.plugin.so",
            ]
        yield self.compile_command(program, target)

    def compile_command(self, program, target):
        language = ["c++", "-std=c++20"] if program.path.suffix == ".cpp" else ["cc"]
        return [
            str(self.raddle), *language, "-g", self.level, "-pthread", "-Wall", "-Wextra",
            "-Werror", f"-I{INCLUDE}", str(program.path), "-o", str(target),
            *program.words("FLAGS"),
        ]


class Tester:
    """The modes, each as a function of a program and a build."""

    def __init__(self, options, strategies):
        self.options = options
        self.strategies = strategies

    def out_dir(self, program, build, purpose):
        folder = build.folder / "out" / program.name.replace("/", "_") / purpose
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def test(self, program, build, strategy, schedules, out, extra=("--quiet",), environment=None):
        """Runs `raddle test` and returns the command's result and its JSON."""
        command = [
            str(build.raddle), "test", "--strategy", strategy, "--schedules", str(schedules),
            "--out", str(out), "--no-memo", "--json", "-", *program.words("TEST"),
            *extra,
        ]
        if "STDIN" in program.directives:
            text = out / "stdin.txt"
            text.write_text(program.directives["STDIN"] + "\n")
            command += ["--stdin", str(text)]
        command += ["--", str(build.binary(program)), *program.words("ARGS")]
        result = run(command, environment)
        try:
            return result, json.loads(result.output)
        except json.JSONDecodeError:
            raise Failed(f"exit code {result.code} and no JSON on standard output", result)

    def find(self, program, build, purpose="find"):
        """Finds the program's bug; returns (--out folder, finding), None for kind=limit."""
        out = self.out_dir(program, build, purpose)
        result, report = self.test(program, build, "auto", program.within, out)
        findings = report["findings"]
        if program.expect["kind"] == "limit":
            if result.code != 0 or findings or report["limited"] == 0:
                raise Failed("expected exit code 0, no finding, and runs cut by the limit", result)
            return None
        if result.code != 1 or not findings:
            raise Failed(f"nothing found in {report['schedules']} schedules", result)
        # A race is found beside the bug it leads to, and does not end a campaign.
        races_too = program.expect["kind"] == "data-race"
        beside = {"potential-deadlock"} if races_too else {"data-race", "potential-deadlock"}
        candidates = [f for f in findings if f["kind"] not in beside]
        if not candidates:
            raise Failed("nothing found but races and warnings", result)
        wrongs = [check_finding(program.expect, finding) for finding in candidates]
        chosen = wrongs.index(None) if races_too and None in wrongs else 0
        if wrongs[chosen]:
            raise Failed(f"the first finding is wrong: {wrongs[chosen]}", result)
        self.replay_once(program, build, out, candidates[chosen]["id"])
        return out, candidates[chosen]["id"]

    def replay_once(self, program, build, out, finding, extra=()):
        words = program.words("TEST")
        if "--run-timeout" in words:  # no part of the schedule, so it is given again
            at = words.index("--run-timeout")
            extra = [*extra, *words[at : at + 2]]
        result = run([str(build.raddle), "replay", str(finding), "--out", str(out), *extra])
        if result.code != 1:
            raise Failed(f"replay ended with exit code {result.code}, expected 1", result)
        if "it happened again" not in result.output:
            raise Failed("replay gave another finding than the recorded one", result)
        if "raddle: " in result.errors:  # the rest is what the program says
            raise Failed("replay was not exact, or complained", result)
        return result

    def clean(self, program, build, wanted, exhaustive=True):
        part = IDIOM_STRATEGIES_SHARE if takes_turns(program, self.options) else 1
        for number, strategy in enumerate(self.strategies):
            if (strategy in EXHAUSTIVE and not exhaustive) or strategy in SAME_SEARCH:
                continue
            if (turn_of(program) + number) % part != 0:
                continue
            share = EXHAUSTIVE_SHARE if strategy in EXHAUSTIVE else 1
            if strategy == COMPOSED:
                share = COMPOSED_SHARE
            schedules = program.schedules(max(1, wanted // share))
            self.clean_under(strategy, program, build, schedules)

    def idioms(self, program, build):
        for strategy in self.strategies:
            self.clean_under(strategy, program, build, self.options.schedules)

    def clean_under(self, strategy, program, build, schedules):
        out = self.out_dir(program, build, f"clean-{strategy}")
        result, report = self.test(program, build, strategy, schedules, out)
        if result.code != 0 or report["findings"]:
            raise Failed(f"{strategy}: not clean", result)
        if report["limited"] != 0:
            raise Failed(f"{strategy}: {report['limited']} runs cut by the step limit", result)
        # A search may be through without calling itself complete.
        through = report.get("search", {}).get("open") == 0
        fewer = report["complete"] or through or strategy in ONE_SCHEDULE
        made = report["schedules"] + report["blocked"]
        if made != schedules and not (fewer and report["schedules"] > 0):
            raise Failed(f"{strategy}: {report['schedules']} runs of {schedules}", result)

    def sync(self, program, build):
        out = self.out_dir(program, build, "sync")
        races = program.expect.get("kind") == "data-race"
        only_sync = ["--quiet", "--points", "sync"]
        schedules = program.schedules(SYNC_SCHEDULES)
        result, report = self.test(program, build, "auto", schedules, out, only_sync)
        wrongs = [check_finding(program.expect, f) for f in report["findings"]] if races else []
        if races and None not in wrongs:
            raise Failed(f"the race is not found: {wrongs}", result)
        if not program.fails and (result.code != 0 or report["findings"]):
            raise Failed("not clean", result)

    def events_of(self, program, build, strategy, out):
        """The raw events of all runs of one small campaign."""
        dump = out / "events.bin"
        result, _ = self.test(
            program, build, strategy, program.schedules(DETERMINISM_SCHEDULES), out,
            ["--quiet", "--seed", "7", "--dump-events", str(dump)],
        )
        if result.code not in (0, 1):
            raise Failed(f"{strategy}: exit code {result.code}", result)
        return result, dump.read_bytes() if dump.exists() else b""

    def determinism(self, program, build):
        # An enumeration depends on nothing but the runs themselves: every fourth program will do.
        # Of the others each program has every second one.
        turn = turn_of(program)
        for number, strategy in enumerate(self.strategies):
            share = 4 if strategy in EXHAUSTIVE else 2
            if strategy in SAME_SEARCH or (turn + number) % share != 0:
                continue
            streams = []
            for which in ("first", "second"):
                out = self.out_dir(program, build, f"determinism-{strategy}-{which}")
                result, events = self.events_of(program, build, strategy, out)
                streams.append(events)
            if not streams[0]:
                raise Failed(f"{strategy}: no events were dumped", result)
            if streams[0] != streams[1]:
                at = first_difference(*streams)
                raise Failed(f"{strategy}: the event streams differ from byte {at} on", result)

    def replay(self, program, build):
        found = self.find(program, build, "replay")
        if found is None:
            return
        out, finding = found
        first = None
        for turn in range(REPLAYS):
            dump = out / f"replay-{turn}.bin"
            result = self.replay_once(
                program, build, out, finding, ["--dump-events", str(dump)])
            events = dump.read_bytes() if dump.exists() else b""
            dump.unlink(missing_ok=True)
            first = events if first is None else first
            if not events:
                raise Failed(f"replay {turn + 1}: no events were dumped", result)
            if events != first:
                at = first_difference(first, events)
                raise Failed(f"replay {turn + 1}: events differ from byte {at} on", result)

    def campaign_in(self, executor, program, build, strategy, seed):
        """A campaign by one kind of executor: (result, JSON without times, files it has left)."""
        schedules = RESIDENT_SCHEDULES[strategy]
        if program.expect.get("kind") == "hang":
            schedules = RESIDENT_SCHEDULES_OF_HANGS
        given = program.words("TEST")
        # The same name for both, because it is in what is compared.
        out = self.out_dir(program, build, f"resident-{strategy}")
        result, report = self.test(
            program, build, strategy, program.schedules(schedules), out,
            ["--keep-going", "--seed", str(seed), "--dump-events", str(out / "events.bin"),
             *(["--max-steps", str(RESIDENT_MAX_STEPS)] if "--max-steps" not in given else [])],
            {"RADDLE_EXECUTOR": executor})
        if result.code not in (0, 1):
            raise Failed(f"{executor}, {strategy}: exit code {result.code}", result)
        report.pop("seconds")
        if any(finding["kind"] == "hang" for finding in report["findings"]):
            # Where it was when its time was up is not the same each time.
            report["findings"] = [finding["kind"] for finding in report["findings"]]
            shutil.rmtree(out / "findings")
        files = {path.relative_to(out): path.read_bytes()
                 for path in sorted(out.rglob("*")) if path.is_file()}
        return result, report, files

    def resident(self, program, build):
        plans = [("random", seed) for seed in range(1, self.options.seeds + 1)] + [("dpor", 1)]
        for strategy, seed in plans:
            _, report, files = self.campaign_in("fork", program, build, strategy, seed)
            result, other_report, other_files = self.campaign_in(
                "resident", program, build, strategy, seed)
            wrong = [f"{key} ({report.get(key)} and {other_report.get(key)})"[:400]
                     for key in sorted({*report, *other_report})
                     if report.get(key) != other_report.get(key)]
            wrong += [str(name) for name in sorted({*files, *other_files})
                      if files.get(name) != other_files.get(name)]
            wrong += re.findall(r"^runs: .* differ .*$", result.errors, re.MULTILINE)
            if wrong:
                raise Failed(f"{strategy}, seed {seed}: other than in forks: {', '.join(wrong)}",
                             result)

    def uncontrolled(self, program, build):
        binary = build.binary(program)
        stdin = None
        if "STDIN" in program.directives:
            stdin = self.out_dir(program, build, "uncontrolled") / "stdin.txt"
            stdin.write_text(program.directives["STDIN"] + "\n")
        for _ in range(UNCONTROLLED_RUNS):
            result = run([str(binary), *program.words("ARGS")], stdin=stdin, timeout=30)
            if result.code != 0:
                raise Failed(f"exit code {result.code} without raddle", result)


def first_difference(left, right):
    for index, (a, b) in enumerate(zip(left, right)):
        if a != b:
            return index
    return min(len(left), len(right))


def turn_of(program):
    """The name decides, so a program stays with its twin and its build."""
    return zlib.crc32(program.path.stem.encode())


def takes_turns(program, options):
    return program.path.stem.startswith(IDIOM) and not options.only


def few(program):
    possible = [build for build in FEW_BUILDS if program.in_matrix(build)] or FEW_BUILDS
    return possible[turn_of(program) % len(possible)]


def left_out(program, index, count):
    """Every program is built two times more, not five: the builds take turns by its name."""
    return (turn_of(program) + index) % count >= 2


def has_its_turn(program, mode, options):
    modes = IDIOMS_TAKE_TURNS
    if mode not in modes or not takes_turns(program, options):
        return True
    return modes[turn_of(program) // 5 % len(modes)] == mode


def make_tasks(tester, programs, builds, options):
    """All tests of the chosen modes as (mode, program, build, function), the slowest kind first."""
    modes = MODES if options.mode == "all" else [options.mode]
    base, others = builds[0], builds[1:]
    tasks = []
    modest = {p.path.stem for p in programs if "SCHEDULES" in p.directives}
    for mode in modes:
        for program, build in itertools.product(programs, others if mode == "matrix" else [base]):
            if mode == "matrix" and (build.name != few(program) if program.path.stem in modest
                                     else left_out(program, others.index(build), len(others))):
                continue
            if mode == "matrix" and not program.in_matrix(build.name):
                continue
            if not has_its_turn(program, mode, options):
                continue
            function = None
            if mode in ("find", "replay"):
                function = getattr(tester, mode) if program.fails else None
            elif mode == "sync":
                plain = "--points" not in program.words("TEST")
                wanted = not program.fails or program.expect["kind"] == "data-race"
                function = tester.sync if plain and wanted else None
            elif mode == "clean" and not program.fails:
                share = 4 if program.path.stem.startswith("only_") else 1
                function = lambda p, b, n=options.schedules // share: tester.clean(p, b, n)
            elif mode == ON_DEMAND and program.path.stem.startswith(IDIOM):
                function = tester.idioms
            elif mode == "matrix":
                function = tester.find if program.fails else (
                    lambda p, b: tester.clean(p, b, min(MATRIX_SCHEDULES, options.schedules),
                                              exhaustive=False))
            elif mode in ("determinism", "resident"):
                function = getattr(tester, mode)
            elif mode == "uncontrolled" and not program.fails:
                skip = program.directives.get("UNCONTROLLED") == "skip"
                function = None if skip else tester.uncontrolled
            if function:
                tasks.append((mode, program, build, function))
    # A hang waits for its time-out in every run, so it must not be what the end waits for.
    tasks.sort(key=lambda task: task[1].expect.get("kind") != "hang")
    return tasks


def describe(mode, program, build, failure):
    lines = [f"FAILED {mode} {program.name} [{build.name}]: {failure.reason}"]
    if failure.result:
        result = failure.result
        tail = (result.output[-3000:] + "\n" + result.errors[-3000:]).strip().splitlines()[-25:]
        lines += [f"  command: {result.shell()}", f"  exit code: {result.code}"]
        lines += ["  output:"] + ["    " + line[:500] for line in tail]
        target = build.folder / program.name.replace("/", "_")
        compiled = Result(build.compile_command(program, target), build.environment, 0, "", "")
        lines.append("  by hand: " + compiled.shell())
        if compiled.command != result.command:
            lines.append("           " + result.shell())
    return "\n".join(lines)


def run_task(task):
    mode, program, build, function = task
    start = time.monotonic()
    failure = None
    try:
        function(program, build)
    except Failed as failed:
        failure = describe(mode, program, build, failed)
    except Exception as error:  # a report we cannot read is a failed test, not the end of the rest
        failure = describe(mode, program, build, Failed(f"{type(error).__name__}: {error}"))
    return failure, time.monotonic() - start


def run_all(tasks, options):
    """Runs the tasks on --jobs workers; returns the number of failures."""
    failures, timings = 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(run_task, task): task for task in tasks}
        try:
            for future in concurrent.futures.as_completed(running):
                mode, program, build, _ = running[future]
                failure, seconds = future.result()
                timings.append((seconds, f"{mode} {program.name} [{build.name}]"))
                if failure:
                    failures += 1
                    print(failure, flush=True)
                elif options.verbose:
                    print(f"ok {timings[-1][1]} {seconds:.1f} s", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    print("slowest:")
    for seconds, name in sorted(timings, reverse=True)[: options.slowest]:
        print(f"  {seconds:6.1f} s  {name}")
    return failures


def choose_strategies(options):
    if options.policies not in ("all", "auto"):
        return options.policies.split(",")
    if options.policies == "auto":
        return ["auto"]
    result = run([str(options.raddle), "list", "strategies"])
    listed = [line.split()[0] for line in result.output.splitlines() if line.strip()]
    if result.code != 0 or not listed:
        raise BadProgram(f"cannot list the strategies: {result.shell()}\n{result.errors}")
    missing = [name for name in DEFAULT_STRATEGIES if name not in listed]
    if missing:
        raise BadProgram(f"raddle list strategies does not name {', '.join(missing)}")
    return listed


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle", type=pathlib.Path, required=True, help="the raddle binary")
    parser.add_argument("--build-dir", type=pathlib.Path, required=True, help="for the binaries")
    parser.add_argument("--mode", choices=[*MODES, "all", ON_DEMAND], default="find")
    parser.add_argument("--compilers", default="g++,clang++", help="the first one is the base")
    parser.add_argument("--opt", default="-O1", help="the base build's optimisation level")
    parser.add_argument("--levels", default="-O0,-O1,-O2", help="the levels of the matrix")
    parser.add_argument("--schedules", type=int, default=500, help="of a clean campaign")
    parser.add_argument("--policies", default="all", help="all, auto, or names with commas")
    parser.add_argument("--seeds", type=int, default=1, help="of random in the mode resident")
    parser.add_argument("--only", action="append", default=[], help="NAME or fail/NAME")
    parser.add_argument("--every", type=int, default=1, help="N: an Nth of the programs only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--slowest", type=int, default=10, help="how many of them to name")
    parser.add_argument("--verbose", action="store_true", help="name what passes too")
    options = parser.parse_args()
    options.raddle = options.raddle.absolute()
    options.build_dir = options.build_dir.absolute()
    if not os.access(options.raddle, os.X_OK):
        parser.error(f"--raddle: {options.raddle} is not an executable file")
    if options.every < 1:
        parser.error("--every: 1 or more")
    return options


def main():
    options = parse_options()
    try:
        programs = load_programs([name for value in options.only for name in value.split(",")])
        programs = [program for program in programs if turn_of(program) % options.every == 0]
        compilers = options.compilers.split(",")
        pairs = [(compilers[0], options.opt)]
        pairs += [p for p in itertools.product(compilers, options.levels.split(","))
                  if p not in pairs]
        builds = [Build(options, *pair) for pair in pairs]
        tester = Tester(options, choose_strategies(options))
    except BadProgram as error:
        print(f"run_programs.py: {error}", file=sys.stderr)
        return 2
    tasks = make_tasks(tester, programs, builds, options)
    failures = run_all(tasks, options)
    print(f"{len(tasks) - failures} passed, {failures} failed")
    return 1 if failures or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
