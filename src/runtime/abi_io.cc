// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing descriptors. Target side. A blocking call is one step, taken when the
// descriptor is ready; only a write that does not fit takes several, one for every time there is
// room. Regular files, directories and devices other than terminals go straight to the kernel,
// and so does what is written to the standard output and error that the run began with: where
// those lead is raddle's choice.
#include <fcntl.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/io_step.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace raddle::runtime {

namespace {

// Places for the order of what has no place of its own: beyond all kinds of descriptors.
constexpr std::uintptr_t kOtherPlaces = kDescriptorsBase + (std::uintptr_t{15} << 32);
constexpr std::uintptr_t kSockets = kOtherPlaces;
constexpr std::uintptr_t kAllOutput = kOtherPlaces + 8;
constexpr std::uintptr_t kFileLocks = kOtherPlaces + 16;
constexpr std::uintptr_t kAddresses = kOtherPlaces + 24;  // that sockets were bound to

std::uintptr_t ordered_place(const PendingOp& op) {
  auto kind = static_cast<DescriptorKind>(locate_descriptor(op.address).id());
  bool apart = kind == DescriptorKind::unknown || kind == DescriptorKind::socket;
  return apart ? kSockets : op.address;
}

}  // namespace

void emit_io(const PendingOp& op, int error) {
  // A connection that is being made can be accepted already.
  bool works = error == 0 || (op.kind == OpKind::io_connect && error == EINPROGRESS);
  emit_step(op, with_caller(), !works);
  if (!races_wanted() || !running()) return;
  // The other side has closed it.
  if (error == EPIPE || error == ECONNRESET) return order_acquire(ordered_place(op));
  if (!works) return;
  switch (op.kind) {
    case OpKind::io_poll:
      return order_acquire(kAllOutput);
    case OpKind::io_read:
    case OpKind::io_accept:
      return order_acquire(ordered_place(op));
    case OpKind::io_write:
    case OpKind::io_connect:
    case OpKind::io_close:
      if (ordered_place(op) == kSockets) order_acquire(kAddresses);
      order_release(kAllOutput);
      return order_release(ordered_place(op));
    default:
      return;
  }
}

void order_addresses() {
  if (races_wanted() && running()) order_release(kAddresses);
}

void order_file_locks() {
  if (!races_wanted() || !running()) return;
  order_acquire(kFileLocks);
  order_release(kFileLocks);
}

bool is_ready(pollfd& file) { return RADDLE_REAL(poll)(&file, 1, 0) != 0; }

namespace {

Channel examine(int file, bool writes) {
  Channel channel{Way::straight, false, false};
  struct stat info {};
  if (fstat(file, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode) ||
      S_ISBLK(info.st_mode))
    return channel;
  bool known = find_descriptor(file) != nullptr;
  if (writes && !known && (file == STDOUT_FILENO || file == STDERR_FILENO)) return channel;
  if (S_ISCHR(info.st_mode) && !isatty(file)) return channel;
  channel.socket = S_ISSOCK(info.st_mode);
  channel.fifo = S_ISFIFO(info.st_mode);
  int flags = RADDLE_REAL(fcntl)(file, F_GETFL);
  channel.way = (flags & O_NONBLOCK) != 0 ? Way::non_blocking : Way::blocking;
  return channel;
}

}  // namespace

Channel channel_of(int file, bool writes) {
  if (!running()) return {Way::straight, false, false};
  int error = errno;
  Channel channel = examine(file, writes);
  errno = error;
  return channel;
}

std::uint64_t socket_deadline(int file, int option) {
  timeval limit{};
  socklen_t size = sizeof limit;
  if (getsockopt(file, SOL_SOCKET, option, &limit, &size) != 0) return 0;
  if (limit.tv_sec == 0 && limit.tv_usec == 0) return 0;
  return deadline_after({limit.tv_sec, limit.tv_usec * 1000});
}

IoCall input_call(int file, const Channel& channel, std::uintptr_t pc) {
  bool blocks = channel.way == Way::blocking;
  return {.kind = OpKind::io_read,
          .file = file,
          .events = POLLIN,
          .blocks = blocks,
          .pc = pc,
          .deadline_ns = blocks && channel.socket ? socket_deadline(file, SO_RCVTIMEO) : 0};
}

IoCall output_call(int file, const Channel& channel, std::uintptr_t pc) {
  bool blocks = channel.way == Way::blocking;
  return {.kind = OpKind::io_write,
          .file = file,
          .events = POLLOUT,
          .blocks = blocks,
          .pc = pc,
          .deadline_ns = blocks && channel.socket ? socket_deadline(file, SO_SNDTIMEO) : 0};
}

