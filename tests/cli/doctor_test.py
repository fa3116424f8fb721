# SPDX-License-Identifier: Apache-2.0
"""`raddle doctor`: what it says of programs built in every way that matters, its exit codes and its
JSON; and that `raddle test` names what it cannot look into."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import unittest

from harness import RADDLE, CliTest, environment

LIBRARY = "int counter; void count(void) { ++counter; }\n"
MAIN = """#include <pthread.h>
void count(void);
static void* work(void* unused) { count(); return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  count();
  pthread_join(thread, 0);
}
"""
SPINLOCK = """#include <pthread.h>
#include <sched.h>
static int held, total;
__attribute__((noinline)) static void take(void) {
  for (int one = 1; one != 0;) __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(held));
}
__attribute__((noinline)) static void drop(void) {
  __asm__ volatile("lock; andl $0, %0" : "+m"(held));
}
static void* work(void* unused) {
  take();
  ++total;
  sched_yield();
  drop();
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
}
"""
COUNTER = """#include <pthread.h>
static int total;
static void* work(void* unused) {
  __asm__ volatile("lock; incl %0" : "+m"(total));
  ++total;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
}
"""


class Doctor(CliTest):
    def compile(self, *arguments):
        done = subprocess.run([*arguments], cwd=self.dir, capture_output=True, text=True,
                              env=environment())
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stderr}")

    def sources(self):
        (self.dir / "lib.c").write_text(LIBRARY)
        (self.dir / "main.c").write_text(MAIN)

    def checks(self, program, code=0, **options):
        """The program's checks, by topic."""
        result = self.raddle("doctor", "--json", program, code=code, **options)
        data = json.loads(result.out)
        self.assertEqual(data["schema"], 1)
        self.assertEqual(data["can_run"], code == 0)
        for check in data["system"] + data["program"]:
            self.assertEqual(set(check), {"level", "topic", "fact", "advice"})
            self.assertIn(check["level"], ("ok", "note", "warning", "blocker"))
        return {check["topic"]: check for check in data["program"]}

    def expect(self, check, level, *words):
        self.assertEqual(check["level"], level, check)
        self.assert_words(check["fact"] + " " + check["advice"], *words)


