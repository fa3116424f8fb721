// SPDX-License-Identifier: Apache-2.0
//
// See engine_call.h.
#include "runtime/engine_call.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "runtime/raw_call.h"

namespace raddle::runtime {

int call_engine(const char* name, std::size_t size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (size > sizeof address.sun_path) return -1;
  for (std::size_t i = 0; i < size; ++i) address.sun_path[i] = name[i];
  long length = static_cast<long>(offsetof(sockaddr_un, sun_path) + size);
  // An engine that does not listen must not hold up the run.
  constexpr long kType = SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK;
  long channel = raw_call(SYS_socket, AF_UNIX, kType, 0);
  if (channel < 0) return -1;
  if (raw_call(SYS_connect, channel, as_word(&address), length) == 0 &&
      raw_call(SYS_fcntl, channel, F_SETFL, 0) == 0)
    return static_cast<int>(channel);
  raw_call(SYS_close, channel);
  return -1;
}

}  // namespace raddle::runtime
