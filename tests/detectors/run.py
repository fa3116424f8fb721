#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a detector to programs that it must report and to programs on which it must be silent.

tests/detectors/NAME/report/*.cpp and tests/detectors/NAME/silent/*.cpp are the programs of the
detector NAME; what it must say of one is written in the program, as directives:

  // EXPECT: words   the message has to contain each of them (regular expressions)
  // TEST: options   further options of `raddle test`
  // ARGS: words     arguments of the program
  atomicity, which learns from the program before it tests it:
  // LEARN: words    arguments of the program while it is learned from
  // LEARNS          there must be invariants (else the silence would be worth nothing)
  // PASSES          no run fails: the exit code is 0

The programs of `order` are those of tests/programs/fail; what `raddle explain` must say of each is
in tests/detectors/order/programs.txt.

A new detector is a folder, and a function in CHECKS here.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 60  # seconds for one command


class Program:
    def __init__(self, path, raddle, build_dir):
        self.path = path
        self.name = path.stem
        self.must_report = path.parent.name == "report"
        self.raddle = raddle
        self.folder = build_dir / path.parent.parent.name / path.parent.name / path.stem
        self.binary = self.folder / path.stem
        self.commands = []
        text = path.read_text(encoding="utf-8")
        self.directives = dict(re.findall(r"^// ([A-Z]+)(?:: *(.*))?$", text, re.MULTILINE))

    def words(self, directive):
        return shlex.split(self.directives.get(directive) or "")

    def run(self, *command):
        self.commands.append(shlex.join(str(word) for word in command))
        return subprocess.run([str(word) for word in command], cwd=self.folder, timeout=LIMIT,
                              capture_output=True, text=True, check=False)

    def build(self):
        """What the compiler said if it failed."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        language = ["cc"] if self.path.suffix == ".c" else ["c++", "-std=c++17"]
        built = self.run(self.raddle, *language, "-g", "-O1", f"-I{HERE.parent}", self.path, "-o",
                         self.binary)
        return built.stderr if built.returncode != 0 else ""

    def test(self, *options):
        """The exit code of a campaign and its findings."""
        result = self.folder / "result.json"
        ran = self.run(self.raddle, "test", "--json", result, *self.words("TEST"), *options, "--",
                       self.binary, *self.words("ARGS"))
        if ran.returncode not in (0, 1):
            return ran.returncode, [{"kind": "broken", "message": ran.stderr}]
        return ran.returncode, json.loads(result.read_text(encoding="utf-8"))["findings"]


def of_kind(findings, *kinds):
    return [finding for finding in findings if finding["kind"] in kinds]


def matches(program, finding):
    return all(re.search(word, finding["message"]) for word in program.words("EXPECT"))


def check_atomicity(program):
    """What is learned from the program's good runs is violated in one that the detector reports."""
    learned = program.run(program.raddle, "learn", "--quiet", "--json", "learned.json", "--",
                          program.binary, *program.words("LEARN"))
    if learned.returncode != 0:
        return f"learn: exit code {learned.returncode}: {learned.stderr}"
    training = json.loads((program.folder / "learned.json").read_text(encoding="utf-8"))
    if not training["stable"]:
        return f"learning did not come to an end: {training}"
    if "LEARNS" in program.directives and training["invariants"] == 0:
        return "nothing was learned"
    # Then it could not be reported whatever the detector did.
    if training["invariants"] + training["violated"] == 0:
        return "no place of code that could be violated: the program tests nothing"
    violations = []
    for seed in (7, 8):
        code, findings = program.test("--schedules", 200, "--seed", seed, "--strategy", "random")
        if of_kind(findings, "broken"):
            return findings[0]["message"]
        if not program.must_report and code != 0:
            return f"exit code {code}: {findings}"
        if "PASSES" in program.directives and code != 0:
            return f"a warning made the exit code {code}"
        violations += of_kind(findings, "atomicity-violation")
    if not program.must_report:
        return "\n".join(finding["message"] for finding in violations)
    expected = [finding for finding in violations if matches(program, finding)]
    if not expected:
        messages = "\n".join(finding["message"] for finding in violations)
        return f"not reported; reported were: {messages or 'none'}"
    replayed = program.run(program.raddle, "replay", expected[0]["id"])
    if replayed.returncode != 1 or "it happened again: atomicity-violation" not in replayed.stdout:
        return f"does not replay: {replayed.stdout}{replayed.stderr}"
    return ""


def check_locksets(program):
    """Data that no lock protects is a warning, which replays and leaves the exit code alone."""
    code, findings = program.test("--locksets", "--races", "report", "--schedules", 60,
                                  "--strategy", "random")
    if code != 0:
        return f"exit code {code}: {findings}"
    warnings = of_kind(findings, "inconsistent-locks")
    if not program.must_report:
        return "\n".join(warning["message"] for warning in warnings)
    expected = [warning for warning in warnings if matches(program, warning)]
    if not expected:
        messages = "\n".join(warning["message"] for warning in warnings)
        return f"not reported; reported were: {messages or 'none'}"
    replayed = program.run(program.raddle, "replay", expected[0]["id"])
    if replayed.returncode != 1 or "it happened again: inconsistent-locks" not in replayed.stdout:
        return f"does not replay: {replayed.stdout}{replayed.stderr}"
    return ""


class Explained(Program):
    """A failing program, and the cause that must be among the first three."""

    def __init__(self, row, raddle, build_dir):
        must, name, self.label, *lines = row.split()
        path = next((HERE.parent / "programs" / "fail").glob(f"{name}.c*"))
        super().__init__(path, raddle, build_dir / "order")
        self.must_report = must == "report"
        self.lines = [int(line) for line in lines]


def check_order(program):
    """`raddle explain` names the cause of a failure, and calls no other bug an order violation."""
    _, findings = program.test("--races", "off")
    if not findings or of_kind(findings, "broken"):
        return f"no finding: {findings}"
    told = program.run(program.raddle, "explain", findings[0]["id"], "--json", "-", "--runs", 80)
    if told.returncode != 0:
        return f"explain: exit code {told.returncode}: {told.stderr}"
    causes = json.loads(told.stdout)["causes"]
    said = [(cause["label"], [each["line"] for each in cause["operations"]]) for cause in causes]
    if (program.label, program.lines) not in said[:3]:
        return f"expected {program.label} {program.lines} among the causes, which are {said}"
    if not program.must_report and any(label == "order" for label, _ in said):
        return f"an order violation was told: {said}"
    return ""


CHECKS = {"atomicity": check_atomicity, "locksets": check_locksets, "order": check_order}


def programs_of(detector, raddle, build_dir):
    if detector == "order":
        rows = (HERE / "order" / "programs.txt").read_text(encoding="utf-8").splitlines()
        return [Explained(row, raddle, build_dir) for row in rows if row and row[0] != "#"]
    return [Program(path, raddle, build_dir) for path in sorted((HERE / detector).glob("*/*.cpp"))]


def judge(program, check):
    problem = program.build()
    try:
        return problem or check(program)
    except subprocess.TimeoutExpired as late:
        return f"took longer than {LIMIT} s: {late.cmd}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--raddle", required=True, type=pathlib.Path)
    parser.add_argument("--build-dir", required=True, type=pathlib.Path)
    parser.add_argument("--detector", required=True, choices=sorted(CHECKS))
    parser.add_argument("--only", default="", help="the programs whose names contain this")
    options = parser.parse_args()
    raddle = options.raddle.resolve()
    build_dir = options.build_dir.resolve()
    programs = [program for program in programs_of(options.detector, raddle, build_dir)
                if options.only in program.name]
    if not programs:
        sys.exit(f"no program of {options.detector} has `{options.only}` in its name")
    check = CHECKS[options.detector]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for program, problem in zip(programs, pool.map(lambda each: judge(each, check), programs)):
            if not problem:
                continue
            failed += 1
            kind = "report" if program.must_report else "silent"
            print(f"FAILED {options.detector}/{kind}/{program.name}: {problem}")
            print("  repeat it: cd " + str(program.folder))
            for command in program.commands:
                print("    " + command)
    count = len(programs)
    print(f"{options.detector}: {count - failed} of {count} programs as expected")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
