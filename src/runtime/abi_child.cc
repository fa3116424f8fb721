// SPDX-License-Identifier: Apache-2.0
//
// The program's child processes: fork, posix_spawn, system, popen, and waiting for them. Target
// side. A child runs uncontrolled, natively; waiting for one holds up the calling thread only. The
// environment has been cleared of raddle's variables at the start, so what a child executes is not
// under control either.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/child_start.h"
#include "runtime/fatal.h"
#include "runtime/io_step.h"
#include "runtime/real.h"
#include "runtime/signal_actions.h"

using namespace raddle::runtime;

namespace {

constexpr char kShell[] = "/bin/sh";

struct Awaited {
  idtype_t kind;
  id_t id;
  int states;
  bool cancellation_point = true;
};

// Waits for a child as one step; `take` reaps it without waiting.
template <class Take>
auto wait_step(const Awaited& awaited, bool at_once, std::uintptr_t pc, Take take)
    -> decltype(take()) {
  if (awaited.cancellation_point) act_on_cancel(pc);
  PendingOp& op = next_op(OpKind::child_wait, site_of(pc));
  OutsideWait wait{.for_child = true,
                   .child_kind = awaited.kind,
                   .child = awaited.id,
                   .child_states = awaited.states};
  bool interrupted = false;
  if (at_once) {
    note_failure(op);  // perhaps a loop that asks
    pass_point({.cancellation_point = awaited.cancellation_point});
  } else {
    note_progress();
    bool changed = pass_outside_point(wait, {.interruption = Interruption::restartable,
                                             .cancellation_point = awaited.cancellation_point});
    interrupted = !changed && g.current->eintr;
  }
  decltype(take()) result = -1;
  if (!interrupted) result = take();
  int error = interrupted ? EINTR : errno;
  emit_io(op, result < 0 ? error : 0);
  note_outside_change();
  errno = error;
  return result;
}

Awaited awaited_by(pid_t child, int options) {
  int states = WEXITED | ((options & WUNTRACED) != 0 ? WSTOPPED : 0) |
               ((options & WCONTINUED) != 0 ? WCONTINUED : 0);
  if (child > 0) return {P_PID, static_cast<id_t>(child), states};
  if (child == -1) return {P_ALL, 0, states};
  return {P_PGID, static_cast<id_t>(child == 0 ? getpgrp() : -child), states};
}

pid_t wait_for(pid_t child, int* status, int options, rusage* usage, std::uintptr_t pc,
               bool cancellation_point = true) {
  int own = 0;
  Awaited awaited = awaited_by(child, options);
  awaited.cancellation_point = cancellation_point;
  pid_t got = wait_step(awaited, (options & WNOHANG) != 0, pc,
                        [&] { return RADDLE_REAL(wait4)(child, &own, options | WNOHANG, usage); });
  if (got > 0 && (WIFEXITED(own) || WIFSIGNALED(own))) note_reaped(got);
  if (got > 0 && status != nullptr) *status = own;
  return got;
}

// For functions that signals do not end early.
pid_t wait_to_the_end(pid_t child, int* status, std::uintptr_t pc, bool cancellation_point) {
  pid_t got;
  do got = wait_for(child, status, 0, nullptr, pc, cancellation_point);
  while (got < 0 && errno == EINTR);
  return got;
}

// While a command runs, the terminal's signals are for it.
struct TerminalSignals {
  unsigned users;
  struct sigaction interrupt, quit;
} terminal;

void ignore_terminal_signals() {
  if (terminal.users++ > 0) return;
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  RADDLE_REAL(sigaction)(SIGINT, &ignore, &terminal.interrupt);
  RADDLE_REAL(sigaction)(SIGQUIT, &ignore, &terminal.quit);
}

void restore_terminal_signals() {
  if (--terminal.users > 0) return;
  RADDLE_REAL(sigaction)(SIGINT, &terminal.interrupt, nullptr);
  RADDLE_REAL(sigaction)(SIGQUIT, &terminal.quit, nullptr);
}

int spawn_shell(pid_t* child, const char* command, const posix_spawn_file_actions_t* actions) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const char* arguments[] = {"sh", "-c", command, nullptr};
  InheritedMask mask;
  int error = RADDLE_REAL(posix_spawn)(child, kShell, actions, &attributes,
                                       const_cast<char* const*>(arguments), environ);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// A thread has been cancelled while it waits for its command, which ends with it.
void abandon_command(void* argument) {
  pid_t child = *static_cast<pid_t*>(argument);
  RADDLE_REAL(kill)(child, SIGKILL);
  RADDLE_REAL(waitpid)(child, nullptr, 0);
  note_reaped(child);
  restore_terminal_signals();
}

// Streams made by popen and the processes behind them.
struct Command {
  FILE* stream;
  pid_t child;
};
constexpr unsigned kCommandsMax = 256;
Command commands[kCommandsMax];
unsigned command_count;

}  // namespace

