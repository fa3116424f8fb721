# SPDX-License-Identifier: Apache-2.0
"""memcached, an autoconf project, built from Debian's source with the wrapper, together with client
threads that talk to it over loopback (programs/memcached_client.c). As it is, it is clean but for
races that its authors know of; without the lock around incrementing, the lost update and the races
behind it are found."""

import shutil
import socket
import unittest

from project import HERE, ProjectTest, run, source, wrapper

# The clients' main function comes first and calls the server's.
RENAMED = "-Dmain=memcached_main -Wno-error=missing-prototypes -Wno-error=missing-declarations"
LOCKED = """    item_lock(hv);
    ret = do_add_delta(c, key, nkey, incr, delta, buf, cas, hv, NULL);
    item_unlock(hv);
"""
# Few and large chunks: a page is cut up step by step. Without the threads that work by the clock a
# server with nothing to do is idle.
OPTIONS = ("-u root -l 127.0.0.1 -U 0 -t 2 -n 16384 "
           "-o no_lru_maintainer,no_lru_crawler,hashpower=12,no_hashexpand").split()
# These look at an item without its lock: to find the lock, and to count its users.
KNOWN = "race_top:item_remove\nrace_top:lru_pull_tail\nrace_top:limited_get\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make(folder):
    client = folder / "client.o"
    run([wrapper("c"), "-g", "-O1", "-Wall", "-Wextra", "-c",
         HERE / "programs/memcached_client.c", "-o", client], folder)
    run(["make", "-j2", "memcached", f"CPPFLAGS={RENAMED}", f"LIBS={client} -levent"], folder)


class Memcached(ProjectTest):
    @classmethod
    def setUpClass(cls):
        cls.built = cls.build_folder("memcached")
        shutil.rmtree(cls.built)
        shutil.copytree(source("memcached"), cls.built)
        run(["./configure", "--disable-docs", "--disable-dependency-tracking", "CFLAGS=-g -O1"],
            cls.built, env={"CC": str(wrapper("c"))})
        make(cls.built)

    def serve(self, schedules, **options):
        port = free_port()
        known = self.dir / "known.txt"
        known.write_text(KNOWN)
        return self.campaign("--stop-when-idle", "--schedules", schedules, "--suppressions", known,
                             "--check",
                             'grep -qx "common 4" "$RADDLE_STDOUT"', self.built / "memcached", port,
                             "-p", port, *OPTIONS, **options)

    def test_1_clients_and_server_are_clean_but_for_known_races(self):
        self.assert_clean(self.serve(100), 100)

    def test_2_without_its_lock_an_increment_is_lost(self):
        code = self.built / "thread.c"
        text = code.read_text()
        self.assertEqual(text.count(LOCKED), 1, "another version: look where the lock is now")
        code.write_text(text.replace(LOCKED, "\n".join(LOCKED.split("\n")[1:2]) + "\n"))
        self.addCleanup(code.write_text, text)
        make(self.built)
        result = self.serve(100, code=1)
        kinds = {finding["kind"] for finding in result["findings"]}
        self.assertIn("assertion", kinds)
        self.assertIn("data-race", kinds)


if __name__ == "__main__":
    unittest.main()
