// SPDX-License-Identifier: Apache-2.0
// A lock keeps the writers of unaligned words apart.
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

static char packet[16];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void* first(void* unused) {
  pthread_mutex_lock(&guard);
  __sanitizer_unaligned_store64(packet + 1, 7);
  pthread_mutex_unlock(&guard);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&guard);
  int bad = __sanitizer_unaligned_load16(packet + 7) != 0;
  pthread_mutex_unlock(&guard);
  return bad ? &guard : unused;
}

int main(void) {
  pthread_t a, b;
  void* bad;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, &bad);
  return bad != NULL || __sanitizer_unaligned_load32(packet + 1) != 7;
}
