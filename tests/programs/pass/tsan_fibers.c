// SPDX-License-Identifier: Apache-2.0
// A user-level thread goes from one thread to another, in order.
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <ucontext.h>

static ucontext_t task, caller;
static char stack[64 << 10];
static void *task_fiber, *caller_fiber;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int turns, shared;

static void leave(void) {
  __tsan_switch_to_fiber(caller_fiber, 0);
  swapcontext(&task, &caller);
}

static void body(void) {
  for (;;) {
    ++turns;
    leave();
  }
}

static void* resume(void* unused) {
  pthread_mutex_lock(&guard);
  caller_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(task_fiber, 0);
  swapcontext(&caller, &task);
  ++shared;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t a, b;
  getcontext(&task);
  task.uc_stack.ss_sp = stack;
  task.uc_stack.ss_size = sizeof stack;
  makecontext(&task, body, 0);
  task_fiber = __tsan_create_fiber(0);
  __tsan_set_fiber_name(task_fiber, "task");
  pthread_create(&a, NULL, resume, NULL);
  pthread_create(&b, NULL, resume, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  __tsan_destroy_fiber(task_fiber);
  return turns == 2 && shared == 2 ? 0 : 1;
}
