// SPDX-License-Identifier: Apache-2.0
//
// The ways to end of fresh.h that are signals, or that never end by themselves.
#pragma once

#include <assert.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>

namespace fresh {

inline std::atomic<int> turns;

inline void* turn_forever(void*) {
  for (;;) ++turns;
}

inline void end_by_signal(const char* how) {
  if (is(how, "abort")) abort();
  if (is(how, "assert")) assert(is(how, "never"));
  if (is(how, "crash")) *static_cast<volatile int*>(nullptr) = 1;
  if (is(how, "overflow")) recurse(0);
  if (is(how, "division")) asm volatile("xor %%eax, %%eax; cltd; idivl %%eax" ::: "eax", "edx");
  if (is(how, "illegal")) asm volatile("ud2");
  if (is(how, "trap")) asm volatile("int3");
  if (is(how, "no_stack")) asm volatile("mov $64, %%rsp; push %%rax" ::: "memory");
  if (is(how, "terminate")) raise(SIGTERM);
  if (is(how, "kill")) kill(getpid(), SIGKILL);
}

inline void end_in_waiting(const char* how) {
  if (is(how, "deadlock")) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
  if (is(how, "limit")) {  // with --max-steps
    pthread_t other;
    pthread_create(&other, nullptr, turn_forever, nullptr);
    turn_forever(nullptr);
  }
  if (is(how, "idle")) {  // with --stop-when-idle
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    bind(server, reinterpret_cast<sockaddr*>(&name), sizeof(sa_family_t));
    listen(server, 1);
    accept(server, nullptr, nullptr);
  }
}

}  // namespace fresh
