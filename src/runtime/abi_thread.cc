// SPDX-License-Identifier: Apache-2.0
//
// pthread threads as fibers: create, join, detach, exit. Target side.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/cancel.h"
#include "runtime/checkpoint.h"
#include "runtime/events.h"
#include "runtime/misuse.h"
#include "runtime/openmp.h"
#include "runtime/real.h"
#include "runtime/signal_queue.h"
#include "runtime/start.h"
#include "runtime/sync_step.h"
#include "runtime/thread_attributes.h"
#include "runtime/thread_values.h"
#include "runtime/threads.h"

using namespace raddle::runtime;

extern "C" {
// glibc's cancellation cleanup: a setjmp buffer to which pthread_exit unwinds.
void __pthread_register_cancel(__pthread_unwind_buf_t*);
void __pthread_unregister_cancel(__pthread_unwind_buf_t*);
}

namespace raddle::runtime {
namespace {

PendingOp& thread_op(OpKind kind, ThreadId other, std::uintptr_t pc) {
  PendingOp& op = next_op(kind, site_of(pc));
  op.other = other;
  return op;
}

void (*call_tls_destructors)();

// Everything a thread does before others may see it as finished.
void run_exit_hooks() {
  if (call_tls_destructors != nullptr) call_tls_destructors();
  destroy_thread_values();
}

// The program's own child has one thread, and ends with it.
[[noreturn]] void end_child() {
  run_exit_hooks();
  exit(0);
}

LeftStack* end_thread() {
  if (off()) end_child();
  Fiber& me = *g.current;
  me.cancel_disabled = true;
  // Cancelled while it was waiting for another thread's end: that one can be joined again.
  if (me.joins != kNoThread) g.fibers[me.joins].joiner = kNoThread;
  abandon_onces_below(~std::uintptr_t{0});
  drop_suspended_below(~std::uintptr_t{0});
  run_exit_hooks();
  openmp::end_thread();
  abandon_robust_mutexes();
  pass_thread_end();
  forget_signals(me);
  emit({.kind = OpKind::thread_exit, .other = me.id}, me.id, me.id, 0);
  return finish_current();
}

// Calls run() so that pthread_exit from inside comes back here.
template <class Run>
void run_until_exit(Run run) {
  __pthread_unwind_buf_t buffer;
  memset(&buffer, 0, sizeof buffer);
  auto* jump = reinterpret_cast<__jmp_buf_tag*>(buffer.__cancel_jmp_buf);
  if (__sigsetjmp(jump, 0) == 0) {
    __pthread_register_cancel(&buffer);
    run();
    __pthread_unregister_cancel(&buffer);
  }
}

LeftStack* thread_main(Fiber* fiber) {
  after_switch();
  begin_first_step();
  emit_step({.kind = OpKind::thread_start}, fiber->id);
  run_until_exit([fiber] {
    deliver_signals();  // sent before its first step
    pass_thread_start(0);
    fiber->result = fiber->start(fiber->argument);
  });
  return end_thread();
}

int join(pthread_t thread, void** result, std::uint64_t deadline_ns, std::uintptr_t pc) {
  Fiber* target = fiber_of(thread);
  check_join(target, thread, pc);
  if (target == nullptr || target->state == FiberState::reaped) return ESRCH;
  Fiber& me = *g.current;
  if (target == &me) {
    act_on_cancel(pc);  // glibc waits here for the cancellation that is due
    return EDEADLK;
  }
  if (target->detached || target->joiner != kNoThread || target->joined_by != kNoThread)
    return EINVAL;
  // A join that does not have to wait is no cancellation point.
  bool finished = target->state == FiberState::finished;
  if (!finished) act_on_cancel(pc);
  PendingOp& op = thread_op(OpKind::thread_join, target->id, pc);
  note_progress();
  if (!finished) target->joiner = me.id;
  me.joins = target->id;
  pass_point({.notification = !finished,
              .deadline_ns = finished ? 0 : deadline_ns,
              .cancellation_point = !finished});
  target->joiner = me.joins = kNoThread;
  bool timed_out = target->state == FiberState::alive;
  emit_step(op, with_caller(target->id), timed_out);
  if (timed_out) return ETIMEDOUT;
  target->joined_by = me.id;
  if (races_wanted()) order_join(*target);
  if (result != nullptr) *result = target->result;
  recycle_fiber(*target);
  return 0;
}

// Without a time, and with one that is none, glibc waits for ever.
std::uint64_t end_of_join(clockid_t clock, const timespec* when) {
  return when == nullptr || !is_valid(*when) ? 0 : deadline_of(clock, *when);
}

// std::thread calls pthread_create from inside the C++ library. Looking through the stack for who
// called that takes time, so only runs of which more is wanted than their end do.
SiteId creation_site(SiteId site) {
  if (g.record.quiet || !is_system_site(site)) return site;
  // The call that begins the run was made before it, and is not noted.
  std::uintptr_t from = g.current->library_frame;
  if (from == 0) from = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  std::uintptr_t caller = nearest_program_pc(*g.current, from);
  return caller != 0 ? site_of(caller) : site;
}

}  // namespace

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                  void* argument, std::uintptr_t pc) {
  enter_run();
  PendingOp& op = thread_op(OpKind::thread_create, g.thread_count, pc);
  note_progress();
  pass_point();
  Fiber& me = *g.current;
  ThreadAttributes wanted;
  int error = read_attributes(attributes, me, &wanted);
  Fiber* fiber = error == 0 ? create_fiber(wanted.stack, thread_main) : nullptr;
  if (fiber == nullptr) {
    emit_step(op, with_caller(kNoThread), true);
    return error != 0 ? error : EAGAIN;
  }
  fiber->start = start;
  fiber->argument = argument;
  fiber->detached = wanted.detached;
  fiber->creator = me.id;
  fiber->created_epoch = me.epoch;
  fiber->created_at = creation_site(op.site);
  advance_epoch(me);
  if (races_wanted()) order_create(*fiber);
  inherit_signal_mask(me, *fiber);
  apply_attributes(wanted, me, *fiber);
  view_of(*fiber).op = {.kind = OpKind::thread_start, .serial = ++g.serial};
  g.shared->threads = g.thread_count;
  enable(*fiber);
  *thread = fiber->thread_pointer;
  emit_step(op, with_caller(fiber->id));
  return 0;
}

