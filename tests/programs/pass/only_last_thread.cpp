// SPDX-License-Identifier: Apache-2.0
// The process ends with its last thread, which destroys what the others have used: they have ended.
// SCHEDULES: 200
#include <pthread.h>

#include <thread>
#include <vector>

namespace {
std::vector<int> mine(4), theirs(4);
}

int main() {
  std::thread([] { theirs[0] = 1; }).detach();
  mine[0] = 2;
  pthread_exit(nullptr);
}
