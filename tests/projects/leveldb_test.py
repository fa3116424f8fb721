# SPDX-License-Identifier: Apache-2.0
"""leveldb, a CMake project, built from Debian's source with the wrapper: its own tests of threads,
its lock-free skip list, and a database that several threads use while it compacts itself."""

import unittest

from project import ProjectTest, compile_program, run, source, wrapper


def build(folder):
    tree = source("leveldb")
    run(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
         "-DCMAKE_CXX_FLAGS=-g -O1", "-DLEVELDB_BUILD_BENCHMARKS=OFF"], folder,
        env={"CC": str(wrapper("c")), "CXX": str(wrapper("c++"))})
    run(["ninja", "-C", folder, "leveldb", "env_test", "skiplist_test"], folder)
    return tree


class Leveldb(ProjectTest):
    @classmethod
    def setUpClass(cls):
        cls.built = cls.build_folder("leveldb")
        cls.tree = build(cls.built)

    def test_its_tests_of_background_threads_are_clean(self):
        result = self.campaign("--schedules", 300, self.built / "env_test",
                               "--gtest_filter=EnvTest.Run*:EnvTest.StartThread")
        self.assert_clean(result, 300)

    def test_its_skip_list_is_clean_as_far_as_the_step_limit(self):
        # The test makes a thousand rounds of a thousand insertions, each run the first few of them.
        result = self.campaign("--schedules", 10, "--max-steps", 30000,
                               self.built / "skiplist_test", "--gtest_filter=SkipTest.Concurrent1")
        self.assertEqual(result["findings"], [])
        self.assertEqual(result["limited"], 10)

    def test_a_database_shared_by_threads_is_clean(self):
        program = compile_program("leveldb_threads", self.dir / "threads",
                                  self.built / "libleveldb.a",
                                  include=[self.tree / "include",
                                           self.tree / "helpers/memenv"])
        self.assert_clean(self.campaign("--schedules", 300, program), 300)


if __name__ == "__main__":
    unittest.main()
