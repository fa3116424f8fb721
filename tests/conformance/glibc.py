# SPDX-License-Identifier: Apache-2.0
"""glibc's tests of threads: those that nptl/Makefile and sysdeps/pthread/Makefile list as `tests`,
built against the installed libc. make itself reads these files, so the lists and options are
glibc's own. Tests of glibc's internals (`tests-internal`) need a glibc that was built here, and
tests that only root may run on a machine of its own (`xtests`) are left alone."""

import re
import shlex
import shutil

import suite
from suite import project

PACKAGE = "glibc"
TRIPLET = "x86_64-linux-gnu"
# What configure would have found out.
CONFIGURED = ("subdir=nptl", "build-shared=yes", "have-z-execstack=yes", "CXX=g++",
              "have-cxx-thread_local=yes", "objpfx=@", "common-objpfx=@", "have-GLIBC_2.33=",
              "libpthread-routines-var=routines", "host-test-program-cmd=@@")
PROBE = """
include Makefile
$(foreach t,$(tests) $(tests-container),$(info test|$t|$(CFLAGS-$t.c) $(CFLAGS-$t.o)\
|$(LDFLAGS-$t)|$(LDLIBS-$t)|$($t-ARGS)|$($t-ENV)))
$(foreach m,$(modules-names),$(info module|$m|$(CFLAGS-$m.c)|$(LDFLAGS-$m.so)))
nothing: ;
"""
# What glibc's own build defines, and its tests and their support library need. Everything else
# comes from the installed headers.
BUILD_MACROS = ("build-macros.h", """
#include <errno.h>
#include <limits.h>
#define attribute_hidden
#define libc_hidden_proto(name)
#define libc_hidden_def(name)
#define __set_errno(value) (errno = (value))
#define TIMEOUTFACTOR 1
""")
# What the makefiles say by rules: what tests are linked with, and what they load.
LINKED = {"tst-fini1": ["tst-fini1mod.so"], "tst-_res1": ["tst-_res1mod1.so", "tst-_res1mod2.so"],
          "tst-compat-forwarder": ["tst-compat-forwarder-mod.so"],
          "tst-audit-threads": ["tst-audit-threads-mod2.so"], "tst-cleanup4": ["tst-cleanup4aux.o"],
          "tst-cleanupx4": ["tst-cleanupx4aux.o"]}
LOADED = {"tst-audit-threads": ["tst-audit-threads-mod1.so"],
          "tst-execstack": ["tst-execstack-mod.so"],
          "tst-atfork2": ["tst-atfork2mod.so"], "tst-atfork3": ["tst-atfork3mod.so"],
          "tst-atfork4": ["tst-atfork4mod.so"],
          "tst-pt-tls4": ["tst-tls4moda.so", "tst-tls4modb.so"],
          "tst-create1": ["tst-create1mod.so"], "tst-join7": ["tst-join7mod.so"],
          "tst-stack4": [f"tst-stack4mod-{i}-{j}.so" for i in range(20) for j in range(20)]}
FEWER = {"tst-mutex10": ["--iterations", "10000"]}  # a million rounds by default
PATHS = ("SRCDIR", "OBJDIR", "OBJDIR_ELF_LDSO", "INSTDIR", "LIBDIR", "BINDIR", "SBINDIR", "SLIBDIR",
         "ROOTSBINDIR", "COMPLOCALEDIR")  # of the build that support_paths.c wants to know
MODULE_LINKED = {"tst-_res1mod2.so": ["tst-_res1mod1.so"]}


def probe(root):
    """What the makefiles say: a list of tests and one of modules, each with its options."""
    copy = scratch(root)
    for folder in ("nptl", "sysdeps/pthread"):
        (copy / folder).mkdir(parents=True, exist_ok=True)
        shutil.copy(root / folder / "Makefile", copy / folder)
    stubs = {"Makeconfig": "", "Rules": "include ../sysdeps/pthread/Makefile\n", "config.h": "",
             "libc-config.h": "", "abi-versions.h": "",
             "nptl/@config.make": "", "nptl/@multidir.mk": "", "nptl/probe.mk": PROBE,
             **dict([BUILD_MACROS])}
    for name, text in stubs.items():
        (copy / name).write_text(text)
    text = project.run(["make", "-s", "-f", "probe.mk", *CONFIGURED, "nothing"], copy / "nptl")
    rows = [line.split("|") for line in text.splitlines() if "|" in line]
    return ([row[1:] for row in rows if row[0] == "test"],
            {row[1]: row[2:] for row in rows if row[0] == "module"})


def scratch(root):
    return root.parent / "glibc-makefiles"


