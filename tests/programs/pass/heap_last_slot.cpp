// SPDX-License-Identifier: Apache-2.0
// Fixed: the queue refuses the fifth.
// SCHEDULES: 500
#include <mutex>
#include <thread>

namespace {

constexpr int kRoom = 4;
int* slots = nullptr;
int used = 0;
std::mutex guard;

void put(int count) {
  for (int i = 0; i < count; ++i) {
    std::lock_guard hold(guard);
    if (used < kRoom) slots[used++] = i;
  }
}

}  // namespace

int main() {
  slots = new int[kRoom];
  std::thread one(put, 3), two(put, 2);
  one.join();
  two.join();
  delete[] slots;
  return 0;
}
