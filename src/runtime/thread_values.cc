// SPDX-License-Identifier: Apache-2.0
//
// Thread-specific data. Target side. Values lie in one array a fiber, made when the thread first
// sets one; a key's sequence number tells values of a deleted key from those of its successor.
//
// Where runs are repeated in one process, keys were made before the first run and values of the
// first thread outlive runs: there libc keeps the values, for fibers too, since they lie in thread
// descriptors; only the destructors, which libc calls for threads of its own, are called from here.
#include "runtime/thread_values.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/locate.h"
#include "runtime/order.h"
#include "runtime/real.h"

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

// The C++ library makes futures ready here (set_value_at_thread_exit), by stores that nobody sees.
void destroy(void (*destructor)(void*), void* pointer) {
  SiteId site = site_of(reinterpret_cast<std::uintptr_t>(destructor));
  if (running() && races_wanted() && is_system_site(site)) order_unseen_release();
  destructor(pointer);
}

// Of libc's keys.
void (*native_destructors[PTHREAD_KEYS_MAX])(void*);
unsigned native_keys_used;

bool is_native() { return off() || g.in_process; }

bool destroy_native_once() {
  bool any = false;
  for (unsigned k = 0; k < native_keys_used; ++k) {
    if (native_destructors[k] == nullptr) continue;
    void* pointer = RADDLE_REAL(pthread_getspecific)(k);
    if (pointer == nullptr) continue;
    RADDLE_REAL(pthread_setspecific)(k, nullptr);
    any = true;
    destroy(native_destructors[k], pointer);
  }
  return any;
}

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
    destroy(keys[k].destructor, pointer);
  }
  return any;
}

}  // namespace

void destroy_thread_values() {
  if (is_native()) {
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
      if (!destroy_native_once()) break;
    return;
  }
  Fiber& me = *g.current;
  if (me.thread_values == nullptr) return;
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
    if (!destroy_once(me)) break;
  free(me.thread_values);
  me.thread_values = nullptr;
}

void release_thread_values() {
  if (g.in_process) return;
  // libc hands out the lowest free number: all up to the highest that is known, in order.
  for (unsigned k = 0; k < keys_used; ++k) {
    pthread_key_t key = 0;
    if (pthread_key_create(&key, keys[k].destructor) != 0 || key != k) return;
  }
  const Value* values = values_of(*g.current);
  for (unsigned k = 0; k < keys_used; ++k)
    if (!in_use(keys[k]))
      pthread_key_delete(k);
    else if (values != nullptr && values[k].sequence == keys[k].sequence)
      RADDLE_REAL(pthread_setspecific)(k, values[k].pointer);
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

RADDLE_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  if (is_native()) {
    int error = RADDLE_REAL(pthread_key_create)(key, destructor);
    if (error != 0 || *key >= PTHREAD_KEYS_MAX) return error;
    native_destructors[*key] = destructor;
    if (*key >= native_keys_used) native_keys_used = *key + 1;
    return 0;
  }
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
  if (is_native()) {
    if (key < PTHREAD_KEYS_MAX) native_destructors[key] = nullptr;
    return RADDLE_REAL(pthread_key_delete)(key);
  }
  if (key >= PTHREAD_KEYS_MAX || !in_use(keys[key])) return EINVAL;
  ++keys[key].sequence;
  return 0;
}

RADDLE_EXPORT int pthread_setspecific(pthread_key_t key, const void* pointer) {
  if (is_native()) return RADDLE_REAL(pthread_setspecific)(key, pointer);
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
  if (is_native()) return RADDLE_REAL(pthread_getspecific)(key);
  const Fiber& me = *g.current;
  if (key >= PTHREAD_KEYS_MAX || me.thread_values == nullptr) return nullptr;
  const Value& value = values_of(me)[key];
  return value.sequence == keys[key].sequence ? value.pointer : nullptr;
}
