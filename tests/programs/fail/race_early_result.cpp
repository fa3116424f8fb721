// SPDX-License-Identifier: Apache-2.0
// Bug: the result is read before the thread is joined.
// EXPECT: kind=data-race within=100 message~"on `result`"
#include <thread>

namespace {

int result = 0;

}  // namespace

int main() {
  std::thread worker([] { result = 6; });
  bool early = result == 6;
  worker.join();
  return early && result != 6;
}
