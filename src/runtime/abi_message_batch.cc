// SPDX-License-Identifier: Apache-2.0
//
// sendmmsg and recvmmsg: message after message, as the kernel has it. Target side.
#include <errno.h>
#include <sys/socket.h>

#include "runtime/io_step.h"
#include "runtime/real.h"

using namespace raddle::runtime;

namespace raddle::runtime {

int send_batch(int file, mmsghdr* messages, unsigned count, int flags, std::uintptr_t pc) {
  if (!running()) return RADDLE_REAL(sendmmsg)(file, messages, count, flags);
  unsigned done = 0;
  for (; done < count; ++done) {
    ssize_t sent = send_message(file, &messages[done].msg_hdr, flags, pc);
    if (sent < 0) break;
    messages[done].msg_len = static_cast<unsigned>(sent);
  }
  return done > 0 || count == 0 ? static_cast<int>(done) : -1;
}

// The time-out is looked at after a message only: so says the kernel.
int receive_batch(int file, mmsghdr* messages, unsigned count, int flags, timespec* span,
                  std::uintptr_t pc) {
  if (!running()) return RADDLE_REAL(recvmmsg)(file, messages, count, flags, span);
  if (span != nullptr && (span->tv_sec < 0 || !is_valid(*span))) {
    errno = EINVAL;
    return -1;
  }
  std::uint64_t deadline = span != nullptr ? deadline_after(*span) : 0;
  unsigned done = 0;
  while (done < count) {
    ssize_t got = receive_message(file, &messages[done].msg_hdr, flags & ~MSG_WAITFORONE, pc);
    if (got < 0) break;
    messages[done++].msg_len = static_cast<unsigned>(got);
    if ((flags & MSG_WAITFORONE) != 0) flags |= MSG_DONTWAIT;
    if (span == nullptr) continue;
    std::uint64_t left = deadline > g.now_ns ? deadline - g.now_ns : 0;
    *span = {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    if (left == 0) break;
  }
  return done > 0 || count == 0 ? static_cast<int>(done) : -1;
}

}  // namespace raddle::runtime

RADDLE_EXPORT int sendmmsg(int file, mmsghdr* messages, unsigned count, int flags) {
  return send_batch(file, messages, count, flags, RADDLE_PROGRAM_CALLER);
}

RADDLE_EXPORT int recvmmsg(int file, mmsghdr* messages, unsigned count, int flags, timespec* span) {
  return receive_batch(file, messages, count, flags, span, RADDLE_PROGRAM_CALLER);
}
