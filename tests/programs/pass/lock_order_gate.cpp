// SPDX-License-Identifier: Apache-2.0
// Fixed: both take the gate first, so that only one of them asks for the two locks.
// SCHEDULES: 200
#include <mutex>
#include <thread>

namespace {

std::mutex gate;
std::mutex inbox;
std::mutex outbox;
int received = 3;
int sent = 0;

void forward() {
  std::lock_guard alone(gate);
  std::lock_guard in(inbox);
  std::lock_guard out(outbox);
  --received;
  ++sent;
}

void answer() {
  std::lock_guard alone(gate);
  std::lock_guard out(outbox);
  std::lock_guard in(inbox);
  ++received;
  ++sent;
}

}  // namespace

int main() {
  std::thread first(forward);
  std::thread second(answer);
  first.join();
  second.join();
  return received == 3 && sent == 2 ? 0 : 1;
}
