// SPDX-License-Identifier: Apache-2.0
// Fixed: the user keeps a share of the session.
// SCHEDULES: 500
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Session {
  int packets = 0;
};
std::mutex guard;
std::shared_ptr<Session> session;

void use() {
  std::shared_ptr<Session> mine;
  {
    std::lock_guard hold(guard);
    mine = session;
  }
  if (mine) mine->packets = 1;
}

void close_session() {
  std::lock_guard hold(guard);
  session.reset();
}

}  // namespace

int main() {
  session = std::make_shared<Session>();
  std::thread user(use), closer(close_session);
  user.join();
  closer.join();
  return 0;
}
