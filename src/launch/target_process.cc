// SPDX-License-Identifier: Apache-2.0
//
// Starting the program under test. Engine side. Between fork and exec only system calls are made.
#include "launch/target_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace raddle::launch {
namespace {

Error system_error(const char* what) {
  return {fmt::format("cannot {}: {}", what, strerror(errno)), kExitCannotRun};
}

// Returns once exec(2) has succeeded (the pipe closes) or failed.
Status await_exec(int report_fd, const TargetStart& start) {
  StartFailure failure;
  ssize_t got;
  do {
    got = read(report_fd, &failure, sizeof failure);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return Done{};
  if (got != sizeof failure)
    return Error{fmt::format("cannot start {}", start.name), kExitCannotRun};
  return start_error(start, failure);
}

}  // namespace

TargetProcess& TargetProcess::operator=(TargetProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidfd_, other.pidfd_);
  std::swap(status_, other.status_);
  return *this;
}

Result<TargetProcess> TargetProcess::spawn(const Program& program, const SpawnFiles& files) {
  UniqueFd input;
  auto start = make_start(program, files, input);
  if (!start) return start.error();
  StartPointers pointers(*start);
  pid_t engine = getpid();
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return system_error("make a pipe");
  UniqueFd report_read(report[0]);
  UniqueFd report_write(report[1]);
  TargetProcess process;
  process.pid_ = fork();
  if (process.pid_ < 0) return system_error("start a process");
  if (process.pid_ == 0) {
    StartFailure failure = become_target(*start, pointers, engine);
    [[maybe_unused]] ssize_t written = write(report_write.get(), &failure, sizeof failure);
    _exit(127);
  }
  report_write.reset();
  setpgid(process.pid_, process.pid_);
  process.pidfd_ = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, process.pid_, 0)));
  if (!process.pidfd_.valid()) return system_error("watch the program (pidfd_open)");
  if (auto status = await_exec(report_read.get(), *start); !status) return status.error();
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
