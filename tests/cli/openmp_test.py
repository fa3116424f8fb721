# SPDX-License-Identifier: Apache-2.0
"""OpenMP from outside: team sizes, programs built without raddle, uncontrolled runs, and what is
refused by name."""

import subprocess
import unittest

from harness import RADDLE, CliTest, environment

TEAM = """#include <omp.h>
#include <stdio.h>
int main(void) {
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members += 1;
  printf("members %d\\n", members);
  return members == omp_get_max_threads() ? 0 : 1;
}
"""
LOST = """#include <stdlib.h>
int main(void) {
  int total = 0;
#pragma omp parallel sections shared(total) num_threads(2)
  {
#pragma omp section
    for (int i = 0; i < 2; ++i)
#pragma omp critical
      total += 1;
#pragma omp section
    if (total == 1)
#pragma omp critical
      abort();
  }
}
"""
DOACROSS = """int a[4];
int main(void) {
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 4; ++i) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  return a[3] - 3;
}
"""
# What clang makes of a parallel region, without the need for its library.
LLVM = """void __kmpc_fork_call(void*, int, void*, ...);
int main(void) { __kmpc_fork_call(0, 0, 0); }
"""


class OpenMP(CliTest):
    def compile(self, source, *command):
        (self.dir / "program.c").write_text(source)
        done = subprocess.run([*command, "program.c", "-o", "program"], cwd=self.dir,
                              capture_output=True, text=True, env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)

    def build(self, source, *flags):
        self.compile(source, RADDLE, "cc", "-g", "-fopenmp", *flags)

    def native(self, **variables):
        done = subprocess.run(["./program"], cwd=self.dir, capture_output=True, text=True,
                              env=environment(**variables))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_size_of_a_team_does_not_depend_on_the_machine(self):
        self.build(TEAM)
        for wanted, variable in (2, None), (4, "4"):
            check = f"grep -qx 'members {wanted}' $RADDLE_STDOUT"
            report = self.raddle("test", "--schedules", 5, "--check", check, "./program",
                                 env={"OMP_NUM_THREADS": variable}, code=0)
            self.assert_words(report.out, "nothing found in 5 runs")

    def test_without_raddle_it_is_libgomps(self):
        for flags in ([], ["-Wl,--as-needed"], ["-Wl,--no-as-needed"]):
            self.build(TEAM, *flags)
            self.assertEqual(self.native(OMP_NUM_THREADS="5"), "members 5\n", flags)

    def test_a_program_built_without_raddle(self):
        self.compile(LOST, "gcc", "-g", "-fopenmp")
        report = self.raddle("test", "--schedules", 300, "./program", code=1)
        self.assert_words(report.out, "abort")

    def test_what_is_not_supported_is_named(self):
        self.build(DOACROSS)
        self.native()
        report = self.raddle("test", "./program", code=3)
        self.assert_words(report.err, "GOMP_loop_doacross", "OpenMP", "docs/openmp.md")
        self.build(TEAM)
        report = self.raddle("test", "./program", env={"OMP_CANCELLATION": "true"}, code=3)
        self.assert_words(report.err, "OMP_CANCELLATION=true")

    def test_llvms_openmp_is_refused(self):
        self.compile(LLVM, RADDLE, "cc", "-g")
        report = self.raddle("test", "./program", code=3)
        self.assert_words(report.err, "LLVM's OpenMP", "__kmpc_fork_call", "gcc")


if __name__ == "__main__":
    unittest.main()
