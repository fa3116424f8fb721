// SPDX-License-Identifier: Apache-2.0
// Fixed: main waits for the thread before the static object is destroyed.
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Log {
  std::mutex mutex;
  std::vector<int> lines = std::vector<int>(4);

  void add(int line) {
    std::lock_guard lock(mutex);
    lines[0] = line;
  }
};

Log log_of_all;

}  // namespace

int main() {
  std::thread writer([] {
    for (int i = 0; i < 3; ++i) log_of_all.add(i);
  });

  log_of_all.add(-1);
  writer.join();
}
