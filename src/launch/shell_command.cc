// SPDX-License-Identifier: Apache-2.0
//
// Commands of the user and programs that know something, by posix_spawn. Engine side.
#include "launch/shell_command.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/executor.h"
#include "launch/output_file.h"

extern char** environ;

namespace raddle::launch {
namespace {

class SpawnActions {
 public:
  SpawnActions(const std::string& directory, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, 1);
    posix_spawn_file_actions_adddup2(&actions_, output, 2);
    posix_spawnattr_init(&attributes_);
    // Its own group: a Ctrl-C at the terminal must not look like a failure of the command.
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (int number : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&defaults, number);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  int start(pid_t& process, char* const* argv, char* const* environment) const {
    return posix_spawnp(&process, argv[0], &actions_, &attributes_, argv, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<std::string> assignments(const Variables& variables) {
  std::vector<std::string> words;
  for (const auto& [name, value] : variables) words.push_back(name + "=" + value);
  return words;
}

// Our own environment and `own`, which must outlive the result.
std::vector<char*> environment_with(std::vector<std::string>& own) {
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    environment.push_back(*variable);
  for (std::string& variable : own) environment.push_back(variable.data());
  environment.push_back(nullptr);
  return environment;
}

// False if the user gave up.
bool await(pid_t process, int& status, const volatile std::sig_atomic_t* interrupts) {
  UniqueFd watch(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  bool patient = true;
  while (waitpid(process, &status, WNOHANG) != process) {
    pollfd entry = {watch.get(), POLLIN, 0};
    poll(&entry, watch.valid() ? 1 : 0, watch.valid() ? 200 : 5);
    if (patient && interrupts != nullptr && *interrupts >= 2) {
      patient = false;
      kill(-process, SIGKILL);
    }
  }
  return patient;
}

}  // namespace

Result<ShellResult> run_shell(const std::string& command, const std::string& directory,
                              const Variables& variables,
                              const volatile std::sig_atomic_t* interrupts) {
  auto output = OutputFile::in_memory("raddle-command");
  if (!output) return output.error();
  std::vector<std::string> own = assignments(variables);
  std::vector<char*> environment = environment_with(own);
  std::string text = command;
  char shell[] = "/bin/sh";
  char flag[] = "-c";
  char* argv[] = {shell, flag, text.data(), nullptr};

  SpawnActions actions(directory, output->fd());
  pid_t process = 0;
  int code = actions.start(process, argv, environment.data());
  if (code != 0)
    return Error{fmt::format("cannot start /bin/sh for `{}`: {}", command, strerror(code)),
                 kExitUsage};
  ShellResult result;
  if (!await(process, result.wait_status, interrupts))
    return Error{"interrupted", kExitInterrupted};
  result.output = output->text();
  return result;
}

Result<ShellResult> run_program(std::vector<std::string> argv, const std::string& directory,
                                const Variables& variables) {
  auto output = OutputFile::in_memory("raddle-program");
  if (!output) return output.error();
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  SpawnActions actions(directory, output->fd());
  pid_t process = 0;
  std::vector<std::string> own = assignments(variables);
  int code = actions.start(process, words.data(), environment_with(own).data());
  if (code != 0)
    return Error{fmt::format("cannot start {}: {}", argv[0], strerror(code)), kExitUsage};
  ShellResult result;
  await(process, result.wait_status, nullptr);
  result.output = output->text();
  return result;
}

}  // namespace raddle::launch
