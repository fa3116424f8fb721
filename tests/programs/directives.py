# SPDX-License-Identifier: Apache-2.0
"""The test programs and the directives in them: reading, checking, judging a finding.

README.md describes the directives. An unknown or contradictory one is an error: a directive that is
silently ignored would be a test that cannot fail.
"""

import difflib
import os
import pathlib
import re
import shlex

PROGRAMS = pathlib.Path(__file__).resolve().parent
DIRECTIVES = {
    "FLAGS", "ARGS", "TEST", "STDIN", "SCHEDULES", "UNCONTROLLED", "EXPECT", "PLUGIN",
    "MATRIX",
}
EXPECTATIONS = {"kind", "within", "message", "site", "function", "stack"}
KINDS = {
    "assertion", "crash", "stack-overflow", "exception", "exit-code", "deadlock", "livelock",
    "hang", "limit", "data-race", "sync-misuse", "leaked-thread", "use-after-free", "double-free",
    "heap-overflow", "schedule-deadlock", "schedule-violation", "lockstep-livelock",
}


class BadProgram(Exception):
    """A test program or an option that this script cannot make sense of."""


class Program:
    """A test program and its directives."""

    def __init__(self, path):
        self.path = path
        self.fails = path.parent.name == "fail"
        self.name = f"{path.parent.name}/{path.stem}"
        self.directives = {}
        for line in path.read_text().splitlines():
            match = re.match(r"// ([A-Z]+): ?(.*)$", line)
            if not match:
                continue
            key, value = match.groups()
            if key not in DIRECTIVES:
                raise BadProgram(f"{path}: unknown directive {key}; known: {sorted(DIRECTIVES)}")
            if key in self.directives:
                raise BadProgram(f"{path}: directive {key} is given twice")
            self.directives[key] = value
        if self.directives.get("MATRIX", "gcc") not in ("skip", "gcc"):
            raise BadProgram(f"{path}: MATRIX is skip or gcc")
        self.expect = self._parse_expectation()

    def _parse_expectation(self):
        text = self.directives.get("EXPECT")
        if self.fails != (text is not None):
            raise BadProgram(f"{self.path}: EXPECT belongs in fail programs and only there")
        if text is None:
            return {}
        expect = {}
        rest = re.sub(
            r'([a-z]+)[=~](?:"([^"]*)"|(\S+))',
            lambda m: expect.update({m[1]: m[2] if m[2] is not None else m[3]}) or "",
            text,
        )
        unknown = set(expect) - EXPECTATIONS
        if rest.strip() or unknown or "kind" not in expect or "within" not in expect:
            raise BadProgram(f"{self.path}: cannot read EXPECT: {text}")
        if expect["kind"] not in KINDS or not expect["within"].isdigit():
            raise BadProgram(f"{self.path}: EXPECT wants a known kind and a number: {text}")
        return expect

    def words(self, key):
        return shlex.split(self.directives.get(key, ""))

    @property
    def plugin_sources(self):
        return [PROGRAMS / word for word in self.words("PLUGIN")[:1]]

    @property
    def within(self):
        return int(self.expect["within"])

    def in_matrix(self, build):
        """Whether the program takes part in this build (a compiler and a level) of the matrix."""
        which = self.directives.get("MATRIX")
        return which is None or (which == "gcc" and build.startswith("g++"))

    def schedules(self, wanted):
        """`wanted`, or fewer where the program says that it is expensive."""
        return min(wanted, int(self.directives.get("SCHEDULES", wanted)))


def load_programs(only):
    programs = [
        Program(path)
        for folder in ("fail", "pass")
        for path in sorted((PROGRAMS / folder).iterdir())
        if path.suffix in (".c", ".cpp")
    ]
    names = {program.name for program in programs}
    stems = {program.path.stem for program in programs}
    for program in programs:
        if program.fails and f"pass/{program.path.stem}" not in names:
            raise BadProgram(f"{program.path}: has no fixed twin in pass/")
        twin = f"fail/{program.path.stem}"
        if not program.fails and not program.path.stem.startswith("only_") and twin not in names:
            raise BadProgram(f"{program.path}: has no twin in fail/ and is not called only_*")
    for wanted in only:
        if wanted not in names and wanted not in stems:
            near = difflib.get_close_matches(wanted, names | stems, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise BadProgram(f"--only: no program {wanted}{hint}")
    return [p for p in programs if not only or p.name in only or p.path.stem in only]


def short_function(name):
    """`ns::f(int) [clone .isra.0]` and `f.constprop.0` are both just `f`."""
    name = re.sub(r"\(anonymous namespace\)::", "", name or "")
    name = re.split(r"[(.\[<]", name)[0].strip()
    return name.split("::")[-1].split(" ")[-1]


def check_finding(expect, finding):
    """Returns what is wrong with the finding, or None."""
    site = finding.get("site") or {}
    where = f"{os.path.basename(site.get('file') or '?')}:{site.get('line')}"
    frames = {
        short_function(frame.get("function"))
        for thread in finding.get("threads", [])
        for frame in thread.get("stack", [])
    }
    if finding.get("kind") != expect["kind"]:
        return f"kind {finding.get('kind')} ({finding.get('message')}), expected {expect['kind']}"
    if "message" in expect and not re.search(expect["message"], finding.get("message", "")):
        return f"message {finding.get('message')!r}, expected /{expect['message']}/"
    if "site" in expect and where != expect["site"]:
        return f"site {where}, expected {expect['site']}"
    if "function" in expect and short_function(site.get("function")) != expect["function"]:
        return f"site in function {site.get('function')}, expected {expect['function']}"
    if "stack" in expect and expect["stack"] not in frames:
        return f"no thread has a frame in {expect['stack']}; functions seen: {sorted(frames)}"
    return None
