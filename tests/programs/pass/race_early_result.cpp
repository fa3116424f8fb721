// SPDX-License-Identifier: Apache-2.0
// Fixed: the join comes first.
// SCHEDULES: 500
#include <thread>

namespace {

int result = 0;

}  // namespace

int main() {
  std::thread worker([] { result = 6; });
  worker.join();
  return result != 6;
}
