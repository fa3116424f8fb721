#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of README.md and docs/ and compares what it prints with what the page says, so
that the documents cannot grow old. How pages are written: transcript.py.

    RADDLE=build/bin/raddle python3 tests/docs/docs_test.py [PAGE...]
    RADDLE=build/bin/raddle python3 tests/docs/docs_test.py --bless [PAGE...]   renews the pages

Each page gets a fresh directory with links `examples`, `include` and `tests` into the source tree.
Read the change before committing a renewed page: a worse message is a bug, not a new transcript.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import transcript

ROOT = Path(__file__).resolve().parents[2]
SECONDS_MAX = 60  # of one command
PAGES_AT_ONCE = 2
SHOWN_DIRECTORY = "/src"  # in place of the temporary one
SHOWN_PREFIX = "/opt/raddle"  # in place of where raddle lies
# Options that are no news to anybody.
COMMON_OPTIONS = {"--help"}


class Shell:
    """Runs commands in a directory of their own, as a user without settings would."""

    def __init__(self, raddle, directory):
        self.directory = directory
        self.prefix = str(raddle.parent.parent)
        for name in ("examples", "include", "tests"):
            (Path(directory) / name).symlink_to(ROOT / name)
        self.environment = {
            "PATH": f"{raddle.parent}:{os.environ.get('PATH', '/usr/bin:/bin')}",
            "HOME": directory,
            "LC_ALL": "C.UTF-8",
        }

    def run(self, command):
        """(lines printed, exit code); both streams go into one pipe, as on a terminal."""
        process = subprocess.Popen(
            ["bash", "-c", "ulimit -c 0\n" + command], cwd=self.directory, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=SECONDS_MAX)
            code = process.returncode
            if code < 0:  # ended by a signal: as a shell says it
                code = 128 - code
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            output += f"(killed after {SECONDS_MAX} s)\n"
            code = -signal.SIGKILL
        output = output.expandtabs()  # as a terminal shows it
        output = output.replace(self.directory, SHOWN_DIRECTORY)
        output = output.replace(self.prefix, SHOWN_PREFIX)
        lines = output.removesuffix("\n").split("\n") if output else []
        return transcript.without_progress(lines), code


class Page:
    def __init__(self, path, bless):
        self.path = path
        self.name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        self.text = path.read_text()
        self.bless = bless
        self.problems = []
        self.steps = 0
        self.edits = []  # (first, last, lines), in the order of the page

    def problem(self, line, text):
        self.problems.append(f"{self.name}:{line}: {text}")

    def run(self, raddle):
        try:
            items = transcript.parse_page(self.text)
        except transcript.PageError as error:
            self.problems.append(f"{self.name}: {error}")
            return
        # The path is resolved: raddle writes it so, and it is replaced by its text.
        with tempfile.TemporaryDirectory(prefix="raddle-docs-") as directory:
            shell = Shell(raddle, os.path.realpath(directory))
            for item in items:
                getattr(self, "do_" + item.kind)(shell, item)
        if self.bless and self.edits:
            lines = self.text.split("\n")
            for first, last, new in reversed(self.edits):
                lines[first:last] = new
            self.path.write_text("\n".join(lines))

    def do_setup(self, shell, item):
        output, code = shell.run(item.argument)
        if code != 0:
            printed = "\n".join(output)
            self.problem(item.line, f"the setup `{item.argument}` exited with {code}:\n{printed}")

    def do_save(self, shell, item):
        (Path(shell.directory) / item.argument).write_text(item.text)

    def do_excerpt(self, _, item):
        source = ROOT / item.argument
        if not source.is_file():
            self.problem(item.line, f"{item.argument} does not exist")
        elif item.text not in source.read_text():
            self.problem(item.line, f"the block is no excerpt of {item.argument}: copy it again")

    def do_step(self, shell, item):
        step = item.step
        self.steps += 1
        actual, code = shell.run(step.command)
        difference = transcript.difference(step, actual, code)
        if not difference:
            return
        if self.bless:
            self.edits.append((step.first, step.last, transcript.renewed(step, actual, code)))
            print(f"{self.name}:{step.line}: renewed `{step.command}`")
        else:
            self.problem(step.line, "\n".join([f"`{step.command}` prints something else:"] +
                                              ["    " + line for line in difference]))


def all_pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def check_options(raddle, pages):
    """Every option of every command is explained somewhere."""
    documents = "\n".join(page.text for page in pages)
    for command in ("test", "replay", "show", "explain", "list"):
        done = subprocess.run([raddle, command, "--help"], capture_output=True, text=True)
        for option in sorted(set(re.findall(r"(?<!\w)--[a-z][a-z-]+", done.stdout))):
            if option not in COMMON_OPTIONS and not re.search(rf"`{option}\b", documents):
                yield f"docs: `{option}` of `raddle {command}` is explained nowhere"


def main():
    parser = argparse.ArgumentParser(description="Runs the transcripts in the documents.")
    parser.add_argument("--bless", action="store_true", help="write what the commands print")
    parser.add_argument("pages", nargs="*", type=Path, help="default: README.md and docs/")
    options = parser.parse_args()
    raddle = Path(os.environ.get("RADDLE", ROOT / "build/bin/raddle")).resolve()
    if not raddle.is_file():
        sys.exit(f"docs_test: {raddle} does not exist; build it, or name it in RADDLE")
    pages = [Page(path.resolve(), options.bless) for path in options.pages or all_pages()]
    problems = []
    with ThreadPoolExecutor(PAGES_AT_ONCE) as pool:
        for page, _ in zip(pages, pool.map(lambda page: page.run(raddle), pages)):
            problems += page.problems
    if not options.pages:
        problems += check_options(raddle, pages)
    for problem in problems:
        print(problem)
    steps = sum(page.steps for page in pages)
    print(f"docs_test: {len(pages)} pages, {steps} commands, {len(problems)} problems")
    if problems and not options.bless:
        print("If the new output is right: python3 tests/docs/docs_test.py --bless")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
