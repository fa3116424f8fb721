// SPDX-License-Identifier: Apache-2.0
//
// Mozilla's current script: it is set, and gone when it is compiled. Every access is below the
// lock, so nothing races.
// EXPECT: "case 3" `current_script`
#include <cassert>

#include "detectors/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char* current_script;

static void load() {
  pthread_mutex_lock(&lock);
  current_script = "alert(1)";
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  const char* script = current_script;
  pthread_mutex_unlock(&lock);
  assert(script != nullptr);
}

static void clear() {
  Guard guard(lock);
  current_script = nullptr;
}

int main() { run_together(load, clear); }
