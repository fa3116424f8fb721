# SPDX-License-Identifier: Apache-2.0
"""Just enough understanding of C++ for tidy.py: what is code and what is comment or string, which
files are included, and where functions begin and end.

This is no parser. Functions are found by matching braces and looking at the text in front of each
opening one, which is exact on the code clang-format leaves behind and harmlessly wrong on puzzles.
Only outermost functions are reported: a lambda or a local class counts into its function.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<comment>//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z))
  | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")
  | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
  | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<word>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    """,
    re.DOTALL | re.VERBOSE,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


@dataclass(frozen=True)
class Include:
    line: int
    path: str
    quoted: bool


@dataclass(frozen=True)
class Function:
    name: str
    first_line: int
    last_line: int

    @property
    def lines(self):
        return self.last_line - self.first_line + 1


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The source with comments turned into spaces; every line keeps its number."""
    return _TOKEN.sub(lambda m: _blank(m[0]) if m["comment"] else m[0], text)


def code_only(text):
    """The source with comments and the contents of literals turned into spaces."""

    def replace(match):
        if match["comment"]:
            return _blank(match[0])
        if match["raw"] or match["string"]:
            return '"' + _blank(match[0][1:-1]) + '"'
        if match["char"]:
            return "'" + _blank(match[0][1:-1]) + "'"
        return match[0]

    return _TOKEN.sub(replace, text)


def includes(text):
    source = without_comments(text)
    return [
        Include(source.count("\n", 0, m.start()) + 1, m[2].strip(), m[1] == '"')
        for m in _INCLUDE.finditer(source)
    ]


_BALANCED = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_ATTRIBUTE = re.compile(r"\[\[.*?\]\]|\b(?:__attribute__|alignas)\s*" + _BALANCED, re.DOTALL)
_TYPE = re.compile(
    r"(?:(?:typedef|static|constexpr|const|inline|extern|friend)\s+)*(?:class|struct|union|enum)\b"
)
_FUNCTION_END = re.compile(r"(?:\)|\)\s*(?:const|noexcept|override|final|volatile|&|\s)+)$")
_LAMBDA_END = re.compile(
    r"\]\s*(?:<[^<>]*>\s*)?(?:" + _BALANCED + r"\s*)?"
    r"(?:(?:mutable|constexpr|noexcept)\s*)*(?:->[^{};]*)?$"
)
_GROUP = "\0"  # stands for a parenthesised group
_CONSTRUCTOR = re.compile(_GROUP + r"\s*(?:noexcept\s*)?" + _GROUP + r"?\s*:(?!:)")
_MACRO_LINE = re.compile(r"\s*[A-Z][A-Z0-9_]*\s*(?:" + _BALANCED + r")?\s*\n\s*")
_OPERATOR = re.compile(r"\boperator\s*(?:\(\s*\)|[^\s\w(]+)")


def _without_template_head(header):
    while True:
        match = re.match(r"\s*template\s*<", header)
        if not match:
            return header.strip()
        depth, at = 1, match.end()
        while at < len(header) and depth:
            depth += {"<": 1, ">": -1}.get(header[at], 0)
            at += 1
        header = header[at:]


def _is_lambda(header):
    end = _LAMBDA_END.search(header)
    if not end:
        return False
    depth, at = 0, end.start()
    while at >= 0:
        depth += {"]": 1, "[": -1}.get(header[at], 0)
        if depth == 0:
            before = header[:at].rstrip()
            return not before or before[-1] in "=(,{?:&|!<>" or before.endswith("return")
        at -= 1
    return False


def _without_parentheses(header):
    previous = None
    while previous != header:
        previous, header = header, re.sub(r"\([^()]*\)", _GROUP, header)
    return header


def _scope_kind(header, inside_initializer):
    """What an opening brace after `header` opens: namespace, type, initializer or function."""
    header = _without_template_head(_ATTRIBUTE.sub(" ", header).strip())
    if re.fullmatch(r'(?:inline\s+)?namespace\b[^()=]*|extern\s*"\s*"', header):
        return "namespace"
    if _is_lambda(header):
        return "function"
    if _TYPE.match(header) and not _FUNCTION_END.search(header):
        return "type"
    flat = _without_parentheses(_OPERATOR.sub("operator_", header))
    if inside_initializer or "=" in flat or ")" not in header:
        return "initializer"
    if _CONSTRUCTOR.search(flat) and re.search(r"[\w>]$", header):
        return "initializer"  # `Foo::Foo() : member_{`
    return "function"


def _function_name(header):
    header = _without_template_head(_ATTRIBUTE.sub(" ", header).strip())
    if _is_lambda(header):
        return "lambda"
    test = re.match(r"(?:TYPED_)?TEST(?:_[FP])?\s*\(([^()]*)\)", header)
    if test:
        return ".".join(part.strip() for part in test[1].split(","))
    match = re.search(r"(operator\s*(?:\(\s*\)|[^\s(]+)|~?[A-Za-z_][\w:~]*)\s*\(", header)
    return match[1] if match else "function"


@dataclass(frozen=True)
class _Scope:
    kind: str
    header: str
    line: int


class _Scanner:
    """Walks code_only() text. Inside a function only the brace depth matters."""

    def __init__(self):
        self.found = []
        self.scopes = ()
        self.depth = 0  # of braces inside the current function, 0 outside of functions
        self.clear_header()
        self.branches = []  # the state at each open #if, so that #else starts from there too

    def clear_header(self):
        self.header, self.header_line = "", 0

    def state(self):
        return self.scopes, self.depth, self.header, self.header_line

    def directive(self, name):
        if name in ("if", "ifdef", "ifndef"):
            self.branches.append(self.state())
        elif name in ("else", "elif") and self.branches:
            self.scopes, self.depth, self.header, self.header_line = self.branches[-1]
        elif name == "endif" and self.branches:
            self.branches.pop()

    def line(self, number, text):
        for char in text:
            if self.depth:
                self.inside_function(char, number)
            elif char == "{":
                self.open(number)
            elif char == "}":
                self.close()
            elif char == ";":
                self.clear_header()
            else:
                self.extend_header(char, number)
        if not self.depth:
            self.extend_header("\n", number)

    def inside_function(self, char, number):
        self.depth += {"{": 1, "}": -1}.get(char, 0)
        if self.depth:
            return
        scope, self.scopes = self.scopes[-1], self.scopes[:-1]
        self.found.append(Function(_function_name(scope.header), scope.line, number))
        self.clear_header()

    def in_initializer(self):
        return bool(self.scopes) and self.scopes[-1].kind == "initializer"

    def open(self, number):
        kind = _scope_kind(self.header, self.in_initializer())
        self.scopes += (_Scope(kind, self.header, self.header_line or number),)
        self.depth = 1 if kind == "function" else 0
        self.clear_header()

    def close(self):
        self.clear_header()
        if not self.scopes:
            return
        scope, self.scopes = self.scopes[-1], self.scopes[:-1]
        if scope.kind == "initializer" and not self.in_initializer():
            # The statement goes on: the next brace may be the constructor's body.
            self.header, self.header_line = scope.header + "{}", scope.line

    def extend_header(self, char, number):
        if not char.isspace() and self.header.endswith("\n"):
            if _MACRO_LINE.fullmatch(self.header):
                self.clear_header()  # a macro in the place of a declaration
        if not self.header_line:
            if char.isspace():
                return
            self.header_line = number
        self.header += char
        if char == ":" and re.fullmatch(r"\s*(?:public|protected|private)\s*:", self.header):
            self.clear_header()
        elif char == "," and self.in_initializer():
            if self.header.count("(") == self.header.count(")"):
                self.clear_header()


def functions(text):
    """The outermost functions of a file, from the first line of the signature to the last brace."""
    scanner = _Scanner()
    continued = False  # inside a directive that ends its lines with a backslash
    for number, line in enumerate(code_only(text).split("\n"), 1):
        directive = re.match(r"\s*#\s*(\w*)", line)
        if directive and not continued:
            scanner.directive(directive[1])
        if directive or continued:
            continued = line.rstrip().endswith("\\")
            continue
        scanner.line(number, line)
    return scanner.found
