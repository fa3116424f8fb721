// SPDX-License-Identifier: Apache-2.0
//
// Making, copying, connecting and closing descriptors. Target side.
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/checkpoint.h"
#include "runtime/io_step.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/start.h"
#include "wire/address_step.h"

using namespace raddle::runtime;
namespace wire = raddle::wire;

namespace {

int note_one(int file, DescriptorKind kind) {
  if (running() && file >= 0) note_descriptor(file, kind, number_descriptor(kind));
  return file;
}

int note_two(int result, const int files[2], DescriptorKind kind) {
  if (!running() || result != 0) return result;
  std::uint32_t number = number_descriptor(kind);
  note_descriptor(files[0], kind, number);
  note_descriptor(files[1], kind, number);
  return result;
}

template <class Accept>
int accept_connection(int file, std::uintptr_t pc, Accept accept_it) {
  if (running()) act_on_cancel(pc);
  Channel channel = channel_of(file, false);
  if (goes_straight(channel, pc)) return accept_it();
  bool blocks = channel.way == Way::blocking;
  int connection = io_step({.kind = OpKind::io_accept,
                            .file = file,
                            .events = POLLIN,
                            .blocks = blocks,
                            .pc = pc,
                            .deadline_ns = blocks ? socket_deadline(file, SO_RCVTIMEO) : 0},
                           accept_it);
  return note_one(connection, DescriptorKind::socket);
}

// connect(2) without waiting in the kernel.
int begin_connect(int file, const sockaddr* address, socklen_t length) {
  int flags = RADDLE_REAL(fcntl)(file, F_GETFL);
  RADDLE_REAL(fcntl)(file, F_SETFL, flags | O_NONBLOCK);
  int result = RADDLE_REAL(connect)(file, address, length);
  int error = errno;
  RADDLE_REAL(fcntl)(file, F_SETFL, flags);
  errno = error;
  return result;
}

int finish_connect(int file) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -1;
  errno = error;
  return error == 0 ? 0 : -1;
}

// The listener's queue is full, and the kernel does not tell when there is room: try again later.
void pause_connect(std::uintptr_t pc) {
  PendingOp& op = next_op(OpKind::sleep, site_of(pc));
  pass_point({.notification = true,
              .deadline_ns = deadline_after({0, 1'000'000}),
              .cancellation_point = true});
  emit_io(op, 0);
}

int connect_socket(int file, const sockaddr* address, socklen_t length, std::uintptr_t pc) {
  IoCall io{.kind = OpKind::io_connect, .file = file, .events = POLLOUT, .blocks = false, .pc = pc};
  for (;;) {
    int result = io_step(io, [=] { return begin_connect(file, address, length); });
    if (result == 0 || (errno != EINPROGRESS && errno != EAGAIN)) return result;
    if (errno == EINPROGRESS) break;
    pause_connect(pc);
  }
  io.blocks = true;
  io.deadline_ns = socket_deadline(file, SO_SNDTIMEO);
  return io_step(io, [=] { return finish_connect(file); });
}

// Who connects to an address, or sends to it, may come before or after this. Only worth a step if
// there is somebody.
template <class Call>
int address_step(int file, wire::AddressStep what, std::uintptr_t pc, Call call) {
  bool alone = g.live_count == 1 || channel_of(file, true).way == Way::straight;
  PendingOp& op = io_op(OpKind::io_connect, file, pc);
  op.size = static_cast<std::uint16_t>(what);
  note_progress();
  if (!alone) pass_point();
  int result = call();
  int error = errno;
  if (!alone) emit_step(op, with_caller(), result != 0);
  if (result == 0) order_addresses();
  note_outside_change();
  errno = error;
  return result;
}

}  // namespace

RADDLE_EXPORT int bind(int file, const sockaddr* address, socklen_t length) noexcept {
  auto call = [=] { return RADDLE_REAL(bind)(file, address, length); };
  if (!running()) return call();
  if (length >= sizeof address->sa_family && address->sa_family == AF_UNIX) note_lasting_effect();
  return address_step(file, wire::AddressStep::bind, RADDLE_PROGRAM_CALLER, call);
}

RADDLE_EXPORT int listen(int file, int backlog) noexcept {
  auto call = [=] { return RADDLE_REAL(listen)(file, backlog); };
  if (!running()) return call();
  return address_step(file, wire::AddressStep::listen, RADDLE_PROGRAM_CALLER, call);
}

RADDLE_EXPORT int pipe(int files[2]) noexcept {
  return note_two(RADDLE_REAL(pipe)(files), files, DescriptorKind::pipe);
}

RADDLE_EXPORT int pipe2(int files[2], int flags) noexcept {
  return note_two(RADDLE_REAL(pipe2)(files, flags), files, DescriptorKind::pipe);
}

RADDLE_EXPORT int socketpair(int domain, int type, int protocol, int files[2]) noexcept {
  return note_two(RADDLE_REAL(socketpair)(domain, type, protocol, files), files,
                  DescriptorKind::pair);
}

