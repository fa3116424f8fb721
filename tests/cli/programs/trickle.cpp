// SPDX-License-Identifier: Apache-2.0
//
// Two threads whose races lead to further races, each only if the one before has gone a certain
// way: a systematic search comes upon their sites one after the other.
#include <pthread.h>

namespace {

volatile int a, b, c, d, e, f;

void* left(void*) {
  a = 1;
  if (b == 1) {
    c = 1;
    if (d == 1) {
      e = 1;
      if (f == 1) a = 2;
    }
  }
  return nullptr;
}

void* right(void*) {
  b = 1;
  if (a == 1) d = 1;
  if (c == 1) {
    d = 1;
    if (e == 1) f = 1;
  }
  return nullptr;
}

}  // namespace

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, left, nullptr);
  pthread_create(&threads[1], nullptr, right, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
