# SPDX-License-Identifier: Apache-2.0
"""What brute force knows of a program, and how a search of raddle is held against it. Used by
proofs.py."""

import json
import os
import pathlib
import re
import subprocess
import zlib

SCHEDULES = 100000
FEW = 400  # executions, of programs for strategies that make all of them
FEW_TRACES = 100  # of programs for those that do so beside other things
STRATEGIES = ("dpor", "dfs", "best-first", "preemption-bound", "context-bound", "delay-bound",
              "random-walk", "portfolio", "auto")
REDUCED = ("dpor", "best-first")  # they make one execution of each trace
MIXED = {"portfolio": 1000, "auto": 1000}  # runs; they may not come to an end
BOUNDED = ("preemption-bound", "delay-bound")
RACES = ("fail", "report", "off")
WARNINGS = ("leaked-thread", "potential-deadlock", "inconsistent-locks", "atomicity-violation")
CUTS = ("use-after-free", "double-free")


class Wrong(Exception):
    """raddle showed or promised something that brute force rules out."""

    def __init__(self, kind, words):
        super().__init__(f"{kind}: {words}")
        self.kind = kind


def run(command, **environment):
    # Runs that begin at a checkpoint would overwrite each other's records.
    environment = os.environ | {"RADDLE_CHECKPOINTS": "off"} | environment
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300,
                          env=environment, stdin=subprocess.DEVNULL)


class Program:
    """What brute force knows of one program."""

    def __init__(self, known):
        self.number, self.text, self.traces = known["number"], known["text"], known["traces"]
        self.executions, self.features = known["executions"], known["features"]
        self.in_process = known["in_process"]
        self.finals = set(known["possible"]["finals"])
        self.failures = set(known["possible"]["failures"])
        self.racing = {(a, b): set(cells) for a, b, cells in known["possible"]["races"]}
        self.certain_finals = set(known["certain"]["finals"])
        self.certain_failures = set(known["certain"]["failures"])
        self.certain_cells = {cell for _, _, cells in known["certain"]["races"] for cell in cells}
        digits = known["records"]
        self.records = {int(digits[i:i + 8], 16) for i in range(0, len(digits), 8)}
        if known["stuck"]:
            self.certain_failures.discard("deadlock")
        cut = any(failure.startswith(CUTS) for failure in self.failures)
        self.early = known["early"]
        self.counted = not cut and not known["early"] and not known["stuck"]

    def suits(self, strategy):
        if strategy in REDUCED:
            return True
        if strategy in MIXED:
            return self.traces <= FEW_TRACES
        return self.executions <= FEW