RADDLE_EXPORT int socket(int domain, int type, int protocol) noexcept {
  return note_one(RADDLE_REAL(socket)(domain, type, protocol), DescriptorKind::socket);
}

RADDLE_EXPORT int eventfd(unsigned value, int flags) noexcept {
  return note_one(RADDLE_REAL(eventfd)(value, flags), DescriptorKind::event);
}

RADDLE_EXPORT int epoll_create(int size) noexcept {
  return note_one(RADDLE_REAL(epoll_create)(size), DescriptorKind::poller);
}

RADDLE_EXPORT int epoll_create1(int flags) noexcept {
  return note_one(RADDLE_REAL(epoll_create1)(flags), DescriptorKind::poller);
}

RADDLE_EXPORT int epoll_ctl(int poller, int operation, int file, epoll_event* event) noexcept {
  int result = RADDLE_REAL(epoll_ctl)(poller, operation, file, event);
  if (!running() || result != 0) return result;
  Descriptor* known = find_descriptor(poller);
  if (known != nullptr && operation == EPOLL_CTL_ADD && !is_inside(file)) known->reaches_out = true;
  note_outside_change();
  return result;
}

RADDLE_EXPORT int accept(int file, sockaddr* address, socklen_t* length) {
  return accept_connection(file, RADDLE_PROGRAM_CALLER,
                           [=] { return RADDLE_REAL(accept)(file, address, length); });
}

RADDLE_EXPORT int accept4(int file, sockaddr* address, socklen_t* length, int flags) {
  return accept_connection(file, RADDLE_PROGRAM_CALLER,
                           [=] { return RADDLE_REAL(accept4)(file, address, length, flags); });
}

RADDLE_EXPORT int connect(int file, const sockaddr* address, socklen_t length) {
  if (running()) act_on_cancel(RADDLE_PROGRAM_CALLER);
  Channel channel = channel_of(file, true);
  if (goes_straight(channel, RADDLE_PROGRAM_CALLER))
    return RADDLE_REAL(connect)(file, address, length);
  if (channel.way == Way::blocking)
    return connect_socket(file, address, length, RADDLE_PROGRAM_CALLER);
  return io_step({.kind = OpKind::io_connect,
                  .file = file,
                  .events = POLLOUT,
                  .blocks = false,
                  .pc = RADDLE_PROGRAM_CALLER},
                 [=] { return RADDLE_REAL(connect)(file, address, length); });
}

RADDLE_EXPORT int shutdown(int file, int how) noexcept {
  if (channel_of(file, false).way == Way::straight) return RADDLE_REAL(shutdown)(file, how);
  return io_step({.kind = OpKind::io_close,
                  .file = file,
                  .events = POLLOUT,
                  .blocks = false,
                  .pc = RADDLE_PROGRAM_CALLER,
                  .cancellation_point = false},
                 [=] { return RADDLE_REAL(shutdown)(file, how); });
}

// Closing is a point only where somebody may notice: at an end of something this run has made.
RADDLE_EXPORT int close(int file) {
  if (!running()) return RADDLE_REAL(close)(file);
  act_on_cancel(RADDLE_PROGRAM_CALLER);
  if (was_inherited(file)) note_change(kInheritedFiles);
  if (is_own_descriptor(file)) {
    errno = EBADF;
    return -1;
  }
  if (find_descriptor(file) == nullptr) {
    pass_cancellation_point(RADDLE_PROGRAM_CALLER);
    int result = RADDLE_REAL(close)(file);
    note_lock_change();  // it may have held one
    order_file_locks();
    return result;
  }
  return close_step(file, true, RADDLE_PROGRAM_CALLER, [=] { return RADDLE_REAL(close)(file); });
}

namespace {

// Whether a copy of `file` as `wanted` closes something that this run has made.
bool closes(int file, int wanted) {
  return running() && file != wanted && find_descriptor(wanted) != nullptr &&
         RADDLE_REAL(fcntl)(file, F_GETFD) >= 0;
}

}  // namespace

RADDLE_EXPORT int dup(int file) noexcept {
  int result = RADDLE_REAL(dup)(file);
  if (running() && result >= 0) copy_descriptor(file, result);
  return result;
}

RADDLE_EXPORT int dup2(int file, int wanted) noexcept {
  note_change(kInheritedFiles);
  auto copy = [=] { return RADDLE_REAL(dup2)(file, wanted); };
  int result =
      closes(file, wanted) ? close_step(wanted, false, RADDLE_PROGRAM_CALLER, copy) : copy();
  if (running() && result >= 0 && file != wanted) copy_descriptor(file, result);
  note_outside_change();
  return result;
}

RADDLE_EXPORT int dup3(int file, int wanted, int flags) noexcept {
  note_change(kInheritedFiles);
  auto copy = [=] { return RADDLE_REAL(dup3)(file, wanted, flags); };
  int result =
      closes(file, wanted) ? close_step(wanted, false, RADDLE_PROGRAM_CALLER, copy) : copy();
  if (running() && result >= 0) copy_descriptor(file, result);
  note_outside_change();
  return result;
}
