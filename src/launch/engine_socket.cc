// SPDX-License-Identifier: Apache-2.0
//
// See engine_socket.h.
#include "launch/engine_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

namespace raddle::launch {
namespace {

// Who has called says something right after that.
constexpr int kFirstWordsMs = 1000;

bool receive(int channel, void* words, std::size_t size, pid_t& sender) {
  pollfd entry = {channel, POLLIN, 0};
  if (poll(&entry, 1, kFirstWordsMs) <= 0) return false;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  iovec piece = {words, size};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(channel, &message, MSG_DONTWAIT) != static_cast<ssize_t>(size)) return false;
  cmsghdr* first = CMSG_FIRSTHDR(&message);
  if (first == nullptr || first->cmsg_type != SCM_CREDENTIALS) return false;
  ucred credentials;
  std::memcpy(&credentials, CMSG_DATA(first), sizeof credentials);
  sender = credentials.pid;
  return true;
}

}  // namespace

bool EngineSocket::open(int callers_max, std::size_t address_max) {
  UniqueFd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // The kernel finds an abstract name that nobody has.
  constexpr socklen_t kFamilyOnly = offsetof(sockaddr_un, sun_path);
  socklen_t size = sizeof address;
  int on = 1;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!listener.valid() || bind(listener.get(), generic, kFamilyOnly) != 0 ||
      setsockopt(listener.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0 ||
      listen(listener.get(), callers_max) != 0 || getsockname(listener.get(), generic, &size) != 0)
    return false;
  address_.assign(address.sun_path, size - kFamilyOnly);
  if (address_.empty() || address_.size() > address_max) return false;
  listener_ = std::move(listener);
  return true;
}

std::optional<EngineSocket::Call> EngineSocket::accept(void* message, std::size_t size,
                                                       int patience_ms) const {
  pollfd entry = {listener_.get(), POLLIN, 0};
  if (patience_ms > 0) poll(&entry, 1, patience_ms);
  Call call;
  UniqueFd channel(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!channel.valid()) return std::nullopt;
  int on = 1, off = 0;
  if (setsockopt(channel.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 &&
      receive(channel.get(), message, size, call.process)) {
    // Who it is does not change, and to say so takes time with every message.
    setsockopt(channel.get(), SOL_SOCKET, SO_PASSCRED, &off, sizeof off);
    call.channel = std::move(channel);
  }
  return call;
}

}  // namespace raddle::launch
