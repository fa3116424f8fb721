# SPDX-License-Identifier: Apache-2.0
"""Campaigns that are ended from outside, and disks that are full: no finished finding is lost, no
process is left."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from harness import RADDLE, CliTest, environment


class Signals(CliTest):
    def campaign_with_a_finding(self, *options, env=None):
        """Starts a long campaign and waits until it has kept a finding."""
        process = self.start("test", "--keep-going", "--time", "100s", "--json", "result.json",
                             *options, self.place("surroundings"), "stall", 20, self.mark, env=env)
        self.wait_until(lambda: self.findings() == ["1"], "a finding is kept")
        time.sleep(0.2)  # it is in the middle of other runs now
        return process

    def ended_by(self, number, env=None):
        process = self.campaign_with_a_finding(env=env)
        begin = time.monotonic()
        process.send_signal(number)
        result = self.finish(process, 20)
        self.assertLess(time.monotonic() - begin, 5, "it ended late")
        self.assertEqual(result.code, 1, result)
        self.assert_words(result.out, "interrupted", "assertion", "raddle replay 1")
        data = json.loads((self.dir / "result.json").read_text())
        self.assertEqual([f["kind"] for f in data["findings"]], ["assertion"])
        self.assertFalse(data["complete"])
        self.assertGreater(data["schedules"], 1)
        self.assert_no_process_left()
        self.assertEqual(self.findings(), ["1"])
        self.raddle("replay", 1, code=1)

    def test_interrupt(self):
        self.ended_by(signal.SIGINT)

    def test_terminate(self):
        self.ended_by(signal.SIGTERM)

    def test_interrupt_of_fresh_processes(self):
        self.ended_by(signal.SIGINT, {"RADDLE_EXECUTOR": "exec"})

    def test_interrupt_by_the_terminal_reaches_all_processes(self):
        process = self.campaign_with_a_finding()
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
        result = self.finish(process, 20)
        self.assertEqual(result.code, 1, result)
        self.assert_words(result.out, "interrupted")
        data = json.loads((self.dir / "result.json").read_text())
        # The interrupt is not a bug of the program.
        self.assertEqual([f["kind"] for f in data["findings"]], ["assertion"])
        self.assert_no_process_left()

    def test_interrupt_in_a_run_that_hangs(self):
        process = self.start("test", "--run-timeout", "100s", self.place("verdicts"), "hang",
                             self.mark)
        time.sleep(0.5)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        result = self.finish(process, 20)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(result.code, 0, result)
        self.assert_words(result.out + result.err, "interrupted")
        self.assertEqual(self.findings(), [])
        self.assert_no_process_left()

    def test_kill_leaves_no_process_and_whole_findings(self):
        for executor in ("fork", "exec"):
            with self.subTest(executor=executor):
                shutil.rmtree(self.dir / ".raddle", ignore_errors=True)
                process = self.campaign_with_a_finding(env={"RADDLE_EXECUTOR": executor})
                process.kill()
                process.wait(20)
                self.assert_no_process_left()
                self.assertFalse((self.dir / "result.json").exists())
                self.raddle("replay", 1, code=1)
                data = self.campaign(self.place("account"), code=1)
                self.assertEqual(data["findings"][0]["id"], 2)
                self.assertEqual(self.findings(), ["1", "2"])

    def test_kill_during_a_hang_leaves_no_process(self):
        process = self.start("test", "--run-timeout", "100s", self.place("verdicts"), "hang",
                             self.mark)
        time.sleep(0.5)
        process.kill()
        process.wait(20)
        self.assert_no_process_left()

    def test_kill_at_any_moment_leaves_no_half_finding(self):
        """Findings are made as fast as can be, and raddle is killed while it writes them."""
        program = self.place("account")
        for delay_ms in range(10, 130, 15):
            process = self.start("test", program, self.mark)
            time.sleep(delay_ms / 1000)
            process.kill()
            process.wait(20)
        self.assert_no_process_left()
        listed = self.raddle("list", "findings", code=0)
        numbers = [name for name in self.findings() if name.isdigit()]
        self.assertEqual(len(listed.out.splitlines()), len(numbers), listed)
        self.raddle("test", program, code=1)
        self.assertTrue(all(name.isdigit() for name in self.findings()), self.findings())


def can_mount():
    done = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"],
                          capture_output=True)
    return done.returncode == 0


@unittest.skipUnless(can_mount(), "mounting a small file system is not permitted here")
class FullDisk(CliTest):
    def in_small_disk(self, script):
        """Runs a shell script in self.dir, with a file system of 512 kB at `small`."""
        (self.dir / "small").mkdir()
        head = "mount -t tmpfs -o size=512k none small && raddle() { \"$RADDLE\" \"$@\"; }\n"
        done = subprocess.run(["unshare", "-m", "bash", "-c", head + script], cwd=self.dir,
                              env=environment(RADDLE=RADDLE), capture_output=True, text=True,
                              timeout=60)
        return done

    def test_loses_no_finished_finding_and_leaves_no_half_one(self):
        self.place("account")
        done = self.in_small_disk("""
            raddle test --quiet --out small/out ./account; echo "first $?"
            head -c 1M /dev/zero > small/filler 2>/dev/null
            truncate -s -8192 small/filler
            raddle test --out small/out --json result.json ./account >text 2>&1; echo "second $?"
            ls -A small/out/findings | sed 's/^/kept /'
            raddle replay --quiet --out small/out 1; echo "replay $?"
            raddle list findings --out small/out; echo "list $?"
            rm small/filler
            raddle test --quiet --out small/out ./account; echo "third $?"
            ls -A small/out/findings | sed 's/^/then /'""")
        lines = done.stdout.splitlines()
        text = (self.dir / "text").read_text()
        self.assertIn("first 1", lines, done)
        # The finding is true, though it could not be kept.
        self.assertIn("second 1", lines, text)
        self.assertIn("No space left on device", text)
        self.assertIn("small/out", text)
        self.assertEqual([line for line in lines if line.startswith("kept ")], ["kept 1"])
        self.assertIn("replay 1", lines, done)
        self.assertIn("list 0", lines, done)
        self.assertIn("third 1", lines, done)
        self.assertEqual([line for line in lines if line.startswith("then ")], ["then 1", "then 2"])
        data = json.loads((self.dir / "result.json").read_text())
        self.assertEqual([f["kind"] for f in data["findings"]], ["assertion"])
        self.assertEqual(data["findings"][0]["directory"], "", "it names a directory never made")
        self.assertNotIn("raddle replay", text, "it offers to replay what was not kept")

    def test_of_the_json_file_is_an_error_and_leaves_the_older_one(self):
        self.place("account")
        done = self.in_small_disk("""
            echo older > small/result.json
            head -c 1M /dev/zero > small/filler 2>/dev/null
            raddle test --schedules 3 --json small/result.json ./account fixed; echo "code $?"
            cat small/result.json
            ls -A small""")
        self.assertIn("code 2", done.stdout)
        self.assertIn("older", done.stdout)
        self.assertIn("No space left", done.stderr)
        self.assertEqual(done.stdout.splitlines()[-2:], ["filler", "result.json"])


if __name__ == "__main__":
    unittest.main()
