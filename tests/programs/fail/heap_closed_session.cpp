// SPDX-License-Identifier: Apache-2.0
// Bug: one thread closes the session while another uses it.
// EXPECT: kind=use-after-free within=100 message~"freed by T2" function=use
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Session {
  int packets = 0;
};
std::mutex guard;
std::unique_ptr<Session> session;

void use() {
  Session* mine;
  {
    std::lock_guard hold(guard);
    mine = session.get();
  }
  if (mine) mine->packets = 1;
}

void close_session() {
  std::lock_guard hold(guard);
  session.reset();
}

}  // namespace

int main() {
  session = std::make_unique<Session>();
  std::thread user(use), closer(close_session);
  user.join();
  closer.join();
  return 0;
}
