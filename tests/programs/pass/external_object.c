// SPDX-License-Identifier: Apache-2.0
// A lock orders the uses of the library's object.
#include <pthread.h>
#include <sanitizer/tsan_interface.h>

static char object[64];
static void* tag;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void library_get(void) {
  __tsan_external_read(object, __builtin_return_address(0), tag);
}
__attribute__((noinline)) static void library_set(void) {
  __tsan_external_write(object, __builtin_return_address(0), tag);
}

static void* look(void* unused) {
  pthread_mutex_lock(&guard);
  library_get();
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* change(void* unused) {
  pthread_mutex_lock(&guard);
  library_set();
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  tag = __tsan_external_register_tag("Object");
  __tsan_external_register_header(tag, "race on an object");
  __tsan_external_assign_tag(object, tag);
  pthread_t a, b;
  pthread_create(&a, NULL, look, NULL);
  pthread_create(&b, NULL, change, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  __tsan_flush_memory();
  return 0;
}
