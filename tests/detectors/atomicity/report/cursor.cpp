// SPDX-License-Identifier: Apache-2.0
//
// A stack that is asked whether it is empty, and popped when somebody else has popped it.
// EXPECT: "case [26]" `depth`
#include <cassert>

#include "detectors/threads.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int depth = 1;
static int stack[4];

static bool empty() {
  pthread_rwlock_rdlock(&lock);
  bool is_empty = depth == 0;
  pthread_rwlock_unlock(&lock);
  return is_empty;
}

static int pop() {
  pthread_rwlock_wrlock(&lock);
  assert(depth > 0);
  int top = stack[--depth];
  pthread_rwlock_unlock(&lock);
  return top;
}

static void consume() {
  if (!empty()) pop();
}

int main() { run_together(consume, consume); }