Fiber* fiber_with_tid(pid_t tid) {
  pid_t id = tid - RADDLE_REAL(gettid)();
  if (id < 0 || id >= g.thread_count || g.fibers[id].state != FiberState::alive) return nullptr;
  return &g.fibers[id];
}

void find_thread_end() {
  call_tls_destructors =
      reinterpret_cast<void (*)()>(find_symbol(RTLD_DEFAULT, "__call_tls_dtors"));
}

int run_main(int (*main)(int, char**, char**), int argc, char** argv, char** envp) {
  int status = 0;
  bool returned = false;
  run_until_exit([&] {
    status = main(argc, argv, envp);
    returned = true;
  });
  // The line of the return statement is not known; the function is.
  if (returned) exit_from(status, reinterpret_cast<std::uintptr_t>(main) + 1);
  go_on(end_thread());  // main called pthread_exit: the process ends with its last thread
}

}  // namespace raddle::runtime

RADDLE_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                 void* (*start)(void*), void* argument) {
  if (off()) return RADDLE_REAL(pthread_create)(thread, attributes, start, argument);
  return create_thread(thread, attributes, start, argument, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_join(pthread_t thread, void** result) {
  if (off()) return RADDLE_REAL(pthread_join)(thread, result);
  return join(thread, result, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) {
  if (off()) return RADDLE_REAL(pthread_tryjoin_np)(thread, result);
  Fiber* target = fiber_of(thread);
  if (target != nullptr && target->state == FiberState::alive) {
    PendingOp& op = thread_op(OpKind::yield, target->id, RADDLE_PROGRAM_CALLER);
    mark_yielding();
    pass_point();
    emit_step(op, with_caller(target->id), true);
    if (target->state == FiberState::alive) return EBUSY;
  }
  return join(thread, result, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* when) {
  if (off()) return RADDLE_REAL(pthread_timedjoin_np)(thread, result, when);
  return join(thread, result, end_of_join(CLOCK_REALTIME, when), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock,
                                       const timespec* when) {
  if (off()) return RADDLE_REAL(pthread_clockjoin_np)(thread, result, clock, when);
  if (!is_wait_clock(clock)) return EINVAL;
  return join(thread, result, end_of_join(clock, when), RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int pthread_detach(pthread_t thread) {
  if (off()) return RADDLE_REAL(pthread_detach)(thread);
  Fiber* target = fiber_of(thread);
  check_join(target, thread, RADDLE_PROGRAM_CALLER);
  if (target == nullptr || target->state == FiberState::reaped) return ESRCH;
  if (target->detached) return EINVAL;
  target->detached = true;
  emit({.kind = OpKind::thread_detach, .site = site_of(RADDLE_PROGRAM_CALLER), .other = target->id},
       g.current->id, with_caller(target->id), 0);
  if (target->state == FiberState::finished) recycle_fiber(*target);
  return 0;
}

RADDLE_EXPORT void pthread_exit(void* result) {
  if (!off()) {
    g.current->result = result;
    g.current->cancel_disabled = true;
  }
  RADDLE_REAL(pthread_exit)(result);
  __builtin_unreachable();
}

RADDLE_EXPORT pid_t gettid() {
  if (off()) return RADDLE_REAL(gettid)();
  note_lasting_effect();
  return RADDLE_REAL(gettid)() + g.current->id;
}
