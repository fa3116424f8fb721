// SPDX-License-Identifier: Apache-2.0
//
// sendfile, splice, tee and vmsplice: output whose bytes come from another descriptor. Target side.
// Waiting for the source is a step, passing bytes on another one.
#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "runtime/io_step.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace {

// Waits for bytes to pass on. False if there is an error instead.
bool await_source(int from, bool waits, std::uintptr_t pc) {
  Channel channel = channel_of(from, false);
  if (channel.way == Way::straight) return true;
  if (!waits) channel.way = Way::non_blocking;
  return io_step(input_call(from, channel, pc), [] { return 0; }) == 0;
}

// Passes bytes on as soon as there are some, and room for them; `call` does not wait.
template <class Call>
ssize_t pass_on(int from, int to, bool waits, std::uintptr_t pc, Call call) {
  if (!running()) return call();
  act_on_cancel(pc);
  for (;;) {
    if (!await_source(from, waits, pc)) return -1;
    Channel channel = channel_of(to, true);
    if (!waits && channel.way == Way::blocking) channel.way = Way::non_blocking;
    ssize_t result =
        channel.way == Way::straight ? call() : io_step(output_call(to, channel, pc), call);
    bool again = result < 0 && errno == EAGAIN && waits && channel.way == Way::blocking;
    if (!again) return result;
    mark_yielding();  // somebody was faster, or has to make room
  }
}

// sendfile(2) without waiting in the kernel.
ssize_t send_what_fits(int to, int from, off_t* offset, size_t size) {
  int flags = RADDLE_REAL(fcntl)(to, F_GETFL);
  RADDLE_REAL(fcntl)(to, F_SETFL, flags | O_NONBLOCK);
  ssize_t result = RADDLE_REAL(sendfile)(to, from, offset, size);
  int error = errno;
  RADDLE_REAL(fcntl)(to, F_SETFL, flags);
  errno = error;
  return result;
}

ssize_t send_from_file(int to, int from, off_t* offset, size_t size, std::uintptr_t pc) {
  Channel channel = channel_of(to, true);
  if (channel.way == Way::straight) return RADDLE_REAL(sendfile)(to, from, offset, size);
  IoCall io = output_call(to, channel, pc);
  io.cancellation_point = false;
  size_t done = 0;
  while (done < size) {
    ssize_t sent = io_step(io, [&] { return send_what_fits(to, from, offset, size - done); });
    if (sent < 0 && errno == EAGAIN && io.blocks && io.deadline_ns == 0) {
      mark_yielding();
      continue;
    }
    if (sent <= 0) return done > 0 ? static_cast<ssize_t>(done) : sent;
    done += static_cast<size_t>(sent);
    if (!io.blocks) break;
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

RADDLE_EXPORT ssize_t sendfile(int to, int from, off_t* offset, size_t size) noexcept {
  if (!running()) return RADDLE_REAL(sendfile)(to, from, offset, size);
  return send_from_file(to, from, offset, size, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT ssize_t sendfile64(int to, int from, off64_t* offset, size_t size) noexcept {
  return sendfile(to, from, offset, size);
}

RADDLE_EXPORT ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset,
                             size_t size, unsigned flags) {
  unsigned now = running() ? flags | SPLICE_F_NONBLOCK : flags;
  return pass_on(from, to, (flags & SPLICE_F_NONBLOCK) == 0, RADDLE_PROGRAM_CALLER,
                 [=] { return RADDLE_REAL(splice)(from, from_offset, to, to_offset, size, now); });
}

RADDLE_EXPORT ssize_t tee(int from, int to, size_t size, unsigned flags) {
  unsigned now = running() ? flags | SPLICE_F_NONBLOCK : flags;
  return pass_on(from, to, (flags & SPLICE_F_NONBLOCK) == 0, RADDLE_PROGRAM_CALLER,
                 [=] { return RADDLE_REAL(tee)(from, to, size, now); });
}

RADDLE_EXPORT ssize_t vmsplice(int file, const iovec* pieces, size_t count, unsigned flags) {
  if (!running()) return RADDLE_REAL(vmsplice)(file, pieces, count, flags);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  act_on_cancel(pc);
  int access = RADDLE_REAL(fcntl)(file, F_GETFL) & O_ACCMODE;
  bool writes = access != O_RDONLY;
  Channel channel = channel_of(file, writes);
  auto call = [=] { return RADDLE_REAL(vmsplice)(file, pieces, count, flags | SPLICE_F_NONBLOCK); };
  if (channel.way == Way::straight) return call();
  if ((flags & SPLICE_F_NONBLOCK) != 0) channel.way = Way::non_blocking;
  return io_step(writes ? output_call(file, channel, pc) : input_call(file, channel, pc), call);
}
