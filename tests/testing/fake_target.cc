// SPDX-License-Identifier: Apache-2.0
//
// What the stand-in does in a run is named by its first argument, so that each behaviour of a
// target is one word: see act() and stand_in(). Test side, run as target.
#include "testing/fake_target.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "wire/shared_block.h"

namespace raddle::testing {
namespace {

using wire::SharedHeader;
using wire::TargetStage;

SharedHeader* g_shared = nullptr;

std::string first_argument() {
  char line[4096] = {};
  int fd = open("/proc/self/cmdline", O_RDONLY);
  ssize_t got = read(fd, line, sizeof line - 1);
  close(fd);
  size_t first = strlen(line) + 1;
  return got > static_cast<ssize_t>(first) ? line + first : "";
}

void emit(std::uint32_t step, std::uint64_t value) {
  while (g_shared->ring_head.load() - g_shared->ring_tail.load() == g_shared->ring_capacity)
    usleep(50);
  std::uint64_t head = g_shared->ring_head.load();
  wire::Event event = {};
  event.step = step;
  event.value = value;
  event.kind = wire::OpKind::atomic_load;
  g_shared->ring()[head & (g_shared->ring_capacity - 1)] = event;
  g_shared->ring_head.store(head + 1, std::memory_order_release);
}

void on_watchdog(int) {
  g_shared->verdict.kind = wire::VerdictKind::hang;
  strcpy(g_shared->verdict.message, "watchdog answered");
  _exit(0);
}

[[noreturn]] void act(const std::string& what) {
  g_shared->ring_head.store(0);
  g_shared->steps = 7;
  g_shared->threads = 2;
  g_shared->choices = 1;
  g_shared->schedule()[0] = {3, 1, wire::OpKind::mutex_lock, 2};
  if (what == "print") {
    [[maybe_unused]] ssize_t n = write(1, "out", 3);
    n = write(2, "err", 3);
  }
  if (what == "cat") {
    int input = open("/proc/self/fd/0", O_RDONLY);
    char text[64];
    ssize_t n = read(input, text, sizeof text);
    n = write(1, text, static_cast<size_t>(n));
  }
  if (what == "seed") emit(0, g_shared->plan.seed);
  if (what == "sites")
    for (unsigned i = 0; i < g_shared->plan.site_count; ++i)
      emit(g_shared->plan.site_version, g_shared->sites()[i]);
  if (what == "steering")
    for (const auto& row : g_shared->steering_view().rows<wire::SteeringKind::recorded>())
      emit(row.step, row.picked);
  if (what == "flood")
    for (std::uint32_t i = 0; i < 3 * g_shared->ring_capacity; ++i) emit(i, i);
  if (what == "segv") raise(SIGSEGV);
  if (what == "deaf") {
    signal(SIGRTMAX - 2, SIG_IGN);
    while (true) pause();
  }
  if (what == "sleepy") {
    signal(SIGRTMAX - 2, on_watchdog);
    while (true) pause();
  }
  if (what == "scribble") g_shared->magic = 1;
  if (what == "lie") {
    while (true) {
      g_shared->run_pid.store(
          1);  // not ours to kill; again and again, for the server writes it too
      usleep(1000);
    }
  }
  if (what == "kill-parent") kill(getppid(), SIGKILL);
  g_shared->verdict.kind = wire::VerdictKind::exited;
  _exit(what == "three" ? 3 : 0);
}

[[noreturn]] void serve(const std::string& what, int commands, int replies) {
  char command;
  while (read(commands, &command, 1) == 1 && command == 'r') {
    pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      act(what);
    }
    g_shared->run_pid.store(child);
    wire::Reply reply = {};
    waitpid(child, &reply.wait_status, 0);
    g_shared->run_pid.store(0);
    [[maybe_unused]] ssize_t n = write(replies, &reply, sizeof reply);
  }
  _exit(0);
}

__attribute__((constructor)) void stand_in() {
  const char* control = getenv(wire::kControlVariable);
  if (control == nullptr) return;
  int shared = 0, commands = 0, replies = 0;
  if (sscanf(control, "%d,%d,%d", &shared, &commands, &replies) != 3) _exit(99);
  if (shared < 100 || commands < 100 || replies < 100) _exit(98);
  struct stat info;
  fstat(shared, &info);
  void* mapped = mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED, shared, 0);
  g_shared = static_cast<SharedHeader*>(mapped);
  std::string what = first_argument();
  if (what == "early-exit") _exit(5);
  g_shared->stage.store(TargetStage::loaded);
  if (what == "early-crash") {
    [[maybe_unused]] ssize_t n = write(2, "no config file\n", 15);
    abort();
  }
  bool server = g_shared->tier == wire::Tier::fork_server;
  if (what == "refuse" || (what == "refuse-fork" && server)) {
    strcpy(g_shared->verdict.message, what == "refuse" ? "it is Tuesday" : "fork: too early");
    g_shared->stage.store(TargetStage::refused);
    _exit(1);
  }
  strcpy(g_shared->modules[0].path, "/a/module");
  g_shared->module_count = 1;
  g_shared->stage.store(TargetStage::ready);
  if (server) serve(what, commands, replies);
  g_shared->run_pid.store(getpid());
  act(what);
}

}  // namespace

launch::Program fake_target(const std::string& behaviour) {
  launch::Program program;
  program.path = std::filesystem::read_symlink("/proc/self/exe").string();
  program.argv = {"stand-in", behaviour};
  program.directory = "/";
  program.elf.instrumented = true;  // nothing to preload
  return program;
}

}  // namespace raddle::testing