class Search:
    """One program under one strategy; how it is run is said by those below."""

    where = ""
    tells_races = RACES[:2]

    def __init__(self, options, part, program, strategy):
        self.options, self.part, self.program = options, part, program
        self.strategy = strategy
        self.races = RACES[(program.number + STRATEGIES.index(strategy)) % len(RACES)]
        self.folder = part.cases / f"case_{program.number}_{self.name()}".replace(" ", "_")
        self.file = self.folder / str(program.number)
        self.seen, self.failures, self.statuses = set(), set(), set()
        self.pairs, self.runs, self.incomplete = set(), 0, ""

    def name(self):
        return self.strategy + self.where

    def check(self):
        self.folder.mkdir()
        done = run(self.command(), RADDLE_OUT=str(self.folder / "kept"), RADDLE_LOCK_ORDER="off")
        if done.returncode not in (0, 1):
            raise Wrong("exit code", f"raddle's is {done.returncode}\n{done.stderr}")
        result = json.loads(done.stdout)
        if "nondeterminism" in result:
            raise Wrong("non-deterministic", result["nondeterminism"])
        if result.get("error"):
            raise Wrong("error", result["error"])
        if result["limited"]:
            raise Wrong("limited", "a run was cut by the step limit")
        self.runs = result["schedules"]
        self.check_records(result)
        for finding in result["findings"]:
            self.check_finding(finding)
        if self.program.number % 10 == 0:
            self.replay(result["findings"])
        self.check_promise(result)

    def check_records(self, result):
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        lines = [line.rstrip() for line in lines]
        for line in lines:
            if zlib.crc32(line.encode()) not in self.program.records:
                raise Wrong("impossible state", line)
        self.seen = self.program.finals & set(lines)
        if len(lines) < self.runs:
            raise Wrong("runs", f"{self.runs} were counted, but {len(lines)} left a record")
        shown = [f for f in result["findings"] if f["kind"] in ("deadlock", *CUTS)]
        if not shown and not result["blocked"]:
            for line in lines:
                if line not in self.program.finals:
                    raise Wrong("no end", f"a run ended in the middle: {line}")

    def check_finding(self, finding):
        kind, message = finding["kind"], finding["message"]
        where = f"{message}\nreplay it: raddle replay {self.schedule(finding)}"
        if kind in WARNINGS:
            return
        if kind in ("deadlock", *CUTS):
            failure = kind if kind == "deadlock" else f"{kind} {self.line(finding)}"
            if failure not in self.program.failures:
                raise Wrong(f"impossible {kind}", where)
            self.failures.add(failure)
        elif kind == "exit-code":
            self.statuses.add(int(re.search(r"exit code (\d+)", message).group(1)))
        elif kind == "data-race":
            lines = tuple(sorted(int(line) for line in re.findall(r" at p\d+:(\d+)", message)))
            if lines not in self.program.racing:
                raise Wrong("impossible race", f"{lines}: {where}")
            self.pairs.add(lines)
        else:
            raise Wrong("finding", f"{kind}: {where}")

    def check_promise(self, result):
        statuses = {int(line.partition("exit ")[2].partition("|")[0]) for line in self.seen
                    if "exit " in line} - {0}
        # Who takes a circle for a deadlock does so in what others take for a final state.
        if not (self.statuses <= statuses if self.program.early else statuses == self.statuses):
            raise Wrong("exit status", f"runs had {sorted(statuses)}, found were "
                        f"{sorted(self.statuses)}")
        words = result["guarantee"]
        if not result["complete"]:
            bounded = r"among them all with at most \d+ (preemptions?|delays?)"
            if re.search(r"\b(all|the only)\b", re.sub(rf"\([^)]*\)|{bounded}", "", words)):
                raise Wrong("words", f"not complete, but: {words}")
            if self.strategy not in MIXED and not self.failures:
                self.incomplete = words or "no promise"
            return
        missing = sorted(self.program.certain_finals - self.seen)
        if missing:
            raise Wrong("missing final state", f"{missing[0]} and {len(missing) - 1} more, "
                        f"although {words}")
        missing = sorted(self.program.certain_failures - self.failures)
        if missing:
            raise Wrong(f"missing {missing[0].split()[0]}", f"{missing}, although {words}")
        self.check_races(words)
        if self.strategy == "dpor" and self.program.counted:
            runs = self.search_runs(result)
            if runs != self.program.traces:
                raise Wrong("number of traces", f"{runs} runs of {self.program.traces} traces")

    def check_races(self, words):
        if self.races not in self.tells_races:
            return
        found = {cell for pair in self.pairs for cell in self.program.racing[pair]}
        # Of the accesses to an atomic variable not all are remembered.
        missing = sorted(cell for cell in self.program.certain_cells - found if cell[0] != "a")
        if missing:
            raise Wrong("missing race", f"on {missing}, although {words}")

    def report(self, wrong):
        program = self.program
        print(f"FAILED: program {program.number} of seed {self.options.seed}, {self.name()}, "
              f"races {self.races}: {wrong}\n{program.text}{program.traces} traces, "
              f"{program.executions} executions")
        for final in sorted(program.finals)[:20]:
            print(f"  {final}   {'seen' if final in self.seen else 'not seen'}")
        print(f"failing ends: {sorted(program.failures)}, found: {sorted(self.failures)}\n"
              f"races: {sorted(program.racing)}, found: {sorted(self.pairs)}\n"
              f"by: RADDLE_CHECKPOINTS=off {' '.join(str(c) for c in self.command())}", flush=True)


class Whole(Search):
    """By `raddle test`."""

    def command(self):
        more = ["--bound", 99] if self.strategy in BOUNDED else []
        more += ["--races", self.races] if self.races != "fail" else []
        return [self.options.raddle, "test", "--strategy", self.strategy, "--keep-going",
                "--no-memo", "--json", "-", "--quiet", "--coverage", "off", "--schedules",
                MIXED.get(self.strategy, SCHEDULES), *more, "--out", self.folder / "kept",
                self.part.binary, self.program.number, self.file]

    @staticmethod
    def line(finding):
        return finding["site"]["line"]

    @staticmethod
    def schedule(finding):
        return pathlib.Path(finding["directory"]) / "schedule.raddle"

    @staticmethod
    def search_runs(result):
        return result["search"]["runs"]

    def replay(self, findings):
        for finding in [f for f in findings if f["kind"] not in WARNINGS][:2]:
            done = run([self.options.raddle, "replay", self.schedule(finding)])
            if done.returncode != 1:
                raise Wrong("replay", f"that of {self.schedule(finding)} ended with "
                            f"{done.returncode}:\n{done.stdout}{done.stderr}")


class InProcess(Search):
    """By raddle::check."""

    where = " in process"
    tells_races = ("fail",)  # what is only reported is in the notes

    def command(self):
        return [self.part.checks, self.strategy, self.folder,
                f"{self.program.number}:{self.races}"]

    @staticmethod
    def line(finding):
        return finding["line"]

    @staticmethod
    def schedule(finding):
        return finding["schedule"]

    @staticmethod
    def search_runs(result):
        return result["search_runs"]

    def replay(self, findings):
        """Replays are tests/check's business."""