namespace {

// As much as there is room for now. A pipe that is ready takes PIPE_BUF bytes without waiting.
ssize_t write_what_fits(int file, const Channel& channel, const char* data, size_t size,
                        int flags) {
  if (channel.socket)
    return RADDLE_REAL(sendto)(file, data, size, flags | MSG_DONTWAIT, nullptr, 0);
  if (!channel.fifo || size <= PIPE_BUF) return RADDLE_REAL(write)(file, data, size);
  size_t done = 0;
  pollfd room{file, POLLOUT, 0};
  do {
    size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;
    ssize_t written = RADDLE_REAL(write)(file, data + done, piece);
    if (written < 0) return done > 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<size_t>(written);
  } while (done < size && is_ready(room) && (room.revents & POLLOUT) != 0);
  return static_cast<ssize_t>(done);
}

ssize_t write_all(const IoCall& io, const Channel& channel, const void* data, size_t size,
                  int flags) {
  const char* next = static_cast<const char*>(data);
  size_t done = 0;
  do {
    bool timed_out = true;
    ssize_t written = io_step(io, [&] {
      timed_out = false;
      return write_what_fits(io.file, channel, next + done, size - done, flags);
    });
    if (written < 0 && errno == EAGAIN && !timed_out) {
      mark_yielding();  // ready, but not for this much: somebody else has to read first
      continue;
    }
    if (written < 0) return done > 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<size_t>(written);
  } while (done < size);
  return static_cast<ssize_t>(done);
}

bool is_stream(int file) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type == SOCK_STREAM;
}

size_t total_of(const iovec* pieces, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count; ++i) total += pieces[i].iov_len;
  return total;
}

