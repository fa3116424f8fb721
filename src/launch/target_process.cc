// SPDX-License-Identifier: Apache-2.0
//
// Starting the program under test. Engine side. Between fork and exec only system calls are made.
#include "launch/target_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <vector>

#include "wire/shared_block.h"

extern char** environ;

namespace raddle::launch {
namespace {

constexpr int kControlFdMin = 100;

// What the child needs, all made before fork(2).
struct Preparation {
  std::vector<char*> argv;
  std::vector<std::string> variables;
  std::string control;  // completed in the child, which alone knows the numbers
  std::vector<char*> environment;
  int input = -1;
  pid_t engine = 0;
};

bool is_ours(const char* variable) {
  return strncmp(variable, "RADDLE_", 7) == 0 || strncmp(variable, "LD_PRELOAD=", 11) == 0;
}

void prepare_environment(Preparation& preparation, const std::string& preload, bool bind_now) {
  const char* inherited = getenv("LD_PRELOAD");
  std::string libraries = preload;
  if (inherited != nullptr && *inherited != '\0')
    libraries += (libraries.empty() ? "" : ":") + std::string(inherited);
  if (!libraries.empty()) preparation.variables.push_back("LD_PRELOAD=" + libraries);
  if (bind_now) preparation.variables.push_back("LD_BIND_NOW=1");
  // Room for three numbers.
  preparation.control = std::string(wire::kControlVariable) + "=" + std::string(40, '\0');
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_ours(*variable)) preparation.environment.push_back(*variable);
  for (std::string& variable : preparation.variables)
    preparation.environment.push_back(variable.data());
  preparation.environment.push_back(preparation.control.data());
  preparation.environment.push_back(nullptr);
}

// Everything below runs between fork and exec: system calls and no allocation.
[[noreturn]] void give_up(int report_fd, int step) {
  int message[2] = {step, errno};
  [[maybe_unused]] ssize_t written = write(report_fd, message, sizeof message);
  _exit(127);
}

const char* kSteps[] = {"prepare", "enter the working directory of", "redirect", "start"};
enum Step { kPrepare, kDirectory, kRedirect, kExec };

int move_high(int fd) { return fcntl(fd, F_DUPFD, kControlFdMin); }

void reset_signals() {
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number <= SIGRTMAX; ++number) sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_target(const Program& program, const SpawnFiles& files,
                                Preparation& preparation, int report_fd) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != preparation.engine) _exit(127);  // it died before the line above
  reset_signals();
  // May be forbidden (some containers): then addresses differ from run to run, and only programs
  // that depend on them notice.
  int persona = personality(0xffffffff);
  if (persona != -1) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
  if (chdir(program.directory.c_str()) != 0) give_up(report_fd, kDirectory);

  int shared = move_high(files.shared);
  int command = move_high(files.command);
  int reply = move_high(files.reply);
  if (shared < 0 || command < 0 || reply < 0) give_up(report_fd, kPrepare);
  char* numbers = preparation.control.data() + strlen(wire::kControlVariable) + 1;
  auto result = fmt::format_to_n(numbers, 39, "{},{},{}", shared, command, reply);
  *result.out = '\0';
  // The sources may themselves be 0, 1 or 2 if the engine was started without them: go through
  // high copies.
  int streams[3] = {move_high(preparation.input), move_high(files.output), move_high(files.error)};
  for (int number = 0; number < 3; ++number) {
    if (streams[number] < 0 || dup2(streams[number], number) < 0) give_up(report_fd, kRedirect);
    close(streams[number]);
  }
  execve(program.path.c_str(), preparation.argv.data(), preparation.environment.data());
  give_up(report_fd, kExec);
}

Error system_error(const char* what) {
  return {fmt::format("cannot {}: {}", what, strerror(errno)), kExitCannotRun};
}

// Returns once exec(2) has succeeded (the pipe closes) or failed.
Status await_exec(int report_fd, const Program& program) {
  int message[2];
  ssize_t got;
  do {
    got = read(report_fd, message, sizeof message);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return Done{};
  int code = got == sizeof message ? message[1] : EIO;
  const char* step = got == sizeof message ? kSteps[message[0]] : "start";
  return Error{fmt::format("cannot {} {}: {}", step, program.argv[0], strerror(code)),
               kExitCannotRun};
}

}  // namespace

TargetProcess& TargetProcess::operator=(TargetProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidfd_, other.pidfd_);
  std::swap(status_, other.status_);
  return *this;
}

Result<TargetProcess> TargetProcess::spawn(const Program& program, const SpawnFiles& files) {
  std::string preload;
  if (!program.elf.instrumented) {
    auto library = runtime_library();
    if (!library) return library.error();
    preload = *library;
  }
  Preparation preparation;
  preparation.engine = getpid();
  for (const std::string& argument : program.argv)
    preparation.argv.push_back(const_cast<char*>(argument.c_str()));
  preparation.argv.push_back(nullptr);
  prepare_environment(preparation, preload, files.bind_now);
  std::string input = program.stdin_file.empty()
                          ? "/dev/null"
                          : resolve_path(program.directory, program.stdin_file);
  UniqueFd input_fd(open(input.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input_fd.valid())
    return Error{fmt::format("cannot read {}: {}", input, strerror(errno)), kExitUsage};
  preparation.input = input_fd.get();

  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return system_error("make a pipe");
  UniqueFd report_read(report[0]);
  UniqueFd report_write(report[1]);
  TargetProcess process;
  process.pid_ = fork();
  if (process.pid_ < 0) return system_error("start a process");
  if (process.pid_ == 0) become_target(program, files, preparation, report_write.get());
  report_write.reset();
  setpgid(process.pid_, process.pid_);
  process.pidfd_ = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, process.pid_, 0)));
  if (!process.pidfd_.valid()) return system_error("watch the program (pidfd_open)");
  if (auto status = await_exec(report_read.get(), program); !status) return status.error();
  return process;
}

std::optional<int> TargetProcess::ended() {
  if (status_ || pid_ < 0) return status_;
  siginfo_t info = {};
  // Look before reaping: as long as the leader is a zombie, its group's number is its own.
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != pid_)
    return std::nullopt;
  kill(-pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
  return status_;
}

void TargetProcess::kill_group() {
  if (pid_ < 0 || status_) return;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
}

}  // namespace raddle::launch
