// SPDX-License-Identifier: Apache-2.0
//
// Runs a command of the user (--before, --check) by /bin/sh, or a program for what it prints.
// Engine side.
#pragma once

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace raddle::launch {

using Variables = std::vector<std::pair<std::string, std::string>>;  // of the environment

struct ShellResult {
  int wait_status = 0;
  std::string output;  // both streams, at most kOutputKeptMax
};

// Waits for the end of the command. Standard input is empty. From the second interrupt on the
// command is killed and the error has kExitInterrupted. `interrupts` may be null.
Result<ShellResult> run_shell(const std::string& command, const std::string& directory,
                              const Variables& variables,
                              const volatile std::sig_atomic_t* interrupts);

// Waits for the end of argv[0], looked up on PATH if it has no slash.
Result<ShellResult> run_program(std::vector<std::string> argv, const std::string& directory,
                                const Variables& variables = {});

}  // namespace raddle::launch
