// SPDX-License-Identifier: Apache-2.0
//
// Thread-local variables of main and of threads, keys, and their destructors.
#include "fresh.h"

namespace {

int destroyed;
struct Own {
  int value = 3;
  ~Own() { ++destroyed; }
};
thread_local Own own;
thread_local char room[20000];
thread_local int plain = 4;
pthread_key_t key;
void look() {
  FRESH(destroyed == 0 && own.value == 3 && plain == 4);
  for (char each : room) FRESH(each == 0);
  pthread_key_t another;
  FRESH(pthread_key_create(&another, [](void*) { ++destroyed; }) == 0);
  FRESH(key == 0 && pthread_getspecific(another) == nullptr);
  key = another;
  FRESH(another < 10);
}
void leave(int order) {
  own.value = plain = errno = order;
  memset(room, 1, sizeof room);
  for (int i = 0; i < 20; ++i) {
    pthread_key_t more;
    pthread_key_create(&more, nullptr);
    pthread_setspecific(more, &own);
  }
  pthread_setspecific(key, &plain);
  pthread_t thread;
  auto* touch = +[](void*) -> void* {
    own.value = plain = 9;
    pthread_setspecific(key, &key);
    return nullptr;
  };
  pthread_create(&thread, nullptr, touch, nullptr);
  pthread_join(thread, nullptr);
}

}  // namespace

int main(int argc, char** argv) { return fresh::run(argc, argv, look, leave); }
