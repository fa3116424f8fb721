// SPDX-License-Identifier: Apache-2.0
// Bug: two binary semaphores are acquired in opposite orders.
// EXPECT: kind=deadlock within=200 stack=use_both
#include <semaphore>
#include <thread>

namespace {

std::binary_semaphore scanner{1};
std::binary_semaphore printer{1};

void use_both(std::binary_semaphore& first, std::binary_semaphore& second) {
  first.acquire();
  second.acquire();
  second.release();
  first.release();
}

void copy() { use_both(scanner, printer); }
void proof() { use_both(printer, scanner); }

}  // namespace

int main() {
  std::thread first(copy);
  std::thread second(proof);
  first.join();
  second.join();
}