def flags(root):
    """The system's headers come first, so that libc is the installed one; what only the sources
    have (support/check.h and the like) comes from there."""
    folders = ["", "support", "include", "nptl", "sysdeps/pthread", "sysdeps/nptl",
               "sysdeps/unix/sysv/linux", "sysdeps/x86_64", "sysdeps/x86", "sysdeps/generic"]
    return ["-std=gnu11", "-g", "-O2", "-D_GNU_SOURCE", "-D_ISOMAC", "-pthread", "-w",
            "-include", f"{scratch(root)}/{BUILD_MACROS[0]}", f"-idirafter{scratch(root)}",
            *(f"-idirafter{root / folder}" for folder in folders)]


def prepare(builder):
    """libsupport.a, of all files of support/ that can do without glibc's internals."""
    root = project.source(PACKAGE)
    sources = [*(root / "support").glob("*.c"), *(root / "malloc").glob("scratch_buffer_*.c")]
    paths = [f'-D{name}_PATH="/nowhere"' for name in PATHS]
    objects = []
    for path in sorted(sources):
        if re.match(r"tst-|README|.*-container|test-driver|test-run-command|links-", path.name):
            continue
        try:
            objects.append(builder.build("c", f"support-{path.stem}.o",
                                         ["-c", *flags(root), *paths, path]))
        except suite.CannotBuild:
            continue  # a test that needs it will not link, and is listed with that
    library = builder.folder / "libsupport.a"
    library.unlink(missing_ok=True)
    project.run(["ar", "rcs", library, *objects], builder.folder)
    (builder.folder / "Makefile").touch()  # tests open a file that is there in glibc's build


def find_source(root, name):
    for folder in ("nptl", "sysdeps/pthread"):
        for ending in (".c", ".cc"):
            if (root / folder / (name + ending)).exists():
                return root / folder / (name + ending)
    return None


def module(root, name, options):
    """The command that makes a module: a shared library, or the object file of an aux file."""
    source = find_source(root, re.sub(r"-\d+-\d+$", "", name.rsplit(".", 1)[0]))
    if name.endswith(".o"):
        extra = ["-fexceptions"] if "x4" in name else []
        return ["-c", *flags(root), *extra, source]
    words = [word for part in options for word in part.split()]
    return ["-shared", "-fPIC", *flags(root), source, *words,
            *(f"@{other}" for other in MODULE_LINKED.get(name, []))]


def whole_text(source):
    """A test and the tests that it includes: many are another one with a few macros before it."""
    text = source.read_text()
    for name in re.findall(r'^#\s*include "(tst-[^"]+\.c)"', text, re.M):
        if (source.parent / name).exists():
            text += whole_text(source.parent / name)
    return text


def expectation(test, text):
    """How the test is to end, if not by exit code 0."""
    status = re.search(r"#\s*define EXPECTED_STATUS (\d+)", text)
    if status:
        test.exit_code = int(status[1])
    if re.search(r"#\s*define EXPECTED_SIGNAL", text):
        test.signal = "SIGUSR1"


def read_test(root, row, modules):
    name, compiler, linker, libraries, arguments, environment = row
    test = suite.Test(name=name)
    if name.endswith("-static"):
        test.left_out = "the same test linked statically, which raddle refuses by name"
        return test
    source = find_source(root, name)
    if source is None:
        test.left_out = "made by glibc's build"
        return test
    if source.suffix == ".cc":
        test.language = "c++"
    linked = LINKED.get(name, [])
    for output in [*linked, *LOADED.get(name, [])]:
        stem = re.sub(r"-\d+-\d+$", "", output.rsplit(".", 1)[0])
        for need in [*MODULE_LINKED.get(output, []), output]:
            test.modules[need] = module(root, need, modules.get(stem, []))
    own = [word for word in flags(root) if test.language == "c" or not word.startswith("-std")]
    test.command = [*own, *compiler.split(), source, *(f"@{one}" for one in linked),
                    "@libsupport.a", *linker.split(), *libraries.split(), "-ldl", "-lrt"]
    # Without --direct the test runs in a child process, beside which its parent watches the clock.
    # The child would run uncontrolled.
    test.arguments = ["--direct", *FEWER.get(name, []), *shlex.split(arguments)]
    preload = f"/usr/lib/{TRIPLET}/libc_malloc_debug.so.0"
    words = environment.replace("@/malloc/libc_malloc_debug.so", preload).split()
    test.environment = dict(word.split("=", 1) for word in words)
    expectation(test, whole_text(source))
    return test


def tests():
    root = project.source(PACKAGE)
    rows, modules = probe(root)
    return [read_test(root, row, modules) for row in rows]