// The pieces from byte `skip` on, each by itself: a stream does not show the difference.
ssize_t write_pieces(const IoCall& io, const Channel& channel, const iovec* pieces, size_t count,
                     size_t skip, int flags) {
  size_t done = skip;
  for (size_t i = 0; i < count; ++i) {
    if (skip >= pieces[i].iov_len) {
      skip -= pieces[i].iov_len;
      continue;
    }
    size_t left = pieces[i].iov_len - skip;
    ssize_t written =
        write_all(io, channel, static_cast<const char*>(pieces[i].iov_base) + skip, left, flags);
    skip = 0;
    if (written < 0) return done > 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<size_t>(written);
    if (static_cast<size_t>(written) < left) break;
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

ssize_t read_from(int file, void* buffer, size_t size, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = channel_of(file, false);
  if (goes_straight(channel, pc)) return RADDLE_REAL(read)(file, buffer, size);
  return io_step(input_call(file, channel, pc),
                 [=] { return RADDLE_REAL(read)(file, buffer, size); });
}

ssize_t write_to(int file, const void* data, size_t size, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = channel_of(file, true);
  if (goes_straight(channel, pc)) return RADDLE_REAL(write)(file, data, size);
  IoCall io = output_call(file, channel, pc);
  if (channel.way == Way::blocking) return write_all(io, channel, data, size, 0);
  return io_step(io, [=] { return RADDLE_REAL(write)(file, data, size); });
}

ssize_t read_pieces_from(int file, const iovec* pieces, int count, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = channel_of(file, false);
  if (goes_straight(channel, pc)) return RADDLE_REAL(readv)(file, pieces, count);
  return io_step(input_call(file, channel, pc),
                 [=] { return RADDLE_REAL(readv)(file, pieces, count); });
}

ssize_t write_pieces_to(int file, const iovec* pieces, int count, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = channel_of(file, true);
  if (count < 0 || goes_straight(channel, pc)) return RADDLE_REAL(writev)(file, pieces, count);
  IoCall io = output_call(file, channel, pc);
  bool whole = channel.way == Way::non_blocking ||
               (channel.socket ? !is_stream(file)
                               : total_of(pieces, static_cast<size_t>(count)) <= PIPE_BUF);
  if (!whole) return write_pieces(io, channel, pieces, static_cast<size_t>(count), 0, 0);
  return io_step(io, [=] { return RADDLE_REAL(writev)(file, pieces, count); });
}

namespace {

// A blocking call on a socket that says so itself is not one.
Channel socket_channel(int file, int flags, bool writes) {
  Channel channel = channel_of(file, writes);
  if (channel.way == Way::blocking && (flags & MSG_DONTWAIT) != 0) channel.way = Way::non_blocking;
  return channel;
}

}  // namespace

ssize_t receive_from(int file, void* buffer, size_t size, int flags, sockaddr* from,
                     socklen_t* length, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = socket_channel(file, flags, false);
  if (goes_straight(channel, pc))
    return RADDLE_REAL(recvfrom)(file, buffer, size, flags, from, length);
  bool all = (flags & MSG_WAITALL) != 0 && channel.way == Way::blocking && is_stream(file) &&
             (flags & MSG_PEEK) == 0;
  size_t done = 0;
  do {
    ssize_t got = io_step(input_call(file, channel, pc), [=] {
      return RADDLE_REAL(recvfrom)(file, static_cast<char*>(buffer) + done, size - done,
                                   flags & ~MSG_WAITALL, from, length);
    });
    if (got <= 0) return done > 0 ? static_cast<ssize_t>(done) : got;
    done += static_cast<size_t>(got);
  } while (all && done < size);
  return static_cast<ssize_t>(done);
}

ssize_t receive_message(int file, msghdr* message, int flags, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = socket_channel(file, flags, false);
  if (goes_straight(channel, pc)) return RADDLE_REAL(recvmsg)(file, message, flags);
  return io_step(input_call(file, channel, pc),
                 [=] { return RADDLE_REAL(recvmsg)(file, message, flags & ~MSG_WAITALL); });
}

ssize_t send_to(int file, const void* data, size_t size, int flags, const sockaddr* to,
                socklen_t length, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = socket_channel(file, flags, true);
  if (goes_straight(channel, pc)) return RADDLE_REAL(sendto)(file, data, size, flags, to, length);
  IoCall io = output_call(file, channel, pc);
  if (channel.way == Way::blocking && channel.socket && to == nullptr)
    return write_all(io, channel, data, size, flags);
  return io_step(io, [=] { return RADDLE_REAL(sendto)(file, data, size, flags, to, length); });
}

ssize_t send_message(int file, const msghdr* message, int flags, std::uintptr_t pc) {
  if (running()) act_on_cancel(pc);
  Channel channel = socket_channel(file, flags, true);
  if (goes_straight(channel, pc)) return RADDLE_REAL(sendmsg)(file, message, flags);
  IoCall io = output_call(file, channel, pc);
  if (channel.way == Way::non_blocking || !is_stream(file))
    return io_step(io, [=] { return RADDLE_REAL(sendmsg)(file, message, flags); });
  // What is attached goes with the first part; the rest follows as there is room.
  ssize_t sent =
      io_step(io, [=] { return RADDLE_REAL(sendmsg)(file, message, flags | MSG_DONTWAIT); });
  if (sent < 0) return sent;
  return write_pieces(io, channel, message->msg_iov, message->msg_iovlen, static_cast<size_t>(sent),
                      flags);
}

}  // namespace raddle::runtime

RADDLE_EXPORT ssize_t read(int file, void* buffer, size_t size) {
  if (!running()) return RADDLE_REAL(read)(file, buffer, size);
  return read_from(file, buffer, size, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t write(int file, const void* data, size_t size) {
  if (!running()) return RADDLE_REAL(write)(file, data, size);
  return write_to(file, data, size, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t readv(int file, const iovec* pieces, int count) {
  return read_pieces_from(file, pieces, count, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t writev(int file, const iovec* pieces, int count) {
  return write_pieces_to(file, pieces, count, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t recv(int file, void* buffer, size_t size, int flags) {
  return receive_from(file, buffer, size, flags, nullptr, nullptr, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t recvfrom(int file, void* buffer, size_t size, int flags, sockaddr* from,
                               socklen_t* length) {
  return receive_from(file, buffer, size, flags, from, length, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t recvmsg(int file, msghdr* message, int flags) {
  return receive_message(file, message, flags, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t send(int file, const void* data, size_t size, int flags) {
  return send_to(file, data, size, flags, nullptr, 0, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t sendto(int file, const void* data, size_t size, int flags, const sockaddr* to,
                             socklen_t length) {
  return send_to(file, data, size, flags, to, length, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t sendmsg(int file, const msghdr* message, int flags) {
  return send_message(file, message, flags, RADDLE_PROGRAM_CALLER);
}

// What programs built with _FORTIFY_SOURCE call. A size that does not fit is libc's to report.
RADDLE_EXPORT ssize_t __read_chk(int file, void* buffer, size_t size, size_t room) {
  if (!running() || size > room) return RADDLE_REAL(__read_chk)(file, buffer, size, room);
  return read_from(file, buffer, size, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t __recv_chk(int file, void* buffer, size_t size, size_t room, int flags) {
  if (!running() || size > room) return RADDLE_REAL(__recv_chk)(file, buffer, size, room, flags);
  return receive_from(file, buffer, size, flags, nullptr, nullptr, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t __recvfrom_chk(int file, void* buffer, size_t size, size_t room, int flags,
                                     sockaddr* from, socklen_t* length) {
  if (!running() || size > room)
    return RADDLE_REAL(__recvfrom_chk)(file, buffer, size, room, flags, from, length);
  return receive_from(file, buffer, size, flags, from, length, RADDLE_PROGRAM_CALLER);
}