// The child is not under control: see at_fork.h.
RADDLE_EXPORT pid_t fork() noexcept {
  if (!running()) return RADDLE_REAL(fork)();
  pid_t child = -1;
  start_child(
      RADDLE_PROGRAM_CALLER, child,
      [&] {
        child = RADDLE_REAL(fork)();
        return child < 0 ? errno : 0;
      },
      true);
  return child;
}

// A function cannot return twice into its caller's frame, as vfork does; fork does all that
// programs may rely on.
RADDLE_EXPORT pid_t vfork() noexcept { return fork(); }

RADDLE_EXPORT int posix_spawn(pid_t* child, const char* path,
                              const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const arguments[],
                              char* const environment[]) {
  pid_t own = -1;
  auto start = [&] {
    InheritedMask mask;
    return RADDLE_REAL(posix_spawn)(&own, path, actions, attributes, arguments, environment);
  };
  int error = running() ? start_child(RADDLE_PROGRAM_CALLER, own, start) : start();
  if (error == 0 && child != nullptr) *child = own;
  return error;
}

RADDLE_EXPORT int posix_spawnp(pid_t* child, const char* file,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const arguments[],
                               char* const environment[]) {
  pid_t own = -1;
  auto start = [&] {
    InheritedMask mask;
    return RADDLE_REAL(posix_spawnp)(&own, file, actions, attributes, arguments, environment);
  };
  int error = running() ? start_child(RADDLE_PROGRAM_CALLER, own, start) : start();
  if (error == 0 && child != nullptr) *child = own;
  return error;
}

