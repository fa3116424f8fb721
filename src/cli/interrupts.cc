// SPDX-License-Identifier: Apache-2.0
//
// The signal handlers. Engine side. They do nothing but count, so that no lock or allocation is met
// in an interrupted place.
#include "cli/interrupts.h"

#include <signal.h>

namespace raddle::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;

void count_interrupt(int) {
  interrupt_count = interrupt_count + 1;
  if (interrupt_count < 2) return;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

}  // namespace

const volatile std::sig_atomic_t* watch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = count_interrupt;
  // No SA_RESTART: a wait returns at once and looks at the counter.
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return &interrupt_count;
}

}  // namespace raddle::cli