class Machine(Doctor):
    def test_the_machine_alone(self):
        result = self.raddle("doctor", code=0)
        self.assert_words(result.out, "this machine", "compiler", "glibc", "kernel", "addresses",
                          "overcommit", "ulimit -v", "ulimit -s", "debuggers", "fsgsbase",
                          "libraddle_rt.so", "can be run under control here")
        data = json.loads(self.raddle("doctor", "--json", code=0).out)
        self.assertIsNone(data["name"])
        self.assertEqual(data["program"], [])

    def test_a_missing_compiler_is_a_warning_that_names_the_variable(self):
        result = self.raddle("doctor", env={"RADDLE_CXX": "/no/such/g++"}, code=0)
        self.assert_words(result.out, "warning", "RADDLE_CXX", "/no/such/g++")

    def test_a_limit_on_address_space_is_a_blocker(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        done = subprocess.run([RADDLE, "doctor"], capture_output=True, text=True, cwd=self.dir,
                              env=environment(), preexec_fn=limit)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assert_words(done.stdout, "blocker", "8388608 KiB", "ulimit -v unlimited",
                          "cannot be run under control here")

    def test_a_missing_runtime_is_a_blocker(self):
        (self.dir / "empty").mkdir()
        result = self.raddle("doctor", env={"RADDLE_RUNTIME_DIR": str(self.dir / "empty")}, code=3)
        self.assert_words(result.out, "blocker", "runtime", "RADDLE_RUNTIME_DIR")


class Programs(Doctor):
    def test_a_program_built_with_raddle_is_fine(self):
        checks = self.checks(self.place("account"))
        self.expect(checks["instrumented"], "ok", "raddle c++")
        self.expect(checks["linkage"], "ok", "64-bit x86", "dynamically linked")
        self.expect(checks["debug info"], "ok", "1 source file", "GNU C++")
        self.expect(checks["optimisation"], "ok", "-O1")
        self.expect(checks["unwind tables"], "ok")
        self.expect(checks["system"], "ok", "libstdc++.so.6", "libc.so.6")
        result = self.raddle("doctor", "./account", code=0)
        self.assertTrue(result.out.endswith("./account can be run under control here\n"), result)

    def test_a_program_built_without_raddle_is_told_so(self):
        program = self.place("account", "-O2", compiler=["g++"])
        checks = self.checks(program)
        self.expect(checks["instrumented"], "warning", "not built with `raddle c++`", "invisible",
                    "synchronisation calls only")
        self.expect(checks["optimisation"], "note", "-O2")
        result = self.raddle("doctor", program, code=0)
        self.assert_words(result.out, "-> compile and link it with", "with 2 warnings")
        self.expect(checks["atomic code"], "warning", "1 function", "withdraw")

    def test_debug_information(self):
        self.sources()
        self.compile(RADDLE, "cc", "-g0", "main.c", "lib.c", "-o", "none")
        self.expect(self.checks("./none")["debug info"], "warning", "none", "-g")
        self.compile(RADDLE, "cc", "-gz", "main.c", "lib.c", "-o", "packed")
        self.expect(self.checks("./packed")["debug info"], "ok", "2 source files", "compressed")
        self.compile("objcopy", "--only-keep-debug", "packed", "packed.debug")
        self.compile("objcopy", "--strip-debug", "--add-gnu-debuglink=packed.debug", "packed",
                     "moved")
        self.expect(self.checks("./moved")["debug info"], "ok", "in packed.debug")
        os.remove(self.dir / "packed.debug")
        self.expect(self.checks("./moved")["debug info"], "warning", "moved to packed.debug",
                    "not there")
        self.compile(RADDLE, "cc", "-gsplit-dwarf", "-c", "main.c", "lib.c")
        self.compile(RADDLE, "cc", "main.o", "lib.o", "-o", "split")
        self.expect(self.checks("./split")["debug info"], "ok", "2 source files")
        os.remove(self.dir / "lib.dwo")
        self.expect(self.checks("./split")["debug info"], "warning", "that of 1", ".dwo")

    def test_source_files_that_were_left_out_are_named(self):
        self.sources()
        self.compile("gcc", "-g", "-O1", "-c", "lib.c")
        self.compile(RADDLE, "cc", "-g", "-O1", "-c", "main.c")
        self.compile(RADDLE, "cc", "main.o", "lib.o", "-o", "mixed")
        checks = self.checks("./mixed")
        self.expect(checks["instrumented"], "ok")
        self.expect(checks["source files"], "warning", "1 of 2", "lib.c")

    def test_a_program_only_linked_with_raddle(self):
        self.sources()
        self.compile("gcc", "-g", "-c", "main.c", "lib.c")
        self.compile(RADDLE, "cc", "main.o", "lib.o", "-o", "linked")
        self.expect(self.checks("./linked")["instrumented"], "warning", "no code of it")
        result = self.raddle("test", "--schedules", 3, "./linked", code=0)
        self.assert_words(result.err, "no code of it was compiled", "synchronisation calls only")

    def build_c(self, name, text):
        (self.dir / f"{name}.c").write_text(text)
        self.compile(RADDLE, "cc", "-g", "-O1", f"{name}.c", "-o", name)
        return f"./{name}"

    def test_atomic_instructions_that_are_not_seen_are_named(self):
        checks = self.checks(self.build_c("spinlock", SPINLOCK))
        self.expect(checks["atomic code"], "warning", "2 functions", "take, drop", "std::atomic")
        self.assertNotIn("atomic code", self.checks(self.place("account")))
        self.compile("strip", "spinlock", "-o", "stripped")
        self.expect(self.checks("./stripped")["atomic code"], "warning", "1 function", ".text")

    def test_findings_where_such_instructions_are_say_so(self):
        program = self.build_c("spinlock", SPINLOCK)
        result = self.raddle("test", "--races", "off", "--schedules", 20, "--run-timeout", 1,
                             program, code=1)
        self.assert_words(result.out, "hang:", "`take` has atomic instructions of its own")
        result = self.raddle("test", "--schedules", 20, self.build_c("counter", COUNTER), code=1)
        self.assert_words(result.out, "data-race:", "`work` has atomic instructions of its own")

    def test_bad_usage(self):
        program = self.place("account")
        for words, arguments in ((["one program"], [program, "argument"]),
                                 (["--jsn", "did you mean --json?"], ["--jsn"]),
                                 (["no such program", "did you mean ./account?"], ["./acount"])):
            with self.subTest(arguments=arguments):
                result = self.raddle("doctor", *arguments, code=2)
                self.assert_words(result.err, *words)
                self.assertEqual(result.out, "")
        self.assert_words(self.raddle("doctor", "--help", code=0).out, "--json", "Exit codes")


class CannotRun(Doctor):
    def test_programs_that_cannot_be_controlled(self):
        self.sources()
        both = ["main.c", "lib.c"]
        self.compile("gcc", *both, "-static", "-o", "static")
        self.compile("gcc", *both, "-fsanitize=address", "-o", "asan")
        self.compile("gcc", *both, "-o", "setuid")
        os.chmod(self.dir / "setuid", 0o4755)
        (self.dir / "script").write_text("#!/bin/sh\n")
        os.chmod(self.dir / "script", 0o755)
        for name, words in (("static", ["statically linked", "without -static"]),
                            ("asan", ["-fsanitize=address", "raddle c++"]),
                            ("setuid", ["set-uid", "test a copy"]),
                            ("script", ["is a script", "name the program"])):
            with self.subTest(program=name):
                self.expect(self.checks(f"./{name}", code=3)["program"], "blocker", *words)
                result = self.raddle("doctor", f"./{name}", code=3)
                self.assert_words(result.out, f"./{name} cannot be run under control here", "->")


class Libraries(Doctor):
    def build_with_library(self, *compiler):
        self.sources()
        self.compile(*compiler, "-g", "-shared", "-fPIC", "lib.c", "-o", "libcount.so")
        self.compile(RADDLE, "cc", "-g", "main.c", "-o", "user", "-L.", "-lcount",
                     "-Wl,-rpath,$ORIGIN")
        return "./user"

    def test_a_library_that_is_not_instrumented_is_named(self):
        program = self.build_with_library("gcc")
        checks = self.checks(program)
        self.expect(checks["libcount.so"], "warning", str(self.dir), "not instrumented",
                    "its accesses are invisible", "raddle c++")
        result = self.raddle("test", "--races", "off", "--schedules", 3, program, code=0)
        self.assert_words(result.err, "libcount.so was not built with `raddle c++`", "invisible")

    def test_a_library_that_is_instrumented(self):
        program = self.build_with_library(RADDLE, "cc")
        self.expect(self.checks(program)["libcount.so"], "ok", "is instrumented")
        result = self.raddle("test", "--races", "off", "--schedules", 3, program, code=0)
        self.assertNotIn("note", result.err)

    def test_a_library_that_is_not_found(self):
        program = self.build_with_library("gcc")
        os.remove(self.dir / "libcount.so")
        self.expect(self.checks(program, code=3)["libcount.so"], "blocker", "not found",
                    "LD_LIBRARY_PATH")

    def test_a_program_of_another_raddle(self):
        folder = self.dir / "other"
        folder.mkdir()
        runtime = pathlib.Path(RADDLE).resolve().parent.parent / "lib"
        for name in ("libraddle_rt.so", "libraddle_check.so", "raddle_gcc.specs",
                     "raddle_gcc.options", "raddle_link.options"):
            shutil.copy(runtime / name, folder)
        self.sources()
        done = subprocess.run([RADDLE, "cc", "-g", "main.c", "lib.c", "-o", "theirs"], cwd=self.dir,
                              env=environment(RADDLE_RUNTIME_DIR=str(folder)))
        self.assertEqual(done.returncode, 0)
        self.expect(self.checks("./theirs")["runtime"], "warning", str(folder), "link it again")


if __name__ == "__main__":
    unittest.main()