RADDLE_EXPORT pid_t waitpid(pid_t child, int* status, int options) {
  if (!running()) return RADDLE_REAL(waitpid)(child, status, options);
  return wait_for(child, status, options, nullptr, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT pid_t wait(int* status) {
  if (!running()) return RADDLE_REAL(wait)(status);
  return wait_for(-1, status, 0, nullptr, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT pid_t wait3(int* status, int options, rusage* usage) noexcept {
  if (!running()) return RADDLE_REAL(wait3)(status, options, usage);
  return wait_for(-1, status, options, usage, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT pid_t wait4(pid_t child, int* status, int options, rusage* usage) noexcept {
  if (!running()) return RADDLE_REAL(wait4)(child, status, options, usage);
  return wait_for(child, status, options, usage, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int waitid(idtype_t kind, id_t id, siginfo_t* info, int options) {
  if (!running()) return RADDLE_REAL(waitid)(kind, id, info, options);
  siginfo_t own{};
  int states = options & (WEXITED | WSTOPPED | WCONTINUED);
  int result = wait_step({kind, id, states}, (options & WNOHANG) != 0, RADDLE_PROGRAM_CALLER,
                         [&] { return RADDLE_REAL(waitid)(kind, id, &own, options | WNOHANG); });
  bool over = own.si_code == CLD_EXITED || own.si_code == CLD_KILLED || own.si_code == CLD_DUMPED;
  bool reaped = result == 0 && own.si_pid != 0 && over && (options & WNOWAIT) == 0;
  if (reaped) note_reaped(own.si_pid);
  if (info != nullptr) *info = own;
  return result;
}

RADDLE_EXPORT int system(const char* command) {
  if (!running()) return RADDLE_REAL(system)(command);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  act_on_cancel(pc);
  if (command == nullptr) return access(kShell, X_OK) == 0 ? 1 : 0;
  pid_t child = -1;
  ignore_terminal_signals();
  int error = start_child(pc, child, [&] { return spawn_shell(&child, command, nullptr); });
  int status = 127 << 8;
  if (error == 0) {
    pthread_cleanup_push(abandon_command, &child);
    if (wait_to_the_end(child, &status, pc, true) != child) status = -1;
    pthread_cleanup_pop(0);
  }
  restore_terminal_signals();
  return status;
}

namespace {

// Mode "r" or "w", with an optional "e". False if it is none of these.
bool parse_mode(const char* mode, bool* reads, bool* keep_for_exec) {
  *reads = false;
  *keep_for_exec = true;
  bool direction = false;
  for (; *mode != '\0'; ++mode) {
    if (*mode == 'e')
      *keep_for_exec = false;
    else if ((*mode == 'r' || *mode == 'w') && !direction)
      *reads = *mode == 'r', direction = true;
    else
      return false;
  }
  return direction;
}

int spawn_command(pid_t* child, const char* command, int theirs, int standard) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The streams of other commands are not for this one.
  for (unsigned i = 0; i < command_count; ++i)
    if (fileno(commands[i].stream) != standard)
      posix_spawn_file_actions_addclose(&actions, fileno(commands[i].stream));
  posix_spawn_file_actions_adddup2(&actions, theirs, standard);
  int error = spawn_shell(child, command, &actions);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

RADDLE_EXPORT FILE* popen(const char* command, const char* mode) {
  if (!running()) return RADDLE_REAL(popen)(command, mode);
  bool reads, keep_for_exec;
  int files[2];
  if (!parse_mode(mode, &reads, &keep_for_exec)) {
    errno = EINVAL;
    return nullptr;
  }
  if (command_count == kCommandsMax) refuse("the program has more than 256 commands open (popen)");
  if (RADDLE_REAL(pipe2)(files, O_CLOEXEC) != 0) return nullptr;
  int ours = reads ? files[0] : files[1];
  int theirs = reads ? files[1] : files[0];
  pid_t child = -1;
  int error = start_child(RADDLE_PROGRAM_CALLER, child, [&] {
    return spawn_command(&child, command, theirs, reads ? STDOUT_FILENO : STDIN_FILENO);
  });
  RADDLE_REAL(close)(theirs);
  FILE* stream = error == 0 ? fdopen(ours, reads ? "r" : "w") : nullptr;
  if (stream == nullptr) {
    RADDLE_REAL(close)(ours);
    if (error != 0) errno = error;
    return nullptr;
  }
  if (keep_for_exec) RADDLE_REAL(fcntl)(ours, F_SETFD, 0);
  commands[command_count++] = {stream, child};
  return stream;
}

RADDLE_EXPORT int pclose(FILE* stream) {
  unsigned i = 0;
  while (i < command_count && commands[i].stream != stream) ++i;
  if (i == command_count) return RADDLE_REAL(pclose)(stream);
  pid_t child = commands[i].child;
  commands[i] = commands[--command_count];
  fclose(stream);
  int status = -1;
  pid_t got = running() ? wait_to_the_end(child, &status, RADDLE_PROGRAM_CALLER, false)
                        : RADDLE_REAL(waitpid)(child, &status, 0);
  return got == child ? status : -1;
}
