// SPDX-License-Identifier: Apache-2.0
//
// Each schedule writes other pages, and some of them only back to what they were.
#include <stdint.h>

#include "fresh.h"

namespace {

alignas(4096) char room[400][4096];
alignas(4096) char filled[100][4096] = {{1}};
uint32_t history = 17;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void look() {
  FRESH(history == 17);
  for (auto& page : room)
    for (int i = 0; i < 4096; i += 32) FRESH(page[i] == 0);
  for (auto& page : filled)
    for (int i = 32; i < 4096; i += 32) FRESH(page[i] == 0);
}
void* write_some(void* number) {
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&mutex);
    history = history * 2654435761u + static_cast<uint32_t>(reinterpret_cast<uintptr_t>(number));
    char* place = &room[history / 1000 % 400][history % 128 * 32];
    *place = 1;
    if (history % 3 == 0) *place = 0;
    filled[history / 7 % 100][history % 126 * 32 + 32] ^= static_cast<char>(history % 2);
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}
void leave(int) {
  pthread_t threads[3];
  for (uintptr_t i = 0; i < 3; ++i)
    pthread_create(&threads[i], nullptr, write_some, reinterpret_cast<void*>(i + 1));
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  printf("%u\n", history);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
