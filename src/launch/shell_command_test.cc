// SPDX-License-Identifier: Apache-2.0
//
// Surroundings and interruption of commands.
#include "launch/shell_command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "launch/executor.h"

namespace raddle::launch {
namespace {

TEST(ShellCommand, RunsInTheDirectoryWithTheVariables) {
  auto result =
      run_shell("pwd; echo \"$COLOUR\" >&2; cat; exit 3", "/usr", {{"COLOUR", "red"}}, nullptr);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "/usr\nred\n");
  EXPECT_EQ(WEXITSTATUS(result->wait_status), 3);
}

TEST(ShellCommand, IsKilledByTheSecondInterrupt) {
  volatile std::sig_atomic_t interrupts = 2;
  auto result = run_shell("sleep 60", "/", {}, &interrupts);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().exit_code, kExitInterrupted);
}

}  // namespace
}  // namespace raddle::launch
