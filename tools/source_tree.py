# SPDX-License-Identifier: Apache-2.0
"""The files that tidy.py looks at, what kind of file each is, and the problems found in them."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CPP = (".h", ".cc", ".cpp", ".c")


@dataclass(frozen=True, order=True)
class Problem:
    path: str
    line: int
    message: str
    warning: bool = False

    def __str__(self):
        level = "warning" if self.warning else "error"
        return f"{self.path}:{self.line}: {level}: {self.message}"


class Tree:
    """The files under a root, read once."""

    def __init__(self, root):
        self.root = Path(root)
        self.files = sorted(p for p in self._list() if (self.root / p).is_file())
        self.known = set(self.files)
        self.folders = {str(d) for p in self.files for d in PurePosixPath(p).parents}
        self._texts = {}

    def _list(self):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            listed = subprocess.run(command, cwd=self.root, capture_output=True, check=True)
            return {os.fsdecode(p) for p in listed.stdout.split(b"\0") if p}
        except (OSError, subprocess.CalledProcessError):
            return self._walk()  # an unpacked archive

    def _walk(self):
        for folder, children, names in os.walk(self.root):
            children[:] = [
                c for c in children if not re.match(r"build(-|$)|__pycache__$|\.(git|raddle)$", c)
            ]
            for name in names:
                yield (Path(folder) / name).relative_to(self.root).as_posix()

    def text(self, path):
        """The text of a file, or None if it is not text."""
        if path not in self._texts:
            try:
                self._texts[path] = (self.root / path).read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]

    def select(self, suffixes, *folders):
        for path in self.files:
            inside = not folders or path.startswith(tuple(f + "/" for f in folders))
            if path.endswith(suffixes) and inside and self.text(path) is not None:
                yield path


def is_test(path):
    return re.search(r"_test\.(cc|cpp|c|py)$", path) is not None


def is_script(path):
    return path.startswith(("script/", ".ci/"))


def is_material(path):
    """Recorded output and corpora: their bytes are not ours to lay out."""
    return path.startswith(("tests/golden/", "tests/corpus/"))


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def folder_of(path):
    if path.startswith("include/"):
        return "public"
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def our_file(tree, header):
    """What an include path that is written as it should be stands for, if it is ours."""
    for candidate in ("src/" + header, "include/" + header):
        if candidate in tree.known:
            return candidate
    return None


def find_outside(tree, path, header):
    """Files of tests/ and bench/, whose includes may also be relative."""
    sibling = os.path.normpath(PurePosixPath(path).parent / header)
    candidates = (sibling, header, "tests/" + header, "bench/" + header)
    return next((c for c in candidates if c in tree.known), None)
