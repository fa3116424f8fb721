// SPDX-License-Identifier: Apache-2.0
//
// Message queues, of POSIX and of System V. Target side. The first kind is a descriptor that can be
// polled; of the second the kernel does not tell when something changes, so whoever waits tries
// again when some thread has used one, and now and then.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <sys/msg.h>

#include "runtime/io_step.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace {

struct QueueCall {
  mqd_t queue;
  bool sends;
  bool timed;
  const timespec* until;  // meaningful if timed; null: waits for ever
  std::uintptr_t pc;
};

// `call` is the system call, which waits only if the queue is not ready.
template <class Call>
auto queue_step(const QueueCall& queue, Call call) -> decltype(call()) {
  act_on_cancel(queue.pc);
  int flags = RADDLE_REAL(fcntl)(queue.queue, F_GETFL);
  bool limited = queue.timed && queue.until != nullptr;
  bool wrong = limited && (queue.until->tv_sec < 0 || !is_valid(*queue.until));
  if (flags < 0 || wrong) return call();  // says what is wrong
  bool blocks = (flags & O_NONBLOCK) == 0;
  bool expires = blocks && limited;
  auto result = io_step({.kind = queue.sends ? OpKind::io_write : OpKind::io_read,
                         .file = queue.queue,
                         .events = static_cast<short>(queue.sends ? POLLOUT : POLLIN),
                         .blocks = blocks,
                         .pc = queue.pc,
                         .deadline_ns = expires ? deadline_of(CLOCK_REALTIME, *queue.until) : 0},
                        call);
  if (result < 0 && expires && errno == EAGAIN) errno = ETIMEDOUT;
  return result;
}

// Tries without waiting until it works, or fails for another reason than `not_yet`.
template <class Try>
auto try_in_turn(OpKind kind, bool waits, int not_yet, std::uintptr_t pc, Try attempt)
    -> decltype(attempt()) {
  act_on_cancel(pc);
  PendingOp& op = io_op(kind, -1, pc);
  note_progress();
  pass_point({.cancellation_point = true});
  auto result = attempt();
  while (waits && result < 0 && errno == not_yet) {
    emit_io(op, not_yet);
    op.serial = ++g.serial;
    OutsideWait wait{.lock_file = INT_MAX};  // a file that nobody knows
    pass_outside_point(wait, {.interruption = Interruption::always, .cancellation_point = true});
    if (g.current->eintr)
      errno = EINTR;
    else
      result = attempt();
  }
  int error = errno;
  emit_io(op, result < 0 ? error : 0);
  if (result >= 0) note_lock_change();
  errno = error;
  return result;
}

}  // namespace

RADDLE_EXPORT int mq_send(mqd_t queue, const char* data, size_t size, unsigned priority) {
  auto call = [=] { return RADDLE_REAL(mq_send)(queue, data, size, priority); };
  if (!running()) return call();
  return queue_step({queue, true, false, nullptr, RADDLE_PROGRAM_CALLER}, call);
}

RADDLE_EXPORT int mq_timedsend(mqd_t queue, const char* data, size_t size, unsigned priority,
                               const timespec* until) {
  auto call = [=] { return RADDLE_REAL(mq_timedsend)(queue, data, size, priority, until); };
  if (!running()) return call();
  return queue_step({queue, true, true, until, RADDLE_PROGRAM_CALLER}, call);
}

RADDLE_EXPORT ssize_t mq_receive(mqd_t queue, char* buffer, size_t size, unsigned* priority) {
  auto call = [=] { return RADDLE_REAL(mq_receive)(queue, buffer, size, priority); };
  if (!running()) return call();
  return queue_step({queue, false, false, nullptr, RADDLE_PROGRAM_CALLER}, call);
}

RADDLE_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* buffer, size_t size, unsigned* priority,
                                      const timespec* until) {
  auto call = [=] { return RADDLE_REAL(mq_timedreceive)(queue, buffer, size, priority, until); };
  if (!running()) return call();
  return queue_step({queue, false, true, until, RADDLE_PROGRAM_CALLER}, call);
}

RADDLE_EXPORT int msgsnd(int queue, const void* message, size_t size, int flags) {
  if (!running()) return RADDLE_REAL(msgsnd)(queue, message, size, flags);
  return try_in_turn(OpKind::io_write, (flags & IPC_NOWAIT) == 0, EAGAIN, RADDLE_PROGRAM_CALLER,
                     [=] { return RADDLE_REAL(msgsnd)(queue, message, size, flags | IPC_NOWAIT); });
}

RADDLE_EXPORT ssize_t msgrcv(int queue, void* message, size_t size, long kind, int flags) {
  if (!running()) return RADDLE_REAL(msgrcv)(queue, message, size, kind, flags);
  return try_in_turn(
      OpKind::io_read, (flags & IPC_NOWAIT) == 0, ENOMSG, RADDLE_PROGRAM_CALLER,
      [=] { return RADDLE_REAL(msgrcv)(queue, message, size, kind, flags | IPC_NOWAIT); });
}
