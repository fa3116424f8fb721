// SPDX-License-Identifier: Apache-2.0
//
// Three threads, each of which increments a variable N times under one mutex: (3N)! / N!^3 traces.
// increments N [wrong]: with `wrong`, a run in which the last thread is through before the others
// have begun fails.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total;
int each;
bool wrong;

void* increment(void* argument) {
  for (int i = 0; i < each; ++i) {
    pthread_mutex_lock(&mutex);
    ++total;
    bool last = argument != nullptr && i == each - 1;
    if (wrong && last && total == each) abort();
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  each = argc > 1 ? atoi(argv[1]) : 2;
  wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], nullptr, increment, i == 2 ? &threads[i] : nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return total == 3 * each ? 0 : 1;
}
