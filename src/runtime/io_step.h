// SPDX-License-Identifier: Apache-2.0
//
// What all I/O functions of the ABI share: how a descriptor is to be treated, and one I/O call as
// one step. Target side.
#pragma once

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/cancel.h"
#include "runtime/descriptors.h"
#include "runtime/outside.h"
#include "runtime/sync_step.h"

namespace raddle::runtime {

enum class Way : std::uint8_t {
  straight,      // never blocks, or raddle's own business: no point
  non_blocking,  // a point; the kernel does not wait
  blocking,      // a point that waits for readiness
};

struct Channel {
  Way way;
  bool socket;
  bool fifo;
};

// Requires: nothing; a descriptor that is not open goes straight to the kernel, which says so.
Channel channel_of(int file, bool writes);

// Whether the call, made at `pc`, is the kernel's business alone. It is a cancellation point.
inline bool goes_straight(const Channel& channel, std::uintptr_t pc) {
  if (channel.way != Way::straight) return false;
  if (running()) pass_cancellation_point(pc);
  return true;
}

// Looks without waiting.
bool is_ready(pollfd& file);

// The deadline that SO_RCVTIMEO or SO_SNDTIMEO gives the next call, 0 if none.
std::uint64_t socket_deadline(int file, int option);

// As the system calls, for whoever calls at `pc`: the functions of the ABI, the stdio hooks, and
// those that report buffers (abi_buffers.cc).
ssize_t read_from(int file, void* buffer, size_t size, std::uintptr_t pc);
ssize_t write_to(int file, const void* data, size_t size, std::uintptr_t pc);
ssize_t read_pieces_from(int file, const iovec* pieces, int count, std::uintptr_t pc);
ssize_t write_pieces_to(int file, const iovec* pieces, int count, std::uintptr_t pc);
ssize_t receive_from(int file, void* buffer, size_t size, int flags, sockaddr* from,
                     socklen_t* length, std::uintptr_t pc);
ssize_t receive_message(int file, msghdr* message, int flags, std::uintptr_t pc);
ssize_t send_to(int file, const void* data, size_t size, int flags, const sockaddr* to,
                socklen_t length, std::uintptr_t pc);
ssize_t send_message(int file, const msghdr* message, int flags, std::uintptr_t pc);
int send_batch(int file, mmsghdr* messages, unsigned count, int flags, std::uintptr_t pc);
int receive_batch(int file, mmsghdr* messages, unsigned count, int flags, timespec* span,
                  std::uintptr_t pc);

inline PendingOp& io_op(OpKind kind, int file, std::uintptr_t pc) {
  PendingOp& op = next_op(kind, site_of(pc));
  op.address = descriptor_address(file);
  return op;
}

// The event of an I/O op (after pass_point), and the order that it makes between threads: what is
// written comes before what is read, a connection's beginning before it is accepted, and its end
// before whoever is told of that. The two ends of a connection are not known to belong together,
// so all sockets and unknown descriptors count as one place; a poll comes after all output.
// `error` is 0 if the call worked.
void emit_io(const PendingOp& op, int error);
// A socket has got an address: that comes before whatever is sent there.
void order_addresses();
// The same for operations on file locks, all of which count as one place.
void order_file_locks();

struct IoCall {
  OpKind kind;
  int file;
  short events;  // readiness waited for
  bool blocks;
  std::uintptr_t pc;
  std::uint64_t deadline_ns = 0;
  bool cancellation_point = true;
};

// A call that waits for input, or for room for output.
IoCall input_call(int file, const Channel& channel, std::uintptr_t pc);
IoCall output_call(int file, const Channel& channel, std::uintptr_t pc);

// Carries out call() as one step when the descriptor is ready; -1 with EAGAIN if the deadline
// comes first, with EINTR if a signal handler without SA_RESTART does. A thread that is cancelled
// before its step ends without making the call.
template <class Call>
auto io_step(const IoCall& io, Call call) -> decltype(call()) {
  PendingOp& op = io_op(io.kind, io.file, io.pc);
  pollfd file{io.file, io.events, 0};
  bool ready = true;
  int reason = EAGAIN;
  if (io.blocks) {
    note_progress();
    OutsideWait wait{.files = &file, .count = 1};
    // The kernel does not restart calls that have a time-out.
    ready = pass_outside_point(
        wait,
        {.deadline_ns = io.deadline_ns,
         .interruption = io.deadline_ns == 0 ? Interruption::restartable : Interruption::always,
         .cancellation_point = io.cancellation_point});
    if (!ready && g.current->eintr) reason = EINTR;
  } else {
    fire_due_timerfds();
    if (is_ready(file))
      note_progress();
    else
      note_failure(op);  // perhaps a loop that polls
    pass_point({.cancellation_point = io.cancellation_point});
  }
  decltype(call()) result = -1;
  if (ready) result = call();
  int error = ready ? errno : reason;
  emit_io(op, result < 0 ? error : 0);
  note_outside_change();
  errno = error;
  return result;
}

// Carries out call(), which closes the descriptor among other things, as one step. Requires: this
// run has made what it leads to, so that somebody may notice.
template <class Call>
int close_step(int file, bool cancellation_point, std::uintptr_t pc, Call call) {
  PendingOp& op = io_op(OpKind::io_close, file, pc);
  note_progress();
  pass_point({.cancellation_point = cancellation_point});
  forget_descriptor(file);
  int result = call();
  int error = errno;
  emit_io(op, result < 0 ? error : 0);
  note_outside_change();
  errno = error;
  return result;
}

}  // namespace raddle::runtime
