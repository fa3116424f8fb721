# SPDX-License-Identifier: Apache-2.0
"""Transcripts in documents: finding them, comparing them with what commands print, renewing them.
Pure: no file is read and no command is run here.

What a page may hold (an HTML comment stands on a line of its own):

    <!-- setup: COMMAND -->     run before what follows, must succeed, not shown to readers
    <!-- save: NAME -->         the next code block is written to the file NAME
    <!-- excerpt: PATH -->      the next code block stands word for word in the file PATH
    ```console                  `$ COMMAND`, continued on lines that begin with `> `; then what it
                                prints; `...` alone stands for any lines; `[exit N]` in the last
                                line names the exit code, which is 0 otherwise
"""

import difflib
import re
from dataclasses import dataclass, field

SKIP = "..."
PROGRESS = re.compile(r"raddle: [\d,]+ runs, [\d,]+/s, .*")  # appears on slow machines only
EXIT = re.compile(r"\[exit (\d+)\]")
DIRECTIVE = re.compile(r"<!-- (setup|save|excerpt): (.+?) -->")
# What differs from machine to machine and from day to day.
VARYING = (
    (re.compile(r"\b(\d+ h )?(\d+ min )?\d+(\.\d+)? s\b"), "TIME s"),
    (re.compile(r"\b[\d,]+/s\b"), "RATE/s"),
    (re.compile(r'"seconds": [\d.e-]+'), '"seconds": N'),
    (re.compile(r'"offset": \d+'), '"offset": N'),
    (re.compile(r"\bbuild-id [0-9a-f]+"), "build-id ID"),
    (re.compile(r"\bevents-hash 0x[0-9a-f]+"), "events-hash N"),
    (re.compile(r"\+0x[0-9a-f]+"), "+OFFSET"),
    (re.compile(r"\b0x[0-9a-f]{6,}"), "ADDRESS"),
)


class PageError(Exception):
    """A page that is not written as the rules above say."""


@dataclass
class Step:
    """One command of a console block and what it is said to print."""
    command: str
    line: int  # of the command, from 1
    first: int  # lines [first, last) of the page hold the expected output
    last: int
    expected: list = field(default_factory=list)
    exit_code: int = 0


@dataclass
class Item:
    """Something to do, in the order of the page."""
    kind: str  # setup, save, excerpt or step
    line: int
    argument: str = ""
    text: str = ""
    step: Step = None


def parse_page(text):
    items = []
    lines = text.split("\n")
    pending = None
    number = 0
    while number < len(lines):
        directive = DIRECTIVE.fullmatch(lines[number].strip())
        if directive and directive[1] == "setup":
            items.append(Item("setup", number + 1, directive[2]))
        elif directive:
            pending = Item(directive[1], number + 1, directive[2])
        elif lines[number].startswith("```"):
            end = number + 1
            while end < len(lines) and lines[end] != "```":
                end += 1
            if end == len(lines):
                raise PageError(f"line {number + 1}: the code block is never closed")
            if pending:
                pending.text = "\n".join(lines[number + 1 : end]) + "\n"
                items.append(pending)
                pending = None
            elif lines[number] == "```console":
                items.extend(parse_console(lines, number + 1, end))
            number = end
        elif lines[number].strip() and pending:
            raise PageError(f"line {pending.line}: a code block must follow `{pending.kind}`")
        number += 1
    if pending:
        raise PageError(f"line {pending.line}: a code block must follow `{pending.kind}`")
    return items


def parse_console(lines, begin, end):
    items = []
    number = begin
    while number < end:
        if not lines[number].startswith("$ "):
            raise PageError(f"line {number + 1}: a console block begins with `$ COMMAND`")
        line = number + 1
        command = lines[number][2:]
        number += 1
        while number < end and lines[number].startswith("> "):
            command += "\n" + lines[number][2:]
            number += 1
        first = number
        while number < end and not lines[number].startswith("$ "):
            number += 1
        step = Step(command, line, first, number, lines[first:number])
        match = EXIT.fullmatch(step.expected[-1]) if step.expected else None
        if match:
            step.exit_code = int(match[1])
            step.expected = step.expected[:-1]
        items.append(Item("step", line, step=step))
    if not items:
        raise PageError(f"line {begin}: an empty console block")
    return items


def normalise(line):
    for pattern, replacement in VARYING:
        line = pattern.sub(replacement, line)
    return line.rstrip()


def without_progress(lines):
    return [line for line in lines if not PROGRESS.fullmatch(line)]


def matches(expected, actual):
    """Whether the lines agree; `...` in `expected` stands for any lines, also none."""
    wanted = [normalise(line) for line in expected]
    got = [normalise(line) for line in actual]
    # reachable: how many lines of `got` the wanted lines so far can have used up.
    reachable = {0}
    for line in wanted:
        if line == SKIP:
            reachable = set(range(min(reachable), len(got) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(got) and got[at] == line}
        if not reachable:
            return False
    return len(got) in reachable


def difference(step, actual, code):
    """The lines of a diff for a human; empty if command, output and exit code agree."""
    if matches(step.expected, actual) and code == step.exit_code:
        return []
    page = [normalise(line) for line in step.expected] + [f"[exit {step.exit_code}]"]
    printed = [normalise(line) for line in actual] + [f"[exit {code}]"]
    return list(difflib.unified_diff(page, printed, "the page says", "the command printed",
                                     lineterm="", n=2))


def renewed(step, actual, code):
    """The lines that the page should hold below the command."""
    lines = step.expected
    if not matches(lines, actual):
        lines = abridged_like(lines, keep_old_spelling(lines, actual))
    lines = list(lines)
    return lines + ([f"[exit {code}]"] if code != 0 else [])


def keep_old_spelling(old, actual):
    """`actual`, with the page's own lines where only what varies differs: few lines change."""
    old_normal = [normalise(line) for line in old]
    new_normal = [normalise(line) for line in actual]
    result = list(actual)
    matcher = difflib.SequenceMatcher(None, old_normal, new_normal, autojunk=False)
    for old_at, new_at, size in matcher.get_matching_blocks():
        result[new_at : new_at + size] = old[old_at : old_at + size]
    return result


def abridged_like(old, actual):
    """Leaves out the middle where the page did: as many lines before and after it as there were."""
    if old.count(SKIP) != 1:
        return actual
    head = old.index(SKIP)
    tail = len(old) - head - 1
    if len(actual) <= head + tail:
        return actual
    return actual[:head] + [SKIP] + (actual[-tail:] if tail else [])
