# SPDX-License-Identifier: Apache-2.0
"""The layer rule of tidy.py: every #include against tools/layers.txt."""

import fnmatch
from pathlib import PurePosixPath

import cpp_scan
from source_tree import CPP, Problem, find_outside, folder_of, is_test, our_file


class Layers:
    """tools/layers.txt, which documents its own format."""

    PATH = "tools/layers.txt"

    def __init__(self, text):
        self.layers, self.headers, self.problems = {}, [], []
        self.lists = {
            name: []
            for name in ("target", "target-headers", "engine-only", "libc", "libc-headers")
        }
        for number, row in self._rows(text):
            self._add(number, row)

    @staticmethod
    def _rows(text):
        rows = []
        for number, line in enumerate(text.split("\n"), 1):
            line = line.split("#")[0].rstrip()
            if line and line[0].isspace() and rows:
                rows[-1][1] += " " + line.strip()
            elif line:
                rows.append([number, line])
        return rows

    def _add(self, number, row):
        key, colon, rest = row.partition(":")
        kind, _, name = key.partition(" ")
        values = rest.split()
        if colon and kind == "layer" and name:
            for folder in values:
                if folder not in self.layers:
                    self._complain(number, f"`{folder}` has no row before this one: a layer may "
                                   "include only the ones below it")
            self.layers[name] = set(values)
        elif colon and kind == "header" and name:
            self.headers.append((name.strip(), set(values)))
        elif colon and key in self.lists:
            self.lists[key] += values
        else:
            self._complain(number, f"cannot read `{row}`: see the format at the top of the file")

    def _complain(self, number, message):
        self.problems.append(Problem(self.PATH, number, message))

    def library(self, header):
        """The folders that may include a library's header, or None if it has no row."""
        for pattern, folders in self.headers:
            if fnmatch.fnmatchcase(header, pattern):
                return folders
        return None

    def is_libc(self, header):
        return any(fnmatch.fnmatchcase(header, p) for p in self.lists["libc-headers"])


def check_layers(tree):
    layers = Layers(tree.text(Layers.PATH) or "")
    yield from layers.problems
    for path in tree.select(CPP, "src", "include"):
        folder = folder_of(path)
        if folder not in layers.layers:
            yield Problem(path, 1, f"this folder has no row in {Layers.PATH}: add one or move the "
                          "file")
            continue
        for include in cpp_scan.includes(tree.text(path)):
            message = judge_include(tree, layers, path, folder, include)
            if message:
                yield Problem(path, include.line, message)
    for path in tree.select(CPP, "tests", "bench", "examples"):
        yield from check_outside_includes(tree, path)


def judge_include(tree, layers, path, folder, include):
    header = include.path
    target = our_file(tree, header)
    if not target and include.quoted:
        if is_test(path) and find_outside(tree, path, header):
            return None
        sibling = (PurePosixPath(path).parent / header).as_posix()
        if sibling in tree.known:
            return f'write the path from src/: #include "{sibling.split("/", 1)[1]}"'
        return f'there is no src/{header}: fix the path, or use <> for a header that is not ours'
    if target:
        return judge_own(layers, path, folder, target)
    return judge_foreign(layers, path, folder, header)


def judge_own(layers, path, folder, target):
    other = folder_of(target)
    allowed = layers.layers[folder]
    if other != folder and other not in allowed:
        may = ", ".join(sorted(allowed)) or "no other folder"
        return (f"{folder} may not include {other} (it may include {may}): move the code to a "
                f"lower layer, or hand the value in from above; see {Layers.PATH}")
    name, own = target.removeprefix("src/"), path.removeprefix("src/")
    engine_only = layers.lists["engine-only"]
    if folder in layers.lists["target"] and name in engine_only and own not in engine_only:
        if not is_test(path):
            return f"{name} is for the engine only, and this file also runs in the target"
    return None


def judge_foreign(layers, path, folder, header):
    restricted = not is_test(path) and folder != "public"
    folders = layers.library(header)
    if folders is not None:
        if folder in folders or is_test(path):
            return None
        return (f"<{header}> belongs to {', '.join(sorted(folders))} only: go through an interface "
                "of that folder")
    in_target = folder in layers.lists["target"]
    if not header.endswith((".h", ".hpp")):
        exempt = path.removeprefix("src/") in layers.lists["engine-only"]
        if in_target and restricted and not exempt:
            if header not in layers.lists["target-headers"]:
                return (f"<{header}> may not be used inside the program under test: use base/, or "
                        f"a header listed under target-headers in {Layers.PATH}")
        return None
    if not layers.is_libc(header):
        return f"<{header}> is not listed in {Layers.PATH}: give it a row that names its one folder"
    if restricted and folder not in layers.lists["libc"]:
        return f"<{header}>: {folder} is pure and knows no operating system; use the C++ header"
    return None


def check_outside_includes(tree, path):
    for include in cpp_scan.includes(tree.text(path)):
        if path.startswith("examples/") and (our_file(tree, include.path) or "").startswith("src/"):
            yield Problem(path, include.line, "examples see only include/raddle, as users do")
        elif include.quoted and not our_file(tree, include.path):
            if not find_outside(tree, path, include.path):
                yield Problem(path, include.line, f"there is no {include.path}: fix the path")
