// SPDX-License-Identifier: Apache-2.0
//
// Thread-specific data. Target side. Values lie in one array a fiber, made when the thread first
// sets one; a key's sequence number tells values of a deleted key from those of its successor.
#include "runtime/thread_values.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

struct Key {
  void (*destructor)(void*);
  std::uintptr_t sequence;  // odd while in use
};
Key keys[PTHREAD_KEYS_MAX];
unsigned keys_used;  // above the highest key ever in use

struct Value {
  std::uintptr_t sequence;
  void* pointer;
};

bool in_use(const Key& key) { return key.sequence % 2 == 1; }

Value* values_of(const Fiber& fiber) { return reinterpret_cast<Value*>(fiber.thread_values); }

bool destroy_once(const Fiber& me) {
  bool any = false;
  Value* values = values_of(me);
  for (unsigned k = 0; k < keys_used; ++k) {
    void* pointer = values[k].pointer;
    if (pointer == nullptr || values[k].sequence != keys[k].sequence) continue;
    values[k].pointer = nullptr;
    if (keys[k].destructor == nullptr) continue;
    any = true;
    keys[k].destructor(pointer);
  }
  return any;
}

}  // namespace

void destroy_thread_values() {
  Fiber& me = *g.current;
  if (me.thread_values == nullptr) return;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
    if (!destroy_once(me)) break;
  free(me.thread_values);
  me.thread_values = nullptr;
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

RADDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  if (off()) return RADDLE_REAL(pthread_key_create)(key, destructor);
  for (unsigned k = 0; k < PTHREAD_KEYS_MAX; ++k) {
    if (in_use(keys[k])) continue;
    keys[k] = {destructor, keys[k].sequence + 1};
    if (k >= keys_used) keys_used = k + 1;
    *key = k;
    return 0;
  }
  return EAGAIN;
}

RADDLE_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (off()) return RADDLE_REAL(pthread_key_delete)(key);
  if (key >= PTHREAD_KEYS_MAX || !in_use(keys[key])) return EINVAL;
  ++keys[key].sequence;
  return 0;
}

RADDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* pointer) {
  if (off()) return RADDLE_REAL(pthread_setspecific)(key, pointer);
  if (key >= PTHREAD_KEYS_MAX || !in_use(keys[key])) return EINVAL;
  Fiber& me = *g.current;
  if (me.thread_values == nullptr) {
    me.thread_values = static_cast<void**>(calloc(PTHREAD_KEYS_MAX, sizeof(Value)));
    if (me.thread_values == nullptr) return ENOMEM;
  }
  values_of(me)[key] = {keys[key].sequence, const_cast<void*>(pointer)};
  return 0;
}

RADDLE_EXPORT void* pthread_getspecific(pthread_key_t key) {
  if (off()) return RADDLE_REAL(pthread_getspecific)(key);
  const Fiber& me = *g.current;
  if (key >= PTHREAD_KEYS_MAX || me.thread_values == nullptr) return nullptr;
  const Value& value = values_of(me)[key];
  return value.sequence == keys[key].sequence ? value.pointer : nullptr;
}
