// SPDX-License-Identifier: Apache-2.0
// Bug: a thread that nobody waits for uses a static object that is destroyed when main returns.
// EXPECT: kind=use-after-free within=200 function=add
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
  writer.detach();
  log_of_all.add(-1);
}
